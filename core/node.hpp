// One node as the kernels of the linear learners see it.
#pragma once

#include <cstdint>
#include <span>

#include "merit.hpp"
#include "table.hpp"

namespace planetree {

// The node's own rows, standardised and without missing values.
struct NodeData {
    MatrixView Z;
    std::span<const std::int32_t> y;
    std::span<const double> weight;  // empty: every row counts 1
    std::size_t n_classes;
    MeritKind merit;
    std::size_t min_leaf_rows;

    std::size_t n_rows() const { return Z.n_rows; }
    double weight_of(std::size_t row) const { return weight.empty() ? 1.0 : weight[row]; }
};

}  // namespace planetree
