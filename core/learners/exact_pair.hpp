// The exact best plane over two columns: every way in which a line in their plane parts the rows.
//
// Move a line that parts the rows until it touches the topmost of the rows below it: no row changes its side. So it is
// enough to turn a line about each row, which lies below it. As its slope rises from -infinity to infinity every other
// row changes its side once, where the slope is that between both rows, so sorting those slopes gives all partitions
// about that row: O(N log N) a row and O(N^2 log N) a pair of columns, in O(N) memory.
#pragma once

#include <cstddef>
#include <limits>

#include "node.hpp"

namespace planetree {

struct SlopedPair {
    std::size_t i = 0, j = 0;
    double weight_i = 0.0, weight_j = 0.0;
    double score = -std::numeric_limits<double>::infinity();
    double merit = 0.0;

    bool found() const { return score > -std::numeric_limits<double>::infinity(); }
};

// Of equals the first wins, in the order of the pairs (0, 1), (0, 2), ..., of the rows and of rising slopes. The weights
// lie in the middle of the directions that part the rows alike about that row.
SlopedPair best_exact_pair(const NodeData& node, std::size_t n_threads);

}  // namespace planetree
