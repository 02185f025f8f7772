// The best cut of values without sorting them: the values fall into bins, and of a merit that is convex (Fayyad and
// Irani 1993) the counts at the two ends of a bin bound what any cut inside it is worth. Only bins that may hold
// the best cut are divided further, and sorted when they are small.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "best_cuts.hpp"
#include "node.hpp"

namespace planetree {

// Made once a node and thread, used for many sets of values. Finds the cut that ValueSweep finds, to the rounding of
// sums of weights; counts without weights are exact, and the cuts the same.
class BinnedSweep {
  public:
    struct Best {
        double score = -std::numeric_limits<double>::infinity();
        double below = 0.0;  // the largest value on the left
        double left_weight = 0.0;

        bool found() const { return score > -std::numeric_limits<double>::infinity(); }
    };

    // `exhaustive` scores every cut: the same answer, slowly.
    explicit BinnedSweep(const NodeData& node, bool exhaustive = false);

    // The best cut of the values, one finite number a row, none outside `low` and `high`; the lower of equals. A cut
    // that scores less than `floor` need not be found.
    Best operator()(std::span<const double> values, double low, double high, double floor);

    // How far behind what cannot win has to be: more than the rounding of scores and bounds.
    double slack() const;

    // What a cut is worth; where it lies is not said yet.
    ColumnCut worth(const Best& best) const;

    // What a cut of these values becomes.
    ColumnCut describe(std::span<const double> values, const Best& best) const;

  private:
    struct Part {
        std::span<const double> values;
        const std::uint32_t* rows;  // null: row i has value i
        double low, high;
        std::size_t rows_before;

        std::uint32_t row(std::size_t i) const {
            return rows == nullptr ? static_cast<std::uint32_t>(i) : rows[i];
        }
    };
    // Room for one division into bins.
    struct Level {
        std::vector<std::uint32_t> cell_of, rows_in, start, rows;
        std::vector<std::uint32_t> count;  // bin x class, where rows count 1
        std::vector<double> weight;  // bin x class, otherwise
        std::vector<double> values, left, next;  // left: what lies before the bin; next: and in it
        std::vector<std::uint8_t> open;
    };
    struct Item {
        double value;
        std::uint32_t row;
    };

    template <class Merit>
    void divide(const Merit& merit, const Part& part, std::span<const double> left, double left_weight,
                std::size_t depth);
    template <class Merit>
    void sort(const Merit& merit, const Part& part, std::span<const double> left, double left_weight);
    template <class Merit>
    double score(const Merit& merit, std::span<const double> left, double left_weight);
    bool admissible(std::size_t rows_left) const {
        return rows_left >= least_rows_ && rows_left + least_rows_ <= node_.n_rows();
    }
    void fill_bins(Level& level, const Part& part, std::size_t n_bins, double scale) const;
    double step(const Level& level, std::size_t bin, std::span<double> left) const;

    NodeData node_;
    bool exhaustive_;
    std::size_t least_rows_;
    std::vector<double> counts_;
    double weight_ = 0.0;

    std::array<Level, 6> levels_;
    std::vector<Item> items_;
    std::vector<double> left_, right_;
    double floor_ = 0.0;
    Best best_;
};

}  // namespace planetree
