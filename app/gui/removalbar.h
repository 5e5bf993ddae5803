// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "widgets/common/infobar.h"

#include <QTimer>

namespace trainyard
{

class EngineClient;

// Says which ended jobs the engine is going to remove by its settings, for as long as there are any. Closed by the
// user, it stays away until another job is announced.
class RemovalBar : public InfoBar
{
    Q_OBJECT
public:
    explicit RemovalBar(EngineClient *client, QWidget *parent = nullptr);
    void setJobs(const QList<JobSummary> &jobs); // those that are due, as the engine has reported

Q_SIGNALS:
    void listRequested(const QString &filter); // which finds these jobs
    void keepRequested(const QStringList &uuids);

private:
    void ask();

    EngineClient *m_client;
    QTimer m_timer; // changes of many jobs come together
    QStringList m_jobs; // UUIDs
    QStringList m_closedFor;
};

} // namespace trainyard
