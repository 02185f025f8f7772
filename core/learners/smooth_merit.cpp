#include "learners/smooth_merit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "binned_sweep.hpp"
#include "merit.hpp"
#include "parallel.hpp"
#include "vectors.hpp"

namespace planetree {
namespace {

constexpr double least_share = 1e-12;  // of a class or side, where a logarithm is taken

double log_share(double x) { return portable_log2(std::max(x, least_share)) * 0.69314718055994531; }

// The value of one side, of which `merit` is the sum: Σ l²/L for Gini, Σ l ln(l/L) for the entropy. `slope` is its
// derivative by the share of each class.
double side(std::span<const double> of_class, bool entropy, std::span<double> slope) {
    double all = 0.0;
    for (const double l : of_class) all += l;
    all = std::max(all, least_share);
    double sum = 0.0;
    if (entropy) {
        const double log_all = log_share(all);
        for (std::size_t k = 0; k < of_class.size(); ++k) {
            slope[k] = log_share(of_class[k]) - log_all;
            sum += of_class[k] * slope[k];
        }
        return sum;
    }
    for (const double l : of_class) sum += l * l;
    sum /= all;
    for (std::size_t k = 0; k < of_class.size(); ++k) slope[k] = (2.0 * of_class[k] - sum) / all;
    return sum;
}

// Scales weights and constant so that the projection has the given deviation; false if it has none.
bool scale_to(std::vector<double>& weights, const ClassBlocks& rows, double deviation) {
    std::vector<double> value(ClassBlocks::most_rows);
    double sum = 0.0, squares = 0.0;
    for (const auto& block : rows.blocks) {
        rows.project(block, weights, value.data());
        for (std::size_t i = 0; i < block.size(); ++i) {
            value[i] -= weights.back();
            sum += rows.share[block.begin + i] * value[i];
            squares += rows.share[block.begin + i] * (value[i] * value[i]);
        }
    }
    const double now = std::sqrt(std::max(squares - sum * sum, 0.0));
    if (!(now > 1e-9 * std::sqrt(squares)) || !std::isfinite(now)) return false;
    for (double& w : weights) w *= deviation / now;
    return true;
}

PLANETREE_WIDEST_VECTORS
void add(const double* x, std::ptrdiff_t stride, double weight, std::size_t n, double* sum) {
    if (stride == 1)
        for (std::size_t i = 0; i < n; ++i) sum[i] += weight * x[i];
    else
        for (std::size_t i = 0; i < n; ++i) sum[i] += weight * x[static_cast<std::ptrdiff_t>(i) * stride];
}

// The share of each row that goes right, from its sum.
PLANETREE_WIDEST_VECTORS
void squash(double* sum, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) sum[i] = 1.0 / (1.0 + portable_exp(-sum[i]));
}

PLANETREE_WIDEST_VECTORS
void steepness(const double* right, const double* share, double pull, std::size_t n, double* out) {
    for (std::size_t i = 0; i < n; ++i) out[i] = pull * share[i] * (right[i] * (1.0 - right[i]));
}

class Cutter {
  public:
    explicit Cutter(const NodeData& node) : sweep_(node), value_(node.n_rows()) {}

    ColumnCut operator()(const NodeData& node, std::span<const std::size_t> columns,
                         std::span<const double> weights) {
        // From the first column to the last, as a finished test adds up.
        std::fill(value_.begin(), value_.end(), 0.0);
        for (std::size_t j = 0; j < columns.size(); ++j) {
            const double* x = node.Z.data + static_cast<std::ptrdiff_t>(columns[j]) * node.Z.column_stride;
            add(x, node.Z.row_stride, weights[j], value_.size(), value_.data());
        }
        double low = std::numeric_limits<double>::infinity(), high = -low;
        for (const double v : value_) {
            if (!std::isfinite(v)) return {};
            low = std::min(low, v);
            high = std::max(high, v);
        }
        const auto best = sweep_(value_, low, high, -std::numeric_limits<double>::infinity());
        return best.found() ? sweep_.describe(value_, best) : ColumnCut{};
    }

  private:
    BinnedSweep sweep_;
    std::vector<double> value_;
};

}  // namespace

SoftSplit::SoftSplit(const ClassBlocks& rows, bool entropy, double l2)
    : rows_(rows),
      entropy_(entropy),
      l2_(l2),
      right_(rows.n_classes),
      pull_(rows.n_classes),
      share_right_(rows.n_rows),
      residual_(ClassBlocks::most_rows) {}

double SoftSplit::operator()(std::span<const double> weights, std::span<double> gradient) {
    std::fill(right_.begin(), right_.end(), 0.0);
    for (const auto& block : rows_.blocks) {
        double* const right = &share_right_[block.begin];
        rows_.project(block, weights, right);
        squash(right, block.size());
        right_[block.label] += dot8(right, &rows_.share[block.begin], block.size());
    }
    std::vector<double> left(right_.size()), left_slope(right_.size());
    for (std::size_t k = 0; k < left.size(); ++k) left[k] = std::max(rows_.class_share[k] - right_[k], 0.0);
    const double merit = side(right_, entropy_, pull_) + side(left, entropy_, left_slope);
    for (std::size_t k = 0; k < left.size(); ++k) pull_[k] -= left_slope[k];

    std::fill(gradient.begin(), gradient.end(), 0.0);
    for (const auto& block : rows_.blocks) {
        const double* const right = &share_right_[block.begin];
        const double* const share = &rows_.share[block.begin];
        const double pull = -pull_[block.label];
        steepness(right, share, pull, block.size(), residual_.data());
        rows_.collect(block, residual_.data(), gradient);
    }
    double size = 0.0;
    for (std::size_t j = 0; j < rows_.n_columns; ++j) {
        size += weights[j] * weights[j];
        gradient[j] += l2_ * weights[j];
    }
    return 0.5 * l2_ * size - merit;
}

namespace {

using Columns = std::vector<std::size_t>;

double worth(const SmoothPlane& plane) { return plane.cut.found ? plane.cut.merit : -1.0; }

// Weights as shares of the largest, rounded to 2^-20: a start is the same whatever it was multiplied with.
void round_off(std::vector<double>& weights) {
    double largest = 0.0;
    for (const double w : weights) largest = std::max(largest, std::abs(w));
    if (largest > 0.0 && std::isfinite(largest))
        for (double& w : weights) w = std::nearbyint(w / largest * 0x1p20) * 0x1p-20;
}

// Cuts along a start and, in `climbed`, along what is climbed to from there.
void climb(const SmoothMerit& learner, const NodeData& node, const ClassBlocks& rows, const Columns& columns,
           std::vector<double> weights, Cutter& cut, SmoothPlane& start, SmoothPlane& climbed) {
    round_off(weights);
    start = {weights, cut(node, columns, weights)};
    // A start is taken where its best cut is: what it was learned for may lie elsewhere.
    if (start.cut.found) weights.back() = -start.cut.cut;
    SoftSplit value(rows, node.merit == MeritKind::information_gain, learner.l2);
    for (const double sharpness : learner.sharpness) {
        if (!scale_to(weights, rows, sharpness)) return;
        minimise(value, weights, learner.descent);
    }
    climbed = {weights, cut(node, columns, weights)};
}

SmoothPlane fit(const SmoothMerit& learner, const NodeData& node, const ClassBlocks& rows,
                const Columns& columns, const MatrixView& starts, std::size_t n_threads) {
    std::vector<SmoothPlane> found(2 * starts.n_rows);
    Workers workers(std::min(n_threads, starts.n_rows));
    workers.run(starts.n_rows, [&](std::size_t, std::size_t s) {
        Cutter cut(node);
        std::vector<double> weights(starts.n_columns);
        for (std::size_t j = 0; j < weights.size(); ++j) weights[j] = starts(s, j);
        climb(learner, node, rows, columns, std::move(weights), cut, found[s], found[starts.n_rows + s]);
    });
    auto best = std::max_element(found.begin(), found.end(), [](const SmoothPlane& a, const SmoothPlane& b) {
        return worth(a) < worth(b);
    });
    best->weights.pop_back();
    return std::move(*best);
}

Columns all_columns(const NodeData& node) {
    Columns columns(node.Z.n_columns);
    std::iota(columns.begin(), columns.end(), std::size_t{0});
    return columns;
}

}  // namespace

SmoothPlane fit(const SmoothMerit& learner, const NodeData& node, const MatrixView& starts,
                std::size_t n_threads) {
    return fit(learner, node, ClassBlocks(node), all_columns(node), starts, n_threads);
}

SmoothPlane fit_thinned(const SmoothMerit& learner, const NodeData& node, const MatrixView& starts,
                        const Thinning& thinning, std::size_t n_threads) {
    ClassBlocks rows(node);
    Columns columns = all_columns(node);  // of the node, for the weights of `current`
    SmoothPlane current = fit(learner, node, rows, columns, starts, n_threads);
    SmoothPlane best{std::vector<double>(columns.size(), 0.0), {}};
    double most = -std::numeric_limits<double>::infinity();
    Cutter cut(node);
    while (current.cut.found) {
        Columns order;  // places of the columns in use, the greatest weight first
        for (std::size_t j = 0; j < columns.size(); ++j)
            if (current.weights[j] != 0.0) order.push_back(j);
        const double explained = current.cut.merit / thinning.ceiling;
        const double left = explained - thinning.price * static_cast<double>(order.size());
        if (order.size() <= thinning.most_columns && left >= most) {
            most = left;
            best.cut = current.cut;
            std::fill(best.weights.begin(), best.weights.end(), 0.0);
            for (const std::size_t j : order) best.weights[columns[j]] = current.weights[j];
        }
        // What is left could not pay for itself even if it explained as much as this plane does.
        if (order.size() < 2 || (best.cut.found && explained - thinning.price < most)) break;
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return std::abs(current.weights[a]) > std::abs(current.weights[b]);
        });
        const double share = thinning.share * static_cast<double>(order.size());
        order.resize(order.size() - std::max<std::size_t>(1, static_cast<std::size_t>(share)));
        std::sort(order.begin(), order.end());
        std::vector<double> start(order.size() + 1, 0.0);
        Columns kept(order.size());
        for (std::size_t j = 0; j < order.size(); ++j) {
            kept[j] = columns[order[j]];
            start[j] = current.weights[order[j]];
        }
        rows = rows.take(order);
        columns = std::move(kept);
        SmoothPlane from, to;
        climb(learner, node, rows, columns, std::move(start), cut, from, to);
        current = worth(to) > worth(from) ? std::move(to) : std::move(from);
        current.weights.pop_back();
    }
    return best;
}

}  // namespace planetree
