#include "binned_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "presort.hpp"
#include "vectors.hpp"

namespace planetree {
namespace {

// Measured on whole trees of 20 000 × 20: fewer rows sort faster than they divide; fewer bins bound too loosely to
// save the sorting, more cost more bounds than they save rows.
constexpr std::size_t sort_rows = 16;
constexpr std::size_t rows_per_bin = 4;
constexpr std::size_t most_cells = 1024;

// Scores and bounds are sums of up to 2^32 terms in different orders. A bin is left out only if it stays behind by
// more than their rounding can be.
constexpr double room = 1e-10;

// Merits that are strictly convex along a run of rows of one class: a cut inside it is worse than one at its ends.
template <class Merit>
constexpr bool strictly_convex = std::is_same_v<Merit, Gini> || std::is_same_v<Merit, InformationGain>;

PLANETREE_WIDEST_VECTORS
void find_cells(const double* values, std::size_t n, double low, double scale, std::int32_t last_bin,
                std::int32_t* bins) {
    for (std::size_t i = 0; i < n; ++i) {
        const auto bin = static_cast<std::int32_t>((values[i] - low) * scale);
        bins[i] = bin < last_bin ? bin : last_bin;
    }
}

}  // namespace

BinnedSweep::BinnedSweep(const NodeData& node, bool exhaustive)
    : node_(node),
      exhaustive_(exhaustive),
      least_rows_(std::max<std::size_t>(node.min_leaf_rows, 1)),
      counts_(node.n_classes, 0.0),
      left_(node.n_classes),
      right_(node.n_classes) {
    for (std::size_t row = 0; row < node.n_rows(); ++row) {
        counts_[static_cast<std::size_t>(node.y[row])] += node.weight_of(row);
        weight_ += node.weight_of(row);
    }
}

BinnedSweep::Best BinnedSweep::operator()(std::span<const double> values, double low, double high,
                                          double floor) {
    best_ = {};
    floor_ = floor;
    const std::vector<double> nothing(node_.n_classes, 0.0);
    with_merit(node_.merit, counts_, weight_, [&](const auto& merit) {
        divide(merit, Part{values, nullptr, low, high, 0}, nothing, 0.0, 0);
    });
    return best_;
}

double BinnedSweep::slack() const {
    return with_merit(node_.merit, counts_, weight_,
                      [](const auto& merit) { return room * merit.magnitude(); });
}

ColumnCut BinnedSweep::worth(const Best& best) const {
    ColumnCut result;
    if (!best.found()) return result;
    const double right_weight = weight_ - best.left_weight;
    result.found = true;
    result.missing_right = right_weight > best.left_weight;
    result.merit =
        with_merit(node_.merit, counts_, weight_, [&](const auto& merit) { return merit.merit(best.score); });
    result.split_info = (x_log2_x(weight_) - x_log2_x(best.left_weight) - x_log2_x(right_weight)) / weight_;
    return result;
}

ColumnCut BinnedSweep::describe(std::span<const double> values, const Best& best) const {
    ColumnCut result = worth(best);
    double above = std::numeric_limits<double>::infinity();
    for (const double value : values)
        if (value > best.below) above = std::min(above, value);
    if (result.found) result.cut = between(best.below, above);
    return result;
}

template <class Merit>
double BinnedSweep::score(const Merit& merit, std::span<const double> left, double left_weight) {
    for (std::size_t k = 0; k < left.size(); ++k) right_[k] = counts_[k] - left[k];
    return merit.score(left, right_, left_weight, weight_ - left_weight);
}

// Rows of each bin and class.
void BinnedSweep::fill_bins(Level& level, const Part& part, std::size_t n_bins, double scale) const {
    const std::size_t n = part.values.size(), n_classes = node_.n_classes;
    level.cell_of.resize(n);
    find_cells(part.values.data(), n, part.low, scale, static_cast<std::int32_t>(n_bins - 1),
               reinterpret_cast<std::int32_t*>(level.cell_of.data()));
    level.count.assign(n_bins * n_classes, 0);
    level.rows_in.assign(n_bins, 0);
    const auto classes = static_cast<std::uint32_t>(n_classes);
    if (part.rows == nullptr) {
        const std::int32_t* y = node_.y.data();
        for (std::size_t i = 0; i < n; ++i)
            ++level.count[level.cell_of[i] * classes + static_cast<std::uint32_t>(y[i])];
    } else {
        for (std::size_t i = 0; i < n; ++i)
            ++level.count[level.cell_of[i] * classes + static_cast<std::uint32_t>(node_.y[part.rows[i]])];
    }
    for (std::size_t b = 0; b < n_bins; ++b)
        for (std::size_t k = 0; k < n_classes; ++k) level.rows_in[b] += level.count[b * n_classes + k];
    if (!node_.weight.empty()) {
        level.weight.assign(n_bins * n_classes, 0.0);
        for (std::size_t i = 0; i < n; ++i) {
            const std::uint32_t row = part.row(i);
            level.weight[level.cell_of[i] * classes + static_cast<std::uint32_t>(node_.y[row])] +=
                node_.weight[row];
        }
    }
}

// Moves a bin to the left side and says how much it weighs.
double BinnedSweep::step(const Level& level, std::size_t bin, std::span<double> left) const {
    const std::size_t first = bin * left.size();
    double added = 0.0;
    for (std::size_t k = 0; k < left.size(); ++k) {
        const double w =
            node_.weight.empty() ? static_cast<double>(level.count[first + k]) : level.weight[first + k];
        left[k] += w;
        added += w;
    }
    return added;
}

template <class Merit>
void BinnedSweep::divide(const Merit& merit, const Part& part, std::span<const double> left,
                         double left_weight, std::size_t depth) {
    const std::size_t n = part.values.size(), n_classes = node_.n_classes;
    const std::size_t n_bins =
        std::clamp<std::size_t>(n / rows_per_bin, 4, std::max<std::size_t>(4, most_cells / n_classes));
    const double scale = static_cast<double>(n_bins) / (part.high - part.low);
    if (exhaustive_ || n <= sort_rows || depth == levels_.size() || !std::isnormal(scale))
        return sort(merit, part, left, left_weight);

    Level& level = levels_[depth];
    fill_bins(level, part, n_bins, scale);
    level.open.assign(n_bins, 0);
    level.left.assign(left.begin(), left.end());
    const double slack = room * merit.magnitude();
    const auto mark = [&] {
        level.next.assign(left.begin(), left.end());
        double before = left_weight;
        std::size_t rows_before = part.rows_before;
        bool any = false;
        for (std::size_t b = 0; b < n_bins; ++b) {
            if (level.rows_in[b] == 0) continue;
            std::copy(level.next.begin(), level.next.end(), level.left.begin());
            const double after = before + step(level, b, level.next);
            const std::size_t rows_after = rows_before + level.rows_in[b];
            const CountRange range{level.left, level.next, counts_, before, after, weight_};
            const bool may_cut = rows_after >= least_rows_ && rows_before + 1 + least_rows_ <= node_.n_rows();
            level.open[b] = may_cut && !(merit.bound(range) + slack < std::max(floor_, best_.score));
            any = any || level.open[b];
            before = after;
            rows_before = rows_after;
        }
        return any;
    };
    if (!mark()) return;

    // A cut between two bins is a cut: the best of them leaves little open.
    level.left.assign(left.begin(), left.end());
    double reached = left_weight;
    std::size_t rows_reached = part.rows_before;
    double best_edge = floor_;
    for (std::size_t b = 0; b < n_bins; ++b) {
        if (level.rows_in[b] == 0) continue;
        reached += step(level, b, level.left);
        rows_reached += level.rows_in[b];
        if (admissible(rows_reached)) best_edge = std::max(best_edge, score(merit, level.left, reached));
    }
    if (best_edge > floor_) {
        floor_ = best_edge;
        mark();
    }

    // The rows of the open bins, bin by bin.
    level.start.assign(n_bins + 1, 0);
    for (std::size_t b = 0; b < n_bins; ++b)
        level.start[b + 1] = level.start[b] + (level.open[b] ? level.rows_in[b] : 0);
    level.rows.resize(level.start[n_bins]);
    level.values.resize(level.start[n_bins]);
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint32_t b = level.cell_of[i];
        if (!level.open[b]) continue;
        const std::uint32_t at = level.start[b]++;
        level.rows[at] = part.row(i);
        level.values[at] = part.values[i];
    }

    level.left.assign(left.begin(), left.end());
    double before = left_weight;
    std::size_t rows_before = part.rows_before;
    for (std::size_t b = 0; b < n_bins; ++b) {
        const std::size_t size = level.rows_in[b];
        if (level.open[b]) {
            const std::size_t first = level.start[b] - size;
            const std::span<const double> values(level.values.data() + first, size);
            const auto [low, high] = std::minmax_element(values.begin(), values.end());
            divide(merit, Part{values, level.rows.data() + first, *low, *high, rows_before}, level.left,
                   before, depth + 1);
        }
        if (size > 0) before += step(level, b, level.left);
        rows_before += size;
    }
}

template <class Merit>
void BinnedSweep::sort(const Merit& merit, const Part& part, std::span<const double> left,
                       double left_weight) {
    const std::size_t n = part.values.size();
    items_.resize(n);
    for (std::size_t i = 0; i < n; ++i) items_[i] = {part.values[i], part.row(i)};
    std::sort(items_.begin(), items_.end(), [](const Item& a, const Item& b) {
        return a.value < b.value || (a.value == b.value && a.row < b.row);
    });
    const auto label = [&](std::size_t i) { return node_.y[items_[i].row]; };

    left_.assign(left.begin(), left.end());
    constexpr std::int32_t mixed = -1;
    bool after_cut = false;  // an admissible cut of this part lies before
    for (std::size_t first = 0, end; first < n; first = end) {
        // One value, and the class of its rows.
        std::int32_t own = label(first);
        for (end = first; end < n && items_[end].value == items_[first].value; ++end) {
            const double w = node_.weight_of(items_[end].row);
            left_[static_cast<std::size_t>(label(end))] += w;
            left_weight += w;
            if (label(end) != own) own = mixed;
        }
        if (!admissible(part.rows_before + end)) continue;
        bool inside = false;
        if (strictly_convex<Merit> && !exhaustive_ && after_cut && own != mixed && end < n) {
            std::size_t next = end;
            while (next < n && items_[next].value == items_[end].value && label(next) == own) ++next;
            const bool same_class = next == n || items_[next].value != items_[end].value;
            inside = same_class && admissible(part.rows_before + next);
        }
        after_cut = true;
        if (inside) continue;
        const double value = score(merit, left_, left_weight);
        if (value > best_.score && value >= floor_ - room * merit.magnitude())
            best_ = {value, items_[first].value, left_weight};
    }
}

}  // namespace planetree
