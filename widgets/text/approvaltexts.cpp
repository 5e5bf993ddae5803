// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/approvaltexts.h"

#include "widgets/text/formats.h"
#include "widgets/text/hosttexts.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{
struct ApprovalTexts {
    Q_DECLARE_TR_FUNCTIONS(trainyard::ApprovalTexts)
};

QString tasksAndGpus(const api::Proposal &proposal)
{
    const QString tasks
        = proposal.tasks == 1 ? ApprovalTexts::tr("1 task") : ApprovalTexts::tr("%1 tasks").arg(proposal.tasks);
    const QString gpus
        = proposal.gpus == 1 ? ApprovalTexts::tr("1 GPU") : ApprovalTexts::tr("%1 GPUs").arg(proposal.gpus);
    return ApprovalTexts::tr("%1, %2").arg(tasks, gpus);
}

QString hostsOf(const api::Proposal &proposal)
{
    QStringList names;
    for (const QString &host : proposal.hosts) {
        names.append(host == "local"_L1 ? ApprovalTexts::tr("this computer") : hostLabel(host));
    }
    return names.join(u", "_s);
}

} // namespace

QString proposalText(const api::Proposal &proposal)
{
    if (proposal.kind == "stop"_L1) {
        return ApprovalTexts::tr("%1, an assistant, wants to stop %2 #%3.")
            .arg(proposal.assistant, proposal.name, QString::number(proposal.number));
    }
    return proposal.hosts.isEmpty()
        ? ApprovalTexts::tr("%1, an assistant, wants to run %2: %3.")
              .arg(proposal.assistant, proposal.name, tasksAndGpus(proposal))
        : ApprovalTexts::tr("%1, an assistant, wants to run %2: %3, on %4.")
              .arg(proposal.assistant, proposal.name, tasksAndGpus(proposal), hostsOf(proposal));
}

QString proposalDetails(const api::Proposal &proposal, qint64 now)
{
    QStringList lines{proposalText(proposal)};
    if (proposal.kind == "submit"_L1) {
        if (proposal.target != "pool"_L1) {
            lines.append(ApprovalTexts::tr("Target: %1").arg(proposal.target));
        }
        lines.append(proposal.work.isEmpty()
                ? ApprovalTexts::tr("It works in a folder of its own.")
                : ApprovalTexts::tr("It works in %1 and can change what is there.").arg(proposal.work));
    }
    for (auto it = proposal.parameters.cbegin(); it != proposal.parameters.cend(); ++it) {
        lines.append(ApprovalTexts::tr("Parameter %1: %2").arg(it.key(), it.value()));
    }
    lines.append(ApprovalTexts::tr("Proposed %1; it expires %2.")
                     .arg(formatTime(proposal.proposed, now), formatTime(proposal.expires, now)));
    return lines.join(u'\n');
}

QString proposedCommandsText(const api::Proposal &proposal)
{
    QStringList lines;
    for (const api::ProposedCommands &each : proposal.commands) {
        lines.append(
            (lines.isEmpty() ? QString() : u"\n"_s) + ApprovalTexts::tr("%1 would run:").arg(each.role) + u'\n');
        const QStringList text = each.text.split(u'\n');
        for (const QString &line : text) {
            lines.append(u"  "_s + line);
        }
        if (each.isCut) {
            lines.append(ApprovalTexts::tr("The rest is not shown here. The text of the job has all of it."));
        }
    }
    return lines.join(u'\n');
}

QString submittedByText(const QJsonObject &assistant, qint64 now)
{
    if (assistant.isEmpty()) {
        return {};
    }
    const auto time = [&](QLatin1StringView name) { return formatTime(assistant.value(name).toInteger(), now); };
    const QString text = assistant.value("approvedBy"_L1).toString() == "window"_L1
        ? ApprovalTexts::tr("%1, an assistant; proposed %2, approved %3 in the window, submitted %4")
        : ApprovalTexts::tr("%1, an assistant; proposed %2, approved %3 on a terminal, submitted %4");
    return text.arg(
        assistant.value("name"_L1).toString(), time("proposed"_L1), time("approved"_L1), time("submitted"_L1));
}

} // namespace trainyard
