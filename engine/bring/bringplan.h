// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

#include <optional>

namespace trainyard
{

// Which files of a task come to this computer (docs/results.md). Values only.

struct BringFile {
    QString path; // below the task's work folder
    qint64 bytes = 0;
    qint64 changedNs = 0; // UTC
    bool isExecutable = false;
    friend bool operator==(const BringFile &, const BringFile &) = default;
};

// A file that was brought, as it was there and as it has been here since.
struct KnownFile {
    qint64 bytes = 0, changedNs = 0; // there
    qint64 order = 0; // of the try that it is of: that of a later one is larger
    QString name; // below the folder here; another one than its path where that was taken
    qint64 bytesHere = 0, changedHereNs = 0;
    QString host = {}; // from which it came; empty: not known
    QStringList kept = {}; // names, below the folder here, of earlier files from other hosts at its path
    friend bool operator==(const KnownFile &, const KnownFile &) = default;
};
using BringBook = QMap<QString, KnownFile>; // by path
QJsonObject toJson(const BringBook &book);
BringBook bookFromJson(const QJsonObject &json);

struct BringLimits {
    qint64 fileBytes = 0, allBytes = 0; // of one file, and of all that were brought together; 0: any
    qsizetype files = 0; // the same
};

constexpr qint64 mostFileBytes = qint64(1) << 50; // that are believed; sums of them do not overflow

struct BringPlan {
    QList<BringFile> files; // to be brought, the small ones first
    qint64 bytes = 0; // of them
    qint64 spareBytes = -1; // what all together are below their limit then; less than 0: there is none
    QList<BringFile> tooLarge; // than one file may be
    QList<BringFile> beyond; // all together would be more than is allowed
    qsizetype ofLater = 0; // in whose place other contents of a later try are here, which stay
    qsizetype unsafe = 0; // whose paths lead out of the folder, or were not asked for; whose sizes cannot be
};

// `files` come from another computer: what does not match, or is not a plain path, is left out whatever it is.
BringPlan planOf(const QList<BringFile> &files, const QStringList &globs, const BringBook &book, qint64 order,
    const BringLimits &limits);

qint64 bringOrder(qint64 attempt, qint64 taskTry); // KnownFile's

// "out/model.pt" as "out/model~2.pt". A name that would be longer than file systems take loses the end of "model".
QString numberedName(const QString &name, int number);
QString markedName(const QString &name, const QString &mark); // "out/model~lab1.pt"
// A text as the name of a folder, short enough for a number before or behind it.
QString folderName(const QString &text);

// Where the results of a task come to: below the folder that the job names, or beside its file. `fallback` is for jobs
// without a file whose rule names no absolute folder.
QString resultsFolder(const QString &to, const QString &jobFile, const QString &home, const QString &fallback);
QString resultsFolderOfJob(qint64 number, const QString &name); // "41-resnet"
QString resultsFolderOfTask(const QString &role, int index); // "worker-0"

} // namespace trainyard
