#include "learners/thermal.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "learners/machine.hpp"
#include "rng.hpp"

namespace planetree {
namespace {

// Weight of each case as a multiple of the mean weight, in the order of `rows`.
std::vector<double> step_sizes(const NodeData& node, std::span<const std::uint32_t> rows) {
    std::vector<double> size(rows.size(), 1.0);
    if (node.weight.empty()) return size;
    const double largest = *std::max_element(node.weight.begin(), node.weight.end());
    double sum = 0.0;
    for (const double weight : node.weight) sum += weight / largest;
    const double mean = sum / static_cast<double>(node.n_rows());
    for (std::size_t i = 0; i < rows.size(); ++i) size[i] = node.weight[rows[i]] / largest / mean;
    return size;
}

// Magnitude of a machine: the sum over its discriminants, the constants included.
class Magnitude {
  public:
    explicit Magnitude(std::size_t n_classes) : of_class_(n_classes, 0.0) {}

    double after(const LearningMachine& machine, std::size_t own, std::size_t other) {
        for (const std::size_t k : {own, other}) of_class_[k] = std::sqrt(dot(machine.of(k), machine.of(k)));
        return std::accumulate(of_class_.begin(), of_class_.end(), 0.0);
    }

  private:
    std::vector<double> of_class_;
};

}  // namespace

std::vector<double> fit(const Thermal& thermal, const NodeData& node, std::uint64_t seed) {
    std::vector<std::uint32_t> rows(node.n_rows());
    std::iota(rows.begin(), rows.end(), 0u);
    Random(seed).shuffle(std::span(rows));
    const Cases cases(node, rows);
    const std::vector<double> step = step_sizes(node, rows);
    LearningMachine machine(node.n_classes, cases.length);
    Magnitude magnitude(node.n_classes);

    const std::size_t enough = std::max(2 * node.Z.n_columns, thermal.whole_pass ? cases.size() : 0);
    double beta = thermal.beta;
    double size = 0.0, largest = 0.0;
    bool rose = false;
    std::size_t quiet = 0;  // cases in a row whose correction was none or too small to matter
    for (std::size_t pass = 0; pass < thermal.max_passes; ++pass) {
        bool corrected = false;
        for (std::size_t i = 0; i < cases.size(); ++i) {
            double correction = 0.0;
            const std::size_t own = cases.label[i], other = machine.winner(cases[i]);
            if (other != own) {
                const double k = machine.error(own, other, cases.square[i]) + thermal.epsilon;
                if (k < beta) {
                    const double c = step[i] * (beta * beta / (beta + k));
                    machine.correct(own, other, c, cases[i]);
                    correction = 2.0 * c * std::sqrt(cases.square[i]);
                    const double before = size;
                    size = magnitude.after(machine, own, other);
                    largest = std::max(largest, size);
                    if (size < before && rose) beta = thermal.a * beta - thermal.b;
                    rose = size > before;
                    corrected = true;
                }
            }
            quiet = correction < thermal.alpha * largest ? quiet + 1 : 0;
        }
        // Without a correction the next pass would be as this one: all are right, or too far gone.
        if (!corrected || quiet >= enough) break;
    }
    return machine.weights();
}

}  // namespace planetree
