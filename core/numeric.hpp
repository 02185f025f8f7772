// Arithmetic that gives the same bits on every platform: IEEE operations in a stated order, no libm.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace planetree {

// e^x for |x| <= 700 (beyond, the ends), to about two units in the last place: 2^k e^r with |r| <= ln 2 / 2, and the
// series of e^r up to r^13 / 13!, where the next term is under 1e-17. Written without branches, for vectors.
inline double portable_exp(double x) {
    x = x < 700.0 ? x : 700.0;  // in this order, what is no number becomes 700
    x = x > -700.0 ? x : -700.0;
    constexpr double shift = 0x1.8p52;  // adding it rounds to a whole number, in the low bits
    const double shifted = x * 0x1.71547652b82fep0 + shift;
    const double k = shifted - shift;
    const double r = (x - k * 0x1.62e42fee00000p-1) - k * 0x1.a39ef35793c76p-33;
    constexpr double series[] = {1.0 / 479001600.0,
                                 1.0 / 39916800.0,
                                 1.0 / 3628800.0,
                                 1.0 / 362880.0,
                                 1.0 / 40320.0,
                                 1.0 / 5040.0,
                                 1.0 / 720.0,
                                 1.0 / 120.0,
                                 1.0 / 24.0,
                                 1.0 / 6.0,
                                 0.5,
                                 1.0,
                                 1.0};
    double sum = 1.0 / 6227020800.0;
    for (const double coefficient : series) sum = sum * r + coefficient;
    const std::uint64_t power = (std::bit_cast<std::uint64_t>(shifted) + 1023u) << 52;
    return sum * std::bit_cast<double>(power);
}

// Sums with eight lanes, so that no addition waits for the one before; the order is fixed.
inline double sum8(const double* a, std::size_t n) {
    double lane[8] = {};
    std::size_t i = 0;
    for (; i + 8 <= n; i += 8)
        for (std::size_t l = 0; l < 8; ++l) lane[l] += a[i + l];
    for (std::size_t l = 0; i < n; ++i, ++l) lane[l] += a[i];
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

inline double dot8(const double* a, const double* b, std::size_t n) {
    double lane[8] = {};
    std::size_t i = 0;
    for (; i + 8 <= n; i += 8)
        for (std::size_t l = 0; l < 8; ++l) lane[l] += a[i + l] * b[i + l];
    for (std::size_t l = 0; i < n; ++i, ++l) lane[l] += a[i] * b[i];
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

inline double dot8(std::span<const double> a, std::span<const double> b) {
    return dot8(a.data(), b.data(), a.size());
}

}  // namespace planetree
