// The whole growth of a tree that has only threshold tests.
//
// Every column is sorted once; a split then parts each column's rows in two without disturbing their order, so a
// node costs one pass over its rows a column and no sorting (as in SLIQ, Mehta et al. 1996, and C5.0). The result
// is the tree of grow.py to the last bit, which a test shows; the two share the sweep.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "best_cuts.hpp"
#include "table.hpp"

namespace planetree {

// How the best cuts of the columns compete (merits.py says the same of each merit).
enum class Choice : int { merit, gain_ratio, guarded_gain_ratio };

struct Growth {
    MeritKind merit = MeritKind::gini;
    Choice choice = Choice::merit;
    std::size_t max_depth = ~std::size_t{0};  // a node this deep is a leaf
    std::size_t min_rows = 2;  // a node with fewer is a leaf
    std::size_t min_leaf_rows = 1;  // no branch gets fewer
    double min_merit = 0.0;  // no test is worth less
    std::size_t max_leaves = 0;  // 0: as many as it takes
    std::size_t n_threads = 1;
};

// What the caller may watch and stop while it grows.
struct Progress {
    std::atomic<std::size_t> rows_settled{0};  // rows that have reached their leaf
    std::atomic<bool> stop{false};
};

struct Stopped {};

// Breadth first, so that the branches of a node stand side by side.
struct GrownTree {
    std::vector<std::int32_t> column;  // -1: a leaf
    std::vector<double> cut;
    std::vector<std::uint8_t> known_test, missing_right;
    std::vector<std::int32_t> first_child;  // 0: a leaf
    std::vector<std::int64_t> n_rows;
    std::vector<double> counts;  // node x class
    std::vector<double> merit;  // of the test; 0 at a leaf
};

// Throws std::length_error if `Coding::fits` does not hold, and Stopped if it was.
GrownTree grow_thresholds(const Table& table, const Growth& growth, Progress& progress);

// What a column's best cut is worth when columns compete.
double worth(const ColumnCut& cut, Choice choice);

// The column that wins among the best cuts of all columns, or -1.
std::ptrdiff_t choose_column(const std::vector<ColumnCut>& cuts, Choice choice);

}  // namespace planetree
