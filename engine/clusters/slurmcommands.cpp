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
constexpr int mostAtOnce = 8, mostSubmissions = 6; // a silent controller must not keep what asks and ends waiting

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

void SlurmCommands::run(const QString &program, const QStringList &arguments, const Then &then)
{
    (program == "sbatch"_L1 ? m_submissions : m_others).push_back({program, arguments, then});
    startNext();
}

void SlurmCommands::startNext()
{
    for (;;) {
        std::deque<Wanted> &from = m_others.empty() ? m_submissions : m_others;
        if (from.empty() || m_running >= (m_others.empty() ? mostSubmissions : mostAtOnce)) {
            return;
        }
        const Wanted wanted = std::move(from.front());
        from.pop_front();
        ++m_running;
        start(wanted);
    }
}

void SlurmCommands::ended(const Then &then, const Answer &answer)
{
    --m_running;
    then(answer);
    startNext();
}

void SlurmCommands::start(const Wanted &wanted)
{
    const Then then = wanted.then;
    auto *process = new QProcess(this);
    process->setProcessEnvironment(slurmEnvironment(wanted.program == "sbatch"_L1));
    process->setStandardInputFile(QProcess::nullDevice());
    process->setWorkingDirectory(u"/"_s);
    auto *timer = new QTimer(process);
    timer->setSingleShot(true);
    const auto isTimedOut = std::make_shared<bool>(false);
    connect(timer, &QTimer::timeout, process, [process, isTimedOut] {
        *isTimedOut = true;
        process->kill();
    });
    connect(process, &QProcess::errorOccurred, this, [this, process, then](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) {
            process->deleteLater();
            // Later, also when it is said at once.
            QTimer::singleShot(0, this, [this, then] { ended(then, {Answer::Kind::Missing, -1, {}, {}}); });
        }
    });
    connect(
        process, &QProcess::finished, this, [this, process, then, isTimedOut](int status, QProcess::ExitStatus how) {
            process->deleteLater();
            ended(then,
                {*isTimedOut ? Answer::Kind::TimedOut : Answer::Kind::Done, how == QProcess::NormalExit ? status : -1,
                    process->readAllStandardOutput(), process->readAllStandardError()});
        });
    timer->start(answerMs);
    process->start(wanted.program, wanted.arguments);
}

} // namespace trainyard
