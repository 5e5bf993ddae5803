// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/code/codegit.h"

#include <QProcess>
#include <QProcessEnvironment>

namespace trainyard
{

using namespace Qt::StringLiterals;

Error CodeGit::failed(const QString &folder, const QByteArray &said)
{
    const QString line = QString::fromLocal8Bit(said).trimmed().section(u'\n', 0, 0);
    return {u"code.git-failed"_s, {{u"folder"_s, folder}, {u"reason"_s, line}}};
}

Result<QByteArray> CodeGit::ask(const QString &folder, const QStringList &arguments, qsizetype mostBytes) const
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    const QStringList names = environment.keys();
    for (const QString &name : names) {
        if (name.startsWith("GIT_"_L1)) {
            environment.remove(name);
        }
    }
    // Above what the repository's configuration says: a partial clone would fetch what it lacks.
    environment.insert(u"GIT_ALLOW_PROTOCOL"_s, u"none"_s);
    environment.insert(u"GIT_NO_LAZY_FETCH"_s, u"1"_s);
    environment.insert(u"GIT_OPTIONAL_LOCKS"_s, u"0"_s);
    environment.insert(u"GIT_TERMINAL_PROMPT"_s, u"0"_s);
    environment.insert(u"LC_ALL"_s, u"C"_s);
    process.setProcessEnvironment(environment);
    process.setStandardInputFile(QProcess::nullDevice());
    // A repository may name programs that git runs.
    process.start(u"git"_s,
        QStringList{u"-C"_s, folder, u"--no-pager"_s, u"-c"_s, u"core.fsmonitor=false"_s, u"-c"_s,
            u"core.hooksPath=/dev/null"_s, u"-c"_s, u"core.untrackedCache=false"_s, u"-c"_s, u"protocol.allow=never"_s}
            + arguments);
    QByteArray output;
    constexpr int stepMs = 50;
    while (process.state() != QProcess::NotRunning) {
        process.waitForFinished(stepMs);
        output += process.readAllStandardOutput();
        if (mostBytes > 0 && output.size() > mostBytes) {
            process.kill();
            process.waitForFinished();
            return output.first(mostBytes + 1);
        }
        const bool isStopped = isCancelled();
        if (isOver() || output.count('\0') > mostNames) {
            process.kill();
            process.waitForFinished();
            return fail(isStopped ? u"code.cancelled"_s : u"code.slow"_s, {{u"folder"_s, folder}});
        }
    }
    output += process.readAllStandardOutput();
    if (mostBytes > 0 && output.size() > mostBytes) {
        return output.first(mostBytes + 1);
    }
    if (process.error() == QProcess::FailedToStart) {
        return fail(u"code.git-missing"_s, {{u"folder"_s, folder}});
    }
    if (process.exitStatus() != QProcess::NormalExit || process.exitCode() != 0) {
        return tl::unexpected<Error>(failed(folder, process.readAllStandardError()));
    }
    return output;
}

} // namespace trainyard
