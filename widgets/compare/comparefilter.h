// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSortFilterProxyModel>

namespace trainyard
{

class CompareRuns;

// Rows by any column, those without a value last, and only those that the brushes let through.
class CompareFilter : public QSortFilterProxyModel
{
    Q_OBJECT
public:
    explicit CompareFilter(CompareRuns *runs, QObject *parent = nullptr);
    int rowOf(qsizetype run) const; // that it is in, behind all rows if it is in none

protected:
    bool filterAcceptsRow(int row, const QModelIndex &parent) const override;
    bool lessThan(const QModelIndex &left, const QModelIndex &right) const override;

private:
    CompareRuns *m_runs;
};

} // namespace trainyard
