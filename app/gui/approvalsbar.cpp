// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/approvalsbar.h"

#include "app/gui/askbox.h"
#include "engine/client/engineclient.h"
#include "widgets/common/buttonkeys.h"
#include "widgets/common/labels.h"
#include "widgets/text/approvaltexts.h"
#include "widgets/text/texts.h"

#include <QDateTime>
#include <QJsonArray>
#include <QPushButton>

#include <algorithm>

namespace trainyard
{

ApprovalsBar::ApprovalsBar(EngineClient *client, QWidget *parent) : InfoBar(parent), m_client(client)
{
    setObjectName(QStringLiteral("approvalsBar"));
    connect(client, &EngineClient::reset, this, &ApprovalsBar::ask);
    connect(client, &EngineClient::approvalsChanged, this, &ApprovalsBar::ask);
    connect(this, &ApprovalsBar::approveRequested, this,
        [this](const QString &id, const QString &digest) { approve(id, digest); });
    connect(this, &ApprovalsBar::refuseRequested, this, &ApprovalsBar::refuse);
    connect(this, &InfoBar::closed, this, [this] { m_closedFor = m_open; });
    hide();
}

void ApprovalsBar::ask()
{
    if (m_client->status() != EngineClient::Status::Ready) {
        return; // reset() follows
    }
    m_client->call<api::ListProposals>({}, this, [this](const Result<QList<api::Proposal>> &proposals) {
        setProposals(proposals.value_or(QList<api::Proposal>())); // an older engine takes none
    });
}

void ApprovalsBar::setProposals(const QList<api::Proposal> &proposals)
{
    m_open.clear();
    m_names.clear();
    api::Proposal oldest;
    for (const api::Proposal &proposal : proposals) {
        if (proposal.state == QLatin1String("open")) {
            m_open.append(proposal.id);
            m_names.insert(proposal.id, proposal.name);
            oldest = proposal;
        }
    }
    m_closedFor.removeIf([this](const QString &id) { return !m_open.contains(id); });
    const bool isNews
        = std::any_of(m_open.cbegin(), m_open.cend(), [this](const QString &id) { return !m_closedFor.contains(id); });
    if (!isNews) {
        hide();
        return;
    }
    m_closedFor.clear();
    const qsizetype more = m_open.size() - 1;
    const QString rest = more == 1 ? tr("1 more proposal waits.") : tr("%1 more proposals wait.").arg(more);
    show(Kind::Waiting,
        proposalText(oldest).toHtmlEscaped() + (more == 0 ? QString() : QString(QLatin1Char(' ') + rest)));
    QPushButton *details = addAction(tr("Show…"));
    details->setObjectName(QStringLiteral("showProposal"));
    details->setToolTip(plainTip(tr("Show the whole text of the job and where it would run")));
    connect(details, &QPushButton::clicked, this, [this, oldest] { showDetails(oldest); });
    QPushButton *yes = addAction(tr("Approve"));
    yes->setObjectName(QStringLiteral("approveProposal"));
    yes->setToolTip(plainTip(tr("Let the assistant do exactly this, once")));
    QPushButton *no = addAction(tr("Refuse"));
    no->setObjectName(QStringLiteral("refuseProposal"));
    // One press is one answer: the next proposal may take the place of this one before a double click is over.
    const auto answered = [yes, no] {
        yes->setEnabled(false);
        no->setEnabled(false);
    };
    pressOnceByDoubleClick(yes);
    pressOnceByDoubleClick(no);
    connect(yes, &QPushButton::clicked, this, [this, oldest, answered] {
        answered();
        Q_EMIT approveRequested(oldest.id, oldest.digest);
    });
    connect(no, &QPushButton::clicked, this, [this, oldest, answered] {
        answered();
        Q_EMIT refuseRequested(oldest.id);
    });
}

void ApprovalsBar::showDetails(const api::Proposal &proposal)
{
    QMessageBox *box = makeAskBox(window(),
        proposal.kind == QLatin1String("stop") ? tr("Stop %1?").arg(proposal.name) : tr("Run %1?").arg(proposal.name),
        proposalDetails(proposal, QDateTime::currentMSecsSinceEpoch()),
        QMessageBox::Yes | QMessageBox::No | QMessageBox::Cancel);
    box->setObjectName(QStringLiteral("proposalBox"));
    QStringList details{proposedCommandsText(proposal), QString::fromUtf8(proposal.yaml)};
    details.removeAll(QString());
    box->setDetailedText(details.join(QStringLiteral("\n\n"))); // as plain text
    box->button(QMessageBox::Yes)->setText(tr("Approve"));
    box->button(QMessageBox::No)->setText(tr("Refuse"));
    box->button(QMessageBox::Cancel)->setText(tr("Later"));
    box->setDefaultButton(QMessageBox::Cancel);
    box->setEscapeButton(QMessageBox::Cancel);
    connect(box, &QMessageBox::finished, this, [this, id = proposal.id, digest = proposal.digest](int button) {
        if (button == QMessageBox::Yes) {
            Q_EMIT approveRequested(id, digest);
        } else if (button == QMessageBox::No) {
            Q_EMIT refuseRequested(id);
        }
    });
    box->open();
}

void ApprovalsBar::approve(const QString &id, const QString &digest, const QMap<QString, QString> &secrets)
{
    m_client->call<api::ApproveProposal>({id, digest, QStringLiteral("window"), secrets}, this,
        [this, id, digest](const Result<api::Proposal> &approved) {
            if (!approved && approved.error().code == QLatin1String("job.secrets-missing")) {
                askForSecrets(approved.error(), id, digest);
            } else if (!approved) {
                sayError(approved.error());
            }
        });
}

void ApprovalsBar::refuse(const QString &id)
{
    m_client->call<api::RefuseProposal>(
        {id, QStringLiteral("window")}, this, [this](const Result<api::Proposal> &refused) {
            if (!refused) {
                sayError(refused.error());
            }
        });
}

// The proposal stays: the next change, or another look, shows it again.
void ApprovalsBar::sayError(const Error &error)
{
    show(Kind::Failed, errorText(error).toHtmlEscaped());
    QPushButton *again = addAction(tr("Look again"));
    again->setObjectName(QStringLiteral("lookAgain"));
    connect(again, &QPushButton::clicked, this, &ApprovalsBar::ask);
}

// Values of the keyring are not passed on silently: the user first sees what the job needs.
void ApprovalsBar::askForSecrets(const Error &missing, const QString &id, const QString &digest)
{
    QStringList names;
    const QJsonArray wanted = missing.args.value(QStringLiteral("names")).toArray();
    for (const QJsonValue &name : wanted) {
        names.append(name.toString());
    }
    show(Kind::Waiting, errorText(missing).toHtmlEscaped());
    QPushButton *give = addAction(tr("Give them…"));
    give->setObjectName(QStringLiteral("giveSecrets"));
    give->setToolTip(plainTip(tr("Take the values from the keyring, or type those that it does not have")));
    connect(give, &QPushButton::clicked, this,
        [this, names, id, digest, job = m_names.value(id)] { Q_EMIT secretsWanted(job, names, id, digest); });
    QPushButton *no = addAction(tr("Refuse"));
    connect(no, &QPushButton::clicked, this, [this, id] { Q_EMIT refuseRequested(id); });
}

} // namespace trainyard
