"""
Pruning frame by frame
======================

A tree that is grown until it errs no more has learned the noise as well. *Weakest links*,
the pruning of CART, takes back the tests that are worth least, and so makes a sequence of
ever smaller trees; cases that growth has not seen say which of them to keep.
"""

# %%
# Grown from every other row of the Pima data, to the end:

import matplotlib.pyplot as plt

from planetree import datasets, show
from planetree.presets import CART
from planetree.pruners import cost_complexity_pruning_path

pima = datasets.load_pima(as_frame=True)
grown = CART(min_leaf_rows=5, max_depth=5).fit(pima.data[::2], pima.target[::2])
new = pima.data[1::2], pima.target[1::2]
print(f"{grown.n_leaves_} leaves; right in {grown.score(*new):.1%} of the other rows")

# %%
# The sequence of weakest links. ``alphas`` are the prices of a leaf at which the next link
# goes.

path = cost_complexity_pruning_path(grown.tree_)
for alpha, leaves in zip(path.alphas, path.n_leaves):
    print(f"alpha {alpha:8.4f}: {leaves:3} leaves")

# %%
# Frame by frame: the tree as it shrinks. The nodes that a step turns into leaves are in
# ``path.first``: it holds the step at which each node of the whole tree becomes one.

for step in range(len(path) - 1):
    going = [i for i in range(grown.n_nodes_) if path.first[i] == step + 1]
    ax = show.tree(path.tree(step), max_depth=4)
    asked = [grown.tree_.tests[i].describe(grown.tree_.schema, 4)[0] for i in going]
    ax.set_title(
        f"{path.n_leaves[step]} leaves; next to go: {'; '.join(asked)}", fontsize=9, wrap=True
    )

# %%
# More leaves always fit the training rows better. The other rows tell where that stops being
# knowledge:

show.pruning_path(grown, *new)
plt.show()

# %%
# A pruner does all of this in one go, and judges by cases held out or by cross-validation.

from planetree.pruners import CostComplexity

pruned = CART(pruner=CostComplexity(standard_errors=1), random_state=0)
pruned.fit(pima.data[::2], pima.target[::2])
print(f"{pruned.n_leaves_} leaves; right in {pruned.score(*new):.1%} of the other rows")
