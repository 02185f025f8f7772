#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <array>
#include <chrono>
#include <future>
#include <string>

#include "arrays.hpp"
#include "best_cuts.hpp"
#include "branch_counts.hpp"
#include "grow_thresholds.hpp"
#include "weighted_sums.hpp"

namespace planetree::bindings {
namespace {

template <class T, class Get>
auto field(const std::vector<ColumnCut>& cuts, Get get) {
    std::vector<T> values(cuts.size());
    std::transform(cuts.begin(), cuts.end(), values.begin(), get);
    return to_numpy(std::move(values));
}

nb::dict py_best_cuts(const Matrix& X, const Array<std::int32_t>& y,
                      const std::optional<Array<double>>& weight, const Array<std::uint32_t>& rows,
                      const Array<std::int32_t>& columns, std::size_t n_classes, const std::string& merit,
                      std::size_t min_leaf_rows, std::size_t n_threads) {
    const Table table = table_of(view_of(X), y, weight, n_classes);
    const auto row_span = span_of(rows);
    const auto column_span = span_of(columns);
    require(std::all_of(row_span.begin(), row_span.end(), [&](auto r) { return r < table.X.n_rows; }),
            "a row is not in X");
    require(std::adjacent_find(row_span.begin(), row_span.end(), std::greater_equal<>()) == row_span.end(),
            "rows must rise");
    require(std::all_of(column_span.begin(), column_span.end(),
                        [&](auto c) { return c >= 0 && static_cast<std::size_t>(c) < table.X.n_columns; }),
            "a column is not in X");
    require(Coding::fits(table.X.n_rows, n_classes), "rows times classes must stay under 2^32");
    const auto kind = named<MeritKind>(merit_names, merit);
    std::vector<ColumnCut> cuts;
    {
        const nb::gil_scoped_release release;
        cuts = best_cuts(table, row_span, column_span, kind, min_leaf_rows, n_threads);
    }
    nb::dict result;
    result["found"] = field<std::uint8_t>(cuts, [](const auto& c) { return c.found; });
    result["known_test"] = field<std::uint8_t>(cuts, [](const auto& c) { return c.known_test; });
    result["missing_right"] = field<std::uint8_t>(cuts, [](const auto& c) { return c.missing_right; });
    result["cut"] = field<double>(cuts, [](const auto& c) { return c.cut; });
    result["merit"] = field<double>(cuts, [](const auto& c) { return c.merit; });
    result["split_info"] = field<double>(cuts, [](const auto& c) { return c.split_info; });
    result["n_cuts"] = field<std::int64_t>(cuts, [](const auto& c) { return c.n_cuts; });
    return result;
}

nb::tuple py_branch_counts(const Matrix& Z, const Array<std::int32_t>& y,
                           const std::optional<Array<double>>& weight, std::size_t n_classes, const Matrix& W,
                           std::size_t n_discriminants, std::size_t n_threads) {
    const Table table = table_of(view_of(Z), y, weight, n_classes);
    require(W.shape(1) == table.X.n_columns + 1, "W needs a weight a column and the constant");
    require(n_discriminants >= 1 && W.shape(0) % n_discriminants == 0, "the rows of W are not whole tests");
    const LinearTests tests{view_of(W), n_discriminants};
    BranchCounts counted;
    {
        const nb::gil_scoped_release release;
        counted = branch_counts(table, tests, n_threads);
    }
    return nb::make_tuple(to_numpy(std::move(counted.counts), {tests.size(), tests.n_branches(), n_classes}),
                          to_numpy(std::move(counted.n_rows), {tests.size(), tests.n_branches()}));
}

auto py_weighted_sums(const Matrix& X, const Array<std::int32_t>& feature, const Array<std::int32_t>& symbol,
                      const Array<double>& fill, const Array<double>& weight, double start) {
    const std::size_t n = feature.shape(0);
    require(symbol.shape(0) == n && fill.shape(0) == n && weight.shape(0) == n, "the terms differ in length");
    std::vector<WeightedTerm> terms;
    for (std::size_t t = 0; t < n; ++t) {
        const std::int32_t j = feature.data()[t];
        require(j >= 0 && static_cast<std::size_t>(j) < X.shape(1), "a term's feature is not in X");
        terms.push_back({static_cast<std::size_t>(j), symbol.data()[t], fill.data()[t], weight.data()[t]});
    }
    std::vector<double> sums;
    {
        const nb::gil_scoped_release release;
        sums = weighted_sums(view_of(X), terms, start);
    }
    return to_numpy(std::move(sums));
}

// Grows on a thread of its own while this one looks, twenty times a second, for Ctrl-C and tells the listener.
GrownTree grow_watched(const Table& table, const Growth& growth, const nb::object& listener) {
    Progress progress;
    const auto look = [&] {
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        if (!listener.is_none()) listener(progress.rows_settled.load());
    };
    std::future<GrownTree> grown;
    const auto wait = [&](auto how_long) {
        const nb::gil_scoped_release release;
        return grown.wait_for(how_long) == std::future_status::ready;
    };
    grown = std::async(std::launch::async, [&] { return grow_thresholds(table, growth, progress); });
    try {
        while (!wait(std::chrono::milliseconds(50))) look();
    } catch (...) {
        progress.stop = true;
        const nb::gil_scoped_release release;
        grown.wait();
        throw;
    }
    return grown.get();
}

nb::dict py_grow_thresholds(const Matrix& X, const Array<std::int32_t>& y,
                            const std::optional<Array<double>>& weight, std::size_t n_classes,
                            const std::string& merit, const std::string& choice, std::size_t max_depth,
                            std::size_t min_rows, std::size_t min_leaf_rows, double min_merit,
                            std::size_t max_leaves, std::size_t n_threads, const nb::object& listener) {
    const Table table = table_of(view_of(X), y, weight, n_classes);
    require(table.X.n_rows >= 1, "X has no rows");
    const Growth growth{named<MeritKind>(merit_names, merit),
                        named<Choice>(choice_names, choice),
                        max_depth,
                        std::max<std::size_t>(min_rows, 2),
                        std::max<std::size_t>(min_leaf_rows, 1),
                        min_merit,
                        max_leaves,
                        std::max<std::size_t>(n_threads, 1)};
    GrownTree tree = grow_watched(table, growth, listener);
    const std::size_t n_nodes = tree.column.size();
    nb::dict result;
    result["column"] = to_numpy(std::move(tree.column));
    result["cut"] = to_numpy(std::move(tree.cut));
    result["known_test"] = to_numpy(std::move(tree.known_test));
    result["missing_right"] = to_numpy(std::move(tree.missing_right));
    result["first_child"] = to_numpy(std::move(tree.first_child));
    result["n_rows"] = to_numpy(std::move(tree.n_rows));
    result["counts"] = to_numpy(std::move(tree.counts), {n_nodes, n_classes});
    result["merit"] = to_numpy(std::move(tree.merit));
    return result;
}

}  // namespace

void register_search(nb::module_& m) {
    m.def("best_cuts", &py_best_cuts, nb::kw_only(), nb::arg("X"), nb::arg("y"), nb::arg("weight").none(),
          nb::arg("rows"), nb::arg("columns"), nb::arg("n_classes"), nb::arg("merit"),
          nb::arg("min_leaf_rows"), nb::arg("n_threads"),
          "Best cut of each column among `rows` (rising): a dict of arrays, one entry a column.");
    m.def("branch_counts", &py_branch_counts, nb::kw_only(), nb::arg("Z"), nb::arg("y"),
          nb::arg("weight").none(), nb::arg("n_classes"), nb::arg("W"), nb::arg("n_discriminants"),
          nb::arg("n_threads"),
          "Class counts[test, branch, class] of many linear tests, and rows[test, branch]. Each has\n"
          "`n_discriminants` rows of W, the constant last; a single one is a plane.");
    m.def("fits", &Coding::fits, nb::arg("n_rows"), nb::arg("n_classes"),
          "Whether the kernels' packed row numbers have room for a table this large.");
    m.def("weighted_sums", &py_weighted_sums, nb::kw_only(), nb::arg("X"), nb::arg("feature"),
          nb::arg("symbol"), nb::arg("fill"), nb::arg("weight"), nb::arg("start"),
          "For every row `start` plus weight times term, from the first term to the last; symbol -1 is the\n"
          "value itself.");
    m.def("grow_thresholds", &py_grow_thresholds, nb::kw_only(), nb::arg("X"), nb::arg("y"),
          nb::arg("weight").none(), nb::arg("n_classes"), nb::arg("merit"), nb::arg("choice"),
          nb::arg("max_depth"), nb::arg("min_rows"), nb::arg("min_leaf_rows"), nb::arg("min_merit"),
          nb::arg("max_leaves"), nb::arg("n_threads"), nb::arg("listener").none(),
          "Grow a whole threshold tree: a dict of arrays, one entry a node, breadth first. `listener` is "
          "called\n"
          "with the number of rows that have reached their leaf, about twenty times a second.");
}

}  // namespace planetree::bindings
