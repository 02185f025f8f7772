#include "learners/pair_screen.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "vectors.hpp"

namespace planetree {
namespace {

// Measured on a whole tree of 20 000 × 20: from 4 to 16 rows a bin and from 64 to 256 bins it hardly matters.
constexpr std::size_t rows_per_bin = 8;
constexpr std::size_t least_bins = 8, most_bins = 64;

PLANETREE_WIDEST_VECTORS
void find_bins(const double* a, const double* b, double sign, double low, double scale, std::int32_t last,
               std::size_t n, std::int32_t* bins) {
    for (std::size_t i = 0; i < n; ++i) {
        const auto bin = static_cast<std::int32_t>((a[i] + sign * b[i] - low) * scale);
        bins[i] = bin < last ? bin : last;
    }
}

PLANETREE_WIDEST_VECTORS
void find_bins(const double* a, double low, double scale, std::int32_t last, std::size_t n,
               std::int32_t* bins) {
    for (std::size_t i = 0; i < n; ++i) {
        const auto bin = static_cast<std::int32_t>((a[i] - low) * scale);
        bins[i] = bin < last ? bin : last;
    }
}

// Best of the cuts between bins, and best corner of the bins that a cut may lie in; -1 where there is none.
PLANETREE_WIDEST_VECTORS
void worths(const double* left_first, const double* left_second, std::size_t n_bins, double all_first,
            double all_second, double least_rows, double& edge, double& corner) {
    const double n = all_first + all_second;
    const auto worth = [&](double a, double b) { return two_class_worth(a, b, all_first, all_second); };
    double best_edge = -1.0, best_corner = -1.0;
    for (std::size_t bin = 0; bin < n_bins; ++bin) {
        const double a = left_first[bin], b = left_second[bin];
        const double next_a = left_first[bin + 1], next_b = left_second[bin + 1];
        const double rows = a + b, next_rows = next_a + next_b;
        const double before = worth(a, b), behind = worth(next_a, next_b);
        const double one = worth(next_a, b), other = worth(a, next_b);
        // A corner counts where a cut there would leave too few rows, too: those inside need not.
        const double ends = before > behind ? before : behind, apart = one > other ? one : other;
        const double most = ends > apart ? ends : apart;
        const bool is_cut = next_rows >= least_rows && n - next_rows >= least_rows;
        const bool may_cut = next_rows > rows && next_rows >= least_rows && n - rows - 1.0 >= least_rows;
        const double at = is_cut ? behind : -1.0, inside = may_cut ? most : -1.0;
        best_edge = at > best_edge ? at : best_edge;
        best_corner = inside > best_corner ? inside : best_corner;
    }
    edge = best_edge;
    corner = best_corner;
}

}  // namespace

bool PairScreen::suits(const NodeData& node) {
    // D² of more rows would not be exact to the last bits.
    constexpr std::size_t most_rows = std::size_t{1} << 25;
    return node.n_classes == 2 && node.weight.empty() && node.n_rows() < most_rows &&
           (node.merit == MeritKind::gini || node.merit == MeritKind::twoing);
}

PairScreen::PairScreen(const NodeData& node, std::size_t n_first)
    : n_(node.n_rows()),
      n_first_(n_first),
      least_rows_(std::max<std::size_t>(node.min_leaf_rows, 1)),
      n_bins_(std::clamp(n_ / rows_per_bin, least_bins, most_bins)),
      bin_of_(n_),
      first_(n_bins_),
      second_(n_bins_),
      left_first_(n_bins_ + 1),
      left_second_(n_bins_ + 1) {
    const double counts[] = {static_cast<double>(n_first), static_cast<double>(n_ - n_first)};
    with_merit(node.merit, counts, counts[0] + counts[1], [&](const auto& merit) {
        if constexpr (requires { merit.of_two_classes(); })
            std::tie(offset_, factor_) = merit.of_two_classes();
    });
}

Outlook PairScreen::operator()(const double* a, const double* b, double sign, double low, double high) {
    const double scale = static_cast<double>(n_bins_) / (high - low);
    if (!std::isnormal(scale))
        return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
    const auto last = static_cast<std::int32_t>(n_bins_ - 1);
    if (b == nullptr)
        find_bins(a, low, scale, last, n_, bin_of_.data());
    else
        find_bins(a, b, sign, low, scale, last, n_, bin_of_.data());
    std::fill(first_.begin(), first_.end(), 0);
    std::fill(second_.begin(), second_.end(), 0);
    const std::int32_t* bin = bin_of_.data();
    std::uint32_t* const first = first_.data();
    std::uint32_t* const second = second_.data();
    for (std::size_t i = 0; i < n_first_; ++i) ++first[bin[i]];
    for (std::size_t i = n_first_; i < n_; ++i) ++second[bin[i]];
    return look();
}

Outlook PairScreen::look() {
    std::uint32_t a = 0, b = 0;
    for (std::size_t bin = 0; bin < n_bins_; ++bin) {
        left_first_[bin + 1] = a += first_[bin];
        left_second_[bin + 1] = b += second_[bin];
    }
    double edge, corner;
    worths(left_first_.data(), left_second_.data(), n_bins_, a, b, static_cast<double>(least_rows_), edge,
           corner);
    Outlook result;
    if (edge >= 0.0) result.at_least = offset_ + factor_ * edge;
    if (std::max(edge, corner) >= 0.0) result.at_most = offset_ + factor_ * std::max(edge, corner);
    return result;
}

}  // namespace planetree
