// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/foreign/foreignrun.h"

#include <QObject>
#include <QStringList>
#include <QThread>

#include <atomic>
#include <functional>

namespace trainyard
{

// The runs of other programs that the user has opened: they are read on a separate thread, again whenever their files
// change, and kept until the user removes them. Lives on the thread of its creator; nothing blocks.
class ForeignRuns : public QObject
{
    Q_OBJECT
public:
    // `book` is the file in which the paths are remembered; `cache` the folder for what was read.
    ForeignRuns(const QString &book, const QString &cache, QObject *parent);
    ~ForeignRuns() override;

    // Opens what was open before. A folder is read again, and new runs in it are added, but not those in folders that
    // are named by the id of a job: the list has these jobs already.
    void restore();
    void open(const QStringList &paths); // files, folders, databases
    void forget(const QString &uuid); // takes it out of the list; its files stay as they are
    void bringBack(const QString &uuid); // adds one that was forgotten since the start: its path is read again

    // Runs in folders that are named by the id of a job have the name that this gives the job, if it is not empty. To
    // be set again when jobs are known.
    void setJobNames(const std::function<QString(const QString &job)> &nameOf);

    QList<ForeignRun> runs() const; // in the order in which they were opened
    std::optional<ForeignRun> run(const QString &uuid) const;
    bool isReading() const { return m_reading > 0; }

Q_SIGNALS:
    void changed(const trainyard::ForeignRun &run); // also a new one
    void removed(const QString &uuid);
    // All of a path was read: the first of its runs, and how many there are, or why there is none.
    void opened(const QString &path, const QString &firstUuid, int count, const QList<trainyard::ForeignNote> &notes);
    void failed(const trainyard::Error &error);

private:
    class Worker;
    struct Answer;
    void take(const Answer &answer);
    void take(const ForeignRun &run);
    void save() const;
    QString nameOf(const ForeignRun &run) const;

    QString m_book;
    QThread m_thread;
    std::atomic<bool> m_isLeaving = false;
    Worker *m_worker;
    QStringList m_paths;
    QStringList m_listed; // uuids of runs that are in the list, or were at the last start
    QHash<QString, QString> m_ownNames; // by uuid, as the files have them
    std::function<QString(const QString &job)> m_jobName;
    QStringList m_forgotten; // uuids of runs in paths that stay
    QHash<QString, QString> m_pathOfForgotten; // by uuid, since the start
    QHash<QString, QString> m_pathOf; // by uuid
    QList<ForeignRun> m_runs;
    qint64 m_next = -1; // numbers of rows count down, so that they are not numbers of jobs
    int m_reading = 0; // paths
};

} // namespace trainyard
