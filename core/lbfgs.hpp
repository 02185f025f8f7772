// Minimising a smooth function by L-BFGS (Liu and Nocedal 1989).
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "numeric.hpp"

namespace planetree {

struct Descent {
    std::size_t max_iterations;
    double tolerance;  // ends when an iteration lowers the value by less than this share of its size
};

// Moves `x` downhill and returns the value there: never more than at the start, if that has a value. `value(x,
// gradient)` is the function. What it answers outside the finite numbers counts as no descent.
template <class Function>
double minimise(Function&& value, std::vector<double>& x, Descent descent) {
    constexpr std::size_t memory = 8;
    constexpr std::size_t most_halvings = 20;
    const std::size_t n = x.size();
    std::vector<double> gradient(n), next(n), next_gradient(n), direction(n);
    std::vector<std::vector<double>> steps, changes;  // the last ones, the newest at the end
    std::vector<double> inverse;                      // 1 / (step . change)
    double current = value(std::span<const double>(x), std::span<double>(gradient));

    for (std::size_t iteration = 0; iteration < descent.max_iterations; ++iteration) {
        direction = gradient;
        double along[memory];
        for (std::size_t k = steps.size(); k-- > 0;) {
            along[k] = inverse[k] * dot8(steps[k], direction);
            for (std::size_t i = 0; i < n; ++i) direction[i] -= along[k] * changes[k][i];
        }
        if (!steps.empty()) {
            const double scale = 1.0 / (inverse.back() * dot8(changes.back(), changes.back()));
            for (double& d : direction) d *= scale;
        }
        for (std::size_t k = 0; k < steps.size(); ++k) {
            const double back = inverse[k] * dot8(changes[k], direction);
            for (std::size_t i = 0; i < n; ++i) direction[i] += (along[k] - back) * steps[k][i];
        }
        const double slope = -dot8(gradient, direction);
        if (!(slope < 0.0) || !std::isfinite(slope)) break;

        // Without a past the first trial moves by a tenth; afterwards the whole step is nearly always right.
        double length = steps.empty() ? 0.1 / std::sqrt(dot8(gradient, gradient)) : 1.0;
        double found = current;
        bool lower = false;
        for (std::size_t halving = 0; halving < most_halvings && !lower; ++halving) {
            for (std::size_t i = 0; i < n; ++i) next[i] = x[i] - length * direction[i];
            found = value(std::span<const double>(next), std::span<double>(next_gradient));
            lower = found <= current + 1e-4 * length * slope;
            if (lower) break;
            // The least point of the parabola through both values and the slope, kept between a tenth and a half.
            const double parabola = -slope * length / (2.0 * (found - current - slope * length));
            length *= parabola > 0.1 ? (parabola < 0.5 ? parabola : 0.5) : 0.1;
        }
        if (!lower) break;

        std::vector<double> step(n), change(n);
        for (std::size_t i = 0; i < n; ++i) {
            step[i] = next[i] - x[i];
            change[i] = next_gradient[i] - gradient[i];
        }
        const double curvature = dot8(step, change);
        if (curvature > 1e-10 * dot8(change, change)) {
            if (steps.size() == memory) {
                steps.erase(steps.begin());
                changes.erase(changes.begin());
                inverse.erase(inverse.begin());
            }
            steps.push_back(std::move(step));
            changes.push_back(std::move(change));
            inverse.push_back(1.0 / curvature);
        }
        std::swap(x, next);
        std::swap(gradient, next_gradient);
        const double gained = current - found;
        current = found;
        if (gained <= descent.tolerance * std::abs(current)) break;
    }
    return current;
}

}  // namespace planetree
