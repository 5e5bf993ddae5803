// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/slurmcommands.h"

#include "engine/contract/slurmcommand.h"
#include "engine/hosts/agentconnection.h"

#include <QFile>
#include <QPointer>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTimer>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr int answerMs = 60'000; // a busy controller takes its time
constexpr qsizetype mostSlurmOutput = 64 << 20, mostSlurmErrors = 64 << 10; // as a helper has a limit
constexpr int mostAtOnce = 8, mostSubmissions = 6; // a silent controller must not keep what asks and ends waiting

struct SlurmRun {
    bool isTimedOut = false, isTooLong = false;
    QByteArray out, errors;
};

QProcessEnvironment slurmEnvironment(const QString &program)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    const QStringList names = environment.keys();
    for (const QString &name : names) {
        if (contract::changesSlurmCommands(name.toStdString())) {
            environment.remove(name);
        }
    }
    environment.insert(u"LC_ALL"_s, u"C.UTF-8"_s);
    environment.insert(u"SLURM_TIME_FORMAT"_s, QLatin1String(contract::slurmTimeFormat(program.toStdString())));
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
        if (m_helper) {
            startThere(wanted);
        } else {
            start(wanted);
        }
    }
}

void SlurmCommands::ended(const Then &then, const Answer &answer)
{
    --m_running;
    then(answer);
    startNext();
}

void SlurmCommands::startThere(const Wanted &wanted)
{
    AgentConnection *helper = m_helper();
    if (!helper || !helper->isOnline()) {
        QTimer::singleShot(0, this, [this, then = wanted.then] {
            ended(then, {Answer::Kind::Away, -1, {}, {}, true});
        });
        return;
    }
    contract::RunProgram request;
    request.program = wanted.program.toStdString();
    for (const QString &argument : wanted.arguments) {
        request.arguments.push_back(QFile::encodeName(argument).toStdString());
    }
    request.ms = answerMs;
    helper->request(request, [commands = QPointer(this), then = wanted.then](const contract::Message &message) {
        if (!commands) {
            return;
        }
        Answer answer{Answer::Kind::TimedOut, -1, {}, {}};
        if (const auto *said = std::get_if<contract::ProgramSaid>(&message)) {
            answer.kind = said->state == "missing" ? Answer::Kind::Missing
                : said->state == "late"            ? Answer::Kind::TimedOut
                                                   : Answer::Kind::Done;
            answer.status = said->state == "done" ? said->status : -1;
            answer.out = QByteArray::fromStdString(said->out);
            answer.errors = said->state == "long" ? QByteArray("its answer is too long")
                                                  : QByteArray::fromStdString(said->errors);
        } else if (const auto *failure = std::get_if<contract::Failure>(&message);
                   !failure || failure->code == "host.gone") {
            answer.kind = Answer::Kind::Away;
        } else {
            answer.errors = QByteArray::fromStdString(failure->code + ' ' + failure->argument);
        }
        commands->ended(then, answer);
    });
}

void SlurmCommands::start(const Wanted &wanted)
{
    const Then then = wanted.then;
    auto *process = new QProcess(this);
    process->setProcessEnvironment(slurmEnvironment(wanted.program));
    process->setStandardInputFile(QProcess::nullDevice());
    process->setWorkingDirectory(u"/"_s);
    auto *timer = new QTimer(process);
    timer->setSingleShot(true);
    const auto state = std::make_shared<SlurmRun>();
    connect(timer, &QTimer::timeout, process, [process, state] {
        state->isTimedOut = true;
        process->kill();
    });
    const auto read = [process, state] {
        state->out += process->readAllStandardOutput();
        state->errors += process->readAllStandardError();
        state->errors = state->errors.right(mostSlurmErrors);
        if (state->out.size() > mostSlurmOutput) { // a part of an answer would be taken for all of it
            state->isTooLong = true;
            state->out.clear();
            process->kill();
        }
    };
    connect(process, &QProcess::readyReadStandardOutput, this, read);
    connect(process, &QProcess::readyReadStandardError, this, read);
    connect(process, &QProcess::errorOccurred, this, [this, process, then](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) {
            process->deleteLater();
            // Later, also when it is said at once.
            QTimer::singleShot(0, this, [this, then] { ended(then, {Answer::Kind::Missing, -1, {}, {}}); });
        }
    });
    connect(
        process, &QProcess::finished, this, [this, process, then, state, read](int status, QProcess::ExitStatus how) {
            process->deleteLater();
            read();
            if (state->isTooLong) {
                ended(then, {Answer::Kind::Done, -1, {}, "its answer is too long"});
                return;
            }
            ended(then,
                {state->isTimedOut ? Answer::Kind::TimedOut : Answer::Kind::Done,
                    how == QProcess::NormalExit ? status : -1, state->out, state->errors});
        });
    timer->start(answerMs);
    process->start(wanted.program, wanted.arguments);
}

} // namespace trainyard
