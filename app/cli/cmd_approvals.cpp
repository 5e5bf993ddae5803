// SPDX-License-Identifier: GPL-3.0-or-later
// The proposals of assistants, and the decisions of the user.
#include "app/cli/commandline.h"
#include "app/cli/console.h"
#include "app/cli/jobcommands.h"
#include "app/cli/secrets.h"
#include "app/cli/session.h"
#include "app/cli/sharedoptions.h"
#include "app/cli/words.h"
#include "engine/api/valuejson.h"
#include "widgets/text/approvaltexts.h"
#include "widgets/text/columns.h"
#include "widgets/text/formats.h"

#include <QDateTime>
#include <QJsonArray>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

struct ApprovalsValues {
    QStringList words, secrets;
    bool json = false, yes = false;
};
const CommandLine<ApprovalsValues> &approvalsLine();

QString proposalStateText(const QString &state)
{
    return state == "open"_L1    ? tr("waits for you")
        : state == "approved"_L1 ? tr("approved")
        : state == "refused"_L1  ? tr("refused")
        : state == "expired"_L1  ? tr("expired")
        : state == "done"_L1     ? tr("done")
                                 : state;
}

QString proposedText(const api::Proposal &proposal)
{
    return proposal.kind == "stop"_L1 ? tr("stop %1 #%2").arg(proposal.name, QString::number(proposal.number))
                                      : tr("run %1").arg(proposal.name);
}

// Connects, and finds what was named. Returns the exit status, after reporting an error.
int findProposal(Session &session, const QString &id, api::Proposal &proposal)
{
    if (const int status = session.connect(EngineClient::Start::IfNeeded); status != exitOk) {
        return status;
    }
    const Result<QList<api::Proposal>> all = session.call<api::ListProposals>({});
    if (!all) {
        return report(all.error());
    }
    const auto found
        = std::find_if(all->cbegin(), all->cend(), [&id](const api::Proposal &each) { return each.id == id; });
    if (found == all->cend()) {
        return report({u"assistant.unknown"_s, {{u"id"_s, id}}});
    }
    proposal = *found;
    return exitOk;
}

void sayProposal(const api::Proposal &proposal)
{
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    QList<QStringList> rows;
    const auto row = [&rows](const QString &name, const QString &text) {
        if (!text.isEmpty()) {
            rows.append({name, text});
        }
    };
    row(tr("Proposal"), proposal.id);
    row(tr("Wants to"), proposedText(proposal));
    row(tr("Assistant"), proposal.assistant);
    row(tr("State"), proposalStateText(proposal.state));
    row(tr("Proposed"), formatTime(proposal.proposed, now));
    row(tr("Decided"), proposal.decided ? formatTime(*proposal.decided, now) : QString());
    if (proposal.state == "open"_L1 || proposal.state == "approved"_L1) {
        row(tr("Until"), formatTime(proposal.expires, now));
    }
    if (proposal.kind == "submit"_L1) {
        row(tr("Target"), proposal.target);
        row(tr("Hosts"), proposal.hosts.isEmpty() ? tr("it would wait") : proposal.hosts.join(u", "_s));
        row(tr("Tasks"), QString::number(proposal.tasks));
        row(tr("GPUs"), QString::number(proposal.gpus));
        row(tr("Runs in"), proposal.runIn);
        row(tr("Works in"), proposal.work.isEmpty() ? tr("a folder of its own") : proposal.work);
    }
    for (auto it = proposal.parameters.cbegin(); it != proposal.parameters.cend(); ++it) {
        row(tr("Parameter"), it.key() + u'=' + it.value());
    }
    row(tr("Digest"), proposal.digest);
    const QStringList lines = alignedRows(rows);
    for (const QString &line : lines) {
        outLine(line);
    }
    if (const QString commands = proposedCommandsText(proposal); !commands.isEmpty()) {
        outLine({});
        const QStringList text = commands.split(u'\n');
        for (const QString &line : text) {
            outLine(line);
        }
    }
    if (!proposal.yaml.isEmpty()) {
        outLine({});
        outLine(tr("The text of the job:"));
        outLine({});
        const QStringList text = QString::fromUtf8(proposal.yaml).split(u'\n');
        for (const QString &line : text) {
            outLine(u"  "_s + line);
        }
    }
}

int runApprovalsList(const ApprovalsValues &values)
{
    Session session;
    if (const int status = session.connect(EngineClient::Start::IfNeeded); status != exitOk) {
        return status;
    }
    const Result<QList<api::Proposal>> all = session.call<api::ListProposals>({});
    if (!all) {
        return report(all.error());
    }
    if (values.json) {
        QJsonArray array;
        for (const api::Proposal &proposal : *all) {
            array.append(valuejson::toValue(proposal));
        }
        outJson(QJsonDocument(array));
        return exitOk;
    }
    if (all->isEmpty()) {
        errorLine(tr("No assistant has proposed anything."));
        return exitOk;
    }
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    QList<QStringList> rows{{tr("ID"), tr("STATE"), tr("ASSISTANT"), tr("WANTS TO"), tr("GPUS"), tr("PROPOSED")}};
    for (const api::Proposal &proposal : *all) {
        rows.append({proposal.id, proposalStateText(proposal.state), proposal.assistant, proposedText(proposal),
            QString::number(proposal.gpus), formatTime(proposal.proposed, now)});
    }
    const QStringList lines = alignedRows(rows);
    for (qsizetype i = 0; i < lines.size(); ++i) {
        outLine(i == 0 ? paint(Colour::Bold, lines.at(i)) : lines.at(i));
    }
    return exitOk;
}

int runApprovalsShow(const ApprovalsValues &values)
{
    Session session;
    api::Proposal proposal;
    if (const int status = findProposal(session, values.words.constFirst(), proposal); status != exitOk) {
        return status;
    }
    if (values.json) {
        outJson(QJsonDocument(valuejson::toValue(proposal).toObject()));
    } else {
        sayProposal(proposal);
    }
    return exitOk;
}

void outProposal(const api::Proposal &proposal, bool json)
{
    if (json) {
        outJson(QJsonDocument(valuejson::toValue(proposal).toObject()));
    }
}

// What is approved is what was shown: it goes by the digest of that.
int runApprovalsApprove(const ApprovalsValues &values)
{
    api::Approval approval;
    if (values.json && !values.yes) { // the question shows the proposal, and the output is JSON
        return approvalsLine().wrongUsage(
            tr("Give %1, too: with --json, nothing is asked.").arg(approvalsLine().name(&ApprovalsValues::yes)));
    }
    for (const QString &word : values.secrets) {
        if (const int status = readSecret(u"approvals"_s, word, approval.secrets); status != exitOk) {
            return status;
        }
    }
    Session session;
    api::Proposal proposal;
    if (const int status = findProposal(session, values.words.constFirst(), proposal); status != exitOk) {
        return status;
    }
    if (!values.yes) {
        sayProposal(proposal);
        const std::optional<QString> said = askOnTerminal(tr("Approve it? [y/N] "), true);
        if (!said) {
            errorLine(tr("There is no terminal to ask on. Use %1 to approve it without a question.")
                          .arg(approvalsLine().name(&ApprovalsValues::yes)));
            return exitUnusable;
        }
        if (!isYes(*said)) {
            return exitNo;
        }
    }
    approval.id = proposal.id;
    approval.digest = proposal.digest;
    approval.by = u"terminal"_s;
    for (;;) {
        const Result<api::Proposal> approved = session.call<api::ApproveProposal>(approval);
        if (approved) {
            outProposal(*approved, values.json);
            return exitOk;
        }
        if (!askForMissingSecrets(approved.error(), approval.secrets)) {
            const int status = report(approved.error());
            sayHowToGiveSecrets(approved.error());
            return status;
        }
    }
}

int runApprovalsRefuse(const ApprovalsValues &values)
{
    Session session;
    if (const int status = session.connect(EngineClient::Start::IfNeeded); status != exitOk) {
        return status;
    }
    const Result<api::Proposal> refused = session.call<api::RefuseProposal>({values.words.constFirst(), u"terminal"_s});
    if (!refused) {
        return report(refused.error());
    }
    outProposal(*refused, values.json);
    return exitOk;
}

Operands oneProposal()
{
    return {u"ID"_s, 1, 1, Word::Other, tr("Which proposal? 'trainyardctl approvals list' shows them.")};
}

const CommandLine<ApprovalsValues> &approvalsLine()
{
    static const CommandLine<ApprovalsValues> line
        = CommandLine<ApprovalsValues>(u"approvals"_s, tr("Approve or refuse what assistants propose"))
              .form(u"list"_s, runApprovalsList,
                  {{}, 0, 0, Word::Other, tr("approvals list shows all proposals and takes no ID.")})
              .form(u"show"_s, runApprovalsShow, oneProposal())
              .form(u"approve"_s, runApprovalsApprove, oneProposal())
              .form(u"refuse"_s, runApprovalsRefuse, oneProposal())
              .usually(u"list"_s)
              .text(tr("An assistant that was connected by 'trainyardctl mcp --submit' can propose jobs, and can "
                       "propose to stop those that it has submitted. Nothing happens before you approve it here or in "
                       "the window. 'approve' shows what would run and asks; an approval is valid for one submission "
                       "of exactly that, for 15 minutes. 'refuse' also withdraws an approval that was not used."))
              .option(u"-y, --yes"_s, &ApprovalsValues::yes, tr("approve it without a question"))
              .of({u"approve"_s})
              .option(secretOption(), &ApprovalsValues::secrets)
              .of({u"approve"_s})
              .option(jsonOption(), &ApprovalsValues::json)
              .more(tr("The setting assistants.submit says whether assistants may propose anything; assistants.maxJobs "
                       "and assistants.maxGpus say how many jobs and GPUs they may have at a time."))
              .examples({u"trainyardctl approvals"_s, u"trainyardctl approvals show 3"_s,
                  u"trainyardctl approvals approve 3"_s, u"trainyardctl approvals refuse 3"_s})
              .exits({{exitOk, tr("ok")}, {exitNo, tr("you have not approved it")}, {exitUnusable, tr("wrong usage")},
                  {exitNoEngine, tr("no engine")},
                  {exitRefused,
                      tr("there is no such proposal, it was decided before, or it exceeds what assistants "
                         "may have")}});
    return line;
}

} // namespace

Command approvalsCommand() { return approvalsLine().command(); }

} // namespace trainyard::cli
