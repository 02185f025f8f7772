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

// Which bucket and cell each row of class `y` falls into. Of u = margin / (x + gamma) the share scale / (scale + |u|)
// is cut into `half` equal parts on either side of 0; every operation rounds monotonically, so a greater u never falls
// into a lower bucket. The last bucket takes the rows that stay where they are, x + gamma being 0 or next to it: those
// on the left as coming, those on the right as leaving.
PLANETREE_WIDEST_VECTORS
void place(const double* __restrict margin, const double* __restrict x, double gamma, std::int32_t y,
           std::size_t n, std::int32_t n_classes, double scale, std::int32_t half, double* __restrict u,
           std::uint32_t* __restrict cell) {
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
        cell[i] = static_cast<std::uint32_t>(2 * (bucket * n_classes + y) + leaves);
    }
}

// What the cuts behind each bucket and the best corner of each bucket are worth, for two classes. `low` and `high` are
// the least and greatest counts inside a bucket.
PLANETREE_WIDEST_VECTORS
void worths(const double* left_a, const double* left_b, const double* low_a, const double* low_b,
            const double* high_a, const double* high_b, std::size_t n_buckets, double a, double b,
            double* edge, double* corner) {
    const auto worth = [&](double a_left, double b_left) { return two_class_worth(a_left, b_left, a, b); };
    for (std::size_t k = 0; k < n_buckets; ++k) {
        edge[k] = worth(left_a[k + 1], left_b[k + 1]);
        const double low = worth(low_a[k], low_b[k]), high = worth(high_a[k], high_b[k]);
        const double one = worth(low_a[k], high_b[k]), other = worth(high_a[k], low_b[k]);
        const double same = low > high ? low : high, apart = one > other ? one : other;
        corner[k] = same > apart ? same : apart;
    }
}

PLANETREE_WIDEST_VECTORS
std::int64_t count_left(const double* margin, std::size_t n) {
    std::int64_t rows = 0;
    for (std::size_t i = 0; i < n; ++i) rows += margin[i] <= 0.0 ? 1 : 0;
    return rows;
}

PLANETREE_WIDEST_VECTORS
std::int64_t weigh_left(const double* margin, const std::int64_t* weight, std::size_t n) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += margin[i] <= 0.0 ? weight[i] : 0;
    return sum;
}

// The median size of u, from a few rows: how well it is met costs time and changes nothing else.
double typical_size(std::span<const double> margin, std::span<const double> x, double gamma) {
    std::array<double, 15> size;
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
    for (std::size_t k = 0; k <= n_classes_; ++k) {
        const auto first = std::lower_bound(node.y.begin(), node.y.end(), static_cast<std::int32_t>(k));
        first_row_.push_back(static_cast<std::size_t>(first - node.y.begin()));
    }
    for (std::size_t k = 0; k < n_classes_; ++k) {
        counts_[k] = static_cast<double>(total_[k]) * unit_;
        total_weight_ += total_[k];
    }
    node_weight_ = static_cast<double>(total_weight_) * unit_;
    // Counts of more rows would not multiply exactly.
    constexpr std::size_t most_rows = std::size_t{1} << 25;
    of_two_ = n_classes_ == 2 && weight_.empty() && node.n_rows() < most_rows;
}

double CoefficientStep::merit(double score) const {
    return with_merit(node_.merit, counts_, node_weight_,
                      [&](const auto& merit) { return merit.merit(score); });
}

double CoefficientStep::score(std::span<const double> margin) {
    state_.assign(n_classes_ + 1, 0);
    for (std::size_t k = 0; k < n_classes_; ++k) {
        const std::size_t first = first_row_[k], n = first_row_[k + 1] - first;
        const Count rows = count_left(margin.data() + first, n);
        state_[k] = weight_.empty() ? rows : weigh_left(margin.data() + first, weight_.data() + first, n);
        state_[n_classes_] += rows;
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
    const double scale = half == 0 ? 1.0 : typical_size(margin, x, gamma);
    for (std::size_t k = 0; k < n_classes_; ++k) {
        const std::size_t first = first_row_[k];
        place(margin.data() + first, x.data() + first, gamma, static_cast<std::int32_t>(k),
              first_row_[k + 1] - first, static_cast<std::int32_t>(n_classes_), scale,
              static_cast<std::int32_t>(half), u_.data() + first, cell_.data() + first);
    }

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
    start_opening();
    state_ = before_all_;
    std::uint32_t order = 0;
    for (std::size_t bucket = 0; bucket < n_buckets_; ++bucket) {
        if (bucket_rows_[bucket] == 0) continue;
        if (!(bound(merit, state_.data(), bucket) < least)) open(bucket, order);
        ++order;
        pass(state_.data(), bucket);
    }
}

void CoefficientStep::sort_open_rows() {
    next_.clear();
    for (const Open& open : open_) next_.push_back(open.first);
    passing_.resize(n_open_rows_);
    if (open_.empty()) return;
    // Which rows those are is chance to a branch; without one it takes half the time.
    rows_.resize(cell_.size());
    std::size_t n_found = 0;
    for (std::size_t i = 0; i < cell_.size(); ++i) {
        rows_[n_found] = static_cast<std::uint32_t>(i);
        n_found += open_at_[cell_[i]] > 0 ? 1 : 0;
    }
    for (std::size_t f = 0; f < n_found; ++f) {
        const std::uint32_t i = rows_[f];
        passing_[next_[open_at_[cell_[i]] - 1]++] = {u_[i], cell_[i], i};
    }
    for (std::size_t o = 0; o < open_.size(); ++o)
        std::sort(passing_.begin() + open_[o].first, passing_.begin() + next_[o],
                  [](const Passing& a, const Passing& b) { return a.u < b.u; });
}

// As `best_between_buckets` and `open_buckets`, all buckets side by side.
template <class Merit>
void CoefficientStep::open_buckets_of_two(const Merit& merit, double floor) {
    bucket_rows_.resize(n_buckets_ + 1);
    left_a_.resize(n_buckets_ + 1);
    left_b_.resize(n_buckets_ + 1);
    for (auto* column : {&low_a_, &low_b_, &high_a_, &high_b_, &edge_, &corner_}) column->resize(n_buckets_);
    // On the left before all steps is what will leave, and of the rows that stay what "comes".
    const Count* stay = &cell_rows_[4 * n_buckets_];
    Count before_a = stay[0], before_b = stay[2];
    for (std::size_t k = 0; k < n_buckets_; ++k) {
        before_a += cell_rows_[4 * k + 1];
        before_b += cell_rows_[4 * k + 3];
    }
    left_a_[0] = static_cast<double>(before_a);
    left_b_[0] = static_cast<double>(before_b);
    for (std::size_t k = 0; k < n_buckets_; ++k) {
        const Count* cell = &cell_rows_[4 * k];
        bucket_rows_[k] = static_cast<std::uint32_t>(cell[0] + cell[1] + cell[2] + cell[3]);
        low_a_[k] = static_cast<double>(before_a - cell[1]);
        low_b_[k] = static_cast<double>(before_b - cell[3]);
        high_a_[k] = static_cast<double>(before_a + cell[0]);
        high_b_[k] = static_cast<double>(before_b + cell[2]);
        left_a_[k + 1] = static_cast<double>(before_a += cell[0] - cell[1]);
        left_b_[k + 1] = static_cast<double>(before_b += cell[2] - cell[3]);
    }
    const auto n_staying = static_cast<std::size_t>(stay[0] + stay[1] + stay[2] + stay[3]);
    worths(left_a_.data(), left_b_.data(), low_a_.data(), low_b_.data(), high_a_.data(), high_b_.data(),
           n_buckets_, counts_[0], counts_[1], edge_.data(), corner_.data());

    const auto [offset, factor] = merit.of_two_classes();
    double best = -1.0;
    for (std::size_t k = 0, left_over = cell_.size() - n_staying; k < n_buckets_; ++k) {
        if (bucket_rows_[k] == 0) continue;  // before the first row there is no cut
        left_over -= bucket_rows_[k];
        if (left_over == 0) break;
        const double n_left = left_a_[k + 1] + left_b_[k + 1];
        const bool allowed =
            n_left >= static_cast<double>(least_rows_) && n_left <= static_cast<double>(most_rows_);
        best = allowed && edge_[k] > best ? edge_[k] : best;
    }
    const double least = best < 0.0 ? floor : std::max(floor, offset + factor * best);
    start_opening();
    std::uint32_t order = 0;
    for (std::size_t k = 0; k < n_buckets_; ++k) {
        if (bucket_rows_[k] == 0) continue;
        const double bound = offset + factor * corner_[k];
        if (!(bound + bound_room * std::abs(bound) < least)) {
            const auto a = static_cast<Count>(left_a_[k]), b = static_cast<Count>(left_b_[k]);
            state_ = {a, b, a + b};
            open(k, order);
        }
        ++order;
    }
}

void CoefficientStep::start_opening() {
    open_.clear();
    open_at_.assign(cell_rows_.size(), 0);
    states_.clear();
    n_open_rows_ = 0;
}

// Opens a bucket that begins in `state_`; `order`: its place among those that hold rows.
void CoefficientStep::open(std::size_t bucket, std::uint32_t order) {
    open_.push_back({static_cast<std::uint32_t>(bucket), order, n_open_rows_});
    const auto cell = open_at_.begin() + static_cast<std::ptrdiff_t>(2 * n_classes_ * bucket);
    std::fill_n(cell, 2 * n_classes_, static_cast<std::uint32_t>(open_.size()));
    states_.insert(states_.end(), state_.begin(), state_.end());
    n_open_rows_ += bucket_rows_[bucket];
}

template <class Merit>
Step CoefficientStep::search(const Merit& merit, double floor) {
    if constexpr (requires { merit.of_two_classes(); }) {
        if (of_two_) {
            open_buckets_of_two(merit, floor);
            return best_of_open(merit, floor);
        }
    }
    sum_buckets();
    open_buckets(merit, best_between_buckets(merit, floor));
    return best_of_open(merit, floor);
}

template <class Merit>
Step CoefficientStep::best_of_open(const Merit& merit, double floor) {
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
