// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/capacity.h"

#include "model/protocol/findings.h"

namespace trainyard
{

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
        Diagnostic &found = findings.add(code, Severity::Warning, Server::Accepts, path,
            {{QStringLiteral("role"), role.name}, {QStringLiteral("wanted"), wanted}, {QStringLiteral("most"), *most}});
        findings.fix(found, QStringLiteral("fix.set"), {{QStringLiteral("value"), QString::number(*most)}},
            {edit::SetValue{path, QByteArray::number(*most)}});
    };
    for (const TaskRole &role : job.taskRoles) {
        check(role, QStringLiteral("role.gpu.more-than-any-host"), QStringLiteral("gpu"), role.resources.gpu,
            limits.gpus);
        check(role, QStringLiteral("role.memory.more-than-any-host"), QStringLiteral("memoryMB"),
            role.resources.memoryMB, limits.memoryMiB);
    }
    return findings.take();
}

} // namespace trainyard
