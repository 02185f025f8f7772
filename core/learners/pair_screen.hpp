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

// For two classes without weights, and a merit whose score rises with D² / (n_left n_right), where D = a_left b -
// b_left a: Gini and twoing. That is convex in a_left and b_left, so of the cuts inside a bin none is better than
// the better of its two corners where all rows of one class lie left and none of the other.
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
    double offset_ = 0.0, factor_ = 0.0;  // score = offset + factor D² / (n_left n_right)
    std::vector<std::int32_t> bin_of_;
    std::vector<std::uint32_t> first_, second_;  // rows of each class in each bin
    std::vector<double> left_first_, left_second_;  // before each bin, and after the last
};

}  // namespace planetree
