#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "arrays.hpp"
#include "value_sweep.hpp"

namespace planetree::bindings {
namespace {

nb::dict py_value_cuts(const Matrix& values, const Array<std::int32_t>& y,
                       const std::optional<Array<double>>& weight, std::size_t n_classes,
                       const std::string& merit, std::size_t min_leaf_rows) {
    const NodeData node = node_of(values, y, weight, n_classes, merit, min_leaf_rows);
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

}  // namespace

void register_learners(nb::module_& m) {
    m.def("value_cuts", &py_value_cuts, nb::kw_only(), nb::arg("values"), nb::arg("y"),
          nb::arg("weight").none(), nb::arg("n_classes"), nb::arg("merit"), nb::arg("min_leaf_rows"),
          "Best cut of each column of `values`, one finite number a row: a dict of arrays.");
}

}  // namespace planetree::bindings
