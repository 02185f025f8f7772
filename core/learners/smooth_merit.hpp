// The merit of soft counts, climbed by gradient (kin: Yang, Shen and Gao, AAAI 2019).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "best_cuts.hpp"
#include "lbfgs.hpp"
#include "learners/class_blocks.hpp"
#include "node.hpp"

namespace planetree {

struct SmoothMerit {
    std::span<const double> sharpness;  // levels, one after the other
    double l2;
    Descent descent;
};

// Minus the merit of the counts when each row goes right with the share σ(w·z + constant), plus l2/2 |w|² of the
// weights without the constant. The merit is Gini's, or for `entropy` the information gain, in nats.
class SoftSplit {
  public:
    SoftSplit(const ClassBlocks& rows, bool entropy, double l2);

    // `weights` has the constant last, and so has the gradient.
    double operator()(std::span<const double> weights, std::span<double> gradient);

  private:
    const ClassBlocks& rows_;
    bool entropy_;
    double l2_;
    std::vector<double> right_;                    // share of each class that goes right
    std::vector<double> pull_;                     // how the merit grows with it
    std::vector<double> share_right_, residual_;   // of each row; of each row of a block
};

struct SmoothPlane {
    std::vector<double> weights;  // the constant left out: `cut` has it
    ColumnCut cut;                // the best along the weights
};

// How a plane becomes sparse: what a column costs, as a share of `ceiling`, the merit of parting all classes; the
// share of the columns that goes at each step; how many a plane may have.
struct Thinning {
    double price;
    double ceiling;
    double share;
    std::size_t most_columns;
};

// Climbs from each row of `starts`, a weight a column and the constant, and cuts exactly along what is found, and
// along each start itself. The greatest merit wins, of equals the first: starts before what is climbed to.
SmoothPlane fit(const SmoothMerit& learner, const NodeData& node, const MatrixView& starts,
                std::size_t n_threads);

// The same, then drops columns of least weight and climbs on, as long as it can pay; of all planes on the way, the
// one worth most after its columns are paid for. Dropped columns have the weight 0.
SmoothPlane fit_thinned(const SmoothMerit& learner, const NodeData& node, const MatrixView& starts,
                        const Thinning& thinning, std::size_t n_threads);

}  // namespace planetree
