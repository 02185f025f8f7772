#include "learners/exact_pair.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <vector>

#include "parallel.hpp"

namespace planetree {
namespace {

// Slopes whose angles differ by less are those of rows on one line, which a line about one of them cannot part.
constexpr double same_angle = 1e-10;

struct Passing {
    double slope;
    std::uint32_t row;
    bool rises;  // from below the line to above it
};

struct Direction {
    double x, y;
};

Direction of_slope(double slope) {
    if (std::abs(slope) > 1e150) return {0.0, slope > 0.0 ? 1.0 : -1.0};
    const double length = std::sqrt(1.0 + slope * slope);
    return {1.0 / length, slope / length};
}

struct Best {
    double score = -std::numeric_limits<double>::infinity();
    std::size_t task = 0;
    Direction direction{};
};

struct Worker {
    std::vector<Passing> passing;
    std::vector<double> below, above;
    Best best;
};

template <class Merit>
class Search {
  public:
    Search(const NodeData& node, const Merit& merit, std::span<const double> counts, double weight)
        : node_(node), merit_(merit), counts_(counts), weight_(weight) {}

    // All partitions by a line about row `anchor`, which lies below it, in the plane of columns i and j.
    void about(std::size_t anchor, std::size_t i, std::size_t j, std::size_t task, Worker& worker) const {
        const std::size_t n = node_.n_rows();
        const double x = node_.Z(anchor, i), y = node_.Z(anchor, j);
        worker.passing.clear();
        worker.below.assign(node_.n_classes, 0.0);
        std::size_t n_below = 0;
        for (std::size_t row = 0; row < n; ++row) {
            const double dx = node_.Z(row, i) - x, dy = node_.Z(row, j) - y;
            if (dx == 0.0 && dy == 0.0 && row < anchor) return;  // it was the turn of its like
            const bool below = dx < 0.0 || (dx == 0.0 && dy <= 0.0);
            if (below) {
                n_below += 1;
                worker.below[label(row)] += node_.weight_of(row);
            }
            if (dx != 0.0)
                worker.passing.push_back(
                    {std::clamp(dy / dx, -DBL_MAX, DBL_MAX), static_cast<std::uint32_t>(row), below});
        }
        std::sort(worker.passing.begin(), worker.passing.end(), [](const Passing& a, const Passing& b) {
            return a.slope != b.slope ? a.slope < b.slope : a.row < b.row;
        });
        double slope = -DBL_MAX;
        for (std::size_t k = 0; k <= worker.passing.size(); ++k) {
            const double next = k < worker.passing.size() ? worker.passing[k].slope : DBL_MAX;
            if (k == 0 || k == worker.passing.size() || next - slope > same_angle * (1.0 + slope * slope))
                look(n_below, slope, next, task, worker);
            if (k == worker.passing.size()) break;
            const Passing& row = worker.passing[k];
            const double weight = node_.weight_of(row.row);
            worker.below[label(row.row)] += row.rises ? -weight : weight;
            n_below = row.rises ? n_below - 1 : n_below + 1;
            slope = next;
        }
    }

  private:
    std::size_t label(std::size_t row) const { return static_cast<std::size_t>(node_.y[row]); }

    void look(std::size_t n_below, double from, double to, std::size_t task, Worker& worker) const {
        if (std::min(n_below, node_.n_rows() - n_below) < std::max<std::size_t>(node_.min_leaf_rows, 1))
            return;
        worker.above.resize(counts_.size());
        double weight = 0.0;
        for (std::size_t k = 0; k < counts_.size(); ++k) {
            // Weights that come and go leave rounding behind; whole counts do not.
            worker.below[k] = std::clamp(worker.below[k], 0.0, counts_[k]);
            worker.above[k] = counts_[k] - worker.below[k];
            weight += worker.below[k];
        }
        if (weight <= 0.0 || weight >= weight_) return;
        const double score = merit_.score(worker.below, worker.above, weight, weight_ - weight);
        Best& best = worker.best;
        if (!(score > best.score)) return;  // a worker's tasks rise, so the first of equals stays
        const Direction low = of_slope(from), high = of_slope(to);
        best = {score, task, {low.x + high.x, low.y + high.y}};
        if (best.direction.x == 0.0) best.direction = {1.0, 0.0};  // column i is constant
    }

    const NodeData& node_;
    const Merit& merit_;
    std::span<const double> counts_;
    double weight_;
};

}  // namespace

SlopedPair best_exact_pair(const NodeData& node, std::size_t n_threads) {
    struct Pair {
        std::size_t i, j;
    };
    std::vector<Pair> pairs;
    for (std::size_t i = 0; i < node.Z.n_columns; ++i)
        for (std::size_t j = i + 1; j < node.Z.n_columns; ++j) pairs.push_back({i, j});
    const std::size_t n = node.n_rows(), n_tasks = pairs.size() * n;
    if (n_tasks == 0) return {};

    std::vector<double> counts(node.n_classes, 0.0);
    for (std::size_t row = 0; row < n; ++row)
        counts[static_cast<std::size_t>(node.y[row])] += node.weight_of(row);
    const double weight = total(counts);

    Workers threads(std::clamp<std::size_t>(n_threads, 1, n_tasks));
    std::vector<Worker> workers(threads.size());
    return with_merit(node.merit, counts, weight, [&](const auto& merit) -> SlopedPair {
        const Search search(node, merit, std::span<const double>(counts), weight);
        threads.run(n_tasks, [&](std::size_t t, std::size_t task) {
            const Pair pair = pairs[task / n];
            search.about(task % n, pair.i, pair.j, task, workers[t]);
        });
        const Best& best =
            std::min_element(workers.begin(), workers.end(), [](const Worker& a, const Worker& b) {
                return a.best.score != b.best.score ? a.best.score > b.best.score : a.best.task < b.best.task;
            })->best;
        if (!(best.score > Best{}.score)) return {};
        // A line of direction (x, y) has the normal (-y, x).
        const Pair pair = pairs[best.task / n];
        return {pair.i, pair.j, -best.direction.y, best.direction.x, best.score, merit.merit(best.score)};
    });
}

}  // namespace planetree
