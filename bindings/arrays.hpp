// NumPy arrays in and out. What arrives is typed by nanobind; shapes are checked here.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "node.hpp"
#include "sweep.hpp"
#include "table.hpp"

namespace planetree::bindings {

namespace nb = nanobind;

using Matrix = nb::ndarray<const double, nb::numpy, nb::ndim<2>, nb::device::cpu>;
template <class T>
using Array = nb::ndarray<const T, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
std::span<const T> span_of(const Array<T>& array) {
    return {array.data(), array.shape(0)};
}

inline MatrixView view_of(const Matrix& X) {
    return {X.data(), X.shape(0), X.shape(1), X.stride(0), X.stride(1)};
}

// A new NumPy array that owns the vector.
template <class T>
auto to_numpy(std::vector<T>&& values, std::initializer_list<std::size_t> shape) {
    auto* owned = new std::vector<T>(std::move(values));
    nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return nb::ndarray<nb::numpy, T>(owned->data(), shape, owner);
}

template <class T>
auto to_numpy(std::vector<T>&& values) {
    const std::size_t n = values.size();
    return to_numpy(std::move(values), {n});
}

inline void require(bool holds, const char* message) {
    if (!holds) throw nb::value_error(message);
}

// A table whose rows may all be read: every label is a class, every array as long as X.
inline Table table_of(const MatrixView& X, const Array<std::int32_t>& y,
                      const std::optional<Array<double>>& weight, std::size_t n_classes) {
    require(X.n_rows == y.shape(0), "X and y differ in length");
    require(X.n_rows < (std::size_t{1} << 32), "more than 2^32 rows");
    require(n_classes >= 1, "there must be a class");
    const auto labels = span_of(y);
    require(std::all_of(labels.begin(), labels.end(),
                        [&](std::int32_t k) { return k >= 0 && static_cast<std::size_t>(k) < n_classes; }),
            "a label is not a class");
    Table table{X, labels, {}, n_classes};
    if (weight) {
        require(weight->shape(0) == X.n_rows, "X and weight differ in length");
        table.weight = span_of(*weight);
    }
    return table;
}

template <class Enum, std::size_t n>
Enum named(const std::array<const char*, n>& names, const std::string& name) {
    const auto at = std::find(names.begin(), names.end(), name);
    if (at == names.end()) throw nb::value_error(("the kernels know no '" + name + "'").c_str());
    return static_cast<Enum>(at - names.begin());
}

// In the order of the enumeration.
inline constexpr std::array<const char*, n_merit_kinds> merit_names = {
    "gini", "information_gain", "twoing", "max_minority", "sum_minority", "misclassification"};
inline constexpr std::array<const char*, 3> choice_names = {"merit", "gain_ratio", "guarded_gain_ratio"};

inline NodeData node_of(const MatrixView& Z, const Array<std::int32_t>& y,
                        const std::optional<Array<double>>& weight, std::size_t n_classes,
                        const std::string& merit, std::size_t min_leaf_rows) {
    const Table table = table_of(Z, y, weight, n_classes);
    require(table.X.n_rows >= 1, "Z has no rows");
    require(Coding::fits(table.X.n_rows, n_classes), "rows times classes must stay under 2^32");
    for (std::size_t j = 0; j < table.X.n_columns; ++j)
        for (std::size_t i = 0; i < table.X.n_rows; ++i)
            require(std::isfinite(table.X(i, j)), "Z must be finite");
    return {table.X,
            table.y,
            table.weight,
            n_classes,
            named<MeritKind>(merit_names, merit),
            std::max<std::size_t>(min_leaf_rows, 1)};
}

void register_learners(nb::module_& m);
void register_gradient_learners(nb::module_& m);
void register_tree(nb::module_& m);
void register_search(nb::module_& m);

}  // namespace planetree::bindings
