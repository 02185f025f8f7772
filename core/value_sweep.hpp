// The best cut of any values, one a row: the projections of a linear test, or the steps of one of its weights.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "best_cuts.hpp"
#include "node.hpp"
#include "presort.hpp"
#include "sweep.hpp"

namespace planetree {

// Made once a node and thread, used for many sets of values: sorts and sweeps as the univariate search does.
class ValueSweep {
  public:
    explicit ValueSweep(const NodeData& node);

    // `values` has one finite number a row of the node. `x <= cut` goes left.
    ColumnCut operator()(std::span<const double> values);

    double weight() const { return weight_; }

  private:
    NodeData node_;
    Coding coding_;
    std::vector<double> counts_;
    double weight_ = 0.0;
    std::vector<std::uint32_t> rows_, element_, rank_;
    SortScratch sort_;
    SweepScratch sweep_;
};

}  // namespace planetree
