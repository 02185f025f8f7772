// The rows of a node laid out for functions of weighted sums: class by class, column by column.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "node.hpp"
#include "numeric.hpp"

namespace planetree {

// Rows of one class lie side by side, so that whatever depends on the class is the same along an inner loop.
// Values are rounded to 2^-20, a millionth of a deviation: another unit of a column or another processor's way of
// summing a mean then leaves nothing behind that many steps downhill could make visible.
struct ClassBlocks {
    // Rows [begin, end) are of class `label`; short enough to stay in the cache while all columns pass.
    struct Block {
        std::size_t begin, end, label;
        std::size_t size() const { return end - begin; }
    };
    static constexpr std::size_t most_rows = 512;

    std::size_t n_rows, n_columns, n_classes;
    std::vector<double> values;          // column after column
    std::vector<double> share;           // weight of each row as a share of all
    std::vector<std::uint32_t> row;      // where each row stands in the node
    std::vector<double> class_share;
    std::vector<Block> blocks;

    explicit ClassBlocks(const NodeData& node);

    // Some of the columns of the same rows.
    ClassBlocks take(std::span<const std::size_t> columns) const {
        ClassBlocks part(*this, columns.size());
        for (std::size_t j = 0; j < columns.size(); ++j)
            std::copy_n(column(columns[j], 0), n_rows, &part.values[j * n_rows]);
        return part;
    }

    const double* column(std::size_t j, std::size_t begin) const {
        return values.data() + j * n_rows + begin;
    }

    // Weighted sum of the columns and the constant for the rows of a block. `weights` has the constant last.
    void project(const Block& block, std::span<const double> weights, double* out) const;

    // Adds the sums of `residual` times each column and, last, of `residual` itself.
    void collect(const Block& block, const double* residual, std::span<double> gradient) const;

  private:
    ClassBlocks(const ClassBlocks& other, std::size_t n)
        : n_rows(other.n_rows),
          n_columns(n),
          n_classes(other.n_classes),
          values(n_rows * n),
          share(other.share),
          row(other.row),
          class_share(other.class_share),
          blocks(other.blocks) {}
};

}  // namespace planetree
