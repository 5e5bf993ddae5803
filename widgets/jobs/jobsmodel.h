// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/jobs/jobsweep.h"

#include <QAbstractItemModel>
#include <QHash>

#include <array>
#include <map>
#include <memory>

namespace trainyard
{

// The text of a row for the jobs of a sweep.
struct SweepRow {
    qint64 number = 0;
    State state = State::Unknown;
    int all = 0, ended = 0, failed = 0;
    int shown = 0; // of all; fewer where a filter leaves some of them only
    double share = 0; // of all their work
    QString best; // the metric and its best value, of one that is over; empty: not known
};

// All jobs, in the groups Running, Waiting and Done, and the runs of other programs in a group of their own: those that
// wait in the order of the queue, the others newest first. A job that is stopped before it began stays with those that
// wait, behind them, until its end is known. Jobs that were submitted together, two of them or more, are
// one row, with the jobs by their number below it. Fed with single changes; a row moves between the groups as its state
// does. Large because jobs are rows of two kinds, and each change of one may make the other of it.
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
        CountRole, // of a group: its jobs
        OwnCountRole, // of a group: those of its jobs that are themselves in such a state; a sweep has others, too
        SearchRole, // text that the filter looks in
        SweepRole, // name of the jobs that a row combines; empty: it is a single job
        SweepRowRole, // SweepRow, of such a row
        TitleRole, // the name in a row: for a job below the row of its sweep, what distinguishes it from the others
        QueueRole, // id of the job that waits and is the next one in the queue, of those that a row combines
    };

    explicit JobsModel(QObject *parent = nullptr);

    void setJobs(const QList<JobSummary> &jobs); // in any order
    void apply(const JobSummary &job);
    void remove(const QString &uuid);
    QModelIndex indexOf(const QString &uuid) const;
    QModelIndex indexOfSweep(const QString &name) const; // not valid: it is not one row
    QModelIndexList sweeps() const; // all rows that combine several jobs
    QString queueHead() const; // id of the job that waits and is the first one in the queue; empty: none waits
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
    static QString foldNameOf(const JobSummary &job); // jobs with the same one are one row; empty: it has its own
    struct Place {
        Group group = Done;
        bool hasLeftQueue = false; // of those that wait
        int priority = 0;
        double order = 0;
        qint64 id = 0;
        friend bool operator==(const Place &, const Place &) = default;
    };
    struct Sweep {
        JobSweep jobs;
        Place place; // of its row
    };
    struct Row {
        Place place;
        JobSummary job;
        Sweep *sweep = nullptr; // then it is of these jobs
    };
    struct Home { // of a job
        Place place; // of its row, if it has its own
        Sweep *sweep = nullptr;
    };
    static Group groupOf(State state); // of a job that has begun, if it is being stopped
    static int ownCount(const JobSweep &sweep, Group group); // how many of its jobs are themselves of the group
    static Place placeOf(const JobSummary &job);
    static Place placeOf(const JobSweep &sweep);
    static bool isBefore(const Place &a, const Place &b); // in the same group
    static bool isMember(const QModelIndex &at) { return at.internalId() > quintptr(groupCount); }
    // Where the row with this place is, or belongs.
    qsizetype position(const Place &place) const;
    QModelIndex indexOf(const Sweep &sweep) const;
    const Sweep *sweepAt(const QModelIndex &at) const;
    const JobSummary *jobAt(const QModelIndex &at) const;
    void insert(const JobSummary &job);
    void insertRow(const Row &row);
    void removeRow(const Place &place);
    Sweep *addSweep(const QString &name);
    void insertMember(Sweep &sweep, const JobSummary &job);
    void replaceMember(Sweep &sweep, const JobSummary &job);
    void removeMember(Sweep &sweep, const JobSummary &job);
    void settle(Sweep &sweep);
    QVariant sweepData(const Sweep &sweep, int role) const;
    QVariant jobData(const JobSummary &job, int role) const;
    std::array<QList<Row>, groupCount> m_groups;
    std::map<QString, std::unique_ptr<Sweep>> m_sweeps; // by name
    QHash<QString, QString> m_alone; // the only job of a group, by the name of the group
    QHash<QString, Home> m_homes; // of all jobs
    QHash<QString, QString> m_hostLabels;
};

} // namespace trainyard

Q_DECLARE_METATYPE(trainyard::JobSummary)
Q_DECLARE_METATYPE(trainyard::SweepRow)
