// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/sequencediff.h"

#include <QtGlobal>

#include <algorithm>
#include <limits>

namespace trainyard
{
namespace
{

// Myers' O(ND) in linear space (E. Myers, 1986): finds the middle of a shortest script, then does both halves. Marks
// the items that have no partner. Past `costLimit` steps it settles for the furthest point reached: the script may then
// be longer than need be, never wrong.
class Myers
{
public:
    Myers(const ItemSequence &a, const ItemSequence &b, std::vector<char> &changedA, std::vector<char> &changedB)
        : m_a(a), m_b(b), m_changedA(changedA), m_changedB(changedB), m_offset(qsizetype(b.size()) + 1),
          m_forward(a.size() + b.size() + 3), m_backward(a.size() + b.size() + 3)
    {
    }

    void run() { compare(0, qsizetype(m_a.size()), 0, qsizetype(m_b.size())); }

private:
    static constexpr qsizetype costLimit = 1500;

    struct Point {
        qsizetype x, y;
    };

    qsizetype &forward(qsizetype diagonal) { return m_forward[size_t(diagonal + m_offset)]; }
    qsizetype &backward(qsizetype diagonal) { return m_backward[size_t(diagonal + m_offset)]; }

    void compare(qsizetype aBegin, qsizetype aEnd, qsizetype bBegin, qsizetype bEnd)
    {
        // A loop for the second half: depth stays that of the first halves.
        while (true) {
            while (aBegin < aEnd && bBegin < bEnd && m_a[size_t(aBegin)] == m_b[size_t(bBegin)]) {
                ++aBegin;
                ++bBegin;
            }
            while (aBegin < aEnd && bBegin < bEnd && m_a[size_t(aEnd - 1)] == m_b[size_t(bEnd - 1)]) {
                --aEnd;
                --bEnd;
            }
            if (aBegin == aEnd || bBegin == bEnd) {
                std::fill(m_changedA.begin() + aBegin, m_changedA.begin() + aEnd, char(1));
                std::fill(m_changedB.begin() + bBegin, m_changedB.begin() + bEnd, char(1));
                return;
            }
            const Point middle = split(aBegin, aEnd, bBegin, bEnd);
            const bool firstIsSmaller
                = (middle.x - aBegin) + (middle.y - bBegin) < (aEnd - middle.x) + (bEnd - middle.y);
            if (firstIsSmaller) {
                compare(aBegin, middle.x, bBegin, middle.y);
                aBegin = middle.x;
                bBegin = middle.y;
            } else {
                compare(middle.x, aEnd, middle.y, bEnd);
                aEnd = middle.x;
                bEnd = middle.y;
            }
        }
    }

    // A point on a shortest path, neither its begin nor its end. Neither side is empty, and both ends differ.
    Point split(qsizetype aBegin, qsizetype aEnd, qsizetype bBegin, qsizetype bEnd)
    {
        const qsizetype least = aBegin - bEnd; // of all diagonals x - y
        const qsizetype most = aEnd - bBegin;
        const qsizetype start = aBegin - bBegin;
        const qsizetype goal = aEnd - bEnd;
        const bool odd = ((start - goal) & 1) != 0;
        qsizetype forwardLow = start, forwardHigh = start, backwardLow = goal, backwardHigh = goal;
        forward(start) = aBegin;
        backward(goal) = aEnd;
        const qsizetype none = -1;
        for (qsizetype cost = 1;; ++cost) {
            forwardLow > least ? forward(--forwardLow - 1) = none : ++forwardLow;
            forwardHigh < most ? forward(++forwardHigh + 1) = none : --forwardHigh;
            for (qsizetype d = forwardHigh; d >= forwardLow; d -= 2) {
                const qsizetype down = forward(d + 1);
                const qsizetype right = forward(d - 1);
                qsizetype x = right < down ? down : right + 1;
                while (x < aEnd && x - d < bEnd && m_a[size_t(x)] == m_b[size_t(x - d)]) {
                    ++x;
                }
                forward(d) = x;
                if (odd && backwardLow <= d && d <= backwardHigh && backward(d) <= x) {
                    return {x, x - d};
                }
            }
            const qsizetype far = std::numeric_limits<qsizetype>::max();
            backwardLow > least ? backward(--backwardLow - 1) = far : ++backwardLow;
            backwardHigh < most ? backward(++backwardHigh + 1) = far : --backwardHigh;
            for (qsizetype d = backwardHigh; d >= backwardLow; d -= 2) {
                const qsizetype up = backward(d - 1);
                const qsizetype left = backward(d + 1);
                qsizetype x = up < left ? up : left - 1;
                while (aBegin < x && bBegin < x - d && m_a[size_t(x - 1)] == m_b[size_t(x - d - 1)]) {
                    --x;
                }
                backward(d) = x;
                if (!odd && forwardLow <= d && d <= forwardHigh && x <= forward(d)) {
                    return {x, x - d};
                }
            }
            if (cost >= costLimit) {
                return furthest(forwardLow, forwardHigh, aBegin, aEnd, bBegin, bEnd);
            }
        }
    }

    Point furthest(qsizetype low, qsizetype high, qsizetype aBegin, qsizetype aEnd, qsizetype bBegin, qsizetype bEnd)
    {
        Point best{aBegin, bBegin};
        for (qsizetype d = high; d >= low; d -= 2) {
            qsizetype x = std::min(forward(d), aEnd);
            qsizetype y = x - d;
            if (y > bEnd) {
                y = bEnd;
                x = y + d;
            }
            if (x >= aBegin && y >= bBegin && x + y > best.x + best.y) {
                best = {x, y};
            }
        }
        return best;
    }

    const ItemSequence &m_a;
    const ItemSequence &m_b;
    std::vector<char> &m_changedA;
    std::vector<char> &m_changedB;
    qsizetype m_offset;
    std::vector<qsizetype> m_forward, m_backward;
};

} // namespace

// Items that the other side has nowhere are taken out first: they are changed in any case, and they
// are what makes texts with little in common slow.
void markChanges(
    const ItemSequence &a, const ItemSequence &b, int kinds, std::vector<char> &changedA, std::vector<char> &changedB)
{
    std::vector<char> inA(size_t(kinds), 0), inB(size_t(kinds), 0);
    for (const int item : a) {
        inA[size_t(item)] = 1;
    }
    for (const int item : b) {
        inB[size_t(item)] = 1;
    }
    ItemSequence keptA, keptB;
    std::vector<size_t> placeA, placeB;
    const auto keep = [](const ItemSequence &all, const std::vector<char> &other, ItemSequence &kept,
                          std::vector<size_t> &place, std::vector<char> &changed) {
        changed.assign(all.size(), 0);
        for (size_t i = 0; i < all.size(); ++i) {
            if (other[size_t(all[i])]) {
                kept.push_back(all[i]);
                place.push_back(i);
            } else {
                changed[i] = 1;
            }
        }
    };
    keep(a, inB, keptA, placeA, changedA);
    keep(b, inA, keptB, placeB, changedB);
    std::vector<char> marksA(keptA.size(), 0), marksB(keptB.size(), 0);
    Myers(keptA, keptB, marksA, marksB).run();
    for (size_t i = 0; i < marksA.size(); ++i) {
        changedA[placeA[i]] = marksA[i];
    }
    for (size_t i = 0; i < marksB.size(); ++i) {
        changedB[placeB[i]] = marksB[i];
    }
}

void slideDown(const ItemSequence &items, std::vector<char> &changed, const std::vector<char> &otherChanged)
{
    const size_t size = items.size();
    size_t other = 0; // the place of i on the other side
    size_t i = 0;
    while (i < size) {
        if (!changed[i]) {
            while (other < otherChanged.size() && otherChanged[other]) {
                ++other;
            }
            ++other;
            ++i;
            continue;
        }
        size_t begin = i;
        while (i < size && changed[i]) {
            ++i;
        }
        // Only a run that has no counterpart may slide, and not past another change.
        while (i < size && items[begin] == items[i] && (other >= otherChanged.size() || !otherChanged[other])
            && (other + 1 >= otherChanged.size() || !otherChanged[other + 1])) {
            changed[begin++] = 0;
            changed[i++] = 1;
            ++other;
            while (i < size && changed[i]) {
                ++i;
            }
        }
    }
}

} // namespace trainyard
