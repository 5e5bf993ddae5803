// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/broughtfiles.h"
#include "engine/bring/bringplan.h"

#include <QUuid>

namespace trainyard
{

// A try whose files come to this computer.
struct ResultTask {
    QUuid tryUuid;
    QString job; // UUID
    qint64 number = 0; // of the job, as people have it
    QString role;
    int index = 0;
    qint64 order = 0; // as in KnownFile
    QString host, folder; // where they are
    QString to; // where they come to
    QStringList globs;
    bool during = false;
    qint64 maxFileMiB = 0, maxMiB = 0;
    bool hasEnded = false;
    qint64 awaySince
        = 0; // UTC ms: since then the host has seen nothing of this engine whenever it was asked; 0: it has
    QString removal; // what of the job is to be removed on the host afterwards, below its agent's state folder
    friend bool operator==(const ResultTask &, const ResultTask &) = default;
};
QJsonObject toJson(const ResultTask &task);
std::optional<ResultTask> resultTaskFromJson(const QJsonObject &json);

// The stored records about results, in a folder for each job: the unfinished tries, so that they survive a restart;
// what was brought; and what is reported about it.
class ResultNotes
{
public:
    explicit ResultNotes(const QString &folder) : m_folder(folder) { }
    QList<ResultTask> unfinished() const;
    void write(const ResultTask &task) const; // a small file, at once
    void remove(const ResultTask &task) const;

    // These wait for the disk longer.
    QList<BroughtFiles> told(const QString &job) const;
    void writeTold(const QString &job, const QList<BroughtFiles> &tasks) const;
    void removeJob(const QString &job) const;

private:
    QString ofJob(const QString &job) const { return m_folder + QLatin1Char('/') + job; }
    QString m_folder;
};

} // namespace trainyard
