// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/slurmcommands.h"

#include <QProcess>
#include <QProcessEnvironment>
#include <QTimer>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr int answerMs = 60'000; // a busy controller takes its time

// Times are seconds, but in what sbatch says for people.
QProcessEnvironment slurmEnvironment(bool isForPeople)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    const QStringList names = environment.keys();
    for (const QString &name : names) {
        // An engine that was started in an allocation would submit as a part of it.
        const bool isOfSlurm = name.startsWith("SLURM_"_L1) && name != "SLURM_CONF"_L1;
        if (isOfSlurm || name.startsWith("SBATCH_"_L1) || name.startsWith("SQUEUE_"_L1) || name.startsWith("SACCT_"_L1)
            || name.startsWith("SCANCEL_"_L1) || name.startsWith("SINFO_"_L1)) {
            environment.remove(name);
        }
    }
    environment.insert(u"LC_ALL"_s, u"C.UTF-8"_s);
    environment.insert(u"SLURM_TIME_FORMAT"_s, isForPeople ? u"standard"_s : u"%s"_s);
    return environment;
}

} // namespace

void SlurmCommands::run(
    const QString &program, const QStringList &arguments, const std::function<void(const Answer &)> &then)
{
    auto *process = new QProcess(this);
    process->setProcessEnvironment(slurmEnvironment(program == "sbatch"_L1));
    process->setStandardInputFile(QProcess::nullDevice());
    process->setWorkingDirectory(u"/"_s);
    auto *timer = new QTimer(process);
    timer->setSingleShot(true);
    const auto isTimedOut = std::make_shared<bool>(false);
    connect(timer, &QTimer::timeout, process, [process, isTimedOut] {
        *isTimedOut = true;
        process->kill();
    });
    connect(process, &QProcess::errorOccurred, this, [process, then](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) {
            process->deleteLater();
            then({Answer::Kind::Missing, -1, {}, {}});
        }
    });
    connect(process, &QProcess::finished, this, [process, then, isTimedOut](int status, QProcess::ExitStatus how) {
        process->deleteLater();
        then({*isTimedOut ? Answer::Kind::TimedOut : Answer::Kind::Done, how == QProcess::NormalExit ? status : -1,
            process->readAllStandardOutput(), process->readAllStandardError()});
    });
    timer->start(answerMs);
    process->start(program, arguments);
}

} // namespace trainyard
