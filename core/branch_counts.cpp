#include "branch_counts.hpp"

#include <algorithm>

#include "parallel.hpp"

namespace planetree {
namespace {

// A block of rows stays in the cache while a group of tests looks at it.
constexpr std::size_t block_rows = 256;
constexpr std::size_t group_tests = 8;

// Value of one discriminant for the rows [begin, begin + n).
void discriminant(const MatrixView& Z, const MatrixView& W, std::size_t d, std::size_t begin, std::size_t n,
                  double* value) {
    std::fill_n(value, n, W(d, Z.n_columns));
    for (std::size_t j = 0; j < Z.n_columns; ++j) {
        const double w = W(d, j);
        if (w == 0.0) continue;
        const double* const column = Z.data + static_cast<std::ptrdiff_t>(j) * Z.column_stride +
                                     static_cast<std::ptrdiff_t>(begin) * Z.row_stride;
        if (Z.row_stride == 1) {
            for (std::size_t i = 0; i < n; ++i) value[i] += w * column[i];
        } else {
            for (std::size_t i = 0; i < n; ++i)
                value[i] += w * column[static_cast<std::ptrdiff_t>(i) * Z.row_stride];
        }
    }
}

}  // namespace

BranchCounts branch_counts(const Table& table, const LinearTests& tests, std::size_t n_threads) {
    const std::size_t n_branches = tests.n_branches(), n_classes = table.n_classes;
    const std::size_t n_groups = (tests.size() + group_tests - 1) / group_tests;
    BranchCounts result{std::vector<double>(tests.size() * n_branches * n_classes),
                        std::vector<std::int64_t>(tests.size() * n_branches)};

    Workers workers(std::min(n_threads, n_groups));
    workers.run(n_groups, [&](std::size_t, std::size_t group) {
        double value[block_rows], best[block_rows];
        std::uint32_t branch[block_rows];
        const std::size_t last = std::min(tests.size(), (group + 1) * group_tests);
        for (std::size_t begin = 0; begin < table.X.n_rows; begin += block_rows) {
            const std::size_t n = std::min(block_rows, table.X.n_rows - begin);
            for (std::size_t t = group * group_tests; t < last; ++t) {
                const std::size_t first = t * tests.n_discriminants;
                discriminant(table.X, tests.W, first, begin, n, best);
                if (tests.n_discriminants == 1) {
                    for (std::size_t i = 0; i < n; ++i) branch[i] = !(best[i] <= 0.0);
                } else {
                    std::fill_n(branch, n, 0u);
                    for (std::uint32_t d = 1; d < tests.n_discriminants; ++d) {
                        discriminant(table.X, tests.W, first + d, begin, n, value);
                        for (std::size_t i = 0; i < n; ++i) {
                            const bool greater = value[i] > best[i];
                            best[i] = greater ? value[i] : best[i];
                            branch[i] = greater ? d : branch[i];
                        }
                    }
                }
                double* const counts = result.counts.data() + t * n_branches * n_classes;
                std::int64_t* const n_rows = result.n_rows.data() + t * n_branches;
                for (std::size_t i = 0; i < n; ++i) {
                    const auto label = static_cast<std::size_t>(table.y[begin + i]);
                    counts[branch[i] * n_classes + label] += table.weight_of(begin + i);
                    ++n_rows[branch[i]];
                }
            }
        }
    });
    return result;
}

}  // namespace planetree
