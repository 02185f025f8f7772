// What a kernel sees of the training table: views, never copies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace planetree {

// A matrix of doubles that somebody else owns. Strides count elements.
struct MatrixView {
    const double* data;
    std::size_t n_rows;
    std::size_t n_columns;
    std::ptrdiff_t row_stride;
    std::ptrdiff_t column_stride;

    double operator()(std::size_t row, std::size_t column) const {
        return data[static_cast<std::ptrdiff_t>(row) * row_stride +
                    static_cast<std::ptrdiff_t>(column) * column_stride];
    }
};

// The columns a test may cut (NaN is missing), the class of every row, and its weight.
// No weights at all means that every row counts 1; counts are then whole numbers and exact.
struct Table {
    MatrixView X;
    std::span<const std::int32_t> y;
    std::span<const double> weight;  // empty: every row counts 1
    std::size_t n_classes;

    double weight_of(std::size_t row) const { return weight.empty() ? 1.0 : weight[row]; }
};

}  // namespace planetree
