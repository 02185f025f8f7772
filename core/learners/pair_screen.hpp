// What the best cut of a sum or a difference of two columns is worth at least and at most, from coarse counts.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "node.hpp"

namespace planetree {

struct Outlook {
    double at_least = -std::numeric_limits<double>::infinity();  // some cut scores so much
    double at_most = -std::numeric_limits<double>::infinity();  // none scores more
};

// For two classes without weights, and a merit whose score rises with `two_class_worth`: Gini and twoing. That is
// convex in the counts of the two classes on the left, so no cut inside a bin is better than the best corner of the
// box that the counts at its ends span.
class PairScreen {
  public:
    static bool suits(const NodeData& node);

    // The rows of class 0 come before those of class 1 in every column it is shown.
    PairScreen(const NodeData& node, std::size_t n_first);

    // `a + sign b`, or `a` where b is null; no value lies outside `low` and `high`.
    Outlook operator()(const double* a, const double* b, double sign, double low, double high);

  private:
    Outlook look();

    std::size_t n_, n_first_, least_rows_, n_bins_;
    double offset_ = 0.0, factor_ = 0.0;  // score = offset + factor two_class_worth
    std::vector<std::int32_t> bin_of_;
    std::vector<std::uint32_t> first_, second_;  // rows of each class in each bin
    std::vector<double> left_first_, left_second_;  // before each bin, and after the last
};

}  // namespace planetree
