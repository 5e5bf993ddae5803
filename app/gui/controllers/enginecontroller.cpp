// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/enginecontroller.h"

#include "app/gui/workbench/actionregistry.h"
#include "app/gui/workbench/statusline.h"
#include "app/gui/workbench/workbench.h"
#include "engine/api/reasons.h"
#include "engine/client/engineclient.h"
#include "widgets/common/infobar.h"
#include "widgets/text/texts.h"

#include <algorithm>

namespace trainyard
{
namespace
{
constexpr int countedEveryMs = 50; // all jobs are counted: not once for each of thousands that change
const QString ofEngine = QStringLiteral("engine"); // what a bar tells that is over when the engine is there
} // namespace

EngineController::EngineController(
    Workbench *workbench, ActionRegistry *actions, EngineClient *client, StatusLine *status)
    : QObject(workbench->window()), m_workbench(workbench), m_client(client), m_status(status)
{
    actions->add({"stopEngine", {}, tr("Stop the engine; jobs continue"),
                     tr("End the background program; tasks keep running"), {}, true, {}, false},
        this, [this] { m_client->call<api::StopEngine>({false}, this, [](const Result<bool> &) {}); });
    connect(client, &EngineClient::statusChanged, this, &EngineController::update);
    connect(client, &EngineClient::reset, this, &EngineController::update);
    m_soon.setSingleShot(true);
    m_soon.setInterval(countedEveryMs);
    connect(&m_soon, &QTimer::timeout, this, &EngineController::update);
    const auto soon = [this] {
        if (!m_soon.isActive()) {
            m_soon.start();
        }
    };
    connect(client, &EngineClient::jobChanged, this, soon);
    connect(client, &EngineClient::jobRemoved, this, soon);
    connect(client, &EngineClient::hostChanged, this, soon);
    update();
}

int EngineController::activeJobs() const
{
    const QList<JobSummary> jobs = m_client->jobs();
    return int(std::count_if(jobs.cbegin(), jobs.cend(), [](const JobSummary &job) { return !isFinal(job.state); }));
}

int EngineController::waitingJobs() const
{
    const QList<JobSummary> jobs = m_client->jobs();
    return int(
        std::count_if(jobs.cbegin(), jobs.cend(), [](const JobSummary &job) { return job.state == State::Waiting; }));
}

int EngineController::retryingJobs() const
{
    const QList<JobSummary> jobs = m_client->jobs();
    return int(std::count_if(jobs.cbegin(), jobs.cend(),
        [](const JobSummary &job) { return job.state == State::Waiting && job.reason == reason::WaitRetry::code; }));
}

QString EngineController::trouble() const
{
    return m_client->status() == EngineClient::Status::Failed ? errorText(m_client->lastError()) : QString();
}

void EngineController::update()
{
    m_soon.stop();
    const QString error = trouble();
    const bool isMeasured = m_client->status() != EngineClient::Status::Offline
        && m_client->status() != EngineClient::Status::Failed; // else the mirror is what was
    m_status->setEngine(m_client->status(), activeJobs(), error);
    sayTrouble(error);
    m_computer.reset();
    const QList<HostInfo> hosts = m_client->hosts();
    for (const HostInfo &host : hosts) {
        if (host.target.isEmpty()) {
            m_computer = host;
            if (isMeasured) {
                m_status->setComputer(host);
            }
        }
    }
    Q_EMIT changed();
}

// It is shown at once, because a word in the status line is overlooked, and users should not have to press Run to find
// out. It disappears when it is over.
void EngineController::sayTrouble(const QString &error)
{
    if (error == m_saidTrouble) {
        return;
    }
    m_saidTrouble = error;
    InfoBar *bar = m_workbench->windowBar();
    if (error.isEmpty()) {
        bar->hideIfOf(ofEngine);
    } else {
        m_workbench->say(error);
        bar->setTopic(ofEngine);
        bar->setLasting(true);
    }
}

} // namespace trainyard
