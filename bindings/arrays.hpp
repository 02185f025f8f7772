// NumPy arrays in and out. What arrives is typed by nanobind; shapes are checked here.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

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
inline Table table_of(const Matrix& X, const Array<std::int32_t>& y,
                      const std::optional<Array<double>>& weight, std::size_t n_classes) {
    require(X.shape(0) == y.shape(0), "X and y differ in length");
    require(X.shape(0) < (std::size_t{1} << 32), "more than 2^32 rows");
    require(n_classes >= 1, "there must be a class");
    const auto labels = span_of(y);
    require(std::all_of(labels.begin(), labels.end(),
                        [&](std::int32_t k) { return k >= 0 && static_cast<std::size_t>(k) < n_classes; }),
            "a label is not a class");
    Table table{view_of(X), labels, {}, n_classes};
    if (weight) {
        require(weight->shape(0) == X.shape(0), "X and weight differ in length");
        table.weight = span_of(*weight);
    }
    return table;
}

void register_tree(nb::module_& m);
void register_search(nb::module_& m);

}  // namespace planetree::bindings
