// How many linear tests part the rows of a node: the class counts of their branches, all in one pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "table.hpp"

namespace planetree {

// Tests with as many discriminants each, over the same columns; row t * n_discriminants + d of `W` has the weights
// of one discriminant, the constant last. One discriminant is a plane: w z + c <= 0 takes branch 0, all else
// branch 1. Of several the greatest wins, the first of equals.
struct LinearTests {
    MatrixView W;
    std::size_t n_discriminants;

    std::size_t size() const { return W.n_rows / n_discriminants; }
    std::size_t n_branches() const { return n_discriminants == 1 ? 2 : n_discriminants; }
};

struct BranchCounts {
    std::vector<double> counts;  // test x branch x class
    std::vector<std::int64_t> n_rows;  // test x branch
};

BranchCounts branch_counts(const Table& table, const LinearTests& tests, std::size_t n_threads);

}  // namespace planetree
