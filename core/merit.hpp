// Merits: how good a binary split is, from the class counts of its two sides.
//
// A merit is made once a node from the counts of the node and answers two questions:
//   score(left, right, left_weight, right_weight)   what the sweep maximises: cheap, only its order matters
//   merit(score)                                    the figure a reader sees
// and, for searches that leave out what cannot win,
//   bound(range)      no less than the score of any cut whose left side holds at least and at most so much
//   magnitude()       what the rounding of scores and bounds is small against
// The same functions serve every search, so that all of them choose the same cut to the last bit. Sums run over
// the classes in their order, and nothing calls the platform's libm: equal counts give equal bits everywhere.
#pragma once

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace planetree {

enum class MeritKind : int {
    gini,
    information_gain,
    twoing,
    max_minority,
    sum_minority,
    misclassification,
};
inline constexpr int n_merit_kinds = 6;

// Binary logarithm from IEEE operations only: 2 atanh((m-1)/(m+1)) by its series for m in [sqrt(1/2), sqrt(2)).
// |s| <= 0.1716, so the first term left out, s^23/23, is under 1e-18.
inline double portable_log2(double x) {
    int exponent;
    double m = std::frexp(x, &exponent);
    if (m < 0.70710678118654752) {
        m *= 2.0;
        exponent -= 1;
    }
    const double s = (m - 1.0) / (m + 1.0);
    const double s2 = s * s;
    double series = 1.0 / 21.0;
    for (int k = 19; k >= 1; k -= 2) series = series * s2 + 1.0 / k;
    return exponent + 2.0 * s * series * 1.4426950408889634;
}

inline double x_log2_x(double x) { return x > 0.0 ? x * portable_log2(x) : 0.0; }

inline double total(std::span<const double> counts) {
    double sum = 0.0;
    for (double c : counts) sum += c;
    return sum;
}

inline double sum_of_squares(std::span<const double> counts) {
    double sum = 0.0;
    for (double c : counts) sum += c * c;
    return sum;
}

// Weight of every class but the largest.
inline double minority(std::span<const double> counts, double weight) {
    return weight - *std::max_element(counts.begin(), counts.end());
}

// Class counts of the left side between two cuts: all that lie between have at least `low` and at most `high`.
struct CountRange {
    std::span<const double> low, high, all;
    double low_weight, high_weight, weight;

    double right_most(std::size_t k) const { return all[k] - low[k]; }
    double right_least(std::size_t k) const { return all[k] - high[k]; }
    // Sums of weights may round to more than the node's.
    double right_weight(double left_weight) const { return std::max(weight - left_weight, 0.0); }
};

// The minority of each side at least: a side that grows never has a smaller one.
inline std::pair<double, double> least_minorities(const CountRange& r) {
    double most_left = 0.0, most_right = 0.0;
    for (std::size_t k = 0; k < r.all.size(); ++k) {
        most_left = std::max(most_left, r.low[k]);
        most_right = std::max(most_right, r.right_least(k));
    }
    return {r.low_weight - most_left, r.weight - r.high_weight - most_right};
}

// Of two classes: D² / (n_left n_right), D = a_left b - b_left a, which the scores of Gini and twoing rise with and which
// is as convex as they are. Where a side is empty D is 0 too, and 0 is what comes of it.
inline double two_class_worth(double a_left, double b_left, double a, double b) {
    const double distance = a_left * b - b_left * a;
    const double product = (a_left + b_left) * (a + b - a_left - b_left);
    return distance * distance / (product > 0.0 ? product : 1.0);
}

// Decrease of the Gini index, 1 - sum p^2, with children weighted by size (Breiman et al. 1984).
class Gini {
  public:
    explicit Gini(std::span<const double> counts, double weight)
        : weight_(weight), parent_(sum_of_squares(counts) / weight) {}

    static double score_from_squares(double left, double right, double left_weight, double right_weight) {
        return left / left_weight + right / right_weight;
    }
    double score(std::span<const double> left, std::span<const double> right, double left_weight,
                 double right_weight) const {
        return score_from_squares(sum_of_squares(left), sum_of_squares(right), left_weight, right_weight);
    }
    double merit(double score) const { return std::max(0.0, (score - parent_) / weight_); }

    // The score is convex in the counts and the weight of the left side together, so it is greatest at corners;
    // for each weight every class has its own best corner. The other bound serves the ends, where a weight is 0:
    // the squares of a side over its weight are at most its weight.
    double bound(const CountRange& r) const {
        double together = 0.0, left = 0.0, right = 0.0;
        for (const double left_weight : {r.low_weight, r.high_weight}) {
            const double per_left = 1.0 / left_weight, per_right = 1.0 / r.right_weight(left_weight);
            double sum = 0.0, most_left = 0.0, most_right = 0.0;
            for (std::size_t k = 0; k < r.all.size(); ++k) {
                const double left_low = r.low[k] * r.low[k], left_high = r.high[k] * r.high[k];
                const double right_low = r.right_least(k) * r.right_least(k);
                const double right_high = r.right_most(k) * r.right_most(k);
                sum += std::max(left_low * per_left + right_high * per_right,
                                left_high * per_left + right_low * per_right);
                most_left += left_high * per_left;
                most_right += right_high * per_right;
            }
            together = largest(together, sum);
            left = largest(left, most_left);
            right = largest(right, most_right);
        }
        const double apart = std::min(left, r.high_weight) + std::min(right, r.weight - r.low_weight);
        return std::min(together, apart);
    }
    double magnitude() const { return weight_; }

    // Of two classes the score is `first + second * two_class_worth(...)`.
    std::pair<double, double> of_two_classes() const { return {parent_, 2.0 / weight_}; }

  private:
    // 0/0 at the ends counts as no bound.
    static double largest(double a, double b) { return b <= a ? a : std::isnan(b) ? INFINITY : b; }
    double weight_;
    double parent_;
};

// Decrease of the entropy, in bits (Quinlan 1986).
class InformationGain {
  public:
    explicit InformationGain(std::span<const double> counts, double weight)
        : weight_(weight), parent_(side(counts, weight)) {}

    double score(std::span<const double> left, std::span<const double> right, double left_weight,
                 double right_weight) const {
        return side(left, left_weight) + side(right, right_weight);
    }
    double merit(double score) const { return std::max(0.0, (score - parent_) / weight_); }

    // sum L log(L / m) is least for m = the weight of L, so any weight in the range gives a bound, and in it every
    // class has its own best corner.
    double bound(const CountRange& r) const {
        const double middle = r.low_weight / 2 + r.high_weight / 2;
        const double log_left = portable_log2(middle);
        const double log_right = portable_log2(std::max(r.right_weight(middle), DBL_MIN));
        const auto bits = [&](double left, double right) {
            return x_log2_x(left) - left * log_left + x_log2_x(right) - right * log_right;
        };
        double sum = 0.0;
        for (std::size_t k = 0; k < r.all.size(); ++k)
            sum += std::max(bits(r.low[k], r.right_most(k)), bits(r.high[k], r.right_least(k)));
        return sum;
    }
    double magnitude() const { return weight_ * (1.0 + std::abs(portable_log2(weight_))); }

  private:
    static double side(std::span<const double> counts, double weight) {
        double sum = 0.0;
        for (double c : counts) sum += x_log2_x(c);
        return sum - x_log2_x(weight);
    }
    double weight_;
    double parent_;
};

// Breiman et al.'s twoing value: p_L p_R / 4 (sum |p(j|L) - p(j|R)|)^2.
class Twoing {
  public:
    explicit Twoing(std::span<const double>, double weight) : weight_(weight) {}

    double score(std::span<const double> left, std::span<const double> right, double left_weight,
                 double right_weight) const {
        double distance = 0.0;
        for (std::size_t k = 0; k < left.size(); ++k)
            distance += std::abs(left[k] / left_weight - right[k] / right_weight);
        return left_weight * right_weight * distance * distance;
    }
    double merit(double score) const { return score / (4.0 * weight_ * weight_); }

    // The score is (sum |L n - N n_L|)^2 / (n_L n_R), convex in the counts and the weight of the left side.
    double bound(const CountRange& r) const {
        double most = 0.0;
        for (const double left_weight : {r.low_weight, r.high_weight}) {
            double distance = 0.0;
            for (std::size_t k = 0; k < r.all.size(); ++k)
                distance += std::max(std::abs(r.low[k] * r.weight - r.all[k] * left_weight),
                                     std::abs(r.high[k] * r.weight - r.all[k] * left_weight));
            const double product = left_weight * r.right_weight(left_weight);
            most = std::max(most, product > 0.0 ? distance * distance / product : INFINITY);
        }
        return std::min(most, 4.0 * r.high_weight * (r.weight - r.low_weight));
    }
    double magnitude() const { return weight_ * weight_; }
    std::pair<double, double> of_two_classes() const { return {0.0, 4.0}; }  // as Gini has it

  private:
    double weight_;
};

// Heath, Kasif and Salzberg's minorities: how many cases a side holds outside its largest class. The merit is the
// decrease, so that more is better for these two as well.
class MaxMinority {
  public:
    explicit MaxMinority(std::span<const double> counts, double weight)
        : weight_(weight), parent_(minority(counts, weight)) {}

    double score(std::span<const double> left, std::span<const double> right, double left_weight,
                 double right_weight) const {
        return -std::max(minority(left, left_weight), minority(right, right_weight));
    }
    double merit(double score) const { return std::max(0.0, parent_ + score); }

    double bound(const CountRange& r) const {
        const auto [left, right] = least_minorities(r);
        return -std::max(left, right);
    }
    double magnitude() const { return weight_; }

  private:
    double weight_;
    double parent_;
};

class SumMinority {
  public:
    explicit SumMinority(std::span<const double> counts, double weight)
        : weight_(weight), parent_(minority(counts, weight)) {}

    double score(std::span<const double> left, std::span<const double> right, double left_weight,
                 double right_weight) const {
        return -(minority(left, left_weight) + minority(right, right_weight));
    }
    double merit(double score) const { return std::max(0.0, parent_ + score); }

    double bound(const CountRange& r) const {
        const auto [left, right] = least_minorities(r);
        return -(left + right);
    }
    double magnitude() const { return weight_; }

  private:
    double weight_;
    double parent_;
};

// The sum of minorities as a share of the node's cases: the decrease of the training error.
class Misclassification {
  public:
    explicit Misclassification(std::span<const double> counts, double weight)
        : weight_(weight), minorities_(counts, weight) {}

    double score(std::span<const double> left, std::span<const double> right, double left_weight,
                 double right_weight) const {
        return minorities_.score(left, right, left_weight, right_weight);
    }
    double merit(double score) const { return minorities_.merit(score) / weight_; }
    double bound(const CountRange& r) const { return minorities_.bound(r); }
    double magnitude() const { return weight_; }

  private:
    double weight_;
    SumMinority minorities_;
};

// Calls `work` with the merit of this kind for a node with these counts.
template <class Work>
decltype(auto) with_merit(MeritKind kind, std::span<const double> counts, double weight, Work&& work) {
    switch (kind) {
        case MeritKind::information_gain: return work(InformationGain(counts, weight));
        case MeritKind::twoing: return work(Twoing(counts, weight));
        case MeritKind::max_minority: return work(MaxMinority(counts, weight));
        case MeritKind::sum_minority: return work(SumMinority(counts, weight));
        case MeritKind::misclassification: return work(Misclassification(counts, weight));
        case MeritKind::gini: break;
    }
    return work(Gini(counts, weight));
}

}  // namespace planetree
