// Prediction: a tree as flat arrays, and the leaf each row reaches.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "parallel.hpp"
#include "table.hpp"

namespace planetree {

enum class TestKind : std::uint8_t { leaf, threshold, category, linear, machine };
inline constexpr int n_test_kinds = 5;

// One entry a node, breadth first; the branches of a node stand side by side from `first_child` on.
//   threshold  x <= cut takes branch 0, any other known value branch 1
//   category   symbol v of the `n_symbols` known ones takes branch_table[table_start + v], a stranger `unseen`
//   linear     a sum <= cut takes branch 0, anything else branch 1
//   machine    the branch of the greatest sum, the first of equals; a sum that is no number is the least
// Where a branch is `every` the row goes down all of them, in parts: each gets its `share`. `share` has an entry a node,
// its share of its parent, or is empty where no test does that.
// A missing value takes the branch `missing`, or counts as the `term_fill` of its term. A sum starts from a constant and
// adds weight times term from the first term to the last. The `n_terms` terms of a test begin at `term_start`, its
// weights at `weight_start`: for each sum the constant, then one a term. Terms and weights are in the order of the nodes.
struct FlatArrays {
    std::span<const std::uint8_t> kind;
    std::span<const std::int32_t> feature, missing, first_child, n_branches;
    std::span<const double> cut;
    std::span<const std::int32_t> table_start, n_symbols, unseen;
    std::span<const std::int32_t> branch_table;
    std::span<const std::int32_t> term_start, n_terms, weight_start;
    std::span<const std::int32_t> term_feature,
        term_symbol;  // symbol -1: the value itself, else whether it is the symbol
    std::span<const double> term_fill, weights, share;
    std::size_t n_features;
};

inline constexpr std::int32_t every = -1;

class FlatTree {
  public:
    // Checks everything that a walk relies on; throws std::invalid_argument that says what is wrong.
    explicit FlatTree(const FlatArrays& arrays);

    std::size_t n_features() const { return n_features_; }
    std::size_t n_nodes() const { return nodes_.size(); }

    struct Infinity {
        bool found = false;
        std::size_t row = 0, column = 0;
    };
    // Writes the leaf of every row, unless X holds an infinity: then returns where the first one is. Of a row in parts
    // it is the leaf of the greatest part, the first of equals.
    Infinity apply(const MatrixView& X, std::span<std::int32_t> leaf, std::size_t n_threads) const;

    // The leaves of row i and its parts there stand from start[i] to start[i + 1], in the order of the leaves.
    struct Parts {
        std::vector<std::int64_t> start;
        std::vector<std::int32_t> leaf;
        std::vector<double> part;
    };
    Infinity parts(const MatrixView& X, Parts& parts, std::size_t n_threads) const;

  private:
    // The branch of a threshold is (x > cut) or, missing, the low bit of `feature_missing`. A leaf is a threshold at
    // infinity that leads back to itself.
    struct Node {
        double cut;
        std::uint32_t feature_missing;  // of other tests: their place in categories_ or linears_
        std::int32_t child;

        std::int32_t next(const double* row) const {
            const double x = row[feature()];
            const auto unknown = static_cast<std::uint32_t>(x != x);
            return child + static_cast<std::int32_t>(static_cast<std::uint32_t>(x > cut) |
                                                     (unknown & feature_missing));
        }
        std::int32_t next_of_known(const double* row) const {
            return child + static_cast<std::int32_t>(row[feature()] > cut);
        }
        std::size_t feature() const { return feature_missing >> 1; }
    };
    // A few rows, each of them in one piece.
    struct Block {
        const double* first;
        std::ptrdiff_t stride;
        std::size_t n_rows;

        const double* row(std::size_t i) const { return first + static_cast<std::ptrdiff_t>(i) * stride; }
    };
    struct Category {
        std::size_t feature;
        std::int32_t missing, table_start, n_symbols, unseen;
    };
    struct Linear {
        std::size_t first_term, n_terms, first_weight, n_sums;
    };
    struct Term {
        double fill, symbol;  // symbol < 0: the value itself
        std::size_t feature;

        double read(double x) const { return x != x ? fill : symbol < 0 ? x : x == symbol ? 1.0 : 0.0; }
    };

    struct Spread {
        struct Part {
            std::int32_t node;
            double part;
        };
        std::vector<Part> waiting, leaves;
        std::vector<double> sums;
    };

    void check_value(const FlatArrays& arrays, std::size_t i) const;
    Node threshold_node(const FlatArrays& arrays, std::size_t i) const;
    Node category_node(const FlatArrays& arrays, std::size_t i);
    Node linear_node(const FlatArrays& arrays, std::size_t i);
    template <bool all_known>
    void walk_thresholds(const Block& block, std::int32_t* leaf) const;
    // The branch a row takes at an inner node, or `every`.
    std::int32_t branch_at(std::size_t node, const double* row, double* sums) const;
    std::int32_t walk(const double* row, double* sums) const;
    // Leaves the parts of a row in `spread.leaves`, in the order of the leaves.
    void walk_parts(const double* row, Spread& spread) const;
    // Calls work(worker, task, first row, block, values) for each block of rows without an infinity.
    template <class Work>
    Infinity each_block(const MatrixView& X, Workers& workers, Work&& work) const;
    std::int32_t branch(const Category& category, double x) const;
    void project(const Linear& linear, const double* row, double* sums) const;

    std::vector<Node> nodes_;
    std::vector<TestKind> kinds_;               // empty: thresholds only, and no row in parts
    std::vector<double> share_;                 // empty: no row in parts
    std::vector<std::uint8_t> shares_missing_;  // by node: a missing value goes down every branch
    std::vector<std::int32_t> n_branches_;
    std::vector<Category> categories_;
    std::vector<std::int32_t> branch_table_;
    std::vector<Linear> linears_;
    std::vector<Term> terms_;
    std::vector<double> weights_;  // a test's constants, then for each of its terms one weight a sum
    std::size_t most_sums_ = 0;
    std::size_t depth_ = 0;
    std::size_t n_features_;
};

}  // namespace planetree
