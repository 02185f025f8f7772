#include "learners/logistic.hpp"

#include <algorithm>

#include "merit.hpp"

namespace planetree {
namespace {

double natural_log(double x) { return portable_log2(x) * 0.69314718055994531; }

}  // namespace

LogLoss::LogLoss(const ClassBlocks& rows, double l2)
    : rows_(rows),
      l2_(l2),
      value_(rows.n_classes * ClassBlocks::most_rows, 0.0),
      top_(ClassBlocks::most_rows),
      sum_(ClassBlocks::most_rows) {}

double LogLoss::operator()(std::span<const double> weights, std::span<double> gradient) {
    constexpr std::size_t width = ClassBlocks::most_rows;
    const std::size_t length = rows_.n_columns + 1, n_classes = rows_.n_classes;
    // With two classes the discriminant of the first is 0 and has no weights.
    const std::size_t first = n_classes - n_discriminants(n_classes);
    std::fill(gradient.begin(), gradient.end(), 0.0);
    double loss = 0.0;
    for (const auto& block : rows_.blocks) {
        const std::size_t n = block.size();
        const double* const share = &rows_.share[block.begin];
        double* const values = value_.data();
        if (first == 1) std::fill_n(values, n, 0.0);
        for (std::size_t k = first; k < n_classes; ++k)
            rows_.project(block, weights.subspan((k - first) * length, length), values + k * width);
        std::copy_n(values, n, top_.data());
        for (std::size_t k = 1; k < n_classes; ++k)
            for (std::size_t i = 0; i < n; ++i) top_[i] = std::max(top_[i], values[k * width + i]);
        const double* const own = values + block.label * width;
        for (std::size_t i = 0; i < n; ++i) loss -= share[i] * (own[i] - top_[i]);
        std::fill_n(sum_.data(), n, 0.0);
        for (std::size_t k = 0; k < n_classes; ++k) {
            double* const value = values + k * width;
            for (std::size_t i = 0; i < n; ++i) {
                value[i] = portable_exp(value[i] - top_[i]);
                sum_[i] += value[i];
            }
        }
        for (std::size_t i = 0; i < n; ++i) loss += share[i] * natural_log(sum_[i]);
        for (std::size_t k = first; k < n_classes; ++k) {
            double* const residual = values + k * width;
            const double own_class = k == block.label ? 1.0 : 0.0;
            for (std::size_t i = 0; i < n; ++i) residual[i] = share[i] * (residual[i] / sum_[i] - own_class);
            rows_.collect(block, residual, gradient.subspan((k - first) * length, length));
        }
    }
    double size = 0.0;
    for (std::size_t k = first; k < n_classes; ++k)
        for (std::size_t j = 0; j + 1 < length; ++j) {
            const std::size_t at = (k - first) * length + j;
            size += weights[at] * weights[at];
            gradient[at] += l2_ * weights[at];
        }
    return loss + 0.5 * l2_ * size;
}

double fit(const Logistic& learner, const NodeData& node, std::vector<double>& weights) {
    const ClassBlocks rows(node);
    return minimise(LogLoss(rows, learner.l2), weights, learner.descent);
}

}  // namespace planetree
