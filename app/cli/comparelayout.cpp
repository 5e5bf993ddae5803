// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/comparelayout.h"

#include "app/cli/console.h"
#include "widgets/text/columns.h"

#include <algorithm>
#include <map>
#include <numeric>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

constexpr int columnGap = 2;
constexpr int narrowestName = 8;
constexpr qsizetype mostLabels = 6; // of rows with the same value
constexpr qsizetype mostValuesBelow = 12; // of a column, below the table
constexpr int narrowestValue = 12; // of rows side by side

int widthOf(const LaidColumn &column)
{
    int width = columnsOf(column.title);
    for (const QString &cell : column.cells) {
        width = std::max(width, columnsOf(cell));
    }
    return width;
}

// The rows with a value: "#1, #3 and 4 more".
QString labelsText(const QStringList &labels)
{
    if (labels.size() <= mostLabels) {
        return labels.join(u", "_s);
    }
    return tr("%1 and %2 more")
        .arg(labels.first(mostLabels).join(u", "_s), QString::number(labels.size() - mostLabels));
}

// The values of a column in the order of its rows, each once, and the rows that have them.
struct ValuesOfRows {
    QStringList values;
    std::map<QString, QStringList> rowsOf;
};
ValuesOfRows valuesOfRows(const LaidColumn &column, const QStringList &labels)
{
    ValuesOfRows found;
    for (qsizetype row = 0; row < column.cells.size(); ++row) {
        const QString &value = column.cells.at(row);
        if (!found.rowsOf.contains(value)) {
            found.values.append(value);
        }
        found.rowsOf[value].append(labels.at(row));
    }
    return found;
}

// "batch: 32 (#1, #3), 64 (#2)", or a line for each value where that is too long.
QStringList linesBelow(const LaidColumn &column, const QStringList &labels, int width)
{
    const ValuesOfRows found = valuesOfRows(column, labels);
    const QStringList &values = found.values;
    QStringList words;
    for (const QString &value : values.first(std::min(values.size(), mostValuesBelow))) {
        const bool isOfAll = values.size() == 1 && labels.size() > 1;
        words.append(
            isOfAll ? tr("%1 (all)").arg(value) : tr("%1 (%2)").arg(value, labelsText(found.rowsOf.at(value))));
    }
    if (values.size() > mostValuesBelow) {
        words.append(tr("%1 more").arg(values.size() - mostValuesBelow));
    }
    const QString line = u"  "_s + tr("%1: %2").arg(column.title, words.join(u", "_s));
    if (columnsOf(line) <= width) {
        return {line};
    }
    QStringList lines{u"  "_s + column.title + u':'};
    for (const QString &each : std::as_const(words)) {
        lines.append(cutToColumns(u"    "_s + each, width));
    }
    return lines;
}

} // namespace

LaidTable laidTable(const QList<LaidColumn> &columns, const QStringList &labels, int width)
{
    QList<int> widths;
    QList<qsizetype> byRank(columns.size());
    std::iota(byRank.begin(), byRank.end(), 0);
    std::transform(columns.cbegin(), columns.cend(), std::back_inserter(widths), widthOf);
    std::stable_sort(byRank.begin(), byRank.end(),
        [&columns](qsizetype a, qsizetype b) { return columns.at(a).rank < columns.at(b).rank; });
    QList<bool> isShown(columns.size(), width == 0);
    int used = -columnGap;
    for (const qsizetype place : std::as_const(byRank)) {
        const int needed = widths.at(place) + columnGap;
        if (width > 0 && (columns.at(place).rank == 0 || used + needed <= width)) {
            isShown[place] = true;
            used += needed;
        }
    }
    LaidTable table;
    table.rows.resize(labels.size() + 1);
    for (qsizetype i = 0; i < columns.size(); ++i) {
        const LaidColumn &column = columns.at(i);
        if (!isShown.at(i)) {
            table.below += linesBelow(column, labels, width);
            continue;
        }
        int room = widths.at(i);
        if (column.isName && width > 0 && used > width) {
            room = std::max(std::min(room, narrowestName), room - (used - width));
            used -= widths.at(i) - room;
        }
        table.rows.first().append(column.title);
        for (qsizetype row = 0; row < labels.size(); ++row) {
            table.rows[row + 1].append(elideName(column.cells.at(row), room));
        }
    }
    return table;
}

LaidTable turnedTable(const QList<LaidColumn> &columns, const QStringList &labels, int width)
{
    int titles = 0;
    for (const LaidColumn &column : columns) {
        titles = std::max(titles, columnsOf(column.title));
    }
    const int count = std::max(1, int(labels.size()));
    const int room = std::max(narrowestValue, (width - titles) / count - columnGap);
    LaidTable table;
    table.rows.append(QStringList(QString()) + labels);
    for (const LaidColumn &column : columns) {
        const bool hasRoom = std::all_of(column.cells.cbegin(), column.cells.cend(),
            [room](const QString &cell) { return columnsOf(cell) <= room; });
        if (hasRoom) {
            table.rows.append(QStringList(column.title) + column.cells);
            continue;
        }
        table.below.append(u"  "_s + column.title + u':');
        const ValuesOfRows found = valuesOfRows(column, labels);
        for (const QString &value : found.values) {
            table.below.append(u"    "_s + tr("%1: %2").arg(labelsText(found.rowsOf.at(value)), value));
        }
    }
    return table;
}

} // namespace trainyard::cli
