// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/slurmcommands.h"

#include "engine/client/pathbytes.h"
#include "engine/clusters/clusterprogram.h"
#include "engine/contract/slurmcommand.h"
#include "engine/hosts/agentconnection.h"

#include <QPointer>
#include <QProcessEnvironment>
#include <QTimer>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr int mostAtOnce = 8, mostSubmissions = 6; // a silent controller must not keep what asks and ends waiting

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
        request.arguments.push_back(pathBytes(argument));
    }
    request.ms = clusterAnswerMs;
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
    runClusterProgram(this, {wanted.program, wanted.arguments, {}, slurmEnvironment(wanted.program)},
        [this, then = wanted.then](const ClusterProgramEnd &end) {
            using Kind = ClusterProgramEnd::Kind;
            if (end.kind == Kind::TooLong) {
                ended(then, {Answer::Kind::Done, -1, {}, "its answer is too long"});
                return;
            }
            ended(then,
                {end.kind == Kind::Missing           ? Answer::Kind::Missing
                        : end.kind == Kind::TimedOut ? Answer::Kind::TimedOut
                                                     : Answer::Kind::Done,
                    end.status, end.out, end.errors});
        });
}

} // namespace trainyard
