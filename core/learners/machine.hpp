// A linear machine that learns case by case: what Pocket and Thermal share.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "node.hpp"

namespace planetree {

// Four sums side by side, so that no addition waits for the one before. The twins add in the same order.
inline double dot(std::span<const double> a, std::span<const double> b) {
    double sum[4] = {0.0, 0.0, 0.0, 0.0};
    std::size_t j = 0;
    for (; j + 4 <= a.size(); j += 4)
        for (std::size_t lane = 0; lane < 4; ++lane) sum[lane] += a[j + lane] * b[j + lane];
    for (std::size_t lane = 0; j < a.size(); ++j, ++lane) sum[lane] += a[j] * b[j];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// The cases of a node side by side in memory, each with the constant 1 at its end.
//
// Values are rounded to 2^-20, a millionth of a deviation. Thermal training is chaotic: a difference in the
// last bit doubles every few corrections until it changes branches. So another unit of a column, or another
// processor's way of summing a mean, would change the tree, had rounding not removed the difference first.
struct Cases {
    std::size_t length;  // n_columns + 1
    std::vector<double> values;
    std::vector<double> square;  // Y·Y
    std::vector<std::uint32_t> label;

    // In the order of `rows`.
    Cases(const NodeData& node, std::span<const std::uint32_t> rows)
        : length(node.Z.n_columns + 1),
          values(rows.size() * length, 1.0),
          square(rows.size()),
          label(rows.size()) {
        for (std::size_t j = 0; j + 1 < length; ++j)
            for (std::size_t i = 0; i < rows.size(); ++i)
                values[i * length + j] = std::nearbyint(node.Z(rows[i], j) * 0x1p20) * 0x1p-20;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            square[i] = dot((*this)[i], (*this)[i]);
            label[i] = static_cast<std::uint32_t>(node.y[rows[i]]);
        }
    }

    std::size_t size() const { return label.size(); }
    std::span<const double> operator[](std::size_t i) const { return {&values[i * length], length}; }
};

// One discriminant a class, all zero to begin with. The greatest wins, of equal ones the first.
class LearningMachine {
  public:
    LearningMachine(std::size_t n_classes, std::size_t length)
        : length_(length), weights_(n_classes * length, 0.0), value_(n_classes) {}

    std::size_t winner(std::span<const double> Y) {
        std::size_t best = 0;
        for (std::size_t k = 0; k < value_.size(); ++k) {
            value_[k] = dot(of(k), Y);
            if (value_[k] > value_[best]) best = k;
        }
        return best;
    }

    // For the case whose winner was asked for last: how far the weights of both classes must move along Y
    // until their discriminants are equal.
    double error(std::size_t own, std::size_t other, double square) const {
        return (value_[other] - value_[own]) / (2.0 * square);
    }

    void correct(std::size_t own, std::size_t other, double c, std::span<const double> Y) {
        double* up = &weights_[own * length_];
        double* down = &weights_[other * length_];
        for (std::size_t j = 0; j < length_; ++j) {
            up[j] += c * Y[j];
            down[j] -= c * Y[j];
        }
    }

    std::span<const double> of(std::size_t k) const { return {&weights_[k * length_], length_}; }
    const std::vector<double>& weights() const { return weights_; }

  private:
    std::size_t length_;
    std::vector<double> weights_;  // (n_classes, length)
    std::vector<double> value_;    // of each discriminant for the case looked at last
};

}  // namespace planetree
