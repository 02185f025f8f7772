#include "learners/bit2.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <deque>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

#include "binned_sweep.hpp"
#include "learners/pair_screen.hpp"
#include "parallel.hpp"
#include "vectors.hpp"

namespace planetree {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Fewer sums than this are found sooner than a thread starts.
constexpr std::size_t work_for_threads = 1 << 17;

struct Test {
    std::size_t i, j;
    double sign;
};

PLANETREE_WIDEST_VECTORS
void combine(const double* a, const double* b, double sign, double* result, std::size_t n) {
    for (std::size_t row = 0; row < n; ++row) result[row] = a[row] + sign * b[row];
}

// The columns of a node side by side. For two classes without weights the rows are in the order of their classes,
// which changes no cut.
struct Columns {
    NodeData node;
    std::vector<std::int32_t> y;
    std::size_t n_first = 0;  // rows of class 0
    std::vector<double> values;
    std::vector<double> low, high;

    explicit Columns(const NodeData& given)
        : node(given),
          y(given.y.begin(), given.y.end()),
          values(given.n_rows() * given.Z.n_columns),
          low(given.Z.n_columns),
          high(given.Z.n_columns) {
        const std::size_t n = node.n_rows();
        std::vector<std::uint32_t> order(n);
        std::iota(order.begin(), order.end(), 0u);
        if (PairScreen::suits(node)) {
            const auto second = std::stable_partition(order.begin(), order.end(),
                                                      [&](std::uint32_t row) { return node.y[row] == 0; });
            n_first = static_cast<std::size_t>(second - order.begin());
            std::fill(std::fill_n(y.begin(), n_first, 0), y.end(), 1);
            node.y = y;
        }
        for (std::size_t j = 0; j < node.Z.n_columns; ++j) {
            double* column = values.data() + j * n;
            for (std::size_t i = 0; i < n; ++i) column[i] = node.Z(order[i], j);
            const auto [least, most] = std::minmax_element(column, column + n);
            low[j] = *least;
            high[j] = *most;
        }
    }
    const double* operator[](std::size_t j) const { return values.data() + j * node.n_rows(); }

    // False where the sums are not all numbers: enormous columns.
    bool range(const Test& test, double& least, double& most) const {
        least = low[test.i] + (test.sign > 0 ? low[test.j] : -high[test.j]);
        most = high[test.i] + (test.sign > 0 ? high[test.j] : -low[test.j]);
        return std::isfinite(least) && std::isfinite(most);
    }
};

struct Worker {
    BinnedSweep sweep;
    std::optional<PairScreen> screen;
    std::vector<double> values;

    Worker(const Columns& z, bool exhaustive) : sweep(z.node, exhaustive), values(z.node.n_rows()) {
        if (PairScreen::suits(z.node)) screen.emplace(z.node, z.n_first);
    }
};

}  // namespace

PairTest fit(const Bit2& bit2, const NodeData& node) {
    const Columns z(node);
    std::vector<Test> tests;
    for (std::size_t i = 0; i < node.Z.n_columns; ++i)
        for (std::size_t j = i + 1; j < node.Z.n_columns; ++j)
            for (const double sign : {1.0, -1.0}) tests.push_back({i, j, sign});
    if (tests.empty()) return {};

    const bool many = tests.size() * node.n_rows() > work_for_threads;
    Workers threads(many ? std::clamp<std::size_t>(bit2.n_threads, 1, tests.size()) : 1);
    std::deque<Worker> workers;
    for (std::size_t t = 0; t < threads.size(); ++t) workers.emplace_back(z, bit2.exhaustive);

    // By merit alone what cannot win need not be found; what such a test then answers depends on the threads, but
    // it loses. The gain ratio needs the best cut of every test.
    const bool alone = bit2.choice == Choice::merit;
    std::vector<Outlook> outlook(tests.size(), {-infinity, infinity});
    if (alone && !bit2.exhaustive && workers[0].screen)
        threads.run(tests.size(), [&](std::size_t t, std::size_t which) {
            const Test& test = tests[which];
            double low, high;
            if (z.range(test, low, high))
                outlook[which] = (*workers[t].screen)(z[test.i], z[test.j], test.sign, low, high);
        });
    // The most promising first: few of the others then have to be looked at.
    std::vector<std::uint32_t> order(tests.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return outlook[a].at_least > outlook[b].at_least;
    });
    std::atomic<double> floor{outlook[order.front()].at_least};
    const double slack = workers[0].sweep.slack();

    std::vector<BinnedSweep::Best> best(tests.size());
    threads.run(tests.size(), [&](std::size_t t, std::size_t place) {
        const std::size_t which = order[place];
        const Test& test = tests[which];
        double low, high;
        if (outlook[which].at_most + slack < floor.load() || !z.range(test, low, high)) return;
        Worker& worker = workers[t];
        combine(z[test.i], z[test.j], test.sign, worker.values.data(), worker.values.size());
        best[which] = worker.sweep(worker.values, low, high, alone ? floor.load() : -infinity);
        if (!alone) return;
        double known = floor.load();
        while (best[which].score > known && !floor.compare_exchange_weak(known, best[which].score)) {
        }
    });

    std::ptrdiff_t winner = -1;
    if (alone) {
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
    const auto which = static_cast<std::size_t>(winner);
    const Test& test = tests[which];
    combine(z[test.i], z[test.j], test.sign, workers[0].values.data(), workers[0].values.size());
    return {test.i, test.j, test.sign, workers[0].sweep.describe(workers[0].values, best[which])};
}

}  // namespace planetree
