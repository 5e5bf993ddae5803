// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/removalbar.h"

#include "engine/client/engineclient.h"
#include "widgets/text/removaltexts.h"

#include <QDateTime>
#include <QPushButton>

#include <algorithm>

namespace trainyard
{
namespace
{
constexpr int togetherMs = 300;
}

RemovalBar::RemovalBar(EngineClient *client, QWidget *parent) : InfoBar(parent), m_client(client)
{
    setObjectName(QStringLiteral("removalBar"));
    m_timer.setSingleShot(true);
    m_timer.setInterval(togetherMs);
    connect(&m_timer, &QTimer::timeout, this, &RemovalBar::ask);
    const auto soon = [this] {
        if (!m_timer.isActive()) {
            m_timer.start();
        }
    };
    connect(client, &EngineClient::reset, this, soon);
    connect(client, &EngineClient::jobChanged, this, [this, soon](const JobSummary &job) {
        if (job.removal || m_jobs.contains(job.uuid)) {
            soon();
        }
    });
    connect(client, &EngineClient::jobRemoved, this, [this, soon](const QString &uuid) {
        if (m_jobs.contains(uuid)) {
            soon();
        }
    });
    connect(this, &InfoBar::closed, this, [this] { m_closedFor = m_jobs; });
    hide();
}

// The oldest jobs are what it is about, and the client's own list has the newest.
void RemovalBar::ask()
{
    if (m_client->status() != EngineClient::Status::Ready) {
        return; // reset() follows
    }
    m_client->call<api::ListJobs>(
        {QStringLiteral("is:due"), 0, 0}, this, [this](const Result<QList<JobSummary>> &jobs) {
            if (jobs) { // an older engine knows no such word, and removes nothing
                setJobs(*jobs);
            }
        });
}

void RemovalBar::setJobs(const QList<JobSummary> &jobs)
{
    QList<PlannedRemoval> removals;
    m_jobs.clear();
    for (const JobSummary &job : jobs) {
        if (job.removal) {
            removals.append(*job.removal);
            m_jobs.append(job.uuid);
        }
    }
    m_closedFor.removeIf([this](const QString &uuid) { return !m_jobs.contains(uuid); });
    const bool isNews = std::any_of(
        m_jobs.cbegin(), m_jobs.cend(), [this](const QString &uuid) { return !m_closedFor.contains(uuid); });
    if (!isNews) {
        hide();
        return;
    }
    m_closedFor.clear();
    show(Kind::Waiting, removalText(outlookOf(removals), QDateTime::currentMSecsSinceEpoch()));
    QPushButton *list = addAction(tr("Show"));
    list->setObjectName(QStringLiteral("showDueJobs"));
    list->setToolTip(tr("Show these jobs on the page of all jobs"));
    connect(
        list, &QPushButton::clicked, this, [this] { Q_EMIT listRequested(QStringLiteral("is:due with:archived")); });
    QPushButton *keep = addAction(m_jobs.size() == 1 ? tr("Keep it") : tr("Keep them"));
    keep->setObjectName(QStringLiteral("keepDueJobs"));
    keep->setToolTip(tr("Mark these jobs with a star: they are not removed"));
    connect(keep, &QPushButton::clicked, this, [this] { Q_EMIT keepRequested(m_jobs); });
}

} // namespace trainyard
