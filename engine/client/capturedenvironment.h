// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QDateTime>
#include <QList>
#include <QString>
#include <QStringList>

#include <optional>

namespace trainyard
{

// The environment that a task found when it started, read from the record that its agent keeps beside its output
// (docs/task-folder.md). A value.
struct CapturedEnvironment {
    struct Named {
        QString name, text;
        friend bool operator==(const Named &, const Named &) = default;
    };
    struct Git { // of the repository that the work folder is in
        QString top, commit; // an empty commit: there is none yet
        QString branch; // empty: detached
        bool isDirty = false; // a tracked file differs from the commit
        QString diff; // of the tracked files
        bool isDiffCut = false; // it is longer
        QStringList untracked; // the first ones
        qint64 untrackedCount = 0;
        friend bool operator==(const Git &, const Git &) = default;
    };
    struct Python {
        QString executable, resolved, version;
        QList<Named> packages; // name and version, in the order of their names
        friend bool operator==(const Python &, const Python &) = default;
    };

    QDateTime at; // UTC
    QString host, kernel, os, cpuModel, gpuDriver;
    int cpus = 0;
    qint64 memoryMiB = 0;
    QStringList gpus; // models of those that the task was given
    QString workFolder, runtime, image; // the last two of a container
    std::optional<Git> git; // nothing: the work folder is in no repository
    std::optional<Python> python;
    QList<Named> variables; // with masks in place of secrets
    // Codes of what could not be found out, see contract/environmentrecord.h, and record.away: what this task has in
    // common with another one is not known, because the record of that one is not here.
    QStringList gaps;

    // Reads the bytes of the file; returns nothing if they are incomplete. The common part of tasks that started
    // together may be in the record of another task: then it is missing here, and read() adds it.
    static std::optional<CapturedEnvironment> fromJson(const QByteArray &json);
    // Reads it from the folder with the logs of a try. Returns nothing if there is no record (yet), for example of
    // tasks of earlier versions. Reads at most two files of a few MiB, so do not call it on a thread that must not
    // wait.
    static std::optional<CapturedEnvironment> read(const QString &logFolder);
    static QString fileOf(const QString &logFolder);

    friend bool operator==(const CapturedEnvironment &, const CapturedEnvironment &) = default;
};

} // namespace trainyard
