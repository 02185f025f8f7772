#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <stdexcept>

#include "arrays.hpp"
#include "flat_tree.hpp"

namespace planetree::bindings {

void register_tree(nb::module_& m) {
    nb::class_<FlatTree>(m, "FlatTree")
        .def(
            "__init__",
            [](FlatTree* self, const Array<std::uint8_t>& kind, const Array<std::int32_t>& feature,
               const Array<std::int32_t>& missing, const Array<std::int32_t>& first_child,
               const Array<std::int32_t>& n_branches, const Array<double>& cut,
               const Array<std::int32_t>& table_start, const Array<std::int32_t>& n_symbols,
               const Array<std::int32_t>& unseen, const Array<std::int32_t>& branch_table,
               const Array<std::int32_t>& term_start, const Array<std::int32_t>& n_terms,
               const Array<std::int32_t>& weight_start, const Array<std::int32_t>& term_feature,
               const Array<std::int32_t>& term_symbol, const Array<double>& term_fill,
               const Array<double>& weights, const Array<double>& share, std::size_t n_features) {
                new (self)
                    FlatTree({span_of(kind), span_of(feature), span_of(missing), span_of(first_child),
                              span_of(n_branches), span_of(cut), span_of(table_start), span_of(n_symbols),
                              span_of(unseen), span_of(branch_table), span_of(term_start), span_of(n_terms),
                              span_of(weight_start), span_of(term_feature), span_of(term_symbol),
                              span_of(term_fill), span_of(weights), span_of(share), n_features});
            },
            nb::kw_only(), nb::arg("kind"), nb::arg("feature"), nb::arg("missing"), nb::arg("first_child"),
            nb::arg("n_branches"), nb::arg("cut"), nb::arg("table_start"), nb::arg("n_symbols"),
            nb::arg("unseen"), nb::arg("branch_table"), nb::arg("term_start"), nb::arg("n_terms"),
            nb::arg("weight_start"), nb::arg("term_feature"), nb::arg("term_symbol"), nb::arg("term_fill"),
            nb::arg("weights"), nb::arg("share"), nb::arg("n_features"),
            "Check flat arrays and make them ready for prediction; ValueError says what is wrong.")
        .def(
            "apply",
            [](const FlatTree& self, const Matrix& X, std::size_t n_threads) {
                require(X.shape(1) == self.n_features(),
                        "X has not as many columns as the tree has features");
                std::vector<std::int32_t> leaf(X.shape(0));
                FlatTree::Infinity infinity;
                {
                    const nb::gil_scoped_release release;
                    infinity = self.apply(view_of(X), leaf, n_threads);
                }
                std::optional<std::tuple<std::size_t, std::size_t>> where;
                if (infinity.found) where = {infinity.row, infinity.column};
                return nb::make_tuple(to_numpy(std::move(leaf)), where);
            },
            nb::arg("X"), nb::arg("n_threads"),
            "Leaf of every row, and None or the (row, column) of an infinity, which makes the leaves "
            "worthless.")
        .def(
            "parts",
            [](const FlatTree& self, const Matrix& X, std::size_t n_threads) {
                require(X.shape(1) == self.n_features(),
                        "X has not as many columns as the tree has features");
                FlatTree::Parts parts;
                FlatTree::Infinity infinity;
                {
                    const nb::gil_scoped_release release;
                    infinity = self.parts(view_of(X), parts, n_threads);
                }
                std::optional<std::tuple<std::size_t, std::size_t>> where;
                if (infinity.found) where = {infinity.row, infinity.column};
                return nb::make_tuple(to_numpy(std::move(parts.start)), to_numpy(std::move(parts.leaf)),
                                      to_numpy(std::move(parts.part)), where);
            },
            nb::arg("X"), nb::arg("n_threads"),
            "Where each row's leaves begin, the leaves, its parts there; and an infinity as in `apply`.");
}

}  // namespace planetree::bindings
