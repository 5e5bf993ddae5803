// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/approvalsbar.h"

#include "app/gui/askbox.h"
#include "engine/client/engineclient.h"
#include "widgets/common/labels.h"
#include "widgets/text/approvaltexts.h"
#include "widgets/text/texts.h"

#include <QDateTime>
#include <QPushButton>

#include <algorithm>

namespace trainyard
{

ApprovalsBar::ApprovalsBar(EngineClient *client, QWidget *parent) : InfoBar(parent), m_client(client)
{
    setObjectName(QStringLiteral("approvalsBar"));
    connect(client, &EngineClient::reset, this, &ApprovalsBar::ask);
    connect(client, &EngineClient::approvalsChanged, this, &ApprovalsBar::ask);
    connect(this, &ApprovalsBar::approveRequested, this, &ApprovalsBar::approve);
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
    api::Proposal oldest;
    for (const api::Proposal &proposal : proposals) {
        if (proposal.state == QLatin1String("open")) {
            m_open.append(proposal.id);
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
    const QString more = m_open.size() > 1 ? tr(" %1 more proposals wait.").arg(m_open.size() - 1) : QString();
    show(Kind::Waiting, proposalText(oldest).toHtmlEscaped() + more);
    QPushButton *details = addAction(tr("Show..."));
    details->setObjectName(QStringLiteral("showProposal"));
    details->setToolTip(plainTip(tr("Show the whole text of the job and where it would run")));
    connect(details, &QPushButton::clicked, this, [this, oldest] { showDetails(oldest); });
    QPushButton *yes = addAction(tr("Approve"));
    yes->setObjectName(QStringLiteral("approveProposal"));
    yes->setToolTip(plainTip(tr("Let the assistant do exactly this, once")));
    connect(yes, &QPushButton::clicked, this, [this, oldest] { Q_EMIT approveRequested(oldest.id, oldest.digest); });
    QPushButton *no = addAction(tr("Refuse"));
    no->setObjectName(QStringLiteral("refuseProposal"));
    connect(no, &QPushButton::clicked, this, [this, oldest] { Q_EMIT refuseRequested(oldest.id); });
}

void ApprovalsBar::showDetails(const api::Proposal &proposal)
{
    QMessageBox *box = makeAskBox(window(),
        proposal.kind == QLatin1String("stop") ? tr("Stop %1?").arg(proposal.name) : tr("Run %1?").arg(proposal.name),
        proposalDetails(proposal, QDateTime::currentMSecsSinceEpoch()),
        QMessageBox::Yes | QMessageBox::No | QMessageBox::Cancel);
    box->setObjectName(QStringLiteral("proposalBox"));
    box->setDetailedText(QString::fromUtf8(proposal.yaml)); // as plain text
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

void ApprovalsBar::approve(const QString &id, const QString &digest)
{
    m_client->call<api::ApproveProposal>(
        {id, digest, QStringLiteral("window"), {}}, this, [this](const Result<api::Proposal> &approved) {
            if (!approved) {
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
    QString text = errorText(error).toHtmlEscaped();
    if (error.code == QLatin1String("job.secrets-missing")) {
        text += QLatin1Char(' ') + tr("Approve it with 'trainyardctl approvals approve', which asks for them.");
    }
    show(Kind::Failed, text);
    QPushButton *again = addAction(tr("Look again"));
    again->setObjectName(QStringLiteral("lookAgain"));
    connect(again, &QPushButton::clicked, this, &ApprovalsBar::ask);
}

} // namespace trainyard
