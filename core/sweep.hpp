// The best cut along one column of one node.
//
// A column reaches the sweep as a stream: the node's rows ordered by value (equal values by row), the rows where
// it is missing behind them. Each element packs a row number and its class, so that a sweep over whole counts
// reads one array from front to back and nothing else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "merit.hpp"

namespace planetree {

// Row and class in 32 bits: the class in the low bits.
struct Coding {
    unsigned class_bits;

    static unsigned bits_for(std::size_t n) {
        unsigned bits = 0;
        while ((std::size_t{1} << bits) < n) ++bits;
        return bits;
    }
    static bool fits(std::size_t n_rows, std::size_t n_classes) {
        return bits_for(n_rows) + bits_for(n_classes) <= 32;
    }
    explicit Coding(std::size_t n_classes) : class_bits(bits_for(n_classes)) {}

    std::uint32_t pack(std::size_t row, std::int32_t label) const {
        return static_cast<std::uint32_t>(row) << class_bits | static_cast<std::uint32_t>(label);
    }
    std::uint32_t row(std::uint32_t element) const { return element >> class_bits; }
    std::uint32_t label(std::uint32_t element) const { return element & ((1u << class_bits) - 1u); }
};

struct Stream {
    const std::uint32_t* element;
    const std::uint32_t* rank;  // equal ranks are equal values; null: all known values differ
    std::size_t n_known;
    std::size_t n_rows;  // known and missing

    bool cut_before(std::size_t position) const {
        return rank == nullptr || rank[position - 1] != rank[position];
    }
};

enum class Missing : std::uint8_t { none, left, right };

// `position` known rows go left. When all known rows do, the test is "known" against "missing".
struct Cut {
    double score = -std::numeric_limits<double>::infinity();
    std::size_t position = 0;  // 0: nothing found
    Missing missing = Missing::none;
    double left_weight = 0.0;

    bool found() const { return position > 0; }
    std::size_t rows_left(const Stream& stream) const {
        return position + (missing == Missing::left ? stream.n_rows - stream.n_known : 0);
    }
};

// What the sweep needs to know of the node, the same for all its columns.
struct NodeTotals {
    std::span<const double> counts;
    double weight;
    std::span<const double> row_weight;  // empty: every row counts 1
    MeritKind merit;
    std::size_t min_leaf_rows;
};

struct SweepScratch {
    std::vector<double> left, right, missing;
    std::vector<std::uint32_t> whole_left, whole_right;
};

// Best by score among the cuts that beat `floor`; the lower cut wins a tie, and missing to the right wins over
// missing to the left.
Cut best_cut(const Stream& stream, const NodeTotals& node, Coding coding, double floor,
             SweepScratch& scratch);

// Among how many cuts it chooses.
std::size_t n_cuts(const Stream& stream, const NodeTotals& node);

}  // namespace planetree
