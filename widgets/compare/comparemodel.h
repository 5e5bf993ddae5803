// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/jobfilter.h"
#include "widgets/compare/comparecolumns.h"
#include "widgets/compare/compareruns.h"
#include "widgets/compare/valuescale.h"

#include <QAbstractTableModel>

namespace trainyard
{

// The table of a comparison: what differs, and the results. Large because each kind of column is shown, sorted and
// exported by the same model.
class CompareModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    using Part = ComparePart;
    enum Role {
        SortRole = Qt::UserRole, // a number or a text; nothing comes last in both orders
        RowRole, // QList<qsizetype>: its runs
        PartRole,
        ShareRole, // of the best value, 0 to 1, for the bar; of the order only
        IsBestRole,
        PlainRole, // without rounding, for other programs
    };

    explicit CompareModel(CompareRuns *runs, QObject *parent = nullptr);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Part part(int column) const { return m_columns.at(column).part; }
    // The part that an index of this model, or of one above it, shows.
    static Part partOf(const QModelIndex &index) { return Part(index.data(PartRole).toInt()); }
    static QList<qsizetype> runsOf(const QModelIndex &index) { return index.data(RowRole).value<QList<qsizetype>>(); }
    int columnOf(Part part) const; // the first; -1: there is none
    // The runs that the filter removes. Each is tested alone, even if it is folded with others.
    QSet<QString> unmatched(const JobFilter &filter) const;

    // A table for other programs, of the rows and columns as they are shown, with tabs between.
    static QString asTable(const QAbstractItemModel &shown);
    // Comma-separated values for other programs, of the rows as they are shown: every parameter and setting that
    // differs, also one that is too long for a column, and whole. Of folded runs with the deviation of each result.
    QString asCsv(const QAbstractItemModel &shown) const;

private:
    using Column = CompareColumn;
    QString namesOf(const QList<qsizetype> &runs) const;
    void makeColumns();
    void rank(); // the best runs, and between what the bars are
    QString textOf(const Column &column, const QList<qsizetype> &row, bool isPlain) const;
    QVariant sortKey(const Column &column, const QList<qsizetype> &row) const;
    QList<std::optional<double>> values(const Column &column, const QList<qsizetype> &row) const;
    QString factText(qsizetype fact, const QList<qsizetype> &row, bool isPlain) const;
    QString searchText(const QList<qsizetype> &row) const;
    QString unfinishedText(const Column &column, const QList<qsizetype> &row) const; // empty: its values are final
    QVariant share(const QList<qsizetype> &row) const;

    CompareRuns *m_runs;
    QList<Column> m_columns;
    QStringList m_leftOut; // metrics without a column of their own
    ValueScale m_scale; // of the ranking metric, for the bars
    QList<qsizetype> m_best; // rows; several may have the best value
    qsizetype m_betterBehind = -1; // a row with a better value that is not the best for how it ended; -1: none
};

} // namespace trainyard
