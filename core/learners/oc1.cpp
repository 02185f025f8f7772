#include "oc1.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <memory>

#include "parallel.hpp"
#include "plane_search.hpp"
#include "rng.hpp"

namespace planetree {
namespace {

constexpr std::array<double, 1> no_gamma = {0.0};

// Moves that leave the score as it is are taken with a probability of 1 at first, a tenth less after each.
constexpr double patience_spent = 0.1;

// How many coefficients, drawn at random, Order::random tries: Murthy's R-50.
constexpr std::size_t random_tries = 50;

std::vector<double> random_vector(Random& random, std::size_t n) {
    std::vector<double> drawn(n);
    for (double& value : drawn) value = 2.0 * random.uniform() - 1.0;
    return drawn;
}

class Climb {
  public:
    Climb(const Oc1& oc1, PlaneSearch& search, std::size_t n_columns, Random& random)
        : oc1_(oc1), search_(search), n_coefficients_(n_columns + 1), random_(random) {}

    Plane operator()() {
        Plane best = search_.plane();
        for (bool is_first = true;; is_first = false) {
            patience_ = 1.0;
            climb();
            search_.settle();
            const bool is_better = search_.plane().score > best.score;
            if (is_better) best = search_.plane();
            // A jump that a new count from the weights takes back is the last.
            if (best.is_pure || !(is_better || is_first) || !jump()) return best;
        }
    }

  private:
    void climb() {
        switch (oc1_.order) {
            case Order::sequential: {
                std::size_t unchanged = 0;
                for (std::size_t j = 0; unchanged < n_coefficients_ && !search_.plane().is_pure; ++j) {
                    const Move move = search_.look(j % n_coefficients_, no_gamma);
                    unchanged = perturb(move) ? 0 : unchanged + 1;
                }
                break;
            }
            case Order::best_first:
                while (!search_.plane().is_pure && perturb(best_move())) {
                }
                break;
            case Order::random:
                for (std::size_t i = 0; i < random_tries && !search_.plane().is_pure; ++i)
                    perturb(search_.look(static_cast<std::size_t>(random_.below(n_coefficients_)), no_gamma));
                break;
        }
    }

    Move best_move() {
        Move best;
        for (std::size_t j = 0; j < n_coefficients_; ++j) {
            const Move move = search_.look(j, no_gamma);
            if (move.step.score > best.step.score) best = move;
        }
        return best;
    }

    // Whether the coefficient was changed.
    bool perturb(const Move& move) {
        if (!move.step.found()) return false;
        const bool is_better = move.step.score > search_.plane().score;
        if (is_better) {
            patience_ = 1.0;
        } else {
            if (!(random_.uniform() < patience_)) return false;
            patience_ -= patience_spent;
        }
        return search_.take(move);
    }

    bool jump() {
        for (std::size_t i = 0; i < oc1_.jumps; ++i)
            if (search_.jump(random_vector(random_, n_coefficients_))) return true;
        return false;
    }

    const Oc1& oc1_;
    PlaneSearch& search_;
    std::size_t n_coefficients_;
    Random& random_;
    double patience_ = 1.0;
};

}  // namespace

std::vector<double> search(const Oc1& oc1, const NodeData& node, const MatrixView& starts, std::uint64_t seed,
                           std::size_t n_threads) {
    const RoundedColumns columns(node);
    const std::size_t p = columns.size();
    const std::size_t n_searches = std::max(oc1.restarts, starts.n_rows);
    std::vector<std::uint64_t> seeds(n_searches);
    Random seeding(seed);
    std::generate(seeds.begin(), seeds.end(), std::ref(seeding));

    std::vector<Plane> found(n_searches);
    // No search after the first that tells the classes apart completely can win.
    std::atomic<std::size_t> last{n_searches};
    Workers workers(std::min(n_threads, n_searches));
    std::vector<std::unique_ptr<PlaneSearch>> searches(workers.size());
    workers.run(n_searches, [&](std::size_t worker, std::size_t s) {
        if (s > last) return;
        if (!searches[worker]) searches[worker] = std::make_unique<PlaneSearch>(columns);
        PlaneSearch& search = *searches[worker];
        Random random(seeds[s]);
        std::vector<double> start = random_vector(random, p);
        for (std::size_t j = 0; s < starts.n_rows && j < p; ++j) start[j] = starts(s, j);
        if (!search.start(start)) return;
        found[s] = Climb(oc1, search, p, random)();
        if (!found[s].is_pure) return;
        for (std::size_t known = last; s < known && !last.compare_exchange_weak(known, s);) {
        }
    });
    const auto best = std::max_element(found.begin(), found.end(),
                                       [](const Plane& a, const Plane& b) { return a.score < b.score; });
    return best->weights;
}

}  // namespace planetree
