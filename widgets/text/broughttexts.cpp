// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/broughttexts.h"

#include "widgets/text/formats.h"
#include "widgets/text/sentences.h"

#include <QCoreApplication>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

struct Brought {
    Q_DECLARE_TR_FUNCTIONS(trainyard::Brought)
};

} // namespace

QString filesText(qsizetype files, qint64 bytes)
{
    return files == 1 ? Brought::tr("one file (%1)").arg(formatBytes(bytes))
                      : Brought::tr("%1 files (%2)").arg(QString::number(files), formatBytes(bytes));
}

QString broughtText(const BroughtFiles &files, qint64 now)
{
    const QString count = filesText(files.files, files.bytes);
    const QString known = files.files == 0 ? Brought::tr("no file yet; they come to %1").arg(files.to)
                                           : Brought::tr("%1 in %2").arg(count, files.to);
    const QString last
        = files.at > 0 ? QString(u", "_s + Brought::tr("the last at %1").arg(formatTime(files.at, now))) : QString();
    return known + last + (files.isPending ? QString(u"; "_s + Brought::tr("more are on their way")) : QString());
}

QString broughtText(const QList<BroughtFiles> &tasks, qint64 now)
{
    if (tasks.isEmpty()) {
        return {};
    }
    if (tasks.size() == 1) {
        return broughtText(tasks.constFirst(), now);
    }
    int files = 0;
    qint64 bytes = 0, at = 0;
    bool isPending = false;
    for (const BroughtFiles &task : tasks) {
        files += task.files;
        bytes += task.bytes;
        at = std::max(at, task.at);
        isPending = isPending || task.isPending;
    }
    const QString all = Brought::tr("%1 of %2 tasks").arg(filesText(files, bytes), QString::number(tasks.size()));
    const QString last = at > 0 ? QString(u", "_s + Brought::tr("the last at %1").arg(formatTime(at, now))) : QString();
    return all + last + (isPending ? QString(u"; "_s + Brought::tr("more are on their way")) : QString());
}

QStringList broughtProblems(const BroughtFiles &files)
{
    QStringList problems;
    for (const BringProblem &problem : files.problems) {
        QJsonObject args = problem.args;
        args.insert(u"size"_s, formatBytes(args.value("bytes"_L1).toInteger()));
        problems.append(sentence(problem.code, args));
    }
    return problems;
}

} // namespace trainyard
