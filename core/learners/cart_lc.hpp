// CART's linear combination search (Breiman, Friedman, Olshen and Stone 1984, chapter 5).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "learners/plane_search.hpp"
#include "node.hpp"
#include "table.hpp"

namespace planetree {

struct CartLC {
    std::span<const double> gammas;
    double epsilon;  // a cycle that gains less merit is the last
    std::size_t max_cycles;
};

// Cycles over these columns from where the search is: the best plane met at the end of a cycle, where its score is
// counted from the weights themselves.
Plane cycle(const CartLC& cart, PlaneSearch& search, std::span<const std::size_t> columns);

// For each start, a row of weights, those at the end of the search.
std::vector<double> search(const CartLC& cart, const NodeData& node, const MatrixView& starts,
                           std::size_t n_threads);

}  // namespace planetree
