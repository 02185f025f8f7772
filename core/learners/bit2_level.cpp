#include "learners/bit2_level.hpp"

#include <algorithm>
#include <cmath>

#include "binned_sweep.hpp"
#include "learners/pair_screen.hpp"
#include "parallel.hpp"
#include "value_sweep.hpp"

namespace planetree {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// A node of more rows is searched by all threads together; smaller ones are shared out to them.
constexpr std::size_t rows_for_all_threads = 2048;

class Node {
  public:
    Node(const Bit2Level& level, std::span<const std::uint32_t> rows, std::span<std::uint8_t> pair_right,
         std::span<std::uint8_t> cut_right)
        : level_(level), rows_(rows), pair_right_(pair_right), cut_right_(cut_right) {
        find_classes();
        gather();
    }

    NodeTests search(std::size_t n_threads) {
        NodeTests tests;
        double to_beat = -infinity;
        const std::size_t n_terms = std::min<std::size_t>(columns_.size(), 2);
        if (n_terms > 0 && has_distinct(level_.min_rows_per_feature * static_cast<double>(n_terms)))
            to_beat = find_pair(tests, n_threads);
        if (level_.univariate) find_cut(tests, to_beat, n_threads);
        return tests;
    }

  private:
    // The classes that occur, numbered in their order.
    void find_classes() {
        std::vector<std::int32_t> number(level_.table.n_classes, 0);
        for (const std::uint32_t row : rows_) number[label(row)] = 1;
        for (std::int32_t& k : number)
            if (k > 0) k = static_cast<std::int32_t>(n_classes_++);
        y_.reserve(rows_.size());
        for (const std::uint32_t row : rows_) y_.push_back(number[label(row)]);
    }

    // The columns that vary here.
    void gather() {
        const MatrixView& X = level_.table.X;
        const std::size_t n = rows_.size();
        values_.resize(n * X.n_columns);
        for (std::size_t j = 0; j < X.n_columns; ++j) {
            double* column = &values_[columns_.size() * n];
            for (std::size_t i = 0; i < n; ++i) column[i] = level_.Z(rows_[i], j);
            const double first = X(rows_[0], j);
            const bool varies = std::any_of(column, column + n, [&](double z) { return z != column[0]; }) ||
                                std::any_of(rows_.begin(), rows_.end(),
                                            [&](std::uint32_t row) { return X(row, j) != first; });
            if (varies) columns_.push_back(static_cast<std::int32_t>(j));
        }
        const auto stride = static_cast<std::ptrdiff_t>(n);
        node_ = {{values_.data(), n, columns_.size(), 1, stride},
                 y_,
                 {},
                 n_classes_,
                 level_.merit,
                 level_.min_leaf_rows};
    }

    bool has_distinct(double least) const {
        const MatrixView& Z = node_.Z;
        std::vector<std::size_t> distinct;
        for (std::size_t i = 0; i < Z.n_rows && static_cast<double>(distinct.size()) < least; ++i) {
            const bool known = std::any_of(distinct.begin(), distinct.end(), [&](std::size_t other) {
                for (std::size_t j = 0; j < Z.n_columns; ++j)
                    if (Z(i, j) != Z(other, j)) return false;
                return true;
            });
            if (!known) distinct.push_back(i);
        }
        return !(static_cast<double>(distinct.size()) < least);
    }

    // What the pair scores as it parts the rows; -infinity where there is none.
    double find_pair(NodeTests& tests, std::size_t n_threads) {
        const bool single = columns_.size() == 1;
        PairTest found;
        if (single) {
            ValueSweep sweep(node_);
            found.cut = sweep(std::span<const double>(values_.data(), rows_.size()));
        } else {
            found = fit(Bit2{Choice::merit, n_threads, false}, node_);
        }
        if (!found.cut.found) return -infinity;
        const auto i = static_cast<std::size_t>(columns_[found.i]);
        const auto j = static_cast<std::size_t>(columns_[found.j]);
        // As NodeView.unit has it, operation by operation.
        double weight_i = 1.0 / level_.spread[i], weight_j = single ? 0.0 : found.sign / level_.spread[j];
        const double largest = std::max(std::abs(weight_i), std::abs(weight_j));
        weight_i /= largest;
        weight_j /= largest;
        const double cut =
            (weight_i * level_.center[i] + weight_j * level_.center[j]) + found.cut.cut / largest;
        if (!std::isfinite(largest) || !std::isfinite(cut)) return -infinity;
        const MatrixView& X = level_.table.X;
        for (std::size_t at = 0; at < rows_.size(); ++at)
            pair_right_[at] = !(weight_i * X(rows_[at], i) + weight_j * X(rows_[at], j) <= cut);
        const double score = score_of(pair_right_);
        if (score == -infinity) return score;
        tests.i = static_cast<std::int32_t>(i);
        tests.j = single ? -1 : static_cast<std::int32_t>(j);
        tests.weight_i = weight_i;
        tests.weight_j = weight_j;
        tests.pair_cut = cut;
        return score;
    }

    void find_cut(NodeTests& tests, double to_beat, std::size_t n_threads) {
        const std::vector<std::int32_t> promising = columns_that_may_score(to_beat);
        const std::vector<ColumnCut> cuts =
            best_cuts(level_.table, rows_, promising, level_.merit, level_.min_leaf_rows, n_threads);
        const std::ptrdiff_t best = choose_column(cuts, Choice::merit);
        if (best < 0) return;
        const ColumnCut& winner = cuts[static_cast<std::size_t>(best)];
        tests.column = promising[static_cast<std::size_t>(best)];
        tests.cut = winner.cut;
        tests.missing = winner.missing_right;
        for (std::size_t at = 0; at < rows_.size(); ++at)
            cut_right_[at] =
                !(level_.table.X(rows_[at], static_cast<std::size_t>(tests.column)) <= tests.cut);
    }

    // Standardising keeps the order of values, so what bounds a standardised column bounds the column.
    std::vector<std::int32_t> columns_that_may_score(double to_beat) const {
        if (!PairScreen::suits(node_)) return columns_;
        std::vector<std::uint32_t> order;
        for (const std::int32_t k : {0, 1})
            for (std::size_t i = 0; i < y_.size(); ++i)
                if (y_[i] == k) order.push_back(static_cast<std::uint32_t>(i));
        PairScreen screen(node_, static_cast<std::size_t>(std::count(y_.begin(), y_.end(), 0)));
        std::vector<double> column(order.size());
        std::vector<Outlook> outlook;
        for (std::size_t j = 0; j < columns_.size(); ++j) {
            std::transform(order.begin(), order.end(), column.begin(),
                           [&](std::uint32_t i) { return node_.Z(i, j); });
            const auto [low, high] = std::minmax_element(column.begin(), column.end());
            outlook.push_back(screen(column.data(), nullptr, 1.0, *low, *high));
            to_beat = std::max(to_beat, outlook.back().at_least);
        }
        const double slack = BinnedSweep(node_).slack();
        std::vector<std::int32_t> promising;
        for (std::size_t j = 0; j < columns_.size(); ++j)
            if (!(outlook[j].at_most + slack < to_beat)) promising.push_back(columns_[j]);
        return promising;
    }

    // -infinity where a side has too few rows.
    double score_of(std::span<const std::uint8_t> right) const {
        std::vector<double> sides[2] = {std::vector<double>(n_classes_, 0.0),
                                        std::vector<double>(n_classes_, 0.0)};
        for (std::size_t at = 0; at < y_.size(); ++at)
            sides[right[at]][static_cast<std::size_t>(y_[at])] += 1.0;
        const double left_rows = total(sides[0]), right_rows = total(sides[1]);
        if (std::min(left_rows, right_rows) < static_cast<double>(level_.min_leaf_rows)) return -infinity;
        std::vector<double> counts(n_classes_);
        for (std::size_t k = 0; k < n_classes_; ++k) counts[k] = sides[0][k] + sides[1][k];
        return with_merit(level_.merit, counts, left_rows + right_rows, [&](const auto& merit) {
            return merit.score(sides[0], sides[1], left_rows, right_rows);
        });
    }

    std::size_t label(std::uint32_t row) const { return static_cast<std::size_t>(level_.table.y[row]); }

    const Bit2Level& level_;
    std::span<const std::uint32_t> rows_;
    std::span<std::uint8_t> pair_right_, cut_right_;
    std::vector<std::int32_t> y_;
    std::size_t n_classes_ = 0;
    std::vector<double> values_;
    std::vector<std::int32_t> columns_;  // of the table, those that vary here
    NodeData node_;
};

}  // namespace

std::vector<NodeTests> search(const Bit2Level& level, std::span<const std::uint32_t> rows,
                              std::span<const std::int64_t> starts, std::span<std::uint8_t> pair_right,
                              std::span<std::uint8_t> cut_right) {
    std::vector<NodeTests> found(starts.size() - 1);
    const auto look = [&](std::size_t m, std::size_t n_threads) {
        const auto first = static_cast<std::size_t>(starts[m]);
        const auto size = static_cast<std::size_t>(starts[m + 1]) - first;
        found[m] = Node(level, rows.subspan(first, size), pair_right.subspan(first, size),
                        cut_right.subspan(first, size))
                       .search(n_threads);
    };
    std::vector<std::size_t> small;
    for (std::size_t m = 0; m < found.size(); ++m) {
        if (static_cast<std::size_t>(starts[m + 1] - starts[m]) > rows_for_all_threads)
            look(m, level.n_threads);
        else
            small.push_back(m);
    }
    Workers workers(std::clamp<std::size_t>(small.size(), 1, std::max<std::size_t>(level.n_threads, 1)));
    workers.run(small.size(), [&](std::size_t, std::size_t task) { look(small[task], 1); });
    return found;
}

}  // namespace planetree
