#include "flat_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <string>

#include "parallel.hpp"

namespace planetree {
namespace {

[[noreturn]] void reject(std::size_t node, const std::string& why) {
    throw std::invalid_argument("node " + std::to_string(node) + ": " + why);
}

// Rows are looked over and walked while they are in the cache: a block of them takes about 128 KB.
constexpr std::size_t most_block_rows = 1024;
std::size_t block_rows(std::size_t n_columns) {
    return std::clamp<std::size_t>((std::size_t{1} << 17) / (sizeof(double) * n_columns), 1, most_block_rows);
}

// Fewer blocks than these are done before a second thread has started.
constexpr std::size_t worth_threads = 8;

// Rows whose walks are interleaved, so that one waits for memory while the others go on; and the steps they take
// before it is seen which of them have arrived. Measured on 20 features and a million rows: 17.5 ms for a tree of depth
// 10 and 34 ms for one of 16 000 nodes, against 19.5 and 54 with 8 lanes that go on until the last has arrived.
constexpr std::size_t lanes = 16;
constexpr std::size_t first_steps = 16, more_steps = 8;

enum class Values { known, some_missing, some_infinite };

std::size_t n_workers(std::size_t n_rows, std::size_t n_columns, std::size_t n_threads) {
    const std::size_t n_blocks = (n_rows + block_rows(n_columns) - 1) / block_rows(n_columns);
    return n_blocks < worth_threads ? 1 : std::min(n_threads, n_blocks);
}

// The node of the greatest part, the first of equals.
template <class Part>
std::int32_t greatest(const std::vector<Part>& parts) {
    const auto less = [](const Part& one, const Part& other) { return one.part < other.part; };
    const auto most = std::max_element(parts.begin(), parts.end(), less);
    return most == parts.end() ? 0 : most->node;
}

// Row by row from any layout. A few rows at a time keep both sides in the cache.
void copy_rows(const MatrixView& X, std::size_t begin, std::size_t n_rows, double* to) {
    constexpr std::size_t few = 32;
    for (std::size_t i = 0; i < n_rows; i += few)
        for (std::size_t c = 0; c < X.n_columns; ++c)
            for (std::size_t j = i; j < std::min(n_rows, i + few); ++j)
                to[j * X.n_columns + c] = X(begin + j, c);
}

// x - x is 0 for a finite number, and NaN for any other, which stays in a sum.
Values look_over(const double* x, std::size_t n) {
    double differences[8] = {};
    std::size_t i = 0;
    for (; i + 8 <= n; i += 8)
        for (std::size_t k = 0; k < 8; ++k) differences[k] += x[i + k] - x[i + k];
    for (; i < n; ++i) differences[0] += x[i] - x[i];
    if (std::all_of(std::begin(differences), std::end(differences), [](double d) { return d == 0.0; }))
        return Values::known;
    const bool infinite = std::any_of(x, x + n, [](double value) { return std::isinf(value); });
    return infinite ? Values::some_infinite : Values::some_missing;
}

}  // namespace

FlatTree::FlatTree(const FlatArrays& a)
    : branch_table_(a.branch_table.begin(), a.branch_table.end()), n_features_(a.n_features) {
    const std::size_t n = a.kind.size();
    for (const std::size_t size :
         {a.feature.size(), a.missing.size(), a.first_child.size(), a.n_branches.size(), a.cut.size(),
          a.table_start.size(), a.n_symbols.size(), a.unseen.size(), a.term_start.size(), a.n_terms.size(),
          a.weight_start.size()})
        if (size != n) throw std::invalid_argument("the arrays of a tree differ in length");
    if (a.term_symbol.size() != a.term_feature.size() || a.term_fill.size() != a.term_feature.size())
        throw std::invalid_argument("the arrays of the terms differ in length");
    constexpr auto most_nodes = static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max());
    if (n == 0 || n > most_nodes)
        throw std::invalid_argument("a tree has at least one node, and at most 2^31 - 1");
    if (n_features_ == 0 || n_features_ > most_nodes)
        throw std::invalid_argument("a tree has at least one feature");

    const auto is_plain = [](std::uint8_t kind) { return kind <= std::uint8_t(TestKind::threshold); };
    if (!a.share.empty() || !std::all_of(a.kind.begin(), a.kind.end(), is_plain)) kinds_.resize(n);
    if (!a.share.empty()) {
        if (a.share.size() != n) throw std::invalid_argument("the arrays of a tree differ in length");
        share_.assign(a.share.begin(), a.share.end());
        n_branches_.assign(a.n_branches.begin(), a.n_branches.end());
        shares_missing_.resize(n);
        for (std::size_t i = 0; i < n; ++i) {
            if (!(share_[i] >= 0.0 && share_[i] <= 1.0)) reject(i, "its share is not between 0 and 1");
            shares_missing_[i] = a.missing[i] == every;
        }
    }
    nodes_.reserve(n);
    std::int64_t next_child = 1;
    std::size_t level_end = 1;  // breadth first, a level is one piece
    for (std::size_t i = 0; i < n; ++i) {
        if (i == level_end) {
            ++depth_;
            level_end = static_cast<std::size_t>(next_child);
        }
        const auto branches = a.n_branches[i];
        if (a.kind[i] >= n_test_kinds) reject(i, "unknown kind of test");
        const auto kind = static_cast<TestKind>(a.kind[i]);
        if (!kinds_.empty()) kinds_[i] = kind;
        if (kind == TestKind::leaf) {
            if (branches != 0) reject(i, "a leaf has no branches");
            nodes_.push_back({std::numeric_limits<double>::infinity(), 0, static_cast<std::int32_t>(i)});
            continue;
        }
        if (branches < 2) reject(i, "a test has at least two branches");
        if (a.first_child[i] != next_child) reject(i, "branches are not breadth first");
        next_child += branches;
        if (next_child > std::int64_t(n)) reject(i, "a branch leads to a node that does not exist");
        if (kind == TestKind::threshold)
            nodes_.push_back(threshold_node(a, i));
        else if (kind == TestKind::category)
            nodes_.push_back(category_node(a, i));
        else
            nodes_.push_back(linear_node(a, i));
    }
    if (next_child != std::int64_t(n)) throw std::invalid_argument("some nodes are on no path from the root");
    if (terms_.size() != a.term_feature.size() || weights_.size() != a.weights.size())
        throw std::invalid_argument("some terms or weights belong to no test");
}

FlatTree::Node FlatTree::threshold_node(const FlatArrays& a, std::size_t i) const {
    check_value(a, i);
    if (a.n_branches[i] != 2) reject(i, "a threshold has two branches");
    if (std::isnan(a.cut[i])) reject(i, "the cut is not a number");
    const auto feature_missing =
        static_cast<std::uint32_t>(a.feature[i]) << 1 | static_cast<std::uint32_t>(a.missing[i] == 1);
    return {a.cut[i], feature_missing, a.first_child[i]};
}

FlatTree::Node FlatTree::category_node(const FlatArrays& a, std::size_t i) {
    check_value(a, i);
    const std::int32_t least = share_.empty() ? 0 : every;
    const auto is_branch = [&](std::int32_t b) { return b >= least && b < a.n_branches[i]; };
    if (a.table_start[i] < 0 || a.n_symbols[i] < 0 ||
        std::int64_t{a.table_start[i]} + a.n_symbols[i] > std::int64_t(branch_table_.size()))
        reject(i, "its symbols lie outside the branch table");
    if (!is_branch(a.unseen[i])) reject(i, "there is no branch for symbols never seen");
    for (std::int32_t v = 0; v < a.n_symbols[i]; ++v)
        if (!is_branch(branch_table_[static_cast<std::size_t>(a.table_start[i] + v)]))
            reject(i, "a symbol leads to a branch that does not exist");
    categories_.push_back({static_cast<std::size_t>(a.feature[i]), a.missing[i], a.table_start[i],
                           a.n_symbols[i], a.unseen[i]});
    return {0.0, static_cast<std::uint32_t>(categories_.size() - 1), a.first_child[i]};
}

FlatTree::Node FlatTree::linear_node(const FlatArrays& a, std::size_t i) {
    const bool machine = static_cast<TestKind>(a.kind[i]) == TestKind::machine;
    if (!machine && a.n_branches[i] != 2) reject(i, "a linear test has two branches");
    if (!machine && std::isnan(a.cut[i])) reject(i, "the cut is not a number");
    const std::size_t n_sums = machine ? static_cast<std::size_t>(a.n_branches[i]) : 1;
    if (a.n_terms[i] < 0) reject(i, "it has less than no terms");
    const auto n_terms = static_cast<std::size_t>(a.n_terms[i]);
    if (a.term_start[i] < 0 || static_cast<std::size_t>(a.term_start[i]) != terms_.size())
        reject(i, "its terms do not follow those of the tests before");
    if (a.weight_start[i] < 0 || static_cast<std::size_t>(a.weight_start[i]) != weights_.size())
        reject(i, "its weights do not follow those of the tests before");
    if (n_terms > a.term_feature.size() - terms_.size()) reject(i, "there are too few terms");
    if (n_sums > (a.weights.size() - weights_.size()) / (1 + n_terms)) reject(i, "there are too few weights");

    linears_.push_back({terms_.size(), n_terms, weights_.size(), n_sums});
    most_sums_ = std::max(most_sums_, n_sums);
    const double* const given = a.weights.data() + weights_.size();
    for (std::size_t w = 0; w <= n_terms; ++w)
        for (std::size_t sum = 0; sum < n_sums; ++sum) {
            const double weight = given[sum * (1 + n_terms) + w];
            if (!std::isfinite(weight)) reject(i, "a weight is not finite");
            weights_.push_back(weight);
        }
    for (std::size_t t = terms_.size(), end = t + n_terms; t < end; ++t) {
        const auto feature = a.term_feature[t];
        if (feature < 0 || static_cast<std::size_t>(feature) >= n_features_)
            reject(i, "there is no feature " + std::to_string(feature));
        if (a.term_symbol[t] < -1) reject(i, "there is no symbol " + std::to_string(a.term_symbol[t]));
        if (!std::isfinite(a.term_fill[t])) reject(i, "what a missing value counts as is not finite");
        terms_.push_back(
            {a.term_fill[t], static_cast<double>(a.term_symbol[t]), static_cast<std::size_t>(feature)});
    }
    return {a.cut[i], static_cast<std::uint32_t>(linears_.size() - 1), a.first_child[i]};
}

// What a test of one value needs: the feature, and where to go without it.
void FlatTree::check_value(const FlatArrays& a, std::size_t i) const {
    if (a.feature[i] < 0 || static_cast<std::size_t>(a.feature[i]) >= n_features_)
        reject(i, "there is no feature " + std::to_string(a.feature[i]));
    if (a.missing[i] < (share_.empty() ? 0 : every) || a.missing[i] >= a.n_branches[i])
        reject(i, "there is no branch for missing values");
}

// All rows that are still under way take some steps together, without a look at who has arrived; then who has drops
// out. A row that arrives early goes on standing at its leaf.
template <bool all_known>
void FlatTree::walk_thresholds(const Block& block, std::int32_t* leaf) const {
    const Node* const nodes = nodes_.data();
    std::uint16_t row[most_block_rows + lanes];
    std::int32_t at[most_block_rows + lanes];
    std::size_t n = block.n_rows;
    for (std::size_t i = 0; i < n; ++i) {
        row[i] = static_cast<std::uint16_t>(i);
        at[i] = 0;
    }
    for (std::size_t depth = 0, steps = std::min(first_steps, depth_);;) {
        for (std::size_t i = n; i % lanes != 0; ++i) {  // the last row fills the empty lanes
            row[i] = row[n - 1];
            at[i] = at[n - 1];
        }
        std::size_t going_on = 0;
        for (std::size_t first = 0; first < n; first += lanes) {
            const double* x[lanes];
            std::int32_t now[lanes];
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                x[lane] = block.row(row[first + lane]);
                now[lane] = at[first + lane];
            }
            for (std::size_t step = 0; step < steps; ++step)
                for (std::size_t lane = 0; lane < lanes; ++lane) {
                    const Node& node = nodes[now[lane]];
                    now[lane] = all_known ? node.next_of_known(x[lane]) : node.next(x[lane]);
                }
            for (std::size_t i = first; i < std::min(n, first + lanes); ++i) {
                const std::int32_t here = now[i - first];
                leaf[row[i]] = here;
                row[going_on] = row[i];
                at[going_on] = here;
                going_on += nodes[here].child != here;
            }
        }
        n = going_on;
        depth += steps;
        if (n == 0) return;
        steps = std::min(more_steps, depth_ - depth);
    }
}

std::int32_t FlatTree::branch_at(std::size_t at, const double* row, double* sums) const {
    const Node& node = nodes_[at];
    switch (kinds_[at]) {
        case TestKind::leaf: break;
        case TestKind::threshold:
            if (!share_.empty() && shares_missing_[at] && std::isnan(row[node.feature()])) return every;
            return node.next(row) - node.child;
        case TestKind::category: {
            const Category& category = categories_[node.feature_missing];
            return branch(category, row[category.feature]);
        }
        case TestKind::linear:
            project(linears_[node.feature_missing], row, sums);
            return sums[0] <= node.cut ? 0 : 1;
        case TestKind::machine: {
            const Linear& machine = linears_[node.feature_missing];
            project(machine, row, sums);
            std::int32_t winner = 0;
            double most = -std::numeric_limits<double>::infinity();
            for (std::size_t b = 0; b < machine.n_sums; ++b)
                if (sums[b] > most) {
                    most = sums[b];
                    winner = static_cast<std::int32_t>(b);
                }
            return winner;
        }
    }
    return 0;
}

std::int32_t FlatTree::walk(const double* row, double* sums) const {
    std::int32_t at = 0;
    while (kinds_[static_cast<std::size_t>(at)] != TestKind::leaf) {
        const auto node = static_cast<std::size_t>(at);
        at = nodes_[node].child + branch_at(node, row, sums);
    }
    return at;
}

void FlatTree::walk_parts(const double* row, Spread& spread) const {
    spread.leaves.clear();
    spread.waiting.assign(1, {0, 1.0});
    while (!spread.waiting.empty()) {
        const auto [at, part] = spread.waiting.back();
        spread.waiting.pop_back();
        const auto node = static_cast<std::size_t>(at);
        if (!(part > 0.0)) continue;
        if (kinds_[node] == TestKind::leaf) {
            spread.leaves.push_back({at, part});
            continue;
        }
        const std::int32_t branch = branch_at(node, row, spread.sums.data());
        const std::int32_t child = nodes_[node].child;
        if (branch != every) {
            spread.waiting.push_back({child + branch, part});
            continue;
        }
        for (std::int32_t b = 0; b < n_branches_[node]; ++b)
            spread.waiting.push_back({child + b, part * share_[static_cast<std::size_t>(child + b)]});
    }
    std::sort(spread.leaves.begin(), spread.leaves.end(),
              [](const auto& one, const auto& other) { return one.node < other.node; });
}

std::int32_t FlatTree::branch(const Category& category, double x) const {
    if (std::isnan(x)) return category.missing;
    if (x >= 0 && x < category.n_symbols)
        return branch_table_[static_cast<std::size_t>(category.table_start) + static_cast<std::size_t>(x)];
    return category.unseen;
}

void FlatTree::project(const Linear& linear, const double* row, double* sums) const {
    const double* weight = weights_.data() + linear.first_weight;
    std::copy_n(weight, linear.n_sums, sums);
    const Term* const terms = terms_.data() + linear.first_term;
    for (std::size_t t = 0; t < linear.n_terms; ++t) {
        const double value = terms[t].read(row[terms[t].feature]);
        weight += linear.n_sums;
        for (std::size_t sum = 0; sum < linear.n_sums; ++sum) sums[sum] += weight[sum] * value;
    }
}

template <class Work>
FlatTree::Infinity FlatTree::each_block(const MatrixView& X, Workers& workers, Work&& work) const {
    const std::size_t rows_a_block = block_rows(n_features_);
    const std::size_t n_blocks = (X.n_rows + rows_a_block - 1) / rows_a_block;
    std::vector<std::vector<double>> copies(workers.size());
    Infinity first;
    std::mutex mutex;
    workers.run(n_blocks, [&](std::size_t worker, std::size_t task) {
        const std::size_t begin = task * rows_a_block;
        const std::size_t n_rows = std::min(X.n_rows - begin, rows_a_block);
        const auto width = static_cast<std::ptrdiff_t>(n_features_);
        Block block{X.data + static_cast<std::ptrdiff_t>(begin) * X.row_stride, X.row_stride, n_rows};
        if (X.column_stride != 1) {
            copies[worker].resize(rows_a_block * n_features_);
            copy_rows(X, begin, n_rows, copies[worker].data());
            block = {copies[worker].data(), width, n_rows};
        }

        Values values = Values::known;
        if (block.stride == width)
            values = look_over(block.first, n_rows * n_features_);
        else
            for (std::size_t i = 0; i < n_rows; ++i)
                values = std::max(values, look_over(block.row(i), n_features_));
        if (values == Values::some_infinite) {
            for (std::size_t i = 0; i < n_rows; ++i) {
                const double* const row = block.row(i);
                const auto at = std::find_if(row, row + n_features_, [](double x) { return std::isinf(x); });
                if (at == row + n_features_) continue;
                const std::lock_guard lock(mutex);
                if (!first.found || begin + i < first.row)
                    first = {true, begin + i, static_cast<std::size_t>(at - row)};
                return;
            }
        }
        work(worker, task, begin, block, values);
    });
    return first;
}

FlatTree::Infinity FlatTree::apply(const MatrixView& X, std::span<std::int32_t> leaf,
                                   std::size_t n_threads) const {
    Workers workers(n_workers(X.n_rows, n_features_, n_threads));
    std::vector<Spread> scratches(workers.size());
    return each_block(
        X, workers,
        [&](std::size_t worker, std::size_t, std::size_t begin, const Block& block, Values values) {
            std::int32_t* const leaves = leaf.data() + begin;
            if (kinds_.empty())
                return values == Values::known ? walk_thresholds<true>(block, leaves)
                                               : walk_thresholds<false>(block, leaves);
            Spread& spread = scratches[worker];
            spread.sums.resize(most_sums_);
            for (std::size_t i = 0; i < block.n_rows; ++i) {
                if (share_.empty()) {
                    leaves[i] = walk(block.row(i), spread.sums.data());
                    continue;
                }
                walk_parts(block.row(i), spread);
                leaves[i] = greatest(spread.leaves);
            }
        });
}

FlatTree::Infinity FlatTree::parts(const MatrixView& X, Parts& parts, std::size_t n_threads) const {
    if (share_.empty()) throw std::invalid_argument("no test of this tree sends rows down every branch");
    Workers workers(n_workers(X.n_rows, n_features_, n_threads));
    std::vector<Spread> scratches(workers.size());
    std::vector<std::vector<Spread::Part>> found(X.n_rows / block_rows(n_features_) + 1);
    parts.start.assign(X.n_rows + 1, 0);
    const Infinity infinity = each_block(
        X, workers, [&](std::size_t worker, std::size_t task, std::size_t begin, const Block& block, Values) {
            Spread& spread = scratches[worker];
            spread.sums.resize(most_sums_);
            for (std::size_t i = 0; i < block.n_rows; ++i) {
                walk_parts(block.row(i), spread);
                found[task].insert(found[task].end(), spread.leaves.begin(), spread.leaves.end());
                parts.start[begin + i + 1] = static_cast<std::int64_t>(spread.leaves.size());
            }
        });
    for (std::size_t row = 0; row < X.n_rows; ++row) parts.start[row + 1] += parts.start[row];
    for (const auto& block : found)
        for (const auto& [node, part] : block) {
            parts.leaf.push_back(node);
            parts.part.push_back(part);
        }
    return infinity;
}

}  // namespace planetree
