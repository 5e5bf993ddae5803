// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

namespace trainyard::cli
{

// A column of a comparison, with the cell of each row.
struct LaidColumn {
    QString title;
    QStringList cells;
    int rank = 0; // 0: always in the table and whole; of the others, smaller ones have their room first
    bool isName = false; // is shortened before the table becomes wider than its room
};

// A comparison with many columns as one with few of them, and what has no room there below. Pure.
struct LaidTable {
    QList<QStringList> rows; // the first has the heads
    QStringList below; // lines
};
// No wider than `width`, as far as the columns of rank 0 have that room; 0: everything is in the table. `labels` name
// the rows in the lines below.
LaidTable laidTable(const QList<LaidColumn> &columns, const QStringList &labels, int width);

// The same for a few rows with very many columns: a line for each column, with the rows side by side. A column with a
// value that does not fit is below, with each whole value on its own line.
LaidTable turnedTable(const QList<LaidColumn> &columns, const QStringList &labels, int width);

} // namespace trainyard::cli
