#include "cart_lc.hpp"

#include <algorithm>
#include <numeric>

#include "parallel.hpp"

namespace planetree {

Plane cycle(const CartLC& cart, PlaneSearch& search, std::span<const std::size_t> columns) {
    Plane best = search.plane();
    for (std::size_t c = 0; c < cart.max_cycles && !search.plane().is_pure; ++c) {
        for (const std::size_t j : columns)
            if (!search.plane().is_pure) search.take(search.look(j, cart.gammas));
        search.settle();
        if (!(search.plane().score > best.score)) break;
        const double gain = search.merit(search.plane().score) - search.merit(best.score);
        best = search.plane();
        if (gain < cart.epsilon) break;
    }
    return best;
}

std::vector<double> search(const CartLC& cart, const NodeData& node, const MatrixView& starts,
                           std::size_t n_threads) {
    const RoundedColumns columns(node);
    const std::size_t p = columns.size();
    std::vector<std::size_t> all(p);
    std::iota(all.begin(), all.end(), std::size_t{0});
    std::vector<double> weights(starts.n_rows * p);
    Workers workers(std::min(n_threads, starts.n_rows));
    workers.run(starts.n_rows, [&](std::size_t, std::size_t s) {
        std::vector<double> start(p);
        for (std::size_t j = 0; j < p; ++j) start[j] = starts(s, j);
        PlaneSearch search(columns);
        if (search.start(start)) start = cycle(cart, search, all).weights;
        std::copy(start.begin(), start.end(), weights.begin() + static_cast<std::ptrdiff_t>(s * p));
    });
    return weights;
}

}  // namespace planetree
