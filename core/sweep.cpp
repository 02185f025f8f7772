#include "sweep.hpp"

#include <algorithm>

#include "vectors.hpp"

namespace planetree {
namespace {

// One way of sending the missing rows, and the positions a cut may have under it.
struct Pass {
    Missing missing;
    std::size_t rows_before;   // missing rows that are on the left from the start
    std::size_t first, last;   // positions, both included; none if first > last

    Pass(Missing missing, const Stream& s, std::size_t min_leaf) : missing(missing) {
        const std::size_t n_missing = s.n_rows - s.n_known;
        rows_before = missing == Missing::left ? n_missing : 0;
        const std::size_t least = std::max<std::size_t>(min_leaf, 1);
        first = least > rows_before + 1 ? least - rows_before : 1;
        const bool may_take_all_known = missing == Missing::right;
        last = may_take_all_known ? s.n_known : (s.n_known > 0 ? s.n_known - 1 : 0);
        const std::size_t most = s.n_rows > least + rows_before ? s.n_rows - least - rows_before : 0;
        last = std::min(last, most);
    }
    bool is_cut(const Stream& s, std::size_t position) const {
        return position == s.n_known || s.cut_before(position);
    }
    void offer(Cut& best, double score, std::size_t position, double left_weight) const {
        if (score > best.score) best = {score, position, missing, left_weight};
    }
};

// Any merit, any weights: the counts of both sides at every cut.
template <class Merit>
void sweep_any(const Stream& s, const NodeTotals& node, Coding coding, const Merit& merit, const Pass& pass,
               SweepScratch& scratch, Cut& best) {
    const std::size_t n_classes = node.counts.size();
    auto& left = scratch.left;
    auto& right = scratch.right;
    left.assign(n_classes, 0.0);
    right.assign(n_classes, 0.0);
    const auto add = [&](std::uint32_t element) {
        const double w = node.row_weight.empty() ? 1.0 : node.row_weight[coding.row(element)];
        left[coding.label(element)] += w;
        return w;
    };
    double left_weight = 0.0;
    if (pass.missing == Missing::left)
        for (std::size_t i = s.n_known; i < s.n_rows; ++i) left_weight += add(s.element[i]);
    for (std::size_t position = 1; position <= pass.last; ++position) {
        left_weight += add(s.element[position - 1]);
        if (position < pass.first || !pass.is_cut(s, position)) continue;
        for (std::size_t k = 0; k < n_classes; ++k) right[k] = node.counts[k] - left[k];
        pass.offer(best, merit.score(left, right, left_weight, node.weight - left_weight), position,
                   left_weight);
    }
}

// --- Gini over whole counts -----------------------------------------------------------------------------------
// With A and B the sums of squared counts left and right, score = A/n_left + B/n_right. A candidate can only win
// if A n_right + B n_left > best n_left n_right, which needs no division. That test, with room for its rounding
// (a few 1e-16), only *skips*: who passes is scored exactly as `sweep_any` would, so both choose the same cut.
constexpr double filter_room = 1.0 - 1e-13;
constexpr std::size_t block_rows = 64;

struct TwoClasses {
    double n_rows, n_ones;       // of the node
    double left_rows, left_ones;  // before the block
};

PLANETREE_WIDEST_VECTORS
bool block_may_win(const std::uint32_t* ones, std::size_t n, const TwoClasses& c, double least) {
    int hit = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const double left = c.left_rows + static_cast<double>(static_cast<std::int32_t>(i) + 1);
        const double right = c.n_rows - left;
        const double l1 = c.left_ones + static_cast<double>(static_cast<std::int32_t>(ones[i]));
        const double l0 = left - l1;
        const double r1 = c.n_ones - l1;
        const double r0 = right - r1;
        hit |= (l0 * l0 + l1 * l1) * right + (r0 * r0 + r1 * r1) * left > least * (left * right);
    }
    return hit != 0;
}

void sweep_two_classes(const Stream& s, const NodeTotals& node, const Pass& pass, Cut& best) {
    std::uint32_t before = 0;
    if (pass.missing == Missing::left)
        for (std::size_t i = s.n_known; i < s.n_rows; ++i) before += s.element[i] & 1u;
    for (std::size_t i = 0; i + 1 < pass.first; ++i) before += s.element[i] & 1u;

    TwoClasses c{static_cast<double>(s.n_rows), node.counts[1], 0.0, 0.0};
    std::uint32_t ones[block_rows];
    for (std::size_t position = pass.first; position <= pass.last; position += block_rows) {
        const std::size_t n = std::min(block_rows, pass.last - position + 1);
        const std::uint32_t* element = s.element + position - 1;
        std::uint32_t in_block = 0;
        for (std::size_t i = 0; i < n; ++i) {
            in_block += element[i] & 1u;
            ones[i] = in_block;
        }
        c.left_rows = static_cast<double>(pass.rows_before + position - 1);
        c.left_ones = static_cast<double>(before);
        before += in_block;
        if (!block_may_win(ones, n, c, best.score * filter_room)) continue;
        for (std::size_t i = 0; i < n; ++i) {
            if (!pass.is_cut(s, position + i)) continue;
            const double left = c.left_rows + static_cast<double>(i + 1);
            const double right = c.n_rows - left;
            const double l1 = c.left_ones + ones[i];
            const double l0 = left - l1;
            const double r1 = c.n_ones - l1;
            const double r0 = right - r1;
            pass.offer(best, Gini::score_from_squares(l0 * l0 + l1 * l1, r0 * r0 + r1 * r1, left, right),
                       position + i, left);
        }
    }
}

// Sums of squares stay exact in doubles while n^2 < 2^53; beyond, every sum of integers up to 2^53 still is.
void sweep_whole_gini(const Stream& s, const NodeTotals& node, Coding coding, const Pass& pass,
                      SweepScratch& scratch, Cut& best) {
    const std::size_t n_classes = node.counts.size();
    auto& left = scratch.whole_left;
    auto& right = scratch.whole_right;
    left.assign(n_classes, 0);
    right.resize(n_classes);
    std::uint64_t left_squares = 0, right_squares = 0;
    for (std::size_t k = 0; k < n_classes; ++k) {
        right[k] = static_cast<std::uint32_t>(node.counts[k]);
        right_squares += std::uint64_t{right[k]} * right[k];
    }
    const auto move_left = [&](std::uint32_t element) {
        const std::uint32_t k = coding.label(element);
        left_squares += 2 * std::uint64_t{left[k]++} + 1;
        right_squares -= 2 * std::uint64_t{right[k]--} - 1;
    };
    if (pass.missing == Missing::left)
        for (std::size_t i = s.n_known; i < s.n_rows; ++i) move_left(s.element[i]);
    for (std::size_t position = 1; position <= pass.last; ++position) {
        move_left(s.element[position - 1]);
        if (position < pass.first || !pass.is_cut(s, position)) continue;
        const double nl = static_cast<double>(pass.rows_before + position);
        const double nr = static_cast<double>(s.n_rows) - nl;
        const double a = static_cast<double>(left_squares);
        const double b = static_cast<double>(right_squares);
        if (a * nr + b * nl <= best.score * filter_room * (nl * nr)) continue;
        pass.offer(best, Gini::score_from_squares(a, b, nl, nr), position, nl);
    }
}

// Squares up to this many rows are exact in a double, however they are summed.
constexpr std::size_t exact_square_rows = std::size_t{1} << 26;

}  // namespace

Cut best_cut(const Stream& s, const NodeTotals& node, Coding coding, double floor, SweepScratch& scratch) {
    Cut best;
    best.score = floor;
    const bool whole_gini =
        node.merit == MeritKind::gini && node.row_weight.empty() && s.n_rows <= exact_square_rows;
    const auto run = [&](Missing missing) {
        const Pass pass(missing, s, node.min_leaf_rows);
        if (pass.first > pass.last) return;
        if (whole_gini && node.counts.size() == 2) {
            sweep_two_classes(s, node, pass, best);
        } else if (whole_gini) {
            sweep_whole_gini(s, node, coding, pass, scratch, best);
        } else {
            with_merit(node.merit, node.counts, node.weight,
                       [&](const auto& merit) { sweep_any(s, node, coding, merit, pass, scratch, best); });
        }
    };
    if (s.n_known == s.n_rows) {
        run(Missing::none);
    } else {
        run(Missing::right);
        run(Missing::left);
    }
    return best;
}

std::size_t n_cuts(const Stream& s, const NodeTotals& node) {
    std::size_t n = 0;
    const auto count = [&](Missing missing) {
        const Pass pass(missing, s, node.min_leaf_rows);
        for (std::size_t position = pass.first; position <= pass.last; ++position)
            n += pass.is_cut(s, position);
    };
    if (s.n_known == s.n_rows) {
        count(Missing::none);
    } else {
        count(Missing::right);
        count(Missing::left);
    }
    return n;
}

}  // namespace planetree
