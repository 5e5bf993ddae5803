// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/clusterwatch.h"

#include "engine/contract/slurmcommand.h"

#include <QPointer>
#include <QTimer>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

constexpr int againMs = 5 * 60'000; // a controller that was away may be back
constexpr qint64 pingAnswerMs = 15'000; // a controller that is away takes longer to be told so

// The last line says why.
QString lastLineOf(const std::string &errors, const std::string &out)
{
    const QString said = QString::fromStdString(errors).trimmed();
    return (said.isEmpty() ? QString::fromStdString(out).trimmed() : said).section(u'\n', -1).trimmed();
}

} // namespace

std::optional<Error> clusterAnswerOf(const contract::Message &message)
{
    const auto *said = std::get_if<contract::ProgramSaid>(&message);
    if (!said || said->state == "missing") {
        return std::nullopt;
    }
    if (contract::isSlurmUp(said->out)) {
        return Error();
    }
    const bool isUnconfigured = contract::isSlurmUnconfigured(said->errors);
    return Error{isUnconfigured ? u"step.cluster.unconfigured"_s : u"step.cluster.silent"_s,
        {{u"detail"_s, lastLineOf(said->errors, said->out)}}};
}

void ClusterWatch::hostChanged(PoolHost &host)
{
    if (!host.agent->isOnline()) {
        m_asked.remove(host.id);
        host.slurm.reset();
    } else if (m_figures.isClusterOffered(host) && !m_asked.contains(host.id)) {
        ask(host);
    }
}

void ClusterWatch::ask(PoolHost &host, const std::function<void()> &then)
{
    if (!host.agent->isOnline() || !m_figures.isClusterOffered(host)) {
        if (then) {
            then();
        }
        return;
    }
    m_asked.insert(host.id);
    contract::RunProgram ping;
    ping.program = "scontrol";
    ping.arguments = {"ping"};
    ping.ms = pingAnswerMs;
    host.agent->request(std::move(ping), [here = QPointer(this), id = host.id, then](const contract::Message &message) {
        if (here) {
            here->take(id, clusterAnswerOf(message));
        }
        if (here && then) {
            then();
        }
    });
}

void ClusterWatch::take(const QString &id, const std::optional<Error> &found)
{
    if ((!found || !found->code.isEmpty()) && !m_waits.contains(id)) {
        m_waits.insert(id);
        QTimer::singleShot(againMs, this, [this, id] {
            m_waits.remove(id);
            m_asked.remove(id);
            if (PoolHost *host = m_hosts.find(id)) {
                hostChanged(*host);
            }
        });
    }
    PoolHost *host = m_hosts.find(id);
    if (host && found && found != host->slurm) {
        host->slurm = found;
        Q_EMIT answered(host);
    }
}

} // namespace trainyard
