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

    explicit ClassBlocks(const NodeData& node)
        : n_rows(node.n_rows()),
          n_columns(node.Z.n_columns),
          n_classes(node.n_classes),
          values(n_rows * n_columns),
          share(n_rows),
          row(n_rows),
          class_share(n_classes, 0.0) {
        std::vector<std::size_t> end(n_classes + 1, 0);
        for (const std::int32_t label : node.y) ++end[static_cast<std::size_t>(label) + 1];
        for (std::size_t k = 0; k < n_classes; ++k) end[k + 1] += end[k];
        std::vector<std::size_t> place(end.begin(), end.end() - 1);
        for (std::size_t i = 0; i < n_rows; ++i)
            row[place[static_cast<std::size_t>(node.y[i])]++] = static_cast<std::uint32_t>(i);
        for (std::size_t j = 0; j < n_columns; ++j)
            for (std::size_t i = 0; i < n_rows; ++i)
                values[j * n_rows + i] = std::nearbyint(node.Z(row[i], j) * 0x1p20) * 0x1p-20;
        // Shares of the largest weight first, whose sum is a number.
        double largest = 0.0, sum = 0.0;
        for (std::size_t i = 0; i < n_rows; ++i) largest = std::max(largest, node.weight_of(i));
        for (std::size_t i = 0; i < n_rows; ++i) sum += share[i] = node.weight_of(row[i]) / largest;
        for (double& s : share) s /= sum;
        for (std::size_t k = 0; k < n_classes; ++k) {
            class_share[k] = sum8(share.data() + end[k], end[k + 1] - end[k]);
            for (std::size_t begin = end[k]; begin < end[k + 1]; begin += most_rows)
                blocks.push_back({begin, std::min(end[k + 1], begin + most_rows), k});
        }
    }

    // Some of the columns of the same rows.
    ClassBlocks take(std::span<const std::size_t> columns) const {
        ClassBlocks part(*this, columns.size());
        for (std::size_t j = 0; j < columns.size(); ++j)
            std::copy_n(column(columns[j], 0), n_rows, &part.values[j * n_rows]);
        return part;
    }

    const double* column(std::size_t j, std::size_t begin) const { return &values[j * n_rows + begin]; }

    // Weighted sum of the columns and the constant for the rows of a block. `weights` has the constant last.
    void project(const Block& block, std::span<const double> weights, double* out) const {
        const std::size_t n = block.size();
        for (std::size_t i = 0; i < n; ++i) out[i] = weights[n_columns];
        std::size_t j = 0;
        for (; j + 4 <= n_columns; j += 4) {
            const double *a = column(j, block.begin), *b = column(j + 1, block.begin),
                         *c = column(j + 2, block.begin), *d = column(j + 3, block.begin);
            const double wa = weights[j], wb = weights[j + 1], wc = weights[j + 2], wd = weights[j + 3];
            for (std::size_t i = 0; i < n; ++i) out[i] += (wa * a[i] + wb * b[i]) + (wc * c[i] + wd * d[i]);
        }
        for (; j < n_columns; ++j) {
            const double* a = column(j, block.begin);
            const double w = weights[j];
            for (std::size_t i = 0; i < n; ++i) out[i] += w * a[i];
        }
    }

    // Adds the sums of `residual` times each column and, last, of `residual` itself.
    void collect(const Block& block, const double* residual, std::span<double> gradient) const {
        for (std::size_t j = 0; j < n_columns; ++j)
            gradient[j] += dot8(column(j, block.begin), residual, block.size());
        gradient[n_columns] += sum8(residual, block.size());
    }

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
