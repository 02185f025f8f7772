#include "learners/bit1.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <vector>

#include "learners/plane_search.hpp"
#include "parallel.hpp"

namespace planetree {

PairPlane best_pair(const CartLC& cart, const NodeData& node, std::size_t n_threads) {
    const RoundedColumns columns(node);
    const std::size_t p = columns.size();
    if (p < 2) return {};
    const std::size_t n_pairs = p * (p - 1);
    Workers threads(std::clamp<std::size_t>(n_threads, 1, n_pairs));
    std::deque<PlaneSearch> searches;
    for (std::size_t t = 0; t < threads.size(); ++t) searches.emplace_back(columns);

    std::vector<PairPlane> found(n_pairs);
    threads.run(n_pairs, [&](std::size_t t, std::size_t pair) {
        const std::size_t i = pair / (p - 1), k = pair % (p - 1);
        const std::size_t j = k < i ? k : k + 1;
        std::vector<double> start(p, 0.0);
        start[i] = 1.0;
        PlaneSearch& search = searches[t];
        if (!search.start(start)) return;
        const std::array both{i, j};
        const Plane plane = cycle(cart, search, both);
        found[pair] = {i, j, plane.weights[i], plane.weights[j], plane.score};
    });
    return *std::max_element(found.begin(), found.end(),
                             [](const auto& a, const auto& b) { return a.score < b.score; });
}

}  // namespace planetree
