// A plane that moves through one node in steps of one coefficient: what CART-LC, OC1 and BIT1 share.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "coefficient_step.hpp"
#include "node.hpp"

namespace planetree {

// The columns of a node side by side, rounded to 2^-20 of their scale. Which of two equally good steps is shorter
// depends on the last bits; without rounding another unit of a column could change the tree. The rows are in the
// order of their classes, which makes counting them cheap and changes no step.
class RoundedColumns {
  public:
    explicit RoundedColumns(const NodeData& node);
    RoundedColumns(const RoundedColumns&) = delete;
    RoundedColumns& operator=(const RoundedColumns&) = delete;

    // Classes and weights of the rows in their new order.
    const NodeData& node() const { return node_; }

    std::size_t size() const { return n_columns_; }
    std::span<const double> operator[](std::size_t j) const { return {&values_[j * n_rows_], n_rows_}; }

    // The sum of the columns times `weights`, added up from the first to the last, plus a constant.
    void project(std::span<const double> weights, double constant, std::span<double> sum) const;

  private:
    std::size_t n_rows_, n_columns_;
    std::vector<std::int32_t> y_;
    std::vector<double> weight_;
    std::vector<double> values_;
    NodeData node_;
};

struct Plane {
    std::vector<double> weights;
    double cut = 0.0;
    double score = Step{}.score;
    bool is_pure = false;  // one class at most on either side
};

// A step that is not yet taken. Column n_columns stands for the cut.
struct Move {
    std::size_t column = 0;
    double gamma = 0.0;
    Step step;
};

class PlaneSearch {
  public:
    explicit PlaneSearch(const RoundedColumns& columns);

    // Begin with these weights, cut where that is best. False if no cut has rows enough on both sides.
    bool start(std::span<const double> weights);

    // Best step of one coefficient that scores no less than the plane does.
    Move look(std::size_t column, std::span<const double> gammas);

    // Take a step, unless a count of the moved margins shows that rounding would make the plane worse.
    bool take(const Move& move);

    // Take the best step in a direction of all coefficients, the cut's last, if it makes the plane better.
    bool jump(std::span<const double> direction);

    // Find all margins anew from the weights, without the rounding of the steps since the last time, and the best
    // cut. The score is then that of the weights themselves.
    void settle();

    const Plane& plane() const { return plane_; }
    double merit(double score) const { return step_.merit(score); }

  private:
    bool shift(std::span<const double> x, double gamma, const Step& step, double least);

    const RoundedColumns& columns_;
    CoefficientStep step_;
    Plane plane_;
    std::vector<double> margin_, moved_, slope_, zeros_;
};

}  // namespace planetree
