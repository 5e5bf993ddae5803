// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/kubecheck.h"

#include "engine/clusters/kubelist.h"

#include <QJsonDocument>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

QString gitVersion(const QByteArray &json, QLatin1StringView of)
{
    return QJsonDocument::fromJson(json).object().value(of).toObject().value("gitVersion"_L1).toString();
}

struct Allowed {
    QString verb, resource;
};
const QList<Allowed> &neededRights()
{
    static const QList<Allowed> rights{{u"create"_s, u"jobsets.jobset.x-k8s.io"_s},
        {u"delete"_s, u"jobsets.jobset.x-k8s.io"_s}, {u"create"_s, u"configmaps"_s}, {u"create"_s, u"secrets"_s},
        {u"list"_s, u"pods"_s}, {u"get"_s, u"pods/log"_s}};
    return rights;
}

} // namespace

KubeCheck::KubeCheck(KubeCommands &commands, const KubeTarget &target, const ClusterInfo &info, const Then &then)
    : m_commands(commands), m_target(target), m_info(info), m_then(then)
{
}

void KubeCheck::run(KubeCommands &commands, const KubeTarget &target, const ClusterInfo &info, const Then &then)
{
    std::make_shared<KubeCheck>(commands, target, info, then)->askVersion();
}

void KubeCheck::add(const QString &id, bool isGood, const QString &code, const QJsonObject &args)
{
    m_info.steps.append({id, isGood, code, args});
}

void KubeCheck::ask(
    const QString &step, const QStringList &arguments, const std::function<void(const kube::Answer &)> &good)
{
    m_commands.run(
        m_target.options + arguments, {}, [self = shared_from_this(), step, good](const kube::Answer &answer) {
            const kube::Meaning meaning = kube::meaningOf(answer);
            if (meaning == kube::Meaning::Good) {
                good(answer);
                return;
            }
            self->add(step, false, kube::codeOf(meaning),
                {{u"target"_s, self->m_target.id()}, {u"detail"_s, kube::detailOf(answer.errors)}});
            self->m_then(self->m_info);
        });
}

void KubeCheck::askVersion()
{
    ask(u"commands"_s, {u"version"_s, u"--client"_s, u"-o"_s, u"json"_s}, [this](const kube::Answer &answer) {
        add(u"commands"_s, true, {},
            {{u"version"_s, QString(u"kubectl "_s + gitVersion(answer.out, "clientVersion"_L1))}});
        askServer();
    });
}

void KubeCheck::askServer()
{
    ask(u"answers"_s, {u"get"_s, u"--raw"_s, u"/version"_s}, [this](const kube::Answer &answer) {
        add(u"answers"_s, true, {},
            {{u"server"_s, QJsonDocument::fromJson(answer.out).object().value("gitVersion"_L1).toString()}});
        askKinds();
    });
}

void KubeCheck::askKinds()
{
    ask(u"jobset"_s, {u"get"_s, u"jobsets.jobset.x-k8s.io"_s, u"--limit=1"_s, u"-o"_s, u"name"_s},
        [this](const kube::Answer &) {
            add(u"jobset"_s, true, {}, {});
            askAllowed(0);
        });
}

// "kubectl auth can-i" says "no" with the status 1.
void KubeCheck::askAllowed(int number)
{
    if (number >= neededRights().size()) {
        add(u"rights"_s, true, {}, {});
        askNamespace();
        return;
    }
    const Allowed &right = neededRights().at(number);
    m_commands.run(m_target.options + QStringList{u"auth"_s, u"can-i"_s, right.verb, right.resource}, {},
        [self = shared_from_this(), number, right](const kube::Answer &answer) {
            if (answer.isGood()) {
                self->askAllowed(number + 1);
                return;
            }
            const bool isNo = answer.out.trimmed().startsWith("no");
            self->add(u"rights"_s, false, isNo ? u"kubernetes.right-missing"_s : kube::codeOf(kube::meaningOf(answer)),
                {{u"target"_s, self->m_target.id()}, {u"verb"_s, right.verb}, {u"resource"_s, right.resource},
                    {u"detail"_s, kube::detailOf(answer.errors)}});
            self->m_then(self->m_info);
        });
}

// All of the above has the same answers in a namespace that does not exist. An existing one has this account; a user
// who may not read it gets no result here.
void KubeCheck::askNamespace()
{
    m_commands.run(m_target.options + QStringList{u"get"_s, u"serviceaccounts"_s, u"default"_s, u"-o"_s, u"name"_s}, {},
        [self = shared_from_this()](const kube::Answer &answer) {
            const kube::Meaning meaning = kube::meaningOf(answer);
            if (meaning == kube::Meaning::NotFound || meaning == kube::Meaning::NoNamespace) {
                self->add(u"namespace"_s, false, kube::codeOf(kube::Meaning::NoNamespace),
                    {{u"target"_s, self->m_target.id()}, {u"detail"_s, kube::detailOf(answer.errors)}});
                self->m_then(self->m_info);
                return;
            }
            if (answer.isGood()) {
                self->add(u"namespace"_s, true, {}, {});
            }
            self->askQueue();
        });
}

void KubeCheck::askQueue()
{
    if (m_target.queue.isEmpty()) {
        askNodes();
        return;
    }
    m_commands.run(
        m_target.options + QStringList{u"get"_s, u"localqueues.kueue.x-k8s.io"_s, m_target.queue, u"-o"_s, u"name"_s},
        {}, [self = shared_from_this()](const kube::Answer &answer) {
            const QJsonObject args{{u"target"_s, self->m_target.id()}, {u"queue"_s, self->m_target.queue},
                {u"detail"_s, kube::detailOf(answer.errors)}};
            if (answer.isGood()) {
                self->add(u"queue"_s, true, {}, args);
                self->askNodes();
                return;
            }
            self->add(u"queue"_s, false, u"kubernetes.no-queue"_s, args);
            self->m_then(self->m_info);
        });
}

// Many users may not look at nodes, and need not.
void KubeCheck::askNodes()
{
    m_commands.run(m_target.options + QStringList{u"get"_s, u"nodes"_s, u"-o"_s, u"json"_s}, {},
        [self = shared_from_this()](const kube::Answer &answer) {
            const std::optional<kube::Nodes> nodes = answer.isGood() ? kube::nodesOf(answer.out) : std::nullopt;
            if (nodes) {
                self->add(u"nodes"_s, true, {},
                    {{u"nodes"_s, nodes->nodes}, {u"ready"_s, nodes->ready}, {u"gpus"_s, nodes->gpus}});
            } else {
                self->add(u"nodes"_s, true, u"kubernetes.nodes-hidden"_s, {{u"target"_s, self->m_target.id()}});
            }
            self->m_then(self->m_info);
        });
}

} // namespace trainyard
