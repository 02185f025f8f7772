// The learners that climb or descend by gradient.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <tuple>

#include "arrays.hpp"
#include "learners/logistic.hpp"
#include "learners/smooth_merit.hpp"

namespace planetree::bindings {
namespace {

nb::dict py_smooth_merit(const Matrix& Z, const Array<std::int32_t>& y,
                         const std::optional<Array<double>>& weight, std::size_t n_classes,
                         const std::string& merit, std::size_t min_leaf_rows, const Matrix& starts,
                         const Array<double>& sharpness, double l2, std::size_t max_iterations,
                         double tolerance, std::size_t n_threads,
                         const std::optional<std::tuple<double, double, double, std::size_t>>& thinning) {
    const NodeData node = node_of(view_of(Z), y, weight, n_classes, merit, min_leaf_rows);
    require(starts.shape(0) >= 1, "there must be a start");
    require(starts.shape(1) == node.Z.n_columns + 1, "a start needs a weight a column and the constant");
    require(!thinning || (std::get<1>(*thinning) > 0.0 && std::get<2>(*thinning) >= 0.0 &&
                          std::get<2>(*thinning) < 1.0),
            "thinning needs a ceiling above 0 and a share of at least 0 and below 1");
    const SmoothMerit learner{span_of(sharpness), l2, {max_iterations, tolerance}};
    SmoothPlane plane;
    {
        const nb::gil_scoped_release release;
        if (thinning) {
            const auto [price, ceiling, share, most_columns] = *thinning;
            plane =
                fit_thinned(learner, node, view_of(starts), {price, ceiling, share, most_columns}, n_threads);
        } else {
            plane = fit(learner, node, view_of(starts), n_threads);
        }
    }
    nb::dict result;
    result["weights"] = to_numpy(std::move(plane.weights));
    result["found"] = plane.cut.found;
    result["cut"] = plane.cut.cut;
    result["merit"] = plane.cut.merit;
    return result;
}

nb::tuple py_soft_merit(const Matrix& Z, const Array<std::int32_t>& y,
                        const std::optional<Array<double>>& weight, std::size_t n_classes,
                        const std::string& merit, const Array<double>& weights, double l2) {
    const NodeData node = node_of(view_of(Z), y, weight, n_classes, merit, 1);
    require(weights.shape(0) == node.Z.n_columns + 1, "there must be a weight a column and the constant");
    const ClassBlocks rows(node);
    SoftSplit split(rows, node.merit == MeritKind::information_gain, l2);
    std::vector<double> gradient(weights.shape(0));
    const double value = split(span_of(weights), gradient);
    return nb::make_tuple(value, to_numpy(std::move(gradient)));
}

std::size_t require_discriminants(const NodeData& node, const Matrix& W) {
    const std::size_t n = LogLoss::n_discriminants(node.n_classes);
    require(W.shape(0) == n && W.shape(1) == node.Z.n_columns + 1,
            "W needs a row a class, one row for two classes, and a weight a column and the constant");
    return n;
}

std::vector<double> row_by_row(const Matrix& W) {
    std::vector<double> weights;
    const MatrixView view = view_of(W);
    for (std::size_t k = 0; k < view.n_rows; ++k)
        for (std::size_t j = 0; j < view.n_columns; ++j) weights.push_back(view(k, j));
    return weights;
}

auto py_logistic(const Matrix& Z, const Array<std::int32_t>& y, const std::optional<Array<double>>& weight,
                 std::size_t n_classes, const Matrix& start, double l2, std::size_t max_iterations,
                 double tolerance) {
    const NodeData node = node_of(view_of(Z), y, weight, n_classes, "gini", 1);
    const std::size_t n = require_discriminants(node, start);
    std::vector<double> weights = row_by_row(start);
    {
        const nb::gil_scoped_release release;
        fit(Logistic{l2, {max_iterations, tolerance}}, node, weights);
    }
    return to_numpy(std::move(weights), {n, node.Z.n_columns + 1});
}

nb::tuple py_log_loss(const Matrix& Z, const Array<std::int32_t>& y,
                      const std::optional<Array<double>>& weight, std::size_t n_classes, const Matrix& W,
                      double l2) {
    const NodeData node = node_of(view_of(Z), y, weight, n_classes, "gini", 1);
    const std::size_t n = require_discriminants(node, W);
    const ClassBlocks rows(node);
    std::vector<double> gradient(n * W.shape(1));
    const double value = LogLoss(rows, l2)(row_by_row(W), gradient);
    return nb::make_tuple(value, to_numpy(std::move(gradient), {n, node.Z.n_columns + 1}));
}

}  // namespace

void register_gradient_learners(nb::module_& m) {
    m.def(
        "logistic", &py_logistic, nb::kw_only(), nb::arg("Z"), nb::arg("y"), nb::arg("weight").none(),
        nb::arg("n_classes"), nb::arg("start"), nb::arg("l2"), nb::arg("max_iterations"),
        nb::arg("tolerance"),
        "Discriminants of multinomial logistic regression, one a class (one for two classes), the constant\n"
        "last, found from `start`.");
    m.def("log_loss", &py_log_loss, nb::kw_only(), nb::arg("Z"), nb::arg("y"), nb::arg("weight").none(),
          nb::arg("n_classes"), nb::arg("W"), nb::arg("l2"),
          "What `logistic` makes small, and its gradient.");
    m.def(
        "smooth_merit", &py_smooth_merit, nb::kw_only(), nb::arg("Z"), nb::arg("y"), nb::arg("weight").none(),
        nb::arg("n_classes"), nb::arg("merit"), nb::arg("min_leaf_rows"), nb::arg("starts"),
        nb::arg("sharpness"), nb::arg("l2"), nb::arg("max_iterations"), nb::arg("tolerance"),
        nb::arg("n_threads"), nb::arg("thinning").none() = nb::none(),
        "Weights found by climbing the soft merit from each start, and the best cut along them: a dict.\n"
        "`thinning` is the price of a column, what it is a share of, the share of the columns that goes at\n"
        "each step, and the most columns.");
    m.def("soft_merit", &py_soft_merit, nb::kw_only(), nb::arg("Z"), nb::arg("y"), nb::arg("weight").none(),
          nb::arg("n_classes"), nb::arg("merit"), nb::arg("weights"), nb::arg("l2"),
          "Minus the soft merit of weights, the constant last, and its gradient.");
}

}  // namespace planetree::bindings
