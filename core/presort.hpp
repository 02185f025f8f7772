// Every column ordered by value, once.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sweep.hpp"
#include "table.hpp"

namespace planetree {

struct SortScratch {
    std::vector<double> values;
    std::vector<std::uint64_t> keys, other;
};

struct SortedColumn {
    std::size_t n_known;
    bool ties;  // some known values are equal, and `rank` tells which
};

// Orders the rows of one column by value, equal values by row, missing ones last, into `element`. `rank` has room
// for one number a row; it is written only where there are ties.
SortedColumn sort_column(const Table& table, std::span<const std::uint32_t> rows, std::size_t column,
                         Coding coding, std::uint32_t* element, std::vector<std::uint32_t>& rank,
                         SortScratch& scratch);

// Where to cut between two neighbouring values: half-way, and if that rounds up to the upper one, at the lower.
inline double between(double below, double above) {
    const double middle = below / 2 + above / 2;
    return middle >= below && middle < above ? middle : below;
}

}  // namespace planetree
