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

// Rows whose walks are interleaved, so that one waits for memory while the others go on.
constexpr std::size_t lanes = 8;
constexpr std::size_t block_rows = 2048;

}  // namespace

FlatTree::FlatTree(const FlatArrays& a)
    : branch_table_(a.branch_table.begin(), a.branch_table.end()), n_features_(a.n_features) {
    const std::size_t n = a.kind.size();
    for (const std::size_t size :
         {a.feature.size(), a.missing.size(), a.first_child.size(), a.n_branches.size(), a.cut.size(),
          a.table_start.size(), a.n_symbols.size(), a.unseen.size()})
        if (size != n) throw std::invalid_argument("the arrays of a tree differ in length");
    constexpr auto most_nodes = static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max());
    if (n == 0 || n > most_nodes)
        throw std::invalid_argument("a tree has at least one node, and at most 2^31 - 1");
    if (n_features_ == 0 || n_features_ > most_nodes)
        throw std::invalid_argument("a tree has at least one feature");

    const auto in_table = [&](std::int32_t start, std::int32_t size) {
        return start >= 0 && size >= 0 && std::int64_t{start} + size <= std::int64_t(a.branch_table.size());
    };
    nodes_.reserve(n);
    std::int64_t next_child = 1;
    for (std::size_t i = 0; i < n; ++i) {
        const auto branches = a.n_branches[i];
        const auto is_branch = [&](std::int32_t b) { return b >= 0 && b < branches; };
        if (a.kind[i] >= n_test_kinds) reject(i, "unknown kind of test");
        const auto kind = static_cast<TestKind>(a.kind[i]);
        if (kind == TestKind::leaf) {
            if (branches != 0) reject(i, "a leaf has no branches");
            nodes_.push_back({std::numeric_limits<double>::infinity(), 0, static_cast<std::int32_t>(i)});
            continue;
        }
        if (branches < 2) reject(i, "a test has at least two branches");
        if (a.first_child[i] != next_child) reject(i, "branches are not breadth first");
        next_child += branches;
        if (next_child > std::int64_t(n)) reject(i, "a branch leads to a node that does not exist");
        if (a.feature[i] < 0 || static_cast<std::size_t>(a.feature[i]) >= n_features_)
            reject(i, "there is no feature " + std::to_string(a.feature[i]));
        if (!is_branch(a.missing[i])) reject(i, "there is no branch for missing values");
        auto feature_missing = static_cast<std::uint32_t>(a.feature[i]) << 1;
        if (kind == TestKind::threshold) {
            if (branches != 2) reject(i, "a threshold has two branches");
            if (std::isnan(a.cut[i])) reject(i, "the cut is not a number");
            feature_missing |= static_cast<std::uint32_t>(a.missing[i]);
        } else {
            if (!in_table(a.table_start[i], a.n_symbols[i]))
                reject(i, "its symbols lie outside the branch table");
            if (!is_branch(a.unseen[i])) reject(i, "there is no branch for symbols never seen");
            for (std::int32_t v = 0; v < a.n_symbols[i]; ++v)
                if (!is_branch(a.branch_table[static_cast<std::size_t>(a.table_start[i] + v)]))
                    reject(i, "a symbol leads to a branch that does not exist");
            if (categories_.empty()) categories_.assign(n, {0, 0, -1, 0});
            categories_[i] = {a.missing[i], a.table_start[i], a.n_symbols[i], a.unseen[i]};
        }
        nodes_.push_back({a.cut[i], feature_missing, a.first_child[i]});
    }
    if (next_child != std::int64_t(n)) throw std::invalid_argument("some nodes are on no path from the root");
}

void FlatTree::walk_thresholds(const MatrixView& X, std::size_t begin, std::size_t end,
                               std::int32_t* leaf) const {
    const Node* const nodes = nodes_.data();
    for (std::size_t row = begin; row < end; row += lanes) {
        const std::size_t n = std::min(lanes, end - row);
        std::int32_t at[lanes] = {};
        for (std::int32_t moved = 1; moved != 0;) {
            moved = 0;
            for (std::size_t lane = 0; lane < n; ++lane) {
                const Node& node = nodes[at[lane]];
                const std::int32_t next = node.next(X(row + lane, node.feature()));
                moved |= next ^ at[lane];
                at[lane] = next;
            }
        }
        std::copy_n(at, n, leaf + row);
    }
}

std::int32_t FlatTree::walk(const MatrixView& X, std::size_t row) const {
    for (std::int32_t at = 0;;) {
        const Node& node = nodes_[static_cast<std::size_t>(at)];
        const Category& category = categories_[static_cast<std::size_t>(at)];
        const double x = X(row, node.feature());
        std::int32_t next = node.child;
        if (category.n_symbols < 0)
            next = node.next(x);
        else if (std::isnan(x))
            next += category.missing;
        else if (x >= 0 && x < category.n_symbols)
            next +=
                branch_table_[static_cast<std::size_t>(category.table_start) + static_cast<std::size_t>(x)];
        else
            next += category.unseen;
        if (next == at) return at;
        at = next;
    }
}

FlatTree::Infinity FlatTree::apply(const MatrixView& X, std::span<std::int32_t> leaf,
                                   std::size_t n_threads) const {
    const std::size_t n_blocks = (X.n_rows + block_rows - 1) / block_rows;
    Infinity first;
    std::mutex mutex;
    const auto block = [&](std::size_t, std::size_t task) {
        const std::size_t begin = task * block_rows;
        const std::size_t end = std::min(X.n_rows, begin + block_rows);
        // x - x is 0 for a finite number; a sum of zeros shows at once whether all are, and NaN needs the closer look.
        double differences = 0.0;
        for (std::size_t row = begin; row < end; ++row)
            for (std::size_t c = 0; c < X.n_columns; ++c) differences += X(row, c) - X(row, c);
        if (differences != 0.0) {
            for (std::size_t row = begin; row < end; ++row)
                for (std::size_t c = 0; c < X.n_columns; ++c)
                    if (std::isinf(X(row, c))) {
                        const std::lock_guard lock(mutex);
                        if (!first.found || row < first.row) first = {true, row, c};
                        return;
                    }
        }
        if (categories_.empty())
            walk_thresholds(X, begin, end, leaf.data());
        else
            for (std::size_t row = begin; row < end; ++row) leaf[row] = walk(X, row);
    };
    if (n_threads <= 1 || n_blocks < 4) {
        for (std::size_t task = 0; task < n_blocks; ++task) block(0, task);
    } else {
        Workers(std::min(n_threads, n_blocks)).run(n_blocks, block);
    }
    return first;
}

}  // namespace planetree
