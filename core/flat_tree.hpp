// Prediction: a tree as flat arrays, and the leaf each row reaches.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "table.hpp"

namespace planetree {

enum class TestKind : std::uint8_t { leaf, threshold, category };
inline constexpr int n_test_kinds = 3;

// One entry a node, breadth first; the branches of a node stand side by side from `first_child` on.
//   threshold  x <= cut takes branch 0, any other known value branch 1
//   category   symbol v of the `n_symbols` known ones takes branch_table[table_start + v], a stranger `unseen`
// A missing value takes the branch `missing`.
struct FlatArrays {
    std::span<const std::uint8_t> kind;
    std::span<const std::int32_t> feature, missing, first_child, n_branches;
    std::span<const double> cut;
    std::span<const std::int32_t> table_start, n_symbols, unseen;
    std::span<const std::int32_t> branch_table;
    std::size_t n_features;
};

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
    // Writes the leaf of every row, unless X holds an infinity: then returns where the first one is.
    Infinity apply(const MatrixView& X, std::span<std::int32_t> leaf, std::size_t n_threads) const;

  private:
    // The branch of a threshold is (x > cut) or, missing, the low bit of `feature_missing`. A leaf is a threshold at
    // infinity that leads back to itself.
    struct Node {
        double cut;
        std::uint32_t feature_missing;
        std::int32_t child;

        std::int32_t next(double x) const {
            const auto unknown = static_cast<std::uint32_t>(x != x);
            return child + static_cast<std::int32_t>(static_cast<std::uint32_t>(x > cut) |
                                                     (unknown & feature_missing));
        }
        std::size_t feature() const { return feature_missing >> 1; }
    };
    struct Category {
        std::int32_t missing, table_start, n_symbols, unseen;  // n_symbols < 0: not a category test
    };
    void walk_thresholds(const MatrixView& X, std::size_t begin, std::size_t end, std::int32_t* leaf) const;
    std::int32_t walk(const MatrixView& X, std::size_t row) const;

    std::vector<Node> nodes_;
    std::vector<Category> categories_;  // empty: thresholds only
    std::vector<std::int32_t> branch_table_;
    std::size_t n_features_;
};

}  // namespace planetree
