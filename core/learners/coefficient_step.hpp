// The exact best step of a plane along one direction: what every search over the coefficients repeats.
//
// A row lies left of the plane where its margin, w·z - c, is 0 or less. A step of δ takes δ(x + γ) off every
// margin: for a column x it is w_x - δ and c + δγ, for x = 0 and γ = 1 it is c + δ. A row changes its side where δ
// passes u = margin / (x + γ): to the left where x + γ > 0, to the right where x + γ < 0; where x + γ = 0 it stays.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "node.hpp"

namespace planetree {

struct Step {
    double score = -std::numeric_limits<double>::infinity();  // what the node's merit orders partitions by
    double delta = 0.0;

    bool found() const { return score > -std::numeric_limits<double>::infinity(); }
};

// Made once a node and thread, used for many steps. The rows of each class stand side by side, in the order of the
// classes; `node.Z` is not looked at.
class CoefficientStep {
  public:
    explicit CoefficientStep(const NodeData& node);

    // Best by score among the steps half-way between two neighbouring u, if it scores `floor` or more; of equals the
    // shortest. Both sides keep `min_leaf_rows` rows.
    Step best(std::span<const double> margin, std::span<const double> x, double gamma, double floor);

    // Of the partition as it is; -infinity where a side has too few rows.
    double score(std::span<const double> margin);

    // Whether either side of the partition scored last holds one class at most.
    bool is_pure() const;

    // The figure a reader sees for a score.
    double merit(double score) const;

  private:
    using Count = std::int64_t;
    struct Open {
        std::uint32_t bucket;
        std::uint32_t order;  // among the buckets that hold rows
        std::uint32_t first;  // of its rows in `passing_`
    };
    struct Passing {
        double u;
        std::uint32_t cell, row;
    };

    template <class Merit>
    Step search(const Merit& merit, double floor);
    template <class Merit>
    double score_of(const Merit& merit, const Count* left);
    template <class Merit>
    double bound(const Merit& merit, const Count* left, std::size_t bucket);
    template <class Merit>
    double best_between_buckets(const Merit& merit, double floor);
    template <class Merit>
    void open_buckets(const Merit& merit, double least);
    template <class Merit>
    void open_buckets_of_two(const Merit& merit, double floor);
    template <class Merit>
    Step best_of_open(const Merit& merit, double floor);
    void start_opening();
    void open(std::size_t bucket, std::uint32_t order);
    void sum_buckets();
    void sort_open_rows();
    void pass(Count* left, std::size_t bucket) const;

    bool is_allowed(const Count* left) const {
        return left[n_classes_] >= least_rows_ && left[n_classes_] <= most_rows_;
    }
    Count weight_of(std::size_t row) const { return weight_.empty() ? 1 : weight_[row]; }

    NodeData node_;
    std::size_t n_classes_;
    Count least_rows_, most_rows_;  // on the left
    std::vector<double> counts_;  // of the node
    double node_weight_ = 0.0;

    // Weights are counted as whole numbers of a unit so small that their sum just fits 2^52: adding and taking
    // away are exact, in any order.
    std::vector<Count> weight_;  // of each row; empty: every row counts 1
    double unit_ = 1.0;
    std::vector<Count> total_;  // of each class
    std::vector<std::size_t> first_row_;  // of each class, and the number of rows
    Count total_weight_ = 0;
    bool of_two_ = false;  // two classes, and every row counts 1

    // Of the step at hand. A cell is one class going one way within one bucket of neighbouring u. A state is what
    // lies left before some δ: the weight of each class, then the number of rows.
    std::size_t n_buckets_ = 0, n_passing_ = 0;
    std::vector<std::uint32_t> bucket_rows_;
    std::vector<double> u_;
    std::vector<std::uint32_t> cell_;  // of each row
    std::vector<Count> cell_rows_, cell_weight_;
    std::vector<Count> before_all_, state_, states_;  // `states_`: before each open bucket
    std::vector<Open> open_;
    std::vector<std::uint32_t> open_at_;  // of each bucket its place in `open_`, plus 1
    std::vector<Passing> passing_;
    std::vector<std::uint32_t> next_, rows_;
    std::uint32_t n_open_rows_ = 0;
    std::vector<double> left_a_, left_b_, low_a_, low_b_, high_a_, high_b_, edge_, corner_;  // of two classes
    std::vector<double> left_, right_;
};

}  // namespace planetree
