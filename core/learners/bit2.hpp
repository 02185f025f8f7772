// BIT2: the best cut of the sum or the difference of two columns (Bioch, van der Meer and Potharst 1997).
#pragma once

#include <cstddef>

#include "grow_thresholds.hpp"
#include "node.hpp"

namespace planetree {

struct Bit2 {
    Choice choice;  // how the tests compete
    std::size_t n_threads;
    bool exhaustive;  // score every cut of every test: the same answer, slowly
};

// `z_i + z_j <= cut`, or with sign -1 `z_i - z_j <= cut`.
struct PairTest {
    std::size_t i = 0, j = 0;
    double sign = 1.0;
    ColumnCut cut;
};

// The tests are compared pair by pair, (0, 1), (0, 2), ..., the sum before the difference; the first of equals wins.
PairTest fit(const Bit2& bit2, const NodeData& node);

}  // namespace planetree
