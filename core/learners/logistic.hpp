// Multinomial logistic regression.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "lbfgs.hpp"
#include "learners/class_blocks.hpp"
#include "node.hpp"

namespace planetree {

struct Logistic {
    double l2;
    Descent descent;
};

// The mean of -ln p of each row's own class, plus l2/2 |W|² of the weights without the constants. With two classes
// there is one discriminant, that of the second against the first; otherwise one a class.
class LogLoss {
  public:
    LogLoss(const ClassBlocks& rows, double l2);

    static std::size_t n_discriminants(std::size_t n_classes) { return n_classes == 2 ? 1 : n_classes; }

    // `weights` are the discriminants one after the other, each with its constant last; so is the gradient.
    double operator()(std::span<const double> weights, std::span<double> gradient);

  private:
    const ClassBlocks& rows_;
    double l2_;
    std::vector<double> value_;  // of each discriminant for the rows of a block
    std::vector<double> top_, sum_;
};

// `weights` is where the descent begins, and then where it ends.
double fit(const Logistic& learner, const NodeData& node, std::vector<double>& weights);

}  // namespace planetree
