// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QAbstractItemModel>
#include <QHash>

#include <array>

namespace trainyard
{

// All jobs, in the groups Running, Waiting and Done, and the runs of other programs in a group of their own: those that
// wait in the order of the queue, the others newest first. Fed with single changes; a job moves between the groups as
// its state does.
class JobsModel : public QAbstractItemModel
{
    Q_OBJECT
public:
    enum Group { Running, Waiting, Done, FromFiles };
    static constexpr int groupCount = 4;
    enum Role {
        SummaryRole = Qt::UserRole, // JobSummary
        UuidRole,
        GroupRole, // of a group row: its Group; of a job: the Group it is in
        IsGroupRole,
        CountRole, // of a group
        SearchRole, // text that the filter looks in
    };

    explicit JobsModel(QObject *parent = nullptr);

    void setJobs(const QList<JobSummary> &jobs); // in any order
    void apply(const JobSummary &job);
    void remove(const QString &uuid);
    QModelIndex indexOf(const QString &uuid) const;
    std::optional<JobSummary> job(const QModelIndex &index) const;
    int jobCount() const;
    QList<JobSummary> jobs() const; // in the order of the list
    void setHostLabels(const QHash<QString, QString> &labels) { m_hostLabels = labels; } // for tips
    QString whyText(const JobSummary &job) const; // all of why it waits or failed; empty where there is nothing to say
    static Group groupOf(const JobSummary &job);
    static QString groupName(Group group);
    static QString causeText(const JobSummary &job); // why it failed, in a few words; else empty

    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &child) const override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;

private:
    struct Place {
        Group group = Done;
        int priority = 0; // of those that wait
        double order = 0;
        qint64 id = 0;
        friend bool operator==(const Place &, const Place &) = default;
    };
    static Place placeOf(const JobSummary &job);
    static bool isBefore(const Place &a, const Place &b); // in the same group
    // Where the job with this place is, or belongs.
    qsizetype position(const Place &place) const;
    void insert(const JobSummary &job);
    std::array<QList<JobSummary>, groupCount> m_groups;
    QHash<QString, Place> m_places;
    QHash<QString, QString> m_hostLabels;
};

} // namespace trainyard

Q_DECLARE_METATYPE(trainyard::JobSummary)
