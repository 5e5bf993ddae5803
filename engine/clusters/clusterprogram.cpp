// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/clusterprogram.h"

#include <QProcess>
#include <QTimer>

#include <memory>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

// Enough for the pods, or the queue, of ten thousand tasks; the rest of a longer answer is not read. Helpers have such
// limits, too.
constexpr qsizetype mostProgramOutput = 64 << 20, mostProgramErrors = 64 << 10;

struct ProgramRun {
    bool isTimedOut = false, isTooLong = false;
    QByteArray out, errors;
};

} // namespace

void runClusterProgram(
    QObject *owner, const ClusterProgram &wanted, const std::function<void(const ClusterProgramEnd &end)> &then)
{
    auto *process = new QProcess(owner);
    process->setWorkingDirectory(u"/"_s);
    if (wanted.environment) {
        process->setProcessEnvironment(*wanted.environment);
    }
    if (wanted.input.isEmpty()) {
        process->setStandardInputFile(QProcess::nullDevice());
    }
    auto *timer = new QTimer(process);
    timer->setSingleShot(true);
    const auto state = std::make_shared<ProgramRun>();
    QObject::connect(timer, &QTimer::timeout, process, [process, state] {
        state->isTimedOut = true;
        process->kill();
    });
    const auto read = [process, state] {
        state->out += process->readAllStandardOutput();
        state->errors += process->readAllStandardError();
        state->errors = state->errors.right(mostProgramErrors);
        if (state->out.size() > mostProgramOutput) { // a part of an answer would be taken for all of it
            state->isTooLong = true;
            state->out.clear();
            process->kill();
        }
    };
    QObject::connect(process, &QProcess::readyReadStandardOutput, owner, read);
    QObject::connect(process, &QProcess::readyReadStandardError, owner, read);
    QObject::connect(process, &QProcess::errorOccurred, owner, [owner, process, then](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) {
            process->deleteLater();
            // Later, also when it is said at once.
            QTimer::singleShot(0, owner, [then] { then({.kind = ClusterProgramEnd::Kind::Missing}); });
        }
    });
    QObject::connect(
        process, &QProcess::finished, owner, [process, state, read, then](int status, QProcess::ExitStatus how) {
            process->deleteLater();
            read();
            then({state->isTooLong      ? ClusterProgramEnd::Kind::TooLong
                    : state->isTimedOut ? ClusterProgramEnd::Kind::TimedOut
                                        : ClusterProgramEnd::Kind::Done,
                how == QProcess::NormalExit ? status : -1, state->out, state->errors});
        });
    timer->start(clusterAnswerMs);
    process->start(wanted.program, wanted.arguments);
    if (!wanted.input.isEmpty()) {
        process->write(wanted.input);
        process->closeWriteChannel();
    }
}

} // namespace trainyard
