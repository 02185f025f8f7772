// OC1's search (Murthy, Kasif and Salzberg 1994): climbing coefficient by coefficient, jumps, and restarts.
#pragma once

#include <cstdint>
#include <vector>

#include "node.hpp"
#include "table.hpp"

namespace planetree {

enum class Order : int { sequential, best_first, random };
inline constexpr int n_orders = 3;

struct Oc1 {
    std::size_t restarts;  // searches in all; those that no start is given for begin at random planes
    std::size_t jumps;     // random directions tried at a local minimum
    Order order;
};

// Weights of the best plane; of equals the first search's. Empty if no plane parts the rows.
std::vector<double> search(const Oc1& oc1, const NodeData& node, const MatrixView& starts, std::uint64_t seed,
                           std::size_t n_threads);

}  // namespace planetree
