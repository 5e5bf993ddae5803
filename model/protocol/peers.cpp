// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/peers.h"

#include "model/protocol/plugins.h"

#include <QRegularExpression>

#include <algorithm>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

bool isSshAmongTasks(const QString &plugin, const Value &parameters)
{
    const Value *wanted = parameters.find(u"jobssh"_s);
    return shortPluginName(plugin) == u"ssh"_s && wanted && wanted->asBool() && *wanted->asBool();
}

bool talksToPeers(const TaskRole &role)
{
    static const QRegularExpression words(u"\\bPAI_(HOST_IP|PORT_LIST)_|\\bMASTER_ADDR\\b|\\bTF_CONFIG\\b|\\b(mpirun|"
                                          u"mpiexec|horovodrun|torchrun|deepspeed)\\b|"
                                          "\\btorch\\.distributed\\b"_s);
    return role.infiniband || std::any_of(role.commands.cbegin(), role.commands.cend(), [](const QString &command) {
        return words.match(command).hasMatch();
    });
}

} // namespace

bool needsPeers(const JobSpec &job)
{
    return std::any_of(job.plugins.cbegin(), job.plugins.cend(), [](const PluginEntry &entry) {
        return isSshAmongTasks(entry.plugin, entry.parameters);
    }) || std::any_of(job.prerequisites.cbegin(), job.prerequisites.cend(), [](const Prerequisite &item) {
        return isSshAmongTasks(item.plugin, item.all);
    }) || std::any_of(job.taskRoles.cbegin(), job.taskRoles.cend(), talksToPeers);
}

bool checksPeers(const JobSpec &job)
{
    const Value *own = job.extras.find(u"trainyard"_s);
    const Value *said = own ? own->find(u"checkPeers"_s) : nullptr;
    return said && said->asBool() ? *said->asBool() : needsPeers(job);
}

} // namespace trainyard
