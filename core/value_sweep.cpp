#include "value_sweep.hpp"

#include <limits>
#include <numeric>

namespace planetree {

ValueSweep::ValueSweep(const NodeData& node)
    : node_(node),
      coding_(node.n_classes),
      counts_(node.n_classes, 0.0),
      rows_(node.n_rows()),
      element_(node.n_rows()) {
    std::iota(rows_.begin(), rows_.end(), 0u);
    for (std::size_t row = 0; row < node.n_rows(); ++row) {
        counts_[static_cast<std::size_t>(node.y[row])] += node.weight_of(row);
        weight_ += node.weight_of(row);
    }
}

ColumnCut ValueSweep::operator()(std::span<const double> values) {
    const std::size_t n = values.size();
    const Table table{
        {values.data(), n, 1, 1, static_cast<std::ptrdiff_t>(n)}, node_.y, node_.weight, node_.n_classes};
    const SortedColumn sorted = sort_column(table, rows_, 0, coding_, element_.data(), rank_, sort_);
    const Stream stream{element_.data(), sorted.ties ? rank_.data() : nullptr, sorted.n_known, n};
    const NodeTotals totals{counts_, weight_, node_.weight, node_.merit, node_.min_leaf_rows};
    const Cut best = best_cut(stream, totals, coding_, -std::numeric_limits<double>::infinity(), sweep_);
    return best.found() ? describe(best, table, 0, stream, coding_, totals) : ColumnCut{};
}

}  // namespace planetree
