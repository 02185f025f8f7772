#include "weighted_sums.hpp"

#include <algorithm>

namespace planetree {
namespace {

template <class Read>
void add(const double* x, std::ptrdiff_t stride, const WeightedTerm& term, std::span<double> sums,
         Read read) {
    for (std::size_t i = 0; i < sums.size(); ++i, x += stride)
        sums[i] += term.weight * (*x != *x ? term.fill : read(*x));
}

}  // namespace

std::vector<double> weighted_sums(const MatrixView& X, std::span<const WeightedTerm> terms, double start) {
    constexpr std::size_t block = 512;  // rows that stay in the cache while the terms pass
    std::vector<double> sums(X.n_rows, start);
    for (std::size_t begin = 0; begin < X.n_rows; begin += block) {
        const std::span<double> part(&sums[begin], std::min(block, X.n_rows - begin));
        for (const WeightedTerm& term : terms) {
            const double* x = X.data + static_cast<std::ptrdiff_t>(begin) * X.row_stride +
                              static_cast<std::ptrdiff_t>(term.feature) * X.column_stride;
            if (term.symbol < 0)
                add(x, X.row_stride, term, part, [](double value) { return value; });
            else
                add(x, X.row_stride, term, part, [symbol = static_cast<double>(term.symbol)](double value) {
                    return value == symbol ? 1.0 : 0.0;
                });
        }
    }
    return sums;
}

}  // namespace planetree
