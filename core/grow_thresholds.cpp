#include "grow_thresholds.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <memory>
#include <numeric>
#include <stdexcept>

#include "parallel.hpp"
#include "presort.hpp"

namespace planetree {

double worth(const ColumnCut& cut, Choice choice) {
    return choice == Choice::merit ? cut.merit : cut.merit / cut.split_info;
}

std::ptrdiff_t choose_column(const std::vector<ColumnCut>& cuts, Choice choice) {
    double sum = 0.0, most = 0.0;
    std::size_t n_found = 0;
    if (choice == Choice::guarded_gain_ratio)
        for (const auto& cut : cuts)
            if (cut.found) {
                sum += cut.merit;
                most = std::max(most, cut.merit);
                ++n_found;
            }
    // The mean of equal gains can round to more than each of them.
    const double least = n_found > 0 ? std::min(sum / static_cast<double>(n_found), most) : 0.0;
    std::ptrdiff_t winner = -1;
    double best = -1.0;
    for (std::size_t c = 0; c < cuts.size(); ++c) {
        if (!cuts[c].found || cuts[c].merit < least) continue;
        const double value = worth(cuts[c], choice);
        if (value > best) {
            best = value;
            winner = static_cast<std::ptrdiff_t>(c);
        }
    }
    return winner;
}

namespace {

struct Node {
    ColumnCut test;  // not found: a leaf
    std::int32_t column = -1;
    std::size_t n_rows = 0;
    std::vector<double> counts;
    Node* left = nullptr;
    Node* right = nullptr;
};

// A node that will be split: its rows are at [start, start + n) of every column's stream.
struct Open {
    Node* node = nullptr;
    std::size_t start = 0, depth = 0;
    double weight = 0.0;
    std::vector<std::size_t> n_known;  // per column; empty where the table misses nothing
    Cut cut;
    std::size_t born = 0;

    // Best first: by what the split is worth to the whole tree, then by age.
    bool operator<(const Open& other) const {
        const double mine = node->test.merit * weight, theirs = other.node->test.merit * other.weight;
        return mine != theirs ? mine < theirs : born > other.born;
    }
};

// One bit a row: 100 000 of them fit the first-level cache.
class RowSet {
  public:
    explicit RowSet(std::size_t n_rows) : bits_((n_rows + 63) / 64) {}
    void flip(std::size_t row) { bits_[row / 64] ^= std::uint64_t{1} << row % 64; }
    std::size_t has(std::size_t row) const { return bits_[row / 64] >> row % 64 & 1; }

  private:
    std::vector<std::uint64_t> bits_;
};

// Which rows go where at one split. The rows of a branch that is kept stay in their order; those of a leaf are not
// needed again and make room.
struct Parting {
    const RowSet& marked;
    std::size_t marked_is_left;
    bool keep_left, keep_right;

    bool goes_left(std::size_t row) const { return marked.has(row) == marked_is_left; }
    bool keeps(std::size_t row) const { return goes_left(row) == keep_left; }  // where one branch is kept
};

// Parts `n` elements (and their ranks, if any) and says how many of the first `n_known` went to the front.
template <bool ranked>
std::size_t part(std::uint32_t* element, std::uint32_t* rank, std::size_t n, std::size_t n_known,
                 const Parting& parting, Coding coding, std::vector<std::uint32_t>& spare_element,
                 std::vector<std::uint32_t>& spare_rank) {
    std::size_t front = 0, back = 0, known_front = 0;
    if (parting.keep_left && parting.keep_right) {
        if (spare_element.size() < n) spare_element.resize(n);
        if (ranked && spare_rank.size() < n) spare_rank.resize(n);
        std::uint32_t* const spare = spare_element.data();
        std::uint32_t* const spare_r = spare_rank.data();
        const auto run = [&](std::size_t i, std::size_t end) {
            for (; i < end; ++i) {
                const std::uint32_t e = element[i];
                const std::size_t left = parting.goes_left(coding.row(e));
                element[front] = e;
                spare[back] = e;
                if constexpr (ranked) {
                    const std::uint32_t r = rank[i];
                    rank[front] = r;
                    spare_r[back] = r;
                }
                front += left;
                back += 1 - left;
            }
        };
        run(0, n_known);
        known_front = front;
        run(n_known, n);
        std::copy_n(spare, back, element + front);
        if constexpr (ranked) std::copy_n(spare_r, back, rank + front);
    } else {
        const auto run = [&](std::size_t i, std::size_t end) {
            for (; i < end; ++i) {
                const std::uint32_t e = element[i];
                element[front] = e;
                if constexpr (ranked) rank[front] = rank[i];
                front += parting.keeps(coding.row(e));
            }
        };
        run(0, n_known);
        known_front = front;
        run(n_known, n);
    }
    return known_front;
}

class Grower {
  public:
    Grower(const Table& table, const Growth& growth, Progress& progress)
        : table_(table),
          growth_(growth),
          progress_(progress),
          n_columns_(table.X.n_columns),
          coding_(table.n_classes),
          workers_(growth.n_threads),
          own_(workers_.size()),
          element_(n_columns_),
          rank_(n_columns_) {}

    GrownTree grow() {
        std::vector<Open> frontier;
        plant(frontier);
        if (growth_.max_leaves > 0)
            grow_best_first(frontier);
        else
            grow_all(frontier);
        return flatten();
    }

  private:
    // What each thread has for itself.
    struct Own {
        SortScratch sort;
        SweepScratch sweep;
        std::vector<std::uint32_t> spare_element, spare_rank, marked;
        std::vector<Cut> cuts[2];
        std::unique_ptr<RowSet> marks;
        std::deque<Node> nodes;  // never moved
    };

    Node* new_node(Own& own) { return &own.nodes.emplace_back(); }

    // The same rule as Stop.before_search.
    bool stops(const Node& node, std::size_t depth) const {
        const auto classes =
            std::count_if(node.counts.begin(), node.counts.end(), [](double c) { return c > 0; });
        return classes < 2 || depth >= growth_.max_depth || node.n_rows < growth_.min_rows ||
               node.n_rows < 2 * growth_.min_leaf_rows;
    }

    void settle(const Node& leaf) { progress_.rows_settled += leaf.n_rows; }

    NodeTotals totals(const Open& open) const {
        return {open.node->counts, open.weight, table_.weight, growth_.merit, growth_.min_leaf_rows};
    }

    Stream stream(const Open& open, std::size_t column) const {
        const std::size_t n = open.node->n_rows;
        return {element_[column].data() + open.start,
                rank_[column].empty() ? nullptr : rank_[column].data() + open.start,
                open.n_known.empty() ? n : open.n_known[column], n};
    }

    // Columns one after the other, or, in a big node, on all threads.
    void over_columns(bool together, Own& own, const std::function<void(Own&, std::size_t)>& work) {
        if (together)
            workers_.run(n_columns_, [&](std::size_t worker, std::size_t c) { work(own_[worker], c); });
        else
            for (std::size_t c = 0; c < n_columns_; ++c) work(own, c);
    }

    // Picks the winner among the cuts of all columns. False: the node is a leaf after all.
    bool choose(Open& open, const std::vector<Cut>& cuts) {
        const NodeTotals node = totals(open);
        std::vector<ColumnCut> tests(n_columns_);
        for (std::size_t c = 0; c < n_columns_; ++c)
            if (cuts[c].found()) tests[c] = describe(cuts[c], table_, c, stream(open, c), coding_, node);
        const std::ptrdiff_t winner = choose_column(tests, growth_.choice);
        if (winner < 0) return false;
        const auto c = static_cast<std::size_t>(winner);
        tests[c].merit = worth(tests[c], growth_.choice);
        if (tests[c].merit < growth_.min_merit) return false;
        open.node->column = static_cast<std::int32_t>(winner);
        open.node->test = tests[c];
        open.cut = cuts[c];
        return true;
    }

    void plant(std::vector<Open>& frontier) {
        const std::size_t n = table_.X.n_rows;
        Open root;
        root.node = root_ = new_node(own_[0]);
        root_->n_rows = n;
        root_->counts.assign(table_.n_classes, 0.0);
        for (std::size_t row = 0; row < n; ++row) {
            root_->counts[static_cast<std::size_t>(table_.y[row])] += table_.weight_of(row);
            root.weight += table_.weight_of(row);
        }
        if (stops(*root_, 0)) return settle(*root_);

        std::vector<std::uint32_t> rows(n);
        std::iota(rows.begin(), rows.end(), 0u);
        root.n_known.assign(n_columns_, n);
        std::vector<Cut> cuts(n_columns_);
        over_columns(true, own_[0], [&](Own& own, std::size_t c) {
            element_[c].resize(n);
            const SortedColumn sorted =
                sort_column(table_, rows, c, coding_, element_[c].data(), rank_[c], own.sort);
            root.n_known[c] = sorted.n_known;
            cuts[c] = best_cut(stream(root, c), totals(root), coding_, no_floor, own.sweep);
        });
        for (Own& own : own_) own.sort = {};
        const auto complete = [&](std::size_t known) { return known == n; };
        if (std::all_of(root.n_known.begin(), root.n_known.end(), complete)) root.n_known.clear();
        if (!table_.weight.empty()) by_row_ = std::move(rows);
        if (choose(root, cuts))
            frontier.push_back(std::move(root));
        else
            settle(*root_);
    }

    // Splits one node and appends those of its branches that will be split to `out`.
    void split(const Open& open, bool together, Own& own, std::vector<Open>& out) {
        if (progress_.stop) throw Stopped{};
        Node& node = *open.node;
        const std::size_t n = node.n_rows;
        const Stream winner = stream(open, static_cast<std::size_t>(node.column));
        const std::size_t n_left = open.cut.rows_left(winner);

        // Mark the smaller side.
        if (!own.marks) own.marks = std::make_unique<RowSet>(table_.X.n_rows);
        const bool mark_left = 2 * n_left <= n;
        const bool missing_marked = (open.cut.missing == Missing::left) == mark_left;
        const std::size_t end = missing_marked ? winner.n_rows : winner.n_known;
        own.marked.clear();
        const auto mark = [&](std::size_t i) { own.marked.push_back(winner.element[i]); };
        for (std::size_t i = mark_left ? 0 : open.cut.position;
             i < (mark_left ? open.cut.position : winner.n_known); ++i)
            mark(i);
        for (std::size_t i = winner.n_known; i < end; ++i) mark(i);
        for (const std::uint32_t e : own.marked) own.marks->flip(coding_.row(e));

        Open branch[2];
        const std::size_t first_born = born_ += 2;
        for (std::size_t side : {0, 1}) {
            branch[side].node = new_node(own);
            branch[side].node->n_rows = side == 0 ? n_left : n - n_left;
            branch[side].node->counts.assign(table_.n_classes, 0.0);
            branch[side].depth = open.depth + 1;
            branch[side].born = first_born + side;
        }
        node.left = branch[0].node;
        node.right = branch[1].node;
        Parting parting{*own.marks, mark_left, true, true};
        if (table_.weight.empty()) {
            Node& marked = *branch[mark_left ? 0 : 1].node;
            Node& others = *branch[mark_left ? 1 : 0].node;
            for (const std::uint32_t e : own.marked) marked.counts[coding_.label(e)] += 1.0;
            for (std::size_t k = 0; k < table_.n_classes; ++k)
                others.counts[k] = node.counts[k] - marked.counts[k];
            for (Open& b : branch) b.weight = static_cast<double>(b.node->n_rows);
        } else {
            for (std::size_t i = open.start; i < open.start + n; ++i) {
                const std::uint32_t row = by_row_[i];
                Open& b = branch[parting.goes_left(row) ? 0 : 1];
                b.node->counts[static_cast<std::size_t>(table_.y[row])] += table_.weight[row];
                b.weight += table_.weight[row];
            }
        }

        bool keep[2];
        for (std::size_t side : {0, 1}) {
            keep[side] = !stops(*branch[side].node, branch[side].depth);
            if (!keep[side]) settle(*branch[side].node);
        }
        if (keep[0] || keep[1]) {
            parting.keep_left = keep[0];
            parting.keep_right = keep[1];
            part_and_sweep(open, branch, parting, together, own);
            for (std::size_t side : {0, 1}) {
                if (!keep[side]) continue;
                if (choose(branch[side], own.cuts[side]))
                    out.push_back(std::move(branch[side]));
                else
                    settle(*branch[side].node);
            }
        }
        for (const std::uint32_t e : own.marked) own.marks->flip(coding_.row(e));
    }

    void part_and_sweep(const Open& open, Open (&branch)[2], const Parting& parting, bool together,
                        Own& own) {
        const std::size_t n = open.node->n_rows;
        const bool keep[2] = {parting.keep_left, parting.keep_right};
        branch[0].start = open.start;
        branch[1].start = open.start + (keep[0] ? branch[0].node->n_rows : 0);
        for (std::size_t side : {0, 1}) {
            own.cuts[side].assign(n_columns_, {});
            if (!open.n_known.empty()) branch[side].n_known.resize(n_columns_);
        }
        if (!by_row_.empty()) {
            const Coding plain(1);
            part<false>(by_row_.data() + open.start, nullptr, n, n, parting, plain, own.spare_element,
                        own.spare_rank);
        }
        // A column that cannot win any more is passed over quickly, unless every column's best gain counts.
        std::vector<double> floors[2];
        for (auto& f : floors) f.assign(own_.size(), no_floor);
        over_columns(together, own, [&](Own& mine, std::size_t c) {
            const Stream s = stream(open, c);
            std::uint32_t* element = element_[c].data() + open.start;
            std::uint32_t* rank = s.rank ? rank_[c].data() + open.start : nullptr;
            const std::size_t known_front = rank ? part<true>(element, rank, n, s.n_known, parting, coding_,
                                                              mine.spare_element, mine.spare_rank)
                                                 : part<false>(element, rank, n, s.n_known, parting, coding_,
                                                               mine.spare_element, mine.spare_rank);
            if (!open.n_known.empty()) {
                if (keep[0]) branch[0].n_known[c] = known_front;
                if (keep[1]) branch[1].n_known[c] = keep[0] ? s.n_known - known_front : known_front;
            }
            for (std::size_t side : {0, 1}) {
                if (!keep[side]) continue;
                double& floor = floors[side][static_cast<std::size_t>(&mine - own_.data())];
                Cut& cut = own.cuts[side][c];
                cut = best_cut(stream(branch[side], c), totals(branch[side]), coding_, floor, mine.sweep);
                if (cut.found() && growth_.choice == Choice::merit) floor = cut.score;
            }
        });
    }

    void grow_best_first(std::vector<Open>& frontier) {
        std::size_t n_leaves = 1;
        std::vector<Open> grown;
        while (!frontier.empty() && n_leaves < growth_.max_leaves) {
            std::pop_heap(frontier.begin(), frontier.end());
            const Open open = std::move(frontier.back());
            frontier.pop_back();
            grown.clear();
            split(open, open.node->n_rows >= big_node, own_[0], grown);
            ++n_leaves;
            for (Open& child : grown) {
                frontier.push_back(std::move(child));
                std::push_heap(frontier.begin(), frontier.end());
            }
        }
        for (const Open& open : frontier) open.node->column = -1;
    }

    // Big nodes one by one with a thread a column; then whole subtrees, a thread each.
    void grow_all(std::vector<Open>& frontier) {
        std::vector<Open> subtrees;
        const std::size_t small = workers_.size() == 1
                                      ? table_.X.n_rows
                                      : std::max(big_node, table_.X.n_rows / (16 * workers_.size()));
        while (!frontier.empty()) {
            const Open open = std::move(frontier.back());
            frontier.pop_back();
            if (open.node->n_rows <= small)
                subtrees.push_back(open);
            else
                split(open, true, own_[0], frontier);
        }
        std::stable_sort(subtrees.begin(), subtrees.end(),
                         [](const Open& a, const Open& b) { return a.node->n_rows > b.node->n_rows; });
        workers_.run(subtrees.size(), [&](std::size_t worker, std::size_t task) {
            std::vector<Open> stack{subtrees[task]};
            while (!stack.empty()) {
                const Open open = std::move(stack.back());
                stack.pop_back();
                split(open, false, own_[worker], stack);
            }
        });
    }

    GrownTree flatten() const {
        std::vector<const Node*> order{root_};
        GrownTree tree;
        for (std::size_t i = 0; i < order.size(); ++i) {
            const Node& node = *order[i];
            const bool inner = node.column >= 0;
            tree.column.push_back(node.column);
            tree.cut.push_back(inner ? node.test.cut : 0.0);
            tree.known_test.push_back(inner && node.test.known_test);
            tree.missing_right.push_back(inner && node.test.missing_right);
            tree.merit.push_back(inner ? node.test.merit : 0.0);
            tree.first_child.push_back(inner ? static_cast<std::int32_t>(order.size()) : 0);
            tree.n_rows.push_back(static_cast<std::int64_t>(node.n_rows));
            tree.counts.insert(tree.counts.end(), node.counts.begin(), node.counts.end());
            if (inner) order.insert(order.end(), {node.left, node.right});
        }
        return tree;
    }

    static constexpr double no_floor = -std::numeric_limits<double>::infinity();
    // Under this many rows the columns of one node are too little work to share out.
    static constexpr std::size_t big_node = 4096;

    const Table& table_;
    const Growth& growth_;
    Progress& progress_;
    const std::size_t n_columns_;
    const Coding coding_;
    Workers workers_;
    std::vector<Own> own_;
    std::vector<std::vector<std::uint32_t>> element_, rank_;  // a column each
    std::vector<std::uint32_t> by_row_;  // weighted tables: the rows in their order, parted like a column
    std::atomic<std::size_t> born_{0};
    Node* root_ = nullptr;
};

}  // namespace

GrownTree grow_thresholds(const Table& table, const Growth& growth, Progress& progress) {
    if (!Coding::fits(table.X.n_rows, table.n_classes))
        throw std::length_error("rows times classes must stay under 2^32");
    return Grower(table, growth, progress).grow();
}

}  // namespace planetree
