// The Pocket algorithm (Gallant 1986; Brodley and Utgoff 1995, section 3.2).
#pragma once

#include <cstdint>
#include <vector>

#include "node.hpp"

namespace planetree {

struct Pocket {
    std::size_t passes;
    double epsilon;
};

// Weights of shape (n_classes, n_columns + 1), the constant last. Ignores what a node knows of merits.
std::vector<double> fit(const Pocket& pocket, const NodeData& node, std::uint64_t seed);

}  // namespace planetree
