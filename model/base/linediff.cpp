// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/linediff.h"

#include "model/base/ascii.h"
#include "model/base/sequencediff.h"

#include <QHash>

#include <algorithm>
#include <vector>

namespace trainyard
{
namespace
{

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

// The text before the first colon: in the texts that are compared here, the name of the key. Empty: none.
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
        ItemSequence items;
        items.reserve(size_t(lines.size()));
        for (const ByteRange &line : lines) {
            items.push_back(numbering.of(viewOf(text, line)));
        }
        return items;
    };
    const ItemSequence a = numbered(oldText, diff.oldLines);
    const ItemSequence b = numbered(newText, diff.newLines);
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
    ItemSequence a, b;
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
