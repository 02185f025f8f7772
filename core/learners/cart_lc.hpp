// CART's linear combination search (Breiman, Friedman, Olshen and Stone 1984, chapter 5).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "node.hpp"
#include "table.hpp"

namespace planetree {

struct CartLC {
    std::span<const double> gammas;
    double epsilon;  // a cycle that gains less merit is the last
    std::size_t max_cycles;
};

// For each start, a row of weights, those at the end of the search.
std::vector<double> search(const CartLC& cart, const NodeData& node, const MatrixView& starts,
                           std::size_t n_threads);

}  // namespace planetree
