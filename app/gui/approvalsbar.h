// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/approvals.h"
#include "model/base/result.h"
#include "widgets/common/infobar.h"

#include <QHash>
#include <QMap>
#include <QStringList>

namespace trainyard
{

class EngineClient;

// Shows the proposal of an assistant while it waits for an answer, the oldest first. If the user closes the bar, it
// stays away until another proposal arrives.
class ApprovalsBar : public InfoBar
{
    Q_OBJECT
public:
    explicit ApprovalsBar(EngineClient *client, QWidget *parent = nullptr);
    void setProposals(const QList<api::Proposal> &proposals); // the newest first
    void approve(const QString &id, const QString &digest, const QMap<QString, QString> &secrets = {});

Q_SIGNALS:
    void approveRequested(const QString &id, const QString &digest);
    void refuseRequested(const QString &id);
    // The user has approved it and gives what the job needs: approve() continues.
    void secretsWanted(const QString &job, const QStringList &names, const QString &id, const QString &digest);

private:
    void ask();
    void refuse(const QString &id);
    void showDetails(const api::Proposal &proposal);
    void sayError(const Error &error);
    void askForSecrets(const Error &missing, const QString &id, const QString &digest);

    EngineClient *m_client;
    QStringList m_open; // ids
    QHash<QString, QString> m_names; // of their jobs
    QStringList m_closedFor;
};

} // namespace trainyard
