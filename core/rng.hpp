// Our own random numbers: the standard library's distributions differ by platform.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace planetree {

// SplitMix64 (Steele, Lea and Flood 2014): any seed is a good one, and neighbouring seeds give unrelated numbers.
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t operator()() {
        state_ += 0x9E3779B97F4A7C15u;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
    }

    // Uniform on the multiples of 2^-53 in [0, 1).
    double uniform() { return static_cast<double>((*this)() >> 11) * 0x1p-53; }

    // Uniform on 0 ... n - 1 for n >= 1, without bias: what is left of 2^64 after whole rounds of n is drawn anew.
    std::uint64_t below(std::uint64_t n) {
        const std::uint64_t left_over = (0 - n) % n;
        std::uint64_t drawn = (*this)();
        while (drawn < left_over) drawn = (*this)();
        return drawn % n;
    }

    template <class T>
    void shuffle(std::span<T> items) {
        for (std::size_t i = items.size(); i > 1; --i)
            std::swap(items[i - 1], items[static_cast<std::size_t>(below(i))]);
    }

  private:
    std::uint64_t state_;
};

}  // namespace planetree
