#include "learners/pocket.hpp"

#include <algorithm>
#include <numeric>

#include "learners/machine.hpp"
#include "rng.hpp"

namespace planetree {
namespace {

// Draws cases in proportion to their weights.
class Draw {
  public:
    Draw(const NodeData& node, std::uint64_t seed) : random_(seed), n_(node.n_rows()) {
        if (node.weight.empty()) return;
        // Shares of the largest weight, whose sum is a number. For weights of 1 it is exact.
        const double largest = *std::max_element(node.weight.begin(), node.weight.end());
        double sum = 0.0;
        for (const double weight : node.weight) reached_.push_back(sum += weight / largest);
    }

    std::size_t operator()() {
        const double point = random_.uniform();
        if (reached_.empty()) return static_cast<std::size_t>(point * static_cast<double>(n_));
        const auto at = std::upper_bound(reached_.begin(), reached_.end(), point * reached_.back());
        return std::min(static_cast<std::size_t>(at - reached_.begin()), n_ - 1);
    }

  private:
    Random random_;
    std::size_t n_;
    std::vector<double> reached_;  // sum of the weights up to each case
};

bool all_right(LearningMachine& machine, const Cases& cases) {
    for (std::size_t i = 0; i < cases.size(); ++i)
        if (machine.winner(cases[i]) != cases.label[i]) return false;
    return true;
}

}  // namespace

std::vector<double> fit(const Pocket& pocket, const NodeData& node, std::uint64_t seed) {
    std::vector<std::uint32_t> rows(node.n_rows());
    std::iota(rows.begin(), rows.end(), 0u);
    const Cases cases(node, rows);
    LearningMachine machine(node.n_classes, cases.length);
    std::vector<double> kept = machine.weights();
    Draw draw(node, seed);

    std::size_t run = 0, longest = 0;
    bool in_pocket = true;  // zero weights are no test: their run does not count
    bool corrected = false;
    for (std::size_t pass = 0; pass < pocket.passes; ++pass) {
        for (std::size_t turn = 0; turn < cases.size(); ++turn) {
            const std::size_t i = draw();
            const std::size_t own = cases.label[i], other = machine.winner(cases[i]);
            if (other != own) {
                const double c = machine.error(own, other, cases.square[i]) + pocket.epsilon;
                machine.correct(own, other, c, cases[i]);
                run = 0;
                in_pocket = false;
                corrected = true;
                continue;
            }
            if (!corrected) continue;
            ++run;
            if (run > longest) {
                longest = run;
                if (!in_pocket) kept = machine.weights();
                in_pocket = true;
            }
            // A run as long as the table is worth a look: weights that are right everywhere stay for ever.
            if (run % cases.size() == 0 && all_right(machine, cases)) return machine.weights();
        }
    }
    return kept;
}

}  // namespace planetree
