#include "presort.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

namespace planetree {
namespace {

// Doubles in the order of their values as unsigned integers; both zeros become one.
std::uint64_t ordered_bits(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x + 0.0);
    return bits >> 63 ? ~bits : bits | std::uint64_t{1} << 63;
}

constexpr std::array<unsigned, 3> digit_shift = {32, 43, 54};
constexpr std::array<std::uint64_t, 3> digit_mask = {0x7ff, 0x7ff, 0x3ff};

// Least significant digit first over the upper 32 bits; stable, so the rows below stay in order.
void radix_sort(std::vector<std::uint64_t>& keys, std::vector<std::uint64_t>& other, std::size_t n) {
    std::array<std::array<std::uint32_t, 2048>, 3> histogram{};
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t d = 0; d < 3; ++d) ++histogram[d][keys[i] >> digit_shift[d] & digit_mask[d]];
    for (std::size_t d = 0; d < 3; ++d) {
        auto& count = histogram[d];
        if (count[keys[0] >> digit_shift[d] & digit_mask[d]] == n) continue;
        std::uint32_t start = 0;
        for (auto& c : count) start += std::exchange(c, start);
        for (std::size_t i = 0; i < n; ++i)
            other[count[keys[i] >> digit_shift[d] & digit_mask[d]]++] = keys[i];
        keys.swap(other);
    }
}

}  // namespace

SortedColumn sort_column(const Table& table, std::span<const std::uint32_t> rows, std::size_t column,
                         Coding coding, std::uint32_t* element, std::vector<std::uint32_t>& rank,
                         SortScratch& scratch) {
    const std::size_t n = rows.size();
    auto& [values, keys, other] = scratch;
    values.resize(n);
    keys.resize(n);
    other.resize(n);

    // Positions within `rows` are what is sorted: they fit 32 bits and rise with the row.
    std::uint64_t least = ~std::uint64_t{0}, most = 0;
    std::size_t n_known = 0, n_missing = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const double x = table.X(rows[i], column);
        values[i] = x;
        if (std::isnan(x)) {
            element[n - ++n_missing] = coding.pack(rows[i], table.y[rows[i]]);
        } else {
            const std::uint64_t key = ordered_bits(x);
            least = std::min(least, key);
            most = std::max(most, key);
            other[n_known++] = i;
        }
    }
    std::reverse(element + n_known, element + n);
    if (n_known == 0) return {0, false};

    // The 32 leading bits of the key's distance from the smallest decide first; what they leave equal is ordered
    // by the values themselves.
    const int width = 64 - std::countl_zero(most - least);
    const int dropped = std::max(0, width - 32);
    for (std::size_t i = 0; i < n_known; ++i)
        keys[i] = (ordered_bits(values[other[i]]) - least) >> dropped << 32 | other[i];
    radix_sort(keys, other, n_known);

    const auto value = [&](std::uint64_t key) { return values[static_cast<std::uint32_t>(key)]; };
    const auto below = [&](std::uint64_t a, std::uint64_t b) { return value(a) < value(b); };
    bool ties = false;
    for (std::size_t i = 0; i < n_known;) {
        std::size_t end = i + 1;
        while (end < n_known && keys[end] >> 32 == keys[i] >> 32) ++end;
        if (end - i > 1) {
            const auto first = keys.begin() + static_cast<std::ptrdiff_t>(i);
            const auto last = keys.begin() + static_cast<std::ptrdiff_t>(end);
            if (dropped > 0 && !std::is_sorted(first, last, below)) std::stable_sort(first, last, below);
            ties = ties || dropped == 0 || std::adjacent_find(first, last, [&](auto a, auto b) {
                                               return value(a) == value(b);
                                           }) != last;
        }
        i = end;
    }
    for (std::size_t i = 0; i < n_known; ++i) {
        const std::uint32_t row = rows[static_cast<std::uint32_t>(keys[i])];
        element[i] = coding.pack(row, table.y[row]);
    }
    if (ties) {
        rank.resize(n);
        std::uint32_t r = 0;
        for (std::size_t i = 0; i < n_known; ++i) {
            if (i > 0 && value(keys[i - 1]) != value(keys[i])) ++r;
            rank[i] = r;
        }
        std::fill(rank.begin() + static_cast<std::ptrdiff_t>(n_known), rank.end(), r);
    }
    return {n_known, ties};
}

}  // namespace planetree
