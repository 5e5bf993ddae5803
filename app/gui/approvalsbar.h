// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/approvals.h"
#include "model/base/result.h"
#include "widgets/common/infobar.h"

#include <QStringList>

namespace trainyard
{

class EngineClient;

// Says what an assistant wants to do, for as long as it waits for an answer: the oldest proposal first. Closed by the
// user, it stays away until another one comes.
class ApprovalsBar : public InfoBar
{
    Q_OBJECT
public:
    explicit ApprovalsBar(EngineClient *client, QWidget *parent = nullptr);
    void setProposals(const QList<api::Proposal> &proposals); // the newest first

Q_SIGNALS:
    void approveRequested(const QString &id, const QString &digest);
    void refuseRequested(const QString &id);

private:
    void ask();
    void approve(const QString &id, const QString &digest);
    void refuse(const QString &id);
    void showDetails(const api::Proposal &proposal);
    void sayError(const Error &error);

    EngineClient *m_client;
    QStringList m_open; // ids
    QStringList m_closedFor;
};

} // namespace trainyard
