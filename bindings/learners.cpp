#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <numeric>

#include "arrays.hpp"
#include "learners/bit1.hpp"
#include "learners/bit2.hpp"
#include "learners/bit2_level.hpp"
#include "learners/cart_lc.hpp"
#include "learners/coefficient_step.hpp"
#include "learners/exact_pair.hpp"
#include "learners/oc1.hpp"
#include "learners/pocket.hpp"
#include "learners/thermal.hpp"
#include "value_sweep.hpp"

namespace planetree::bindings {
namespace {

// In the order of the enumeration.
constexpr std::array<const char*, n_orders> order_names = {"sequential", "best_first", "random"};

nb::dict py_value_cuts(const Matrix& values, const Array<std::int32_t>& y,
                       const std::optional<Array<double>>& weight, std::size_t n_classes,
                       const std::string& merit, std::size_t min_leaf_rows) {
    const NodeData node = node_of(view_of(values), y, weight, n_classes, merit, min_leaf_rows);
    const std::size_t n_sets = node.Z.n_columns;
    std::vector<std::uint8_t> found(n_sets);
    std::vector<double> cut(n_sets), value(n_sets), split_info(n_sets);
    {
        const nb::gil_scoped_release release;
        ValueSweep sweep(node);
        std::vector<double> set(node.n_rows());
        for (std::size_t j = 0; j < n_sets; ++j) {
            for (std::size_t i = 0; i < set.size(); ++i) set[i] = node.Z(i, j);
            const ColumnCut best = sweep(set);
            found[j] = best.found;
            cut[j] = best.cut;
            value[j] = best.merit;
            split_info[j] = best.split_info;
        }
    }
    nb::dict result;
    result["found"] = to_numpy(std::move(found));
    result["cut"] = to_numpy(std::move(cut));
    result["merit"] = to_numpy(std::move(value));
    result["split_info"] = to_numpy(std::move(split_info));
    return result;
}

nb::dict py_coefficient_step(const Array<double>& margin, const Array<double>& x, double gamma,
                             const Array<std::int32_t>& y, const std::optional<Array<double>>& weight,
                             std::size_t n_classes, const std::string& merit, std::size_t min_leaf_rows) {
    const auto column = static_cast<std::ptrdiff_t>(margin.shape(0));
    const MatrixView values{margin.data(), margin.shape(0), 1, 1, column};
    const NodeData node = node_of(values, y, weight, n_classes, merit, min_leaf_rows);
    require(x.shape(0) == margin.shape(0), "margin and x differ in length");
    const auto slopes = span_of(x);
    require(std::isfinite(gamma) &&
                std::all_of(slopes.begin(), slopes.end(), [](double v) { return std::isfinite(v); }),
            "x and gamma must be finite");
    // The step wants the rows in the order of their classes.
    std::vector<std::size_t> order(node.n_rows());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return node.y[a] < node.y[b]; });
    const auto ordered = [&](const auto& given) {
        std::vector<std::remove_cvref_t<decltype(given[0])>> values;
        for (std::size_t i = 0; i < given.size(); ++i) values.push_back(given[order[i]]);
        return values;
    };
    const auto labels = ordered(node.y);
    const auto weights = ordered(node.weight);
    NodeData by_class = node;
    by_class.y = labels;
    by_class.weight = weights;
    nb::dict result;
    CoefficientStep step(by_class);
    const Step best = step.best(ordered(span_of(margin)), ordered(slopes), gamma, Step{}.score);
    result["found"] = best.found();
    result["delta"] = best.delta;
    result["merit"] = best.found() ? step.merit(best.score) : 0.0;
    return result;
}

nb::object py_bit2(const Matrix& Z, const Array<std::int32_t>& y, const std::optional<Array<double>>& weight,
                   std::size_t n_classes, const std::string& merit, const std::string& choice,
                   std::size_t min_leaf_rows, std::size_t n_threads, bool exhaustive) {
    const NodeData node = node_of(view_of(Z), y, weight, n_classes, merit, min_leaf_rows);
    const Bit2 bit2{named<Choice>(choice_names, choice), n_threads, exhaustive};
    PairTest test;
    {
        const nb::gil_scoped_release release;
        test = fit(bit2, node);
    }
    if (!test.cut.found) return nb::none();
    return nb::make_tuple(test.i, test.j, test.sign, test.cut.cut, test.cut.merit);
}

// The nodes' rows are there, rise, and are some at every node.
void require_nodes(std::span<const std::uint32_t> rows, std::span<const std::int64_t> starts, std::size_t n) {
    require(
        starts.size() >= 1 && starts.front() == 0 && starts.back() == static_cast<std::int64_t>(rows.size()),
        "starts must go from 0 to the number of rows");
    for (std::size_t m = 0; m + 1 < starts.size(); ++m) {
        require(starts[m] < starts[m + 1], "a node has no rows");
        const auto node = rows.subspan(static_cast<std::size_t>(starts[m]),
                                       static_cast<std::size_t>(starts[m + 1] - starts[m]));
        require(std::adjacent_find(node.begin(), node.end(), std::greater_equal<>()) == node.end(),
                "the rows of a node must rise");
        require(node.back() < n, "there is no such row");
    }
}

nb::dict py_bit2_level(const Matrix& X, const Matrix& Z, const Array<double>& center,
                       const Array<double>& spread, const Array<std::int32_t>& y, std::size_t n_classes,
                       const std::string& merit, std::size_t min_leaf_rows, double min_rows_per_feature,
                       bool univariate, const Array<std::uint32_t>& rows, const Array<std::int64_t>& starts,
                       std::size_t n_threads) {
    const NodeData all = node_of(view_of(Z), y, std::nullopt, n_classes, merit, min_leaf_rows);
    const Bit2Level level{table_of(view_of(X), y, std::nullopt, n_classes),
                          all.Z,
                          span_of(center),
                          span_of(spread),
                          all.merit,
                          all.min_leaf_rows,
                          min_rows_per_feature,
                          univariate,
                          n_threads};
    require(level.table.X.n_columns == all.Z.n_columns && center.shape(0) == all.Z.n_columns &&
                spread.shape(0) == all.Z.n_columns,
            "X, Z, center and spread differ in columns");
    require_nodes(span_of(rows), span_of(starts), all.n_rows());
    std::vector<std::uint8_t> pair_right(rows.shape(0)), cut_right(rows.shape(0));
    std::vector<NodeTests> found;
    {
        const nb::gil_scoped_release release;
        found = search(level, span_of(rows), span_of(starts), pair_right, cut_right);
    }
    const auto field = [&](auto NodeTests::* member) {
        std::vector<std::decay_t<decltype(found[0].*member)>> values;
        for (const NodeTests& tests : found) values.push_back(tests.*member);
        return to_numpy(std::move(values));
    };
    nb::dict result;
    result["i"] = field(&NodeTests::i);
    result["j"] = field(&NodeTests::j);
    result["weight_i"] = field(&NodeTests::weight_i);
    result["weight_j"] = field(&NodeTests::weight_j);
    result["pair_cut"] = field(&NodeTests::pair_cut);
    result["column"] = field(&NodeTests::column);
    result["cut"] = field(&NodeTests::cut);
    result["missing"] = field(&NodeTests::missing);
    result["pair_right"] = to_numpy(std::move(pair_right));
    result["cut_right"] = to_numpy(std::move(cut_right));
    return result;
}

// Directions to begin at, one a row.
MatrixView starts_of(const Matrix& starts, const NodeData& node) {
    const MatrixView view = view_of(starts);
    require(view.n_columns == node.Z.n_columns, "starts and Z differ in columns");
    for (std::size_t s = 0; s < view.n_rows; ++s)
        for (std::size_t j = 0; j < view.n_columns; ++j)
            require(std::isfinite(view(s, j)), "starts must be finite");
    return view;
}

CartLC cart_lc_of(const Array<double>& gammas, double epsilon, std::size_t max_cycles) {
    const CartLC cart{span_of(gammas), epsilon, max_cycles};
    require(std::all_of(cart.gammas.begin(), cart.gammas.end(), [](double v) { return std::isfinite(v); }),
            "gammas must be finite");
    return cart;
}

nb::object py_bit1(const Matrix& Z, const Array<std::int32_t>& y, const std::optional<Array<double>>& weight,
                   std::size_t n_classes, const std::string& merit, std::size_t min_leaf_rows,
                   std::size_t n_threads, const Array<double>& gammas, double epsilon,
                   std::size_t max_cycles) {
    const NodeData node = node_of(view_of(Z), y, weight, n_classes, merit, min_leaf_rows);
    const CartLC cart = cart_lc_of(gammas, epsilon, max_cycles);
    PairPlane best;
    {
        const nb::gil_scoped_release release;
        best = best_pair(cart, node, n_threads);
    }
    if (!best.found()) return nb::none();
    return nb::make_tuple(best.i, best.j, best.weight_i, best.weight_j);
}

nb::object py_exact_pair(const Matrix& Z, const Array<std::int32_t>& y,
                         const std::optional<Array<double>>& weight, std::size_t n_classes,
                         const std::string& merit, std::size_t min_leaf_rows, std::size_t n_threads) {
    const NodeData node = node_of(view_of(Z), y, weight, n_classes, merit, min_leaf_rows);
    SlopedPair best;
    {
        const nb::gil_scoped_release release;
        best = best_exact_pair(node, n_threads);
    }
    if (!best.found()) return nb::none();
    return nb::make_tuple(best.i, best.j, best.weight_i, best.weight_j, best.merit);
}

auto py_cart_lc(const Matrix& Z, const Array<std::int32_t>& y, const std::optional<Array<double>>& weight,
                std::size_t n_classes, const std::string& merit, std::size_t min_leaf_rows,
                std::size_t n_threads, const Matrix& starts, const Array<double>& gammas, double epsilon,
                std::size_t max_cycles) {
    const NodeData node = node_of(view_of(Z), y, weight, n_classes, merit, min_leaf_rows);
    const MatrixView from = starts_of(starts, node);
    const CartLC cart = cart_lc_of(gammas, epsilon, max_cycles);
    std::vector<double> weights;
    {
        const nb::gil_scoped_release release;
        weights = search(cart, node, from, n_threads);
    }
    return to_numpy(std::move(weights), {from.n_rows, from.n_columns});
}

auto py_oc1(const Matrix& Z, const Array<std::int32_t>& y, const std::optional<Array<double>>& weight,
            std::size_t n_classes, const std::string& merit, std::size_t min_leaf_rows, std::size_t n_threads,
            const Matrix& starts, std::uint64_t seed, std::size_t restarts, std::size_t jumps,
            const std::string& order) {
    const NodeData node = node_of(view_of(Z), y, weight, n_classes, merit, min_leaf_rows);
    const MatrixView from = starts_of(starts, node);
    require(from.n_columns >= 1, "Z has no columns");
    require(from.n_rows + restarts >= 1, "there must be a start");
    const Oc1 oc1{restarts, jumps, named<Order>(order_names, order)};
    std::vector<double> weights;
    {
        const nb::gil_scoped_release release;
        weights = search(oc1, node, from, seed, n_threads);
    }
    return to_numpy(std::move(weights));
}

// The weights of a linear machine over the columns of Z and the constant.
template <class Learner>
auto machine_of(const Learner& learner, const Matrix& Z, const Array<std::int32_t>& y,
                const std::optional<Array<double>>& weight, std::size_t n_classes, std::uint64_t seed) {
    const NodeData node = node_of(view_of(Z), y, weight, n_classes, "gini", 1);
    std::vector<double> weights;
    {
        const nb::gil_scoped_release release;
        weights = fit(learner, node, seed);
    }
    return to_numpy(std::move(weights), {n_classes, node.Z.n_columns + 1});
}

}  // namespace

void register_learners(nb::module_& m) {
    m.def("value_cuts", &py_value_cuts, nb::kw_only(), nb::arg("values"), nb::arg("y"),
          nb::arg("weight").none(), nb::arg("n_classes"), nb::arg("merit"), nb::arg("min_leaf_rows"),
          "Best cut of each column of `values`, one finite number a row: a dict of arrays.");
    m.def("coefficient_step", &py_coefficient_step, nb::kw_only(), nb::arg("margin"), nb::arg("x"),
          nb::arg("gamma"), nb::arg("y"), nb::arg("weight").none(), nb::arg("n_classes"), nb::arg("merit"),
          nb::arg("min_leaf_rows"),
          "Best step of a plane along one column, `margin - delta * (x + gamma) <= 0`: found, delta, merit.");
    m.def("bit1", &py_bit1, nb::kw_only(), nb::arg("Z"), nb::arg("y"), nb::arg("weight").none(),
          nb::arg("n_classes"), nb::arg("merit"), nb::arg("min_leaf_rows"), nb::arg("n_threads"),
          nb::arg("gammas"), nb::arg("epsilon"), nb::arg("max_cycles"),
          "Best plane over two columns that CART's cycles find: (i, j, their weights), or None.");
    m.def("bit2", &py_bit2, nb::kw_only(), nb::arg("Z"), nb::arg("y"), nb::arg("weight").none(),
          nb::arg("n_classes"), nb::arg("merit"), nb::arg("choice"), nb::arg("min_leaf_rows"),
          nb::arg("n_threads"), nb::arg("exhaustive") = false,
          "Best cut of the sum or the difference of two columns: (i, j, sign, cut, merit), or None. "
          "`exhaustive`\nscores every cut: the same answer, slowly.");
    m.def("bit2_level", &py_bit2_level, nb::kw_only(), nb::arg("X"), nb::arg("Z"), nb::arg("center"),
          nb::arg("spread"), nb::arg("y"), nb::arg("n_classes"), nb::arg("merit"), nb::arg("min_leaf_rows"),
          nb::arg("min_rows_per_feature"), nb::arg("univariate"), nb::arg("rows"), nb::arg("starts"),
          nb::arg("n_threads"),
          "The best pair and the best cut of one column for many nodes, node m having the rows "
          "`starts[m]` up to\n`starts[m + 1]`: a dict of arrays, column -1 where a test is not there or "
          "cannot win.");
    m.def("cart_lc", &py_cart_lc, nb::kw_only(), nb::arg("Z"), nb::arg("y"), nb::arg("weight").none(),
          nb::arg("n_classes"), nb::arg("merit"), nb::arg("min_leaf_rows"), nb::arg("n_threads"),
          nb::arg("starts"), nb::arg("gammas"), nb::arg("epsilon"), nb::arg("max_cycles"),
          "Weights found by CART's cycles from each of `starts`, one a row.");
    m.def("exact_pair", &py_exact_pair, nb::kw_only(), nb::arg("Z"), nb::arg("y"), nb::arg("weight").none(),
          nb::arg("n_classes"), nb::arg("merit"), nb::arg("min_leaf_rows"), nb::arg("n_threads"),
          "Best plane over two columns, of all there are: (i, j, their weights, merit), or None.");
    m.def("oc1", &py_oc1, nb::kw_only(), nb::arg("Z"), nb::arg("y"), nb::arg("weight").none(),
          nb::arg("n_classes"), nb::arg("merit"), nb::arg("min_leaf_rows"), nb::arg("n_threads"),
          nb::arg("starts"), nb::arg("seed"), nb::arg("restarts"), nb::arg("jumps"), nb::arg("order"),
          "Weights of the best plane of OC1's searches; none if no plane parts the rows.");
    m.def(
        "pocket",
        [](const Matrix& Z, const Array<std::int32_t>& y, const std::optional<Array<double>>& weight,
           std::size_t n_classes, std::uint64_t seed, std::size_t passes,
           double epsilon) { return machine_of(Pocket{passes, epsilon}, Z, y, weight, n_classes, seed); },
        nb::kw_only(), nb::arg("Z"), nb::arg("y"), nb::arg("weight").none(), nb::arg("n_classes"),
        nb::arg("seed"), nb::arg("passes"), nb::arg("epsilon"),
        "Weights with the longest run of right answers, shape (n_classes, n_columns + 1), the constant "
        "last.");
    m.def(
        "thermal",
        [](const Matrix& Z, const Array<std::int32_t>& y, const std::optional<Array<double>>& weight,
           std::size_t n_classes, std::uint64_t seed, double beta, double a, double b, double epsilon,
           double alpha, bool whole_pass, std::size_t max_passes) {
            return machine_of(Thermal{beta, a, b, epsilon, alpha, whole_pass, max_passes}, Z, y, weight,
                              n_classes, seed);
        },
        nb::kw_only(), nb::arg("Z"), nb::arg("y"), nb::arg("weight").none(), nb::arg("n_classes"),
        nb::arg("seed"), nb::arg("beta"), nb::arg("a"), nb::arg("b"), nb::arg("epsilon"), nb::arg("alpha"),
        nb::arg("whole_pass"), nb::arg("max_passes"),
        "Weights of a thermal linear machine, shape (n_classes, n_columns + 1), the constant last.");
}

}  // namespace planetree::bindings
