// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/linediff.h"

#include "model/base/ascii.h"

#include <QHash>

#include <algorithm>
#include <vector>

namespace trainyard
{
namespace
{

using Sequence = std::vector<int>; // equal items have equal numbers

// Myers' O(ND) in linear space (E. Myers, 1986): finds the middle of a shortest script, then does both halves. Marks
// the items that have no partner. Past `costLimit` steps it settles for the furthest point reached: the script may then
// be longer than need be, never wrong.
class Myers
{
public:
    Myers(const Sequence &a, const Sequence &b, std::vector<char> &changedA, std::vector<char> &changedB)
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

    const Sequence &m_a;
    const Sequence &m_b;
    std::vector<char> &m_changedA;
    std::vector<char> &m_changedB;
    qsizetype m_offset;
    std::vector<qsizetype> m_forward, m_backward;
};

// Marks what changed. Items that the other side has nowhere are taken out first: they are changed in any case, and they
// are what makes texts with little in common slow.
void markChanges(
    const Sequence &a, const Sequence &b, int kinds, std::vector<char> &changedA, std::vector<char> &changedB)
{
    std::vector<char> inA(size_t(kinds), 0), inB(size_t(kinds), 0);
    for (const int item : a) {
        inA[size_t(item)] = 1;
    }
    for (const int item : b) {
        inB[size_t(item)] = 1;
    }
    Sequence keptA, keptB;
    std::vector<size_t> placeA, placeB;
    const auto keep = [](const Sequence &all, const std::vector<char> &other, Sequence &kept,
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

// A run of changes can often slide: of "b }" + "a }" either brace may count as new. It slides down as far as it goes,
// so that an inserted block ends with its own last line, as people see it.
void slideDown(const Sequence &items, std::vector<char> &changed, const std::vector<char> &otherChanged)
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

QList<ByteRange> linesOf(const QByteArray &text)
{
    QList<ByteRange> lines;
    qsizetype begin = 0;
    while (begin < text.size()) {
        qsizetype end = text.indexOf('\n', begin);
        end = end < 0 ? text.size() : end + 1;
        lines.append({begin, end});
        begin = end;
    }
    return lines;
}

QByteArrayView viewOf(const QByteArray &text, const ByteRange &range)
{
    return QByteArrayView(text).sliced(range.begin, range.length());
}

QByteArrayView withoutEnd(QByteArrayView line)
{
    while (!line.isEmpty() && (line.back() == '\n' || line.back() == '\r')) {
        line.chop(1);
    }
    return line;
}

// Words of a line: letters and digits stay together, blanks too, every other sign is one of its own.
QList<ByteRange> wordsOf(QByteArrayView line)
{
    enum Kind { Word, Blank, Sign };
    const auto kindOf = [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        const bool word = ascii::isWord(byte) || byte >= 0x80;
        return word ? Word : c == ' ' || c == '\t' ? Blank : Sign;
    };
    QList<ByteRange> words;
    for (qsizetype i = 0; i < line.size();) {
        const Kind kind = kindOf(line[i]);
        qsizetype end = i + 1;
        while (kind != Sign && end < line.size() && kindOf(line[end]) == kind) {
            ++end;
        }
        words.append({i, end});
        i = end;
    }
    return words;
}

struct Numbering {
    QHash<QByteArrayView, int> numbers;
    int of(QByteArrayView item)
    {
        const auto it = numbers.constFind(item);
        return it != numbers.cend() ? *it : *numbers.insert(item, int(numbers.size()));
    }
};

// How much two lines have in common, 0 to 100, by their words.
int similarity(QByteArrayView a, QByteArrayView b)
{
    QHash<QByteArrayView, int> counts;
    qsizetype all = 0;
    qsizetype common = 0;
    for (const ByteRange &word : wordsOf(a)) {
        const QByteArrayView text = a.sliced(word.begin, word.length());
        if (text.front() != ' ' && text.front() != '\t') {
            counts[text] += 1;
            all += text.size();
        }
    }
    for (const ByteRange &word : wordsOf(b)) {
        const QByteArrayView text = b.sliced(word.begin, word.length());
        if (text.front() == ' ' || text.front() == '\t') {
            continue;
        }
        all += text.size();
        if (const auto it = counts.find(text); it != counts.end() && *it > 0) {
            --*it;
            common += 2 * text.size();
        }
    }
    return all == 0 ? 100 : int(100 * common / all);
}

// What stands before the first colon: in the texts that are compared here, the name of what has a value. Empty: none.
QByteArrayView nameIn(QByteArrayView line)
{
    const qsizetype colon = line.indexOf(':');
    return colon <= 0 || line.first(colon).trimmed().isEmpty() ? QByteArrayView() : line.first(colon);
}

} // namespace

LineDiff diffLines(const QByteArray &oldText, const QByteArray &newText)
{
    LineDiff diff;
    diff.oldLines = linesOf(oldText);
    diff.newLines = linesOf(newText);
    Numbering numbering;
    const auto numbered = [&numbering](const QByteArray &text, const QList<ByteRange> &lines) {
        Sequence items;
        items.reserve(size_t(lines.size()));
        for (const ByteRange &line : lines) {
            items.push_back(numbering.of(viewOf(text, line)));
        }
        return items;
    };
    const Sequence a = numbered(oldText, diff.oldLines);
    const Sequence b = numbered(newText, diff.newLines);
    std::vector<char> changedA, changedB;
    markChanges(a, b, int(numbering.numbers.size()), changedA, changedB);
    slideDown(a, changedA, changedB);
    slideDown(b, changedB, changedA);
    size_t i = 0;
    size_t j = 0;
    diff.onlyLineEnds = true;
    while (i < a.size() || j < b.size()) {
        const size_t oldBegin = i;
        const size_t newBegin = j;
        while (i < a.size() && changedA[i]) {
            ++i;
        }
        while (j < b.size() && changedB[j]) {
            ++j;
        }
        if (i > oldBegin || j > newBegin) {
            diff.changes.append({qsizetype(oldBegin), qsizetype(i), qsizetype(newBegin), qsizetype(j)});
            bool same = i - oldBegin == j - newBegin;
            for (size_t k = 0; same && k < i - oldBegin; ++k) {
                same = withoutEnd(viewOf(oldText, diff.oldLines.at(qsizetype(oldBegin + k))))
                    == withoutEnd(viewOf(newText, diff.newLines.at(qsizetype(newBegin + k))));
            }
            diff.onlyLineEnds = diff.onlyLineEnds && same;
        }
        while (i < a.size() && j < b.size() && !changedA[i] && !changedB[j]) {
            ++i;
            ++j;
        }
    }
    diff.onlyLineEnds = diff.onlyLineEnds && !diff.changes.isEmpty();
    return diff;
}

QList<std::pair<qsizetype, qsizetype>> alignChange(
    const QByteArray &oldText, const QByteArray &newText, const LineDiff &diff, const LineChange &change)
{
    QList<std::pair<qsizetype, qsizetype>> pairs;
    const qsizetype rows = change.oldEnd - change.oldBegin;
    const qsizetype columns = change.newEnd - change.newBegin;
    constexpr qsizetype mostCells = 4096; // larger changes are paired by their order
    if (rows == 0 || columns == 0 || rows * columns > mostCells) {
        for (qsizetype i = 0; i < std::max(rows, columns); ++i) {
            pairs.append({i < rows ? change.oldBegin + i : -1, i < columns ? change.newBegin + i : -1});
        }
        return pairs;
    }
    // The pairing with the most in common, in order: as for a longest common subsequence, with weights.
    constexpr int leastAlike = 40;
    const auto at = [columns](qsizetype i, qsizetype j) { return size_t(i * (columns + 1) + j); };
    std::vector<int> best(size_t((rows + 1) * (columns + 1)), 0);
    std::vector<int> alike(best.size(), 0);
    for (qsizetype i = rows - 1; i >= 0; --i) {
        for (qsizetype j = columns - 1; j >= 0; --j) {
            const QByteArrayView one = withoutEnd(viewOf(oldText, diff.oldLines.at(change.oldBegin + i)));
            const QByteArrayView other = withoutEnd(viewOf(newText, diff.newLines.at(change.newBegin + j)));
            // Another value of the same thing, however little the two have in common, is a change of it.
            const QByteArrayView name = nameIn(one);
            const bool isOfOneName = !name.isEmpty() && name == nameIn(other);
            const int score = std::max(similarity(one, other), isOfOneName ? leastAlike : 0);
            alike[at(i, j)] = score >= leastAlike ? score : 0;
            best[at(i, j)] = std::max({best[at(i + 1, j)], best[at(i, j + 1)],
                alike[at(i, j)] > 0 ? best[at(i + 1, j + 1)] + alike[at(i, j)] : 0});
        }
    }
    qsizetype i = 0;
    qsizetype j = 0;
    while (i < rows || j < columns) {
        if (i < rows && j < columns && alike[at(i, j)] > 0
            && best[at(i, j)] == best[at(i + 1, j + 1)] + alike[at(i, j)]) {
            pairs.append({change.oldBegin + i++, change.newBegin + j++});
        } else if (i < rows && (j == columns || best[at(i, j)] == best[at(i + 1, j)])) {
            pairs.append({change.oldBegin + i++, -1});
        } else {
            pairs.append({-1, change.newBegin + j++});
        }
    }
    return pairs;
}

InlineDiff diffWithin(QByteArrayView oldLine, QByteArrayView newLine)
{
    InlineDiff diff;
    constexpr qsizetype longest = 4000; // longer lines get no marks
    if (oldLine.size() > longest || newLine.size() > longest) {
        return diff;
    }
    const QList<ByteRange> oldWords = wordsOf(oldLine);
    const QList<ByteRange> newWords = wordsOf(newLine);
    Numbering numbering;
    Sequence a, b;
    for (const ByteRange &word : oldWords) {
        a.push_back(numbering.of(oldLine.sliced(word.begin, word.length())));
    }
    for (const ByteRange &word : newWords) {
        b.push_back(numbering.of(newLine.sliced(word.begin, word.length())));
    }
    std::vector<char> changedA, changedB;
    markChanges(a, b, int(numbering.numbers.size()), changedA, changedB);
    constexpr int leastAlike = 30;
    diff.similar = similarity(oldLine, newLine) >= leastAlike;
    if (!diff.similar) {
        return diff;
    }
    const auto marks = [](const QList<ByteRange> &words, const std::vector<char> &changed) {
        QList<ByteRange> ranges;
        for (qsizetype i = 0; i < words.size(); ++i) {
            if (!changed[size_t(i)]) {
                continue;
            }
            if (!ranges.isEmpty() && ranges.constLast().end == words.at(i).begin) {
                ranges.last().end = words.at(i).end;
            } else {
                ranges.append(words.at(i));
            }
        }
        return ranges;
    };
    diff.oldMarks = marks(oldWords, changedA);
    diff.newMarks = marks(newWords, changedB);
    return diff;
}

} // namespace trainyard
