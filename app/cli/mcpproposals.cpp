// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/mcpproposals.h"

#include "app/cli/console.h"
#include "app/cli/mcparguments.h"

#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace trainyard::cli::mcp
{
namespace
{

std::unique_ptr<Collector> wholeJson()
{
    return jsonOutput([](const QJsonDocument &json) { return Found{json.object()}; });
}

// The folder in which the commands begin: one below the folders of this server, or that of the file.
tl::expected<QString, QString> workOf(const QJsonObject &arguments, const Roots &roots)
{
    const QString work = textOf(arguments, "work"_L1), file = textOf(arguments, "file"_L1);
    if (work.isEmpty() && file.isEmpty()) {
        return QString();
    }
    const auto place = roots.realPath(work.isEmpty() ? file : work);
    if (!place) {
        return tl::unexpected(place.error());
    }
    if (work.isEmpty()) {
        return QFileInfo(*place).path();
    }
    return QFileInfo(*place).isDir() ? tl::expected<QString, QString>(*place)
                                     : tl::unexpected(tr("'%1' is not a folder.").arg(work.left(300)));
}

Begun beginPropose(const QJsonObject &arguments, const Roots &roots)
{
    const auto document = documentOf(arguments, roots);
    if (!document) {
        return tl::unexpected(document.error());
    }
    const auto work = workOf(arguments, roots);
    if (!work) {
        return tl::unexpected(work.error());
    }
    QStringList words{u"assistant"_s, u"propose"_s};
    if (!work->isEmpty()) {
        words.append(u"--work="_s + *work);
    }
    if (const QString target = textOf(arguments, "target"_L1); !target.isEmpty()) {
        words.append(u"--on="_s + target);
    }
    if (const QString wrong = addParameters(words, arguments.value("parameters"_L1).toObject()); !wrong.isEmpty()) {
        return tl::unexpected(wrong);
    }
    addOperands(words, {u"-"_s});
    return invocation(words, wholeJson(), *document);
}

Begun beginProposal(const QJsonObject &arguments, const Roots &)
{
    QStringList words{u"assistant"_s, u"proposal"_s};
    addOperands(words, {textOf(arguments, "proposal"_L1)});
    return invocation(words, wholeJson());
}

Begun beginSubmit(const QJsonObject &arguments, const Roots &)
{
    QStringList words{u"assistant"_s, u"submit"_s};
    addOperands(words, {textOf(arguments, "proposal"_L1), textOf(arguments, "digest"_L1)});
    return invocation(words, wholeJson());
}

Begun beginStop(const QJsonObject &arguments, const Roots &)
{
    QStringList words{u"assistant"_s, u"stop"_s};
    addOperands(words, {textOf(arguments, "job"_L1)});
    return invocation(words, wholeJson());
}

ToolParameter proposalParameter() { return textParameter(u"proposal"_s, tr("The id of the proposal."), true); }

} // namespace

QList<Tool> proposalTools()
{
    return {
        {u"propose"_s, tr("Propose a job"),
            tr("Proposes a job to the user and answers with what it would run and the digest of that. Nothing runs "
               "before the user has approved it in the window or with 'trainyardctl approvals approve ID'. Give no "
               "values of secrets: the user adds them with the approval."),
            documentParameters()
                + QList<ToolParameter>{{u"parameters"_s, ToolParameter::Kind::Values,
                                           tr("Values for parameters, by name.")},
                    textParameter(u"target"_s, tr("A host, 'any', or a cluster such as 'slurm:lab'.")),
                    textParameter(u"work"_s,
                        tr("The folder, below those that the user has allowed, in which the commands begin; without "
                           "it that of the file, or one of the run's own."))},
            beginPropose, true},
        {u"proposal"_s, tr("Look at a proposal"),
            tr("Says whether a proposal is open, approved, refused, expired or done. Ask the user to decide, and look "
               "then; do not ask again and again."),
            {proposalParameter()}, beginProposal},
        {u"submit"_s, tr("Submit an approved job"),
            tr("Submits exactly what the user has approved, once. It needs the digest that 'propose' has answered."),
            {proposalParameter(), textParameter(u"digest"_s, tr("The digest of the proposal."), true)}, beginSubmit,
            true},
        {u"stop"_s, tr("Propose to stop a job"),
            tr("Proposes to stop a job that you have submitted. It is stopped when the user approves that."),
            {jobParameter()}, beginStop, true},
    };
}

} // namespace trainyard::cli::mcp
