// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/portchoice.h"

#include "app/cli/hostcommand.h"
#include "engine/hosts/hostsfile.h"

using namespace Qt::StringLiterals;

namespace trainyard::cli
{

Result<QList<OfferedPort>> portsOfTasks(
    Session &session, const JobSummary &job, const QList<TaskInfo> &tasks, const QString &word)
{
    const bool withUnasked = word == "ssh"_L1 || word == "http"_L1;
    const Result<QList<api::TaskPort>> known = session.call<api::ListPorts>(tasks.size() == 1
            ? api::PortsOf{job.uuid, tasks.constFirst().role, tasks.constFirst().index, withUnasked}
            : api::PortsOf{job.uuid, {}, 0, withUnasked});
    if (!known) {
        return tl::unexpected<Error>(known.error());
    }
    const Result<JobDetail> detail = session.detail(job.uuid);
    if (!detail) {
        return tl::unexpected<Error>(detail.error());
    }
    QList<OfferedPort> all;
    for (const TaskInfo &task : tasks) {
        if (task.state != State::Running) {
            continue;
        }
        const HostInfo host = hostNamed(session, task.host);
        api::TaskPort own;
        own.role = task.role;
        own.index = task.index;
        own.host = task.host;
        own.isHere = !host.id.isEmpty() && host.target.isEmpty(); // a node of a cluster is no host
        const QList<ServedAddress> served = servedByPlugins(detail->services, task.role, task.index)
            + servedAddressesIn(
                task.logFolder, {host.label, HostsFile::computerOf(host.target), task.address, host.id});
        all += offeredPorts(*known, served, own);
    }
    return all;
}

std::optional<int> portNumber(const QString &word)
{
    bool isNumber = false;
    const int port = word.toInt(&isNumber);
    return isNumber ? std::optional(port) : std::nullopt;
}

QList<OfferedPort> portsMeant(const QList<OfferedPort> &ports, const QString &word)
{
    const std::optional<int> number = portNumber(word);
    QList<OfferedPort> meant;
    for (const OfferedPort &one : ports) {
        const bool isIt = number ? one.port.port == *number
                                 : one.port.label == word || one.served.program.compare(word, Qt::CaseInsensitive) == 0;
        if (isIt) {
            meant.append(one);
        }
    }
    return meant;
}

} // namespace trainyard::cli
