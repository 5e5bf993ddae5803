// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/capacity.h"

#include "model/base/utf8.h"
#include "model/protocol/findings.h"
#include "model/protocol/gpunames.h"
#include "model/protocol/plugins.h"

namespace trainyard
{

namespace
{

void checkGpuType(Findings &findings, const JobSpec &job, const TaskRole &role, const QStringList &names)
{
    const QString type = gpuTypeOf(job, role.name);
    const bool isThere
        = std::any_of(names.cbegin(), names.cend(), [&type](const QString &name) { return isGpuOfType(name, type); });
    if (type.isEmpty() || role.resources.gpu <= 0 || names.isEmpty() || isThere) {
        return;
    }
    QStringList once = names;
    once.removeDuplicates();
    const YamlPath path = YamlPath()
                              .child(QStringLiteral("extras"))
                              .child(QStringLiteral("hivedScheduler"))
                              .child(QStringLiteral("taskRoles"))
                              .child(role.name)
                              .child(QStringLiteral("skuType"));
    findings.add(QStringLiteral("extras.gpu-type-nowhere"), Severity::Warning, ServerVerdict::Accepts, path,
        {{QStringLiteral("role"), role.name}, {QStringLiteral("type"), type},
            {QStringLiteral("names"), once.join(QStringLiteral(", "))}});
}

void checkStorages(Findings &findings, const JobSpec &job, const QStringList &known)
{
    const auto check = [&](const Value *name, const YamlPath &path) {
        if (name && name->asString() && !name->asString()->isEmpty() && !known.contains(*name->asString())) {
            findings.add(QStringLiteral("extras.storage-unmapped"), Severity::Warning, ServerVerdict::Accepts, path,
                {{QStringLiteral("name"), *name->asString()}});
        }
    };
    const YamlPath extras = YamlPath().child(QStringLiteral("extras"));
    if (const Value *list = job.extras.find(QStringLiteral("storages")); list && list->asList()) {
        for (qsizetype i = 0; i < list->asList()->size(); ++i) {
            check(list->asList()->at(i).find(QStringLiteral("name")),
                extras.child(QStringLiteral("storages")).child(i).child(QStringLiteral("name")));
        }
        return; // then the older plugin is not looked at
    }
    for (qsizetype i = 0; i < job.plugins.size(); ++i) {
        const Value *names = job.plugins.at(i).parameters.find(QStringLiteral("storageConfigNames"));
        if (job.plugins.at(i).plugin != QLatin1StringView("teamwise_storage") || !names || !names->asList()) {
            continue;
        }
        for (qsizetype j = 0; j < names->asList()->size(); ++j) {
            check(&names->asList()->at(j),
                extras.child(pluginPrefix())
                    .child(i)
                    .child(QStringLiteral("parameters"))
                    .child(QStringLiteral("storageConfigNames"))
                    .child(j));
        }
    }
}

QStringList nodeTexts(const YamlNode *node)
{
    QStringList texts;
    const YamlNode *list = node ? node->resolved() : nullptr;
    for (qsizetype i = 0; list && list->isSequence() && i < list->entries.size(); ++i) {
        texts.append(textFromUtf8(list->entries.at(i).value->resolved()->scalar));
    }
    return texts;
}

// Names of hosts and labels that there are none of, each where it stands: a job that asks for one is refused.
void checkHosts(Findings &findings, const JobSpec &job, const QList<HostWords> &hosts)
{
    QStringList names;
    QStringList labels;
    for (const HostWords &host : hosts) {
        names.append(host.name);
        labels.append(host.labels);
    }
    labels.removeDuplicates();
    const YamlPath all{QStringLiteral("extras"), QStringLiteral("trainyard"), QStringLiteral("hosts")};
    const auto check = [&](const QString &role, const QString &key, const QStringList &known, const QString &code) {
        const YamlPath list = all.child(role).child(key);
        const QStringList wanted = nodeTexts(findings.document().find(list));
        for (qsizetype i = 0; i < wanted.size(); ++i) {
            if (known.contains(wanted.at(i)) || wanted.at(i).isEmpty()) {
                continue;
            }
            const YamlPath path = list.child(i);
            Diagnostic &found = findings.add(code, Severity::Warning, ServerVerdict::Accepts, path,
                {{QStringLiteral("name"), wanted.at(i)}, {QStringLiteral("known"), known.join(QStringLiteral(", "))}});
            const QString similar = nearest(wanted.at(i), known);
            if (!similar.isEmpty() && !wanted.contains(similar)) {
                findings.fix(found, QStringLiteral("fix.did-you-mean"), {{QStringLiteral("name"), similar}},
                    {edit::SetText{path, similar}});
            }
        }
    };
    const QStringList roles = job.trainyard.hosts.keys();
    for (const QString &role : roles) {
        check(role, QStringLiteral("names"), names, QStringLiteral("extras.host-unknown"));
        check(role, QStringLiteral("labels"), labels,
            labels.isEmpty() ? QStringLiteral("extras.host-no-labels") : QStringLiteral("extras.host-label-nowhere"));
    }
}

} // namespace

QList<Diagnostic> checkCapacity(const YamlDocument &document, const JobSpec &job, const HostLimits &limits)
{
    Findings findings(document);
    const auto check = [&](const TaskRole &role, const QString &code, const QString &key, qint64 wanted,
                           const std::optional<qint64> &most) {
        if (!most || wanted <= *most) {
            return;
        }
        const YamlPath path = YamlPath()
                                  .child(QStringLiteral("taskRoles"))
                                  .child(role.name)
                                  .child(QStringLiteral("resourcePerInstance"))
                                  .child(key);
        Diagnostic &found = findings.add(code, Severity::Warning, ServerVerdict::Accepts, path,
            {{QStringLiteral("role"), role.name}, {QStringLiteral("wanted"), wanted}, {QStringLiteral("most"), *most}});
        if (!limits.cluster.isEmpty()) {
            found.args.insert(QStringLiteral("target"), limits.cluster);
        }
        if (!limits.hasOtherTargets) {
            findings.fix(found, QStringLiteral("fix.set"), {{QStringLiteral("value"), QString::number(*most)}},
                {edit::SetValue{path, QByteArray::number(*most)}});
        }
    };
    const bool isOfNodes = !limits.cluster.isEmpty();
    const QString gpus = isOfNodes ? QStringLiteral("role.gpu.more-than-any-node")
        : limits.hasOtherTargets   ? QStringLiteral("role.gpu.more-than-pool")
                                   : QStringLiteral("role.gpu.more-than-any-host");
    const QString memory = isOfNodes ? QStringLiteral("role.memory.more-than-any-node")
        : limits.hasOtherTargets     ? QStringLiteral("role.memory.more-than-pool")
                                     : QStringLiteral("role.memory.more-than-any-host");
    const QString cores
        = isOfNodes ? QStringLiteral("role.cpu.more-than-any-node") : QStringLiteral("role.cpu.more-than-any-host");
    for (const TaskRole &role : job.taskRoles) {
        check(role, gpus, QStringLiteral("gpu"), role.resources.gpu, limits.gpus);
        check(role, memory, QStringLiteral("memoryMB"), role.resources.memoryMiB, limits.memoryMiB);
        check(role, cores, QStringLiteral("cpu"), role.resources.cpu, limits.cpus);
        if (limits.gpuNames) {
            checkGpuType(findings, job, role, *limits.gpuNames);
        }
    }
    if (limits.storages) {
        checkStorages(findings, job, *limits.storages);
    }
    if (limits.hosts) {
        checkHosts(findings, job, *limits.hosts);
    }
    return findings.take();
}

} // namespace trainyard
