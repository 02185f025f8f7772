// The search at one node: the best cut of each of its columns.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "parallel.hpp"
#include "sweep.hpp"
#include "table.hpp"

namespace planetree {

// What a winning cut becomes: `x <= cut`, or, where all known values go left, "x is known".
struct ColumnCut {
    bool found = false;
    bool known_test = false;
    bool missing_right = false;  // where no row was missing: the side with more weight
    double cut = 0.0;
    double merit = 0.0;
    std::size_t n_cuts = 0;   // among how many it was chosen; `best_cuts` alone counts them
    double split_info = 0.0;  // entropy of the sides' shares, in bits: the divisor of the gain ratio
};

// `stream` is column `column` of the node whose totals are `node`.
ColumnCut describe(const Cut& best, const Table& table, std::size_t column, const Stream& stream,
                   Coding coding, const NodeTotals& node);

// `rows` must rise. One entry a column of `columns`.
std::vector<ColumnCut> best_cuts(const Table& table, std::span<const std::uint32_t> rows,
                                 std::span<const std::int32_t> columns, MeritKind merit,
                                 std::size_t min_leaf_rows, std::size_t n_threads);

}  // namespace planetree
