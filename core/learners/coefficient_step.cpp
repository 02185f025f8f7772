#include "coefficient_step.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>

#include "presort.hpp"
#include "vectors.hpp"

namespace planetree {
namespace {

// Below this many rows one bucket holds them all. Above there are twice the square root of the number of rows, which
// balances what it costs to bound a bucket and to sort its rows.
constexpr std::size_t rows_without_buckets = 64;

// A bucket can only be left out if no partition within it scores more than one at a corner of the box of its
// counts: the score must be a convex function of the counts on the left. There are 2^classes corners.
template <class Merit>
constexpr bool is_convex = !std::is_same_v<Merit, MaxMinority>;
constexpr std::size_t most_classes_bounded = 4;

// A greater |u| than this counts as infinite.
constexpr double farthest = std::numeric_limits<double>::max() / 4;

// Room for the rounding of a bound, as a share of the score.
constexpr double bound_room = 1e-12;

// Which bucket and cell each row falls into. Of u = margin / (x + gamma) the share scale / (scale + |u|) is cut into
// `half` equal parts on either side of 0; every operation rounds monotonically, so a greater u never falls into a
// lower bucket. The last bucket takes the rows that stay where they are, x + gamma being 0 or next to it: those on
// the left as coming, those on the right as leaving.
PLANETREE_WIDEST_VECTORS
void place(const double* __restrict margin, const double* __restrict x, double gamma,
           const std::int32_t* __restrict y, std::size_t n, std::int32_t n_classes, double scale,
           std::int32_t half, double* __restrict u, std::uint32_t* __restrict cell) {
    const auto parts = static_cast<double>(half);
    const std::int32_t last = 2 * half + 1;
    for (std::size_t i = 0; i < n; ++i) {
        const double slope = x[i] + gamma;
        const double at = margin[i] / slope;
        const double size = std::abs(at);
        const double known = size < farthest ? size : farthest;
        const auto part = static_cast<std::int32_t>(scale / (scale + known) * parts);
        const std::int32_t moving = at < 0.0 ? part : 2 * half - part;
        const std::int32_t falls = slope < 0.0 ? 1 : 0;
        const std::int32_t right = margin[i] > 0.0 ? 1 : 0;
        const bool stays = !(size <= farthest);
        const std::int32_t bucket = stays ? last : moving;
        const std::int32_t leaves = stays ? right : falls;
        u[i] = at;
        cell[i] = static_cast<std::uint32_t>(2 * (bucket * n_classes + y[i]) + leaves);
    }
}

// Whether any of these cells is one of `width` from `low` on.
constexpr std::size_t rows_looked_at = 32;

PLANETREE_WIDEST_VECTORS
bool any_within(const std::uint32_t* cell, std::size_t n, std::uint32_t low, std::uint32_t width) {
    std::uint32_t hit = 0;
    for (std::size_t i = 0; i < n; ++i) hit |= cell[i] - low < width ? 1u : 0u;
    return hit != 0;
}

// The median size of u, from a few rows.
double typical_size(std::span<const double> margin, std::span<const double> x, double gamma) {
    std::array<double, 64> size;
    std::size_t n = 0;
    const std::size_t every = margin.size() / size.size() + 1;
    for (std::size_t i = 0; i < margin.size(); i += every) {
        const double at = std::abs(margin[i] / (x[i] + gamma));
        if (at > 0.0 && at <= farthest) size[n++] = at;
    }
    if (n == 0) return 1.0;
    std::nth_element(size.begin(), size.begin() + n / 2, size.begin() + n);
    return size[n / 2];
}

}  // namespace

CoefficientStep::CoefficientStep(const NodeData& node)
    : node_(node),
      n_classes_(node.n_classes),
      least_rows_(static_cast<Count>(std::max<std::size_t>(node.min_leaf_rows, 1))),
      most_rows_(static_cast<Count>(node.n_rows()) - least_rows_),
      counts_(node.n_classes, 0.0),
      total_(node.n_classes, 0),
      u_(node.n_rows()),
      cell_(node.n_rows()),
      before_all_(node.n_classes + 1),
      state_(node.n_classes + 1),
      left_(node.n_classes),
      right_(node.n_classes) {
    if (!node.weight.empty()) {
        int largest = 0, rows = 0;
        std::frexp(*std::max_element(node.weight.begin(), node.weight.end()), &largest);
        std::frexp(static_cast<double>(node.n_rows()), &rows);
        const int exponent = largest + rows - 52;
        unit_ = std::ldexp(1.0, exponent);
        weight_.resize(node.n_rows());
        for (std::size_t i = 0; i < weight_.size(); ++i)
            weight_[i] = std::max<Count>(std::llround(std::ldexp(node.weight[i], -exponent)), 1);
    }
    for (std::size_t i = 0; i < node.n_rows(); ++i)
        total_[static_cast<std::size_t>(node.y[i])] += weight_of(i);
    for (std::size_t k = 0; k < n_classes_; ++k) {
        counts_[k] = static_cast<double>(total_[k]) * unit_;
        total_weight_ += total_[k];
    }
    node_weight_ = static_cast<double>(total_weight_) * unit_;
}

double CoefficientStep::merit(double score) const {
    return with_merit(node_.merit, counts_, node_weight_,
                      [&](const auto& merit) { return merit.merit(score); });
}

double CoefficientStep::score(std::span<const double> margin) {
    // Two of each sum, in turn, so that an addition need not wait for the one before.
    halves_.assign(4 * n_classes_, 0);
    Count* const sums[2] = {halves_.data(), halves_.data() + 2 * n_classes_};
    for (std::size_t i = 0; i < margin.size(); ++i) {
        Count* sum = sums[i % 2] + 2 * static_cast<std::size_t>(node_.y[i]);
        const Count is_left = margin[i] <= 0.0 ? 1 : 0;
        sum[0] += is_left;
        sum[1] += is_left * weight_of(i);
    }
    state_.assign(n_classes_ + 1, 0);
    for (std::size_t k = 0; k < n_classes_; ++k) {
        state_[k] = sums[0][2 * k + 1] + sums[1][2 * k + 1];
        state_[n_classes_] += sums[0][2 * k] + sums[1][2 * k];
    }
    if (!is_allowed(state_.data())) return Step{}.score;
    return with_merit(node_.merit, counts_, node_weight_,
                      [&](const auto& merit) { return score_of(merit, state_.data()); });
}

bool CoefficientStep::is_pure() const {
    std::size_t left = 0, right = 0;
    for (std::size_t k = 0; k < n_classes_; ++k) {
        left += state_[k] > 0;
        right += state_[k] < total_[k];
    }
    return left <= 1 && right <= 1;
}

Step CoefficientStep::best(std::span<const double> margin, std::span<const double> x, double gamma,
                           double floor) {
    const std::size_t n = margin.size();
    const auto half =
        n < rows_without_buckets ? 0 : static_cast<std::size_t>(std::sqrt(static_cast<double>(n)));
    n_buckets_ = 2 * half + 1;
    place(margin.data(), x.data(), gamma, node_.y.data(), n, static_cast<std::int32_t>(n_classes_),
          half == 0 ? 1.0 : typical_size(margin, x, gamma), static_cast<std::int32_t>(half), u_.data(),
          cell_.data());

    const std::size_t n_cells = 2 * n_classes_ * (n_buckets_ + 1);
    cell_rows_.assign(n_cells, 0);
    for (std::size_t i = 0; i < n; ++i) ++cell_rows_[cell_[i]];
    if (!weight_.empty()) {
        cell_weight_.assign(n_cells, 0);
        for (std::size_t i = 0; i < n; ++i) cell_weight_[cell_[i]] += weight_[i];
    }
    return with_merit(node_.merit, counts_, node_weight_,
                      [&](const auto& merit) { return search(merit, floor); });
}

template <class Merit>
double CoefficientStep::score_of(const Merit& merit, const Count* left) {
    if (n_classes_ == 2) {
        const std::array<double, 2> on_left = {static_cast<double>(left[0]) * unit_,
                                               static_cast<double>(left[1]) * unit_};
        const std::array<double, 2> on_right = {static_cast<double>(total_[0] - left[0]) * unit_,
                                                static_cast<double>(total_[1] - left[1]) * unit_};
        const Count weight = left[0] + left[1];
        return merit.score(on_left, on_right, static_cast<double>(weight) * unit_,
                           static_cast<double>(total_weight_ - weight) * unit_);
    }
    Count weight = 0;
    for (std::size_t k = 0; k < n_classes_; ++k) {
        left_[k] = static_cast<double>(left[k]) * unit_;
        right_[k] = static_cast<double>(total_[k] - left[k]) * unit_;
        weight += left[k];
    }
    return merit.score(left_, right_, static_cast<double>(weight) * unit_,
                       static_cast<double>(total_weight_ - weight) * unit_);
}

// The greatest score that any order of the bucket's rows could pass through, from the state before it.
template <class Merit>
double CoefficientStep::bound(const Merit& merit, const Count* left, std::size_t bucket) {
    constexpr double unbounded = std::numeric_limits<double>::infinity();
    if (!is_convex<Merit> || n_classes_ > most_classes_bounded) return unbounded;
    const std::vector<Count>& change = weight_.empty() ? cell_rows_ : cell_weight_;
    const Count* cell = &change[2 * n_classes_ * bucket];
    std::array<Count, most_classes_bounded> low, high, corner;
    Count least = 0, most = 0;
    for (std::size_t k = 0; k < n_classes_; ++k) {
        low[k] = left[k] - cell[2 * k + 1];
        high[k] = left[k] + cell[2 * k];
        least += low[k];
        most += high[k];
    }
    if (least <= 0 || most >= total_weight_) return unbounded;
    double greatest = -unbounded;
    for (std::size_t which = 0; which < std::size_t{1} << n_classes_; ++which) {
        for (std::size_t k = 0; k < n_classes_; ++k) corner[k] = which >> k & 1 ? high[k] : low[k];
        greatest = std::max(greatest, score_of(merit, corner.data()));
    }
    return greatest + bound_room * std::abs(greatest);
}

void CoefficientStep::pass(Count* left, std::size_t bucket) const {
    const std::size_t first = 2 * n_classes_ * bucket;
    const std::vector<Count>& change = weight_.empty() ? cell_rows_ : cell_weight_;
    for (std::size_t k = 0; k < n_classes_; ++k) {
        left[k] += change[first + 2 * k] - change[first + 2 * k + 1];
        left[n_classes_] += cell_rows_[first + 2 * k] - cell_rows_[first + 2 * k + 1];
    }
}

void CoefficientStep::sum_buckets() {
    const std::vector<Count>& change = weight_.empty() ? cell_rows_ : cell_weight_;
    before_all_.assign(n_classes_ + 1, 0);
    bucket_rows_.assign(n_buckets_ + 1, 0);
    for (std::size_t bucket = 0, cell = 0; bucket <= n_buckets_; ++bucket)
        for (std::size_t k = 0; k < n_classes_; ++k, cell += 2) {
            bucket_rows_[bucket] += static_cast<std::uint32_t>(cell_rows_[cell] + cell_rows_[cell + 1]);
            // On the left before all steps is what will leave, and of the rows that stay what "comes".
            const std::size_t on_left = bucket < n_buckets_ ? cell + 1 : cell;
            before_all_[k] += change[on_left];
            before_all_[n_classes_] += cell_rows_[on_left];
        }
    n_passing_ = cell_.size() - bucket_rows_[n_buckets_];
}

template <class Merit>
double CoefficientStep::best_between_buckets(const Merit& merit, double floor) {
    double best = floor;
    state_ = before_all_;
    for (std::size_t bucket = 0, left_over = n_passing_; bucket + 1 < n_buckets_; ++bucket) {
        if (bucket_rows_[bucket] == 0) continue;
        pass(state_.data(), bucket);
        left_over -= bucket_rows_[bucket];
        if (left_over == 0) break;
        if (is_allowed(state_.data())) best = std::max(best, score_of(merit, state_.data()));
    }
    return best;
}

template <class Merit>
void CoefficientStep::open_buckets(const Merit& merit, double least) {
    open_.clear();
    open_at_.assign(cell_rows_.size(), 0);
    states_.clear();
    state_ = before_all_;
    std::uint32_t order = 0;
    std::uint32_t first = 0;
    for (std::size_t bucket = 0; bucket < n_buckets_; ++bucket) {
        if (bucket_rows_[bucket] == 0) continue;
        if (!(bound(merit, state_.data(), bucket) < least)) {
            open_.push_back({static_cast<std::uint32_t>(bucket), order, first});
            const auto cell = open_at_.begin() + static_cast<std::ptrdiff_t>(2 * n_classes_ * bucket);
            std::fill_n(cell, 2 * n_classes_, static_cast<std::uint32_t>(open_.size()));
            states_.insert(states_.end(), state_.begin(), state_.end());
            first += bucket_rows_[bucket];
        }
        ++order;
        pass(state_.data(), bucket);
    }
    passing_.resize(first);
}

void CoefficientStep::sort_open_rows() {
    next_.clear();
    for (const Open& open : open_) next_.push_back(open.first);
    if (open_.empty()) return;
    const auto cells = static_cast<std::uint32_t>(2 * n_classes_);
    const std::uint32_t low = cells * open_.front().bucket;
    const std::uint32_t width = cells * (open_.back().bucket + 1) - low;
    for (std::size_t first = 0; first < cell_.size(); first += rows_looked_at) {
        const std::size_t end = std::min(first + rows_looked_at, cell_.size());
        if (!any_within(&cell_[first], end - first, low, width)) continue;
        for (std::size_t i = first; i < end; ++i) {
            const std::uint32_t at = open_at_[cell_[i]];
            if (at > 0) passing_[next_[at - 1]++] = {u_[i], cell_[i], static_cast<std::uint32_t>(i)};
        }
    }
    for (std::size_t o = 0; o < open_.size(); ++o)
        std::sort(passing_.begin() + open_[o].first, passing_.begin() + next_[o],
                  [](const Passing& a, const Passing& b) { return a.u < b.u; });
}

template <class Merit>
Step CoefficientStep::search(const Merit& merit, double floor) {
    sum_buckets();
    open_buckets(merit, best_between_buckets(merit, floor));
    sort_open_rows();

    Step best{floor, std::numeric_limits<double>::infinity()};
    for (std::size_t o = 0; o < open_.size(); ++o) {
        const auto start = states_.begin() + static_cast<std::ptrdiff_t>(o * state_.size());
        std::copy(start, start + static_cast<std::ptrdiff_t>(state_.size()), state_.begin());
        const auto first_cell = static_cast<std::uint32_t>(2 * n_classes_ * open_[o].bucket);
        const bool is_last = o + 1 == open_.size();
        const std::size_t end = is_last ? passing_.size() : open_[o + 1].first;
        // The cut behind the bucket's last row is looked at if the next rows are known; else it cannot win.
        const bool next_is_open = !is_last && open_[o + 1].order == open_[o].order + 1;
        for (std::size_t i = open_[o].first; i < end; ++i) {
            const Passing& row = passing_[i];
            const bool comes = row.cell % 2 == 0;
            state_[(row.cell - first_cell) / 2] += comes ? weight_of(row.row) : -weight_of(row.row);
            state_[n_classes_] += comes ? 1 : -1;
            if (i + 1 == end && !next_is_open) break;
            const double next = passing_[i + 1].u;
            if (!(row.u < next) || !is_allowed(state_.data())) continue;
            const double score = score_of(merit, state_.data());
            if (!(score >= best.score)) continue;
            const double delta = between(row.u, next);
            if (!std::isfinite(delta)) continue;
            if (score > best.score || std::abs(delta) < std::abs(best.delta)) best = {score, delta};
        }
    }
    return std::isfinite(best.delta) ? best : Step{};
}

}  // namespace planetree
