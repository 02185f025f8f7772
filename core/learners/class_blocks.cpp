#include "learners/class_blocks.hpp"

#include "vectors.hpp"

namespace planetree {
namespace {

PLANETREE_WIDEST_VECTORS
void weigh(const double* values, std::size_t step, std::size_t n_columns, const double* weights,
           std::size_t n, double* out) {
    for (std::size_t i = 0; i < n; ++i) out[i] = weights[n_columns];
    std::size_t j = 0;
    for (; j + 4 <= n_columns; j += 4) {
        const double *a = values + j * step, *b = a + step, *c = b + step, *d = c + step;
        const double wa = weights[j], wb = weights[j + 1], wc = weights[j + 2], wd = weights[j + 3];
        for (std::size_t i = 0; i < n; ++i) out[i] += (wa * a[i] + wb * b[i]) + (wc * c[i] + wd * d[i]);
    }
    for (; j < n_columns; ++j)
        for (std::size_t i = 0; i < n; ++i) out[i] += weights[j] * values[j * step + i];
}

PLANETREE_WIDEST_VECTORS
void add_products(const double* values, std::size_t step, std::size_t n_columns, const double* residual,
                  std::size_t n, double* sums) {
    for (std::size_t j = 0; j < n_columns; ++j) sums[j] += dot8(values + j * step, residual, n);
    sums[n_columns] += sum8(residual, n);
}

PLANETREE_WIDEST_VECTORS
void round_to_millionths(double* values, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) values[i] = std::nearbyint(values[i] * 0x1p20) * 0x1p-20;
}

}  // namespace

ClassBlocks::ClassBlocks(const NodeData& node)
    : n_rows(node.n_rows()),
      n_columns(node.Z.n_columns),
      n_classes(node.n_classes),
      values(n_rows * n_columns),
      share(n_rows),
      row(n_rows),
      class_share(n_classes, 0.0) {
    std::vector<std::size_t> end(n_classes + 1, 0);
    for (const std::int32_t label : node.y) ++end[static_cast<std::size_t>(label) + 1];
    for (std::size_t k = 0; k < n_classes; ++k) end[k + 1] += end[k];
    std::vector<std::size_t> place(end.begin(), end.end() - 1);
    for (std::size_t i = 0; i < n_rows; ++i)
        row[place[static_cast<std::size_t>(node.y[i])]++] = static_cast<std::uint32_t>(i);
    for (std::size_t j = 0; j < n_columns; ++j)
        for (std::size_t i = 0; i < n_rows; ++i) values[j * n_rows + i] = node.Z(row[i], j);
    round_to_millionths(values.data(), values.size());
    // Shares of the largest weight first, whose sum is a number.
    double largest = 0.0, sum = 0.0;
    for (std::size_t i = 0; i < n_rows; ++i) largest = std::max(largest, node.weight_of(i));
    for (std::size_t i = 0; i < n_rows; ++i) sum += share[i] = node.weight_of(row[i]) / largest;
    for (double& s : share) s /= sum;
    for (std::size_t k = 0; k < n_classes; ++k) {
        class_share[k] = sum8(share.data() + end[k], end[k + 1] - end[k]);
        for (std::size_t begin = end[k]; begin < end[k + 1]; begin += most_rows)
            blocks.push_back({begin, std::min(end[k + 1], begin + most_rows), k});
    }
}

void ClassBlocks::project(const Block& block, std::span<const double> weights, double* out) const {
    weigh(column(0, block.begin), n_rows, n_columns, weights.data(), block.size(), out);
}

void ClassBlocks::collect(const Block& block, const double* residual, std::span<double> gradient) const {
    add_products(column(0, block.begin), n_rows, n_columns, residual, block.size(), gradient.data());
}

}  // namespace planetree
