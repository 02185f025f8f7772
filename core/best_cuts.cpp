#include "best_cuts.hpp"

#include "presort.hpp"

namespace planetree {

ColumnCut describe(const Cut& best, const Table& table, std::size_t column, const Stream& stream,
                   Coding coding, const NodeTotals& node) {
    const double right_weight = node.weight - best.left_weight;
    ColumnCut result;
    result.found = true;
    result.known_test = best.position == stream.n_known;
    result.missing_right =
        best.missing == Missing::none ? right_weight > best.left_weight : best.missing == Missing::right;
    const auto value = [&](std::size_t i) { return table.X(coding.row(stream.element[i]), column); };
    if (!result.known_test) result.cut = between(value(best.position - 1), value(best.position));
    result.merit = with_merit(node.merit, node.counts, node.weight,
                              [&](const auto& merit) { return merit.merit(best.score); });
    result.split_info =
        (x_log2_x(node.weight) - x_log2_x(best.left_weight) - x_log2_x(right_weight)) / node.weight;
    return result;
}

std::vector<ColumnCut> best_cuts(const Table& table, std::span<const std::uint32_t> rows,
                                 std::span<const std::int32_t> columns, MeritKind merit,
                                 std::size_t min_leaf_rows, std::size_t n_threads) {
    std::vector<double> counts(table.n_classes, 0.0);
    double weight = 0.0;
    for (const std::uint32_t row : rows) {
        counts[static_cast<std::size_t>(table.y[row])] += table.weight_of(row);
        weight += table.weight_of(row);
    }
    const NodeTotals node{counts, weight, table.weight, merit, min_leaf_rows};
    const Coding coding(table.n_classes);

    struct Scratch {
        SortScratch sort;
        SweepScratch sweep;
        std::vector<std::uint32_t> element, rank;
    };
    Workers workers(std::min(n_threads, columns.size()));
    std::vector<Scratch> scratches(workers.size());
    std::vector<ColumnCut> result(columns.size());

    workers.run(columns.size(), [&](std::size_t worker, std::size_t task) {
        Scratch& scratch = scratches[worker];
        scratch.element.resize(rows.size());
        const auto column = static_cast<std::size_t>(columns[task]);
        const SortedColumn sorted =
            sort_column(table, rows, column, coding, scratch.element.data(), scratch.rank, scratch.sort);
        const Stream stream{scratch.element.data(), sorted.ties ? scratch.rank.data() : nullptr,
                            sorted.n_known, rows.size()};
        const Cut best =
            best_cut(stream, node, coding, -std::numeric_limits<double>::infinity(), scratch.sweep);
        if (!best.found()) return;
        result[task] = describe(best, table, column, stream, coding, node);
        result[task].n_cuts = n_cuts(stream, node);
    });
    return result;
}

}  // namespace planetree
