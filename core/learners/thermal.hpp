// Thermal training (Frean 1990; Brodley and Utgoff 1995, section 3.3 and Table 1).
#pragma once

#include <cstdint>
#include <vector>

#include "node.hpp"

namespace planetree {

struct Thermal {
    double beta, a, b;
    double epsilon;
    double alpha;
    bool whole_pass;
    std::size_t max_passes;
};

// Weights of shape (n_classes, n_columns + 1), the constant last. Ignores what a node knows of merits.
std::vector<double> fit(const Thermal& thermal, const NodeData& node, std::uint64_t seed);

}  // namespace planetree
