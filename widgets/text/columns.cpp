// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/columns.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

constexpr int gap = 2;
constexpr int leastName = 8;
constexpr int leastLast = 20; // "Out of shared memory"
constexpr int mostPadded = 80; // of a name where nothing is cut
constexpr QChar ellipsis = u'…';

struct Range {
    char32_t first, last;
};
// "W" and "F" of the Unicode table of East Asian widths, in whole blocks.
constexpr std::array wide{Range{0x1100, 0x115f}, Range{0x231a, 0x231b}, Range{0x23e9, 0x23ec}, Range{0x25fd, 0x25fe},
    Range{0x2614, 0x2615}, Range{0x2648, 0x2653}, Range{0x267f, 0x267f}, Range{0x2693, 0x2693}, Range{0x26a1, 0x26a1},
    Range{0x26aa, 0x26ab}, Range{0x26bd, 0x26be}, Range{0x26c4, 0x26c5}, Range{0x26ce, 0x26ce}, Range{0x26d4, 0x26d4},
    Range{0x26ea, 0x26ea}, Range{0x26f2, 0x26f3}, Range{0x26f5, 0x26f5}, Range{0x26fa, 0x26fa}, Range{0x26fd, 0x26fd},
    Range{0x2705, 0x2705}, Range{0x270a, 0x270b}, Range{0x2728, 0x2728}, Range{0x274c, 0x274c}, Range{0x274e, 0x274e},
    Range{0x2753, 0x2755}, Range{0x2757, 0x2757}, Range{0x2795, 0x2797}, Range{0x27b0, 0x27b0}, Range{0x27bf, 0x27bf},
    Range{0x2b1b, 0x2b1c}, Range{0x2b50, 0x2b50}, Range{0x2b55, 0x2b55}, Range{0x2e80, 0x303e}, Range{0x3041, 0xa4cf},
    Range{0xa960, 0xa97c}, Range{0xac00, 0xd7a3}, Range{0xf900, 0xfaff}, Range{0xfe10, 0xfe19}, Range{0xfe30, 0xfe6f},
    Range{0xff00, 0xff60}, Range{0xffe0, 0xffe6}, Range{0x1f300, 0x1f64f}, Range{0x1f680, 0x1f6ff},
    Range{0x1f900, 0x1f9ff}, Range{0x1fa70, 0x1faff}, Range{0x20000, 0x3fffd}};

int columnsOf(char32_t c)
{
    switch (QChar::category(c)) {
    case QChar::Mark_NonSpacing:
    case QChar::Mark_Enclosing:
    case QChar::Other_Format:
        return 0;
    default:
        break;
    }
    const auto *const range
        = std::lower_bound(wide.begin(), wide.end(), c, [](const Range &each, char32_t at) { return each.last < at; });
    return range != wide.end() && range->first <= c ? 2 : 1;
}

// One character, or one escape sequence.
struct Piece {
    qsizetype size = 1;
    int columns = 0;
};

Piece pieceAt(QStringView text, qsizetype at)
{
    if (text.at(at) == u'\x1b') {
        qsizetype end = at + 1;
        while (end < text.size() && !text.at(end).isLetter()) {
            ++end;
        }
        return {std::min(end + 1, text.size()) - at, 0};
    }
    if (text.at(at).isHighSurrogate() && at + 1 < text.size() && text.at(at + 1).isLowSurrogate()) {
        return {2, columnsOf(QChar::surrogateToUcs4(text.at(at), text.at(at + 1)))};
    }
    return {1, columnsOf(char32_t(text.at(at).unicode()))};
}

// How much of it fits.
qsizetype sizeWithin(QStringView text, int columns)
{
    int used = 0;
    qsizetype at = 0;
    while (at < text.size()) {
        const Piece piece = pieceAt(text, at);
        if (used + piece.columns > columns) {
            break;
        }
        used += piece.columns;
        at += piece.size;
    }
    return at;
}

QString harmless(QString text)
{
    for (QChar &c : text) {
        if (c.category() == QChar::Other_Control) {
            c = u' ';
        }
    }
    return text;
}

// Its words, and what is not parted. Several blanks beside each other have empty words between them.
QStringList unitsOf(const QString &line)
{
    const QStringList words = line.split(u' ');
    QStringList units;
    for (qsizetype i = 0; i < words.size(); ++i) {
        qsizetype last = i;
        if (words.at(i).startsWith(u'\'')) {
            while (last < words.size() && words.at(last).lastIndexOf(u'\'') < (last == i ? 1 : 0)) {
                ++last;
            }
        } else if (words.at(i) == "trainyardctl"_L1 && i > 0 && words.at(i - 1).endsWith(u':')) {
            last = words.size() - 1;
        }
        last = last < words.size() ? last : i; // no quote ends it
        units.append(words.mid(i, last - i + 1).join(u' '));
        i = last;
    }
    return units;
}

} // namespace

int indentOf(QStringView line)
{
    int indent = 0;
    while (indent < line.size() && line.at(indent) == u' ') {
        ++indent;
    }
    return line.sliced(indent).startsWith("- "_L1) ? indent + 2 : indent;
}

QString wrappedAtWords(const QString &line, int width, int indent)
{
    constexpr int leastRoom = 20; // in less, single words would stand below each other
    if (columnsOf(line) <= width || indent + leastRoom > width) {
        return line;
    }
    QString wrapped;
    int column = 0;
    const QStringList units = unitsOf(line);
    for (qsizetype i = 0; i < units.size(); ++i) {
        const int columns = columnsOf(units.at(i));
        if (i > 0 && columns > 0 && column > indent && column + 1 + columns > width && indent + columns <= width) {
            while (wrapped.endsWith(u' ')) {
                wrapped.chop(1);
            }
            wrapped += u'\n' + QString(indent, u' ');
            column = indent;
        } else if (i > 0) {
            wrapped += u' ';
            ++column;
        }
        wrapped += units.at(i);
        column += columns;
    }
    return wrapped;
}

int columnsOf(QStringView text)
{
    int columns = 0;
    for (qsizetype at = 0; at < text.size();) {
        const Piece piece = pieceAt(text, at);
        columns += piece.columns;
        at += piece.size;
    }
    return columns;
}

QString cutToColumns(const QString &text, int columns)
{
    if (columnsOf(text) <= columns) {
        return text;
    }
    if (columns < 1) {
        return {};
    }
    return text.left(sizeWithin(text, columns - 1)) + ellipsis + (text.contains(u'\x1b') ? u"\x1b[0m"_s : QString());
}

QString elideName(const QString &text, int columns)
{
    if (columnsOf(text) <= columns || columns < 3) {
        return cutToColumns(text, columns);
    }
    const int end = (columns - 1) / 2;
    qsizetype from = text.size();
    while (from > 0) {
        const qsizetype before = from > 1 && text.at(from - 1).isLowSurrogate() ? from - 2 : from - 1;
        if (columnsOf(QStringView(text).mid(before)) > end) {
            break;
        }
        from = before;
    }
    return text.left(sizeWithin(text, columns - 1 - end)) + ellipsis + text.mid(from);
}

QStringList alignedRows(const QList<QStringList> &rows, int width, const QList<int> &names)
{
    QList<QStringList> cells = rows;
    QList<int> widths;
    for (QStringList &row : cells) {
        for (qsizetype i = 0; i < row.size(); ++i) {
            row[i] = harmless(row.at(i));
            if (i >= widths.size()) {
                widths.append(0);
            }
            const int columns = columnsOf(row.at(i));
            const bool isName = width == 0 && names.contains(int(i));
            widths[i] = std::max(widths.at(i), isName ? std::min(columns, mostPadded) : columns);
        }
    }
    if (width > 0 && !widths.isEmpty()) {
        const int before = std::accumulate(widths.cbegin(), std::prev(widths.cend()), 0);
        const int gaps = gap * int(widths.size() - 1);
        int excess = before + gaps + std::min(widths.last(), leastLast) - width;
        while (excess > 0) {
            // The widest name is narrowed first.
            int widest = -1;
            for (const int name : names) {
                if (name < widths.size() && widths.at(name) > leastName
                    && (widest < 0 || widths.at(name) > widths.at(widest))) {
                    widest = name;
                }
            }
            if (widest < 0) {
                break;
            }
            --widths[widest];
            --excess;
        }
    }
    QStringList lines;
    for (const QStringList &row : std::as_const(cells)) {
        QString line;
        for (qsizetype i = 0; i < row.size(); ++i) {
            const QString cell = names.contains(int(i)) && width > 0 ? elideName(row.at(i), widths.at(i)) : row.at(i);
            line += cell + QString(std::max(0, widths.at(i) - columnsOf(cell)) + gap, u' ');
        }
        while (line.endsWith(u' ')) {
            line.chop(1);
        }
        lines.append(width > 0 ? cutToColumns(line, width) : line);
    }
    return lines;
}

} // namespace trainyard
