#include "learners/bit2.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <deque>
#include <vector>

#include "binned_sweep.hpp"
#include "parallel.hpp"
#include "vectors.hpp"

namespace planetree {
namespace {

// Test 2p is the sum of pair p, test 2p + 1 its difference.
struct Pair {
    std::size_t i, j;
};

PLANETREE_WIDEST_VECTORS
void combine(const double* a, const double* b, double sign, double* result, std::size_t n) {
    for (std::size_t row = 0; row < n; ++row) result[row] = a[row] + sign * b[row];
}

struct Columns {
    std::size_t n_rows;
    std::vector<double> values;
    std::vector<double> low, high;

    explicit Columns(const MatrixView& Z)
        : n_rows(Z.n_rows), values(Z.n_rows * Z.n_columns), low(Z.n_columns), high(Z.n_columns) {
        for (std::size_t j = 0; j < Z.n_columns; ++j) {
            double* column = values.data() + j * n_rows;
            for (std::size_t row = 0; row < n_rows; ++row) column[row] = Z(row, j);
            const auto [least, most] = std::minmax_element(column, column + n_rows);
            low[j] = *least;
            high[j] = *most;
        }
    }
    const double* operator[](std::size_t j) const { return values.data() + j * n_rows; }
};

struct Worker {
    BinnedSweep sweep;
    std::vector<double> values;

    Worker(const NodeData& node, bool exhaustive) : sweep(node, exhaustive), values(node.n_rows()) {}

    // False where the values are not all numbers: enormous columns.
    bool combine_into(const Columns& z, Pair pair, double sign, double& low, double& high) {
        low = z.low[pair.i] + (sign > 0 ? z.low[pair.j] : -z.high[pair.j]);
        high = z.high[pair.i] + (sign > 0 ? z.high[pair.j] : -z.low[pair.j]);
        if (!std::isfinite(low) || !std::isfinite(high)) return false;
        combine(z[pair.i], z[pair.j], sign, values.data(), values.size());
        return true;
    }
};

}  // namespace

PairTest fit(const Bit2& bit2, const NodeData& node) {
    const Columns z(node.Z);
    std::vector<Pair> pairs;
    for (std::size_t i = 0; i < node.Z.n_columns; ++i)
        for (std::size_t j = i + 1; j < node.Z.n_columns; ++j) pairs.push_back({i, j});
    if (pairs.empty()) return {};

    Workers threads(std::clamp<std::size_t>(bit2.n_threads, 1, pairs.size()));
    std::deque<Worker> workers;
    for (std::size_t t = 0; t < threads.size(); ++t) workers.emplace_back(node, bit2.exhaustive);
    std::vector<BinnedSweep::Best> best(2 * pairs.size());
    // By merit alone the best test so far keeps the others from looking for what cannot win: what they then answer
    // depends on the threads, but it loses. The gain ratio needs the best cut of every test.
    std::atomic<double> floor{-std::numeric_limits<double>::infinity()};
    threads.run(pairs.size(), [&](std::size_t t, std::size_t p) {
        Worker& worker = workers[t];
        for (const std::size_t test : {2 * p, 2 * p + 1}) {
            double low, high;
            if (!worker.combine_into(z, pairs[p], test % 2 == 0 ? 1.0 : -1.0, low, high)) continue;
            best[test] = worker.sweep(worker.values, low, high, floor.load());
            if (bit2.choice != Choice::merit) continue;
            double known = floor.load();
            while (best[test].score > known && !floor.compare_exchange_weak(known, best[test].score)) {
            }
        }
    });

    std::ptrdiff_t winner = -1;
    if (bit2.choice == Choice::merit) {
        const auto first = std::max_element(best.begin(), best.end(),
                                            [](const auto& a, const auto& b) { return a.score < b.score; });
        if (first->found()) winner = first - best.begin();
    } else {
        std::vector<ColumnCut> cuts(best.size());
        for (std::size_t test = 0; test < cuts.size(); ++test)
            cuts[test] = workers[0].sweep.worth(best[test]);
        winner = choose_column(cuts, bit2.choice);
    }
    if (winner < 0) return {};
    const auto test = static_cast<std::size_t>(winner);
    const Pair pair = pairs[test / 2];
    const double sign = test % 2 == 0 ? 1.0 : -1.0;
    double low, high;
    workers[0].combine_into(z, pair, sign, low, high);
    return {pair.i, pair.j, sign, workers[0].sweep.describe(workers[0].values, best[test])};
}

}  // namespace planetree
