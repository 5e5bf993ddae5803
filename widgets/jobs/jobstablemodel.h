// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/jobfilter.h"

#include <QAbstractTableModel>
#include <QHash>
#include <QSet>
#include <QTimer>

#include <vector>

namespace trainyard
{

// All jobs as a table, filtered and sorted here: with a hundred thousand rows, a proxy would ask each of them for every
// step. Jobs come in pages, newest first, and one by one as they change. What changes the order of rows is done a
// little later, together with what comes meanwhile; aboutToRearrange() and rearranged() stand around it.
class JobsTableModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Role { UuidRole = Qt::UserRole };

    explicit JobsTableModel(QObject *parent = nullptr);

    void add(const QList<JobSummary> &jobs); // new or changed
    void remove(const QString &uuid);
    void setFilter(const JobFilter &filter);
    void setHidden(const QSet<QString> &uuids); // that are being removed
    void setColumns(const QStringList &keys);
    const QStringList &columns() const { return m_columns; }
    const JobSummary &job(int row) const { return m_jobs.at(m_shown.at(std::size_t(row))); }
    QList<JobSummary> shownJobs() const; // in the order of the table
    const QList<JobSummary> &allJobs() const { return m_jobs; } // removed ones are without a number
    int jobCount() const { return int(m_rows.size()); }
    int rowOf(const QString &uuid) const; // -1: it is not shown
    QString sortKey() const { return m_sortKey; }
    Qt::SortOrder sortOrder() const { return m_order; }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;
    void sort(int column, Qt::SortOrder order) override;

Q_SIGNALS:
    void jobCountChanged();
    void aboutToRearrange(); // rows get other places
    void rearranged();

private:
    bool isShown(const JobSummary &job, qint64 now) const;
    bool isNewestFirst() const;
    bool applyInPlace(int index, const JobSummary &job, qint64 now);
    void appendShown(const std::vector<int> &fresh);
    void rearrange();

    QList<JobSummary> m_jobs;
    QHash<QString, int> m_rows; // in m_jobs, by UUID
    std::vector<int> m_shown; // in m_jobs
    JobFilter m_filter;
    QSet<QString> m_hidden;
    QStringList m_columns;
    QString m_sortKey;
    Qt::SortOrder m_order = Qt::DescendingOrder;
    QTimer m_later;
};

} // namespace trainyard
