// BIT2 at many nodes in one call, beside the best cut of one column: what a whole level of a tree needs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "learners/bit2.hpp"
#include "table.hpp"

namespace planetree {

struct Bit2Level {
    Table table;  // every column an encoded one, nothing missing, no weights
    MatrixView Z;  // the same columns, standardised
    std::span<const double> center, spread;  // of each column
    MeritKind merit;
    std::size_t min_leaf_rows;
    double min_rows_per_feature;  // a test needs so many distinct rows for each of its columns
    bool univariate;  // whether cuts of one column compete
    std::size_t n_threads;
};

// The tests of a node, in the units of the table; column -1: none. A cut of one column that cannot be as good as the
// pair may be left out. Where only one column varies the pair is that column alone.
struct NodeTests {
    std::int32_t i = -1, j = -1;
    double weight_i = 0.0, weight_j = 0.0, pair_cut = 0.0;
    std::int32_t column = -1;
    double cut = 0.0;
    std::int32_t missing = 0;  // the branch of a value that is missing later
};

// Node m has the rows from `starts[m]` up to `starts[m + 1]`, rising. `pair_right` and `cut_right` are told, for each
// of the rows, whether it goes right.
std::vector<NodeTests> search(const Bit2Level& level, std::span<const std::uint32_t> rows,
                              std::span<const std::int64_t> starts, std::span<std::uint8_t> pair_right,
                              std::span<std::uint8_t> cut_right);

}  // namespace planetree
