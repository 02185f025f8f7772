// BIT1: CART's search over every pair of columns (Bioch, van der Meer and Potharst 1997).
#pragma once

#include <cstddef>

#include "learners/cart_lc.hpp"
#include "node.hpp"

namespace planetree {

struct PairPlane {
    std::size_t i = 0, j = 0;
    double weight_i = 0.0, weight_j = 0.0;
    double score = Step{}.score;

    bool found() const { return score > Step{}.score; }
};

// For every ordered pair (i, j) CART's cycles over both columns, from the best cut of column i. Of equals the first
// in the order (0, 1), (0, 2), ... wins.
PairPlane best_pair(const CartLC& cart, const NodeData& node, std::size_t n_threads);

}  // namespace planetree
