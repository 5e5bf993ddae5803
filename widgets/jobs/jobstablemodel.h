// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/jobfilter.h"

#include <QAbstractItemModel>
#include <QHash>
#include <QSet>
#include <QTimer>

#include <vector>

namespace trainyard
{

// All jobs as a table, filtered and sorted here: with a hundred thousand rows, a proxy would ask each of them for every
// step. Jobs come in pages, newest first, and one by one as they change. Changes to the order of rows are made a little
// later, together with those that arrive meanwhile, between aboutToRearrange() and rearranged(). While the table is
// folded, two or more jobs of a group that are shown are one row, with the jobs below it, at the position of the first
// of them. Large because rows are of two kinds.
class JobsTableModel : public QAbstractItemModel
{
    Q_OBJECT
public:
    enum Role {
        UuidRole = Qt::UserRole, // of a job
        GroupRole, // the name of the group that the row combines; empty: it is one job
        PartRole, // whether the filter leaves out some jobs of this group
    };

    explicit JobsTableModel(QObject *parent = nullptr);

    void add(const QList<JobSummary> &jobs); // new or changed
    void remove(const QString &uuid);
    void setFilter(const JobFilter &filter);
    void setHidden(const QSet<QString> &uuids); // that are being removed
    void setColumns(const QStringList &keys);
    void setFolded(bool on); // from the start, it is
    const QStringList &columns() const { return m_columns; }
    bool isFolded() const { return m_isFolded; }
    bool hasGroups() const { return m_hasGroups; } // that could be folded
    // While rows get other places: whether jobs that came or changed are the reason, and not what the user has chosen.
    bool isRearrangedByNews() const { return m_isRearrangedByNews; }
    const JobSummary *jobAt(const QModelIndex &at) const; // null: the row is a group
    QList<JobSummary> jobsAt(const QModelIndex &at) const; // of the row, or below it
    QList<JobSummary> shownJobs() const; // in the order of the table
    const QList<JobSummary> &allJobs() const { return m_jobs; } // removed ones are without a number
    int jobCount() const { return int(m_rows.size()); }
    int shownCount() const; // jobs, not rows
    QModelIndex indexOf(const QString &uuid) const; // not valid: it is not shown
    QModelIndex indexOfGroup(const QString &name) const; // not valid: it is not one row
    QString sortKey() const { return m_sortKey; }
    Qt::SortOrder sortOrder() const { return m_order; }

    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &child) const override;
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
    struct Row {
        int job = 0; // in m_jobs
        int group = -1; // in m_groups, if it is one
    };
    struct Group {
        QString name;
        std::vector<int> jobs; // in m_jobs, in the order of the table
        int row = 0;
        bool isPart = false;
        // The texts of its cells, by their columns, because lists paint them all the time. They are valid for this
        // second, because times grow.
        mutable QHash<QString, QString> cells;
        mutable qint64 second = 0;
    };
    bool isListed(const JobSummary &job) const;
    bool isShown(const JobSummary &job, qint64 now) const;
    bool isNewestFirst() const;
    bool applyInPlace(int index, const JobSummary &job, qint64 now);
    bool areOldest(const std::vector<int> &fresh) const;
    void appendShown(const std::vector<int> &fresh);
    void arrange(const std::vector<int> &sorted);
    void rearrange();
    void removeRow(const QModelIndex &at);
    void noteChanged(const QModelIndex &at);
    const Group *groupAt(const QModelIndex &at) const;
    QList<const JobSummary *> jobsOf(const Group &group) const;
    QString groupCell(const Group &group, const QString &key) const;
    QVariant groupData(const Group &group, const QString &key, int role) const;
    QVariant jobData(const JobSummary &job, const QString &key, int role) const;

    QList<JobSummary> m_jobs;
    QHash<QString, int> m_rows; // in m_jobs, by UUID
    std::vector<Row> m_shown;
    std::vector<Group> m_groups;
    QHash<QString, int> m_groupOf; // in m_groups, by name
    JobFilter m_filter;
    QSet<QString> m_hidden;
    QStringList m_columns;
    QString m_sortKey;
    Qt::SortOrder m_order = Qt::DescendingOrder;
    bool m_isFolded = true;
    bool m_isRearrangedByNews = false;
    bool m_hasGroups = false;
    QTimer m_later;
};

} // namespace trainyard
