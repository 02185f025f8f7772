// The sums of a linear test, row by row: what `project` of planes.py is defined as, and FlatTree adds up.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "table.hpp"

namespace planetree {

// One term of a sum: a column, what it counts as where it is missing, and with symbol >= 0 whether it is that symbol.
struct WeightedTerm {
    std::size_t feature;
    std::int32_t symbol;
    double fill, weight;
};

// For every row `start` and then weight times term, from the first term to the last.
std::vector<double> weighted_sums(const MatrixView& X, std::span<const WeightedTerm> terms, double start);

}  // namespace planetree
