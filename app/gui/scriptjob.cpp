// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/scriptjob.h"

#include "model/base/shellquote.h"
#include "model/protocol/jobdocument.h"
#include "model/yaml/yamledit.h"

#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>

namespace trainyard
{
namespace
{

const QStringList &programEndings()
{
    static const QStringList endings{QStringLiteral("py"), QStringLiteral("sh"), QStringLiteral("bash")};
    return endings;
}

// Only of hosts that were reached: one that is away says nothing of what it has.
bool isReachedHost(const HostInfo &host) { return host.state == HostState::Online && host.cpus > 0; }

} // namespace

bool isScript(const QString &path)
{
    return QFileInfo(path).isFile() && programEndings().contains(QFileInfo(path).suffix().toLower());
}

QStringList scriptPatterns()
{
    QStringList patterns;
    const QStringList endings
        = programEndings() + QStringList{QStringLiteral("sbatch"), QStringLiteral("slurm"), QStringLiteral("job")};
    for (const QString &ending : endings) {
        patterns.append(QStringLiteral("*.") + ending);
    }
    return patterns;
}

QByteArray scriptJob(const QString &path, const QList<HostInfo> &hosts)
{
    const QFileInfo script(path);
    static const QRegularExpression odd(QStringLiteral("[^A-Za-z0-9_]+"));
    QString name = script.completeBaseName();
    name.replace(odd, QStringLiteral("_"));
    static const QRegularExpression oddRole(QStringLiteral("[^a-z0-9]+"));
    QString role = script.completeBaseName().toLower();
    role.remove(oddRole);
    const bool hasGpu = std::any_of(
        hosts.begin(), hosts.end(), [](const HostInfo &host) { return isReachedHost(host) && !host.gpus.isEmpty(); });
    const QByteArray program = script.suffix().toLower() == QLatin1String("py") ? "python3 " : "bash ";
    QByteArray file = script.fileName().toUtf8();
    if (file.startsWith('-')) {
        file.prepend("./");
    }
    const QByteArray text = "protocolVersion: 2\nname: job\ntype: job\ntaskRoles:\n  main:\n    instances: 1\n"
                            "    resourcePerInstance:\n      gpu: "
        + QByteArray(hasGpu ? "1" : "0") + "\n      cpu: 1\n      memoryMB: 4096\n    commands:\n      - echo\n";
    const YamlPath roles{QStringLiteral("taskRoles")};
    const QString oldRole = QStringLiteral("main");
    QList<edit::Op> ops{edit::SetText{roles.child(oldRole).child(QStringLiteral("commands")).child(qsizetype(0)),
        QString::fromUtf8(program + shellQuote(file))}};
    if (!name.isEmpty()) {
        ops.append(edit::SetText{YamlPath{QStringLiteral("name")}, name});
    }
    if (!role.isEmpty() && role.at(0).isLetter() && role != oldRole) {
        ops.append(edit::RenameKey{roles.child(oldRole), role});
    }
    const Result<TextEdits> edits = planEdits(YamlDocument::parse(text), ops);
    return fittedJob(edits ? applyEdits(text, *edits) : text, hosts);
}

QByteArray fittedJob(const QByteArray &yaml, const QList<HostInfo> &hosts)
{
    qint64 gpus = 0;
    qint64 cpus = 0;
    for (const HostInfo &host : hosts) {
        if (isReachedHost(host)) {
            gpus = std::max<qint64>(gpus, host.gpus.size());
            cpus = std::max<qint64>(cpus, host.cpus);
        }
    }
    const ParseOutcome outcome = parseJob(yaml);
    if (cpus == 0 || !outcome.spec) {
        return yaml;
    }
    QList<edit::Op> ops;
    for (const TaskRole &role : outcome.spec->taskRoles) {
        const YamlPath resources
            = YamlPath{QStringLiteral("taskRoles")}.child(role.name).child(QStringLiteral("resourcePerInstance"));
        if (role.resources.gpu > gpus) {
            ops.append(edit::SetValue{resources.child(QStringLiteral("gpu")), QByteArray::number(gpus)});
        }
        if (role.resources.cpu > cpus) {
            ops.append(edit::SetValue{resources.child(QStringLiteral("cpu")), QByteArray::number(cpus)});
        }
    }
    const Result<TextEdits> edits = planEdits(outcome.document, ops);
    return edits ? applyEdits(yaml, *edits) : yaml;
}

} // namespace trainyard
