#include "plane_search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "vectors.hpp"

namespace planetree {
namespace {

PLANETREE_WIDEST_VECTORS
void add(const double* x, double weight, std::size_t n, double* sum) {
    for (std::size_t i = 0; i < n; ++i) sum[i] += weight * x[i];
}

PLANETREE_WIDEST_VECTORS
void move_margins(const double* margin, const double* x, double gamma, double delta, std::size_t n,
                  double* moved) {
    for (std::size_t i = 0; i < n; ++i) moved[i] = margin[i] - delta * (x[i] + gamma);
}

}  // namespace

RoundedColumns::RoundedColumns(const NodeData& node)
    : n_rows_(node.n_rows()), n_columns_(node.Z.n_columns), values_(n_rows_ * n_columns_), node_(node) {
    std::vector<std::uint32_t> order(n_rows_);
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return node.y[a] < node.y[b]; });
    for (const std::uint32_t row : order) {
        y_.push_back(node.y[row]);
        if (!node.weight.empty()) weight_.push_back(node.weight[row]);
    }
    constexpr double whole_anyway = 0x1p32;
    for (std::size_t j = 0; j < n_columns_; ++j)
        for (std::size_t i = 0; i < n_rows_; ++i) {
            const double z = node.Z(order[i], j);
            values_[j * n_rows_ + i] = std::abs(z) < whole_anyway ? std::nearbyint(z * 0x1p20) * 0x1p-20 : z;
        }
    node_.Z = {values_.data(), n_rows_, n_columns_, 1, static_cast<std::ptrdiff_t>(n_rows_)};
    node_.y = y_;
    node_.weight = weight_;
}

void RoundedColumns::project(std::span<const double> weights, double constant, std::span<double> sum) const {
    std::fill(sum.begin(), sum.end(), constant);
    for (std::size_t j = 0; j < n_columns_; ++j)
        if (weights[j] != 0.0) add((*this)[j].data(), weights[j], n_rows_, sum.data());
}

PlaneSearch::PlaneSearch(const RoundedColumns& columns)
    : columns_(columns),
      step_(columns.node()),
      margin_(columns.node().n_rows()),
      moved_(margin_.size()),
      slope_(margin_.size()),
      zeros_(margin_.size(), 0.0) {}

bool PlaneSearch::start(std::span<const double> weights) {
    plane_ = {};
    plane_.weights.assign(weights.begin(), weights.end());
    columns_.project(plane_.weights, 0.0, margin_);
    const Step cut = step_.best(margin_, zeros_, 1.0, Step{}.score);
    if (!cut.found() || !shift(zeros_, 1.0, cut, Step{}.score)) return false;
    plane_.cut = cut.delta;
    return true;
}

Move PlaneSearch::look(std::size_t column, std::span<const double> gammas) {
    if (column == columns_.size()) return {column, 1.0, step_.best(margin_, zeros_, 1.0, plane_.score)};
    Move best{column, 0.0, {}};
    for (const double gamma : gammas) {
        const double floor = std::max(plane_.score, best.step.score);
        const Step step = step_.best(margin_, columns_[column], gamma, floor);
        const bool shorter = std::abs(step.delta) < std::abs(best.step.delta);
        if (step.found() && (step.score > best.step.score || shorter)) best = {column, gamma, step};
    }
    return best;
}

bool PlaneSearch::take(const Move& move) {
    if (!move.step.found()) return false;
    const bool of_cut = move.column == columns_.size();
    if (!shift(of_cut ? zeros_ : columns_[move.column], move.gamma, move.step, plane_.score)) return false;
    if (!of_cut) plane_.weights[move.column] -= move.step.delta;
    plane_.cut += move.step.delta * move.gamma;
    return true;
}

bool PlaneSearch::jump(std::span<const double> direction) {
    columns_.project(direction.first(columns_.size()), direction.back(), slope_);
    const Step step = step_.best(margin_, slope_, 0.0, plane_.score);
    if (!(step.score > plane_.score) || !shift(slope_, 0.0, step, plane_.score)) return false;
    for (std::size_t j = 0; j < columns_.size(); ++j) plane_.weights[j] -= step.delta * direction[j];
    plane_.cut += step.delta * direction.back();
    return true;
}

void PlaneSearch::settle() {
    double largest = 0.0;
    for (const double w : plane_.weights) largest = std::max(largest, std::abs(w));
    if (!std::isfinite(largest)) {
        plane_.score = Step{}.score;
        return;
    }
    int exponent = 0;
    std::frexp(largest, &exponent);
    for (double& w : plane_.weights) w = std::ldexp(w, -exponent);
    start(std::vector<double>(plane_.weights));
}

bool PlaneSearch::shift(std::span<const double> x, double gamma, const Step& step, double least) {
    move_margins(margin_.data(), x.data(), gamma, step.delta, margin_.size(), moved_.data());
    const double score = step_.score(moved_);
    if (!(score >= least)) return false;
    margin_.swap(moved_);
    plane_.score = score;
    plane_.is_pure = step_.is_pure();
    return true;
}

}  // namespace planetree
