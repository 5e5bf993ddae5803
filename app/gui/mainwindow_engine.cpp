// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/mainwindow.h"
#include "app/gui/statusline.h"
#include "app/gui/tabarea.h"
#include "app/gui/welcomepage.h"
#include "widgets/common/icons.h"
#include "widgets/form/designerpage.h"
#include "widgets/hosts/hostspane.h"
#include "widgets/jobs/jobsmodel.h"
#include "widgets/jobs/jobspane.h"
#include "widgets/tasks/runpage.h"
#include "widgets/text/sentences.h"
#include "widgets/text/texts.h"

#include <QComboBox>
#include <QSignalBlocker>

#include <algorithm>

// What the engine tells: jobs, hosts, and how it is itself.
namespace trainyard
{

int MainWindow::activeJobs() const
{
    const QList<JobSummary> jobs = m_client->jobs();
    return int(std::count_if(jobs.cbegin(), jobs.cend(), [](const JobSummary &job) { return !isFinal(job.state); }));
}

void MainWindow::connectEngine()
{
    connect(m_client, &EngineClient::statusChanged, this, &MainWindow::updateEngine);
    connect(m_client, &EngineClient::reset, this, [this] {
        m_jobs->model()->setJobs(m_client->jobs());
        m_hosts->setHosts(m_client->hosts());
        updateHosts();
        updateEngine();
        if (const RunPage *run = currentRun()) {
            m_jobs->setCurrentJob(run->uuid());
        }
    });
    connect(m_client, &EngineClient::jobChanged, this, [this](const JobSummary &job) {
        m_jobs->model()->apply(job);
        if (const RunPage *run = currentRun(); run && run->uuid() == job.uuid) {
            m_jobs->setCurrentJob(job.uuid);
        }
        updateEngine();
        updateActions();
    });
    connect(m_client, &EngineClient::jobRemoved, this, [this](const QString &uuid) {
        m_jobs->model()->remove(uuid);
        const QList<QWidget *> pages = m_tabs->pages();
        for (QWidget *page : pages) {
            if (page->property("uuid").toString() == uuid) {
                closePage(page);
            }
        }
    });
    connect(m_client, &EngineClient::hostChanged, this, [this](const HostInfo &host) {
        m_hosts->apply(host);
        updateHosts();
        updateEngine();
    });
    connect(m_client, &EngineClient::hostRemoved, this, [this](const QString &id) {
        m_hosts->remove(id);
        updateHosts();
    });
    connect(m_hosts, &HostsPane::addRequested, this, [this](const QString &target) {
        m_client->addHost(target, {}, m_hosts,
            [this](const Result<HostInfo> &host) { m_hosts->setAddError(host ? QString() : errorText(host.error())); });
    });
    connect(m_hosts, &HostsPane::checkRequested, this, [this](const QString &id) {
        m_client->call(QStringLiteral("hosts.check"), {{QStringLiteral("id"), id}}, this,
            [this](const Result<QJsonValue> &result) {
                if (!result) {
                    say(errorText(result.error()));
                }
            });
    });
    connect(m_hosts, &HostsPane::removeRequested, this, [this](const QString &id) {
        m_client->removeHost(id, this, [this](const Result<bool> &result) {
            if (!result) {
                say(errorText(result.error()));
            }
        });
    });
}

void MainWindow::updateEngine()
{
    const QString error
        = m_client->status() == EngineClient::Status::Failed ? errorText(m_client->lastError()) : QString();
    m_status->setEngine(m_client->status(), activeJobs(), error);
    updatePreviews();
    std::optional<HostInfo> local;
    const QList<HostInfo> hosts = m_client->hosts();
    for (const HostInfo &host : hosts) {
        if (host.target.isEmpty()) {
            local = host;
            m_status->setComputer(host);
        }
    }
    if (m_welcome) {
        m_welcome->setComputer(local, error);
    }
}

void MainWindow::updateHosts()
{
    const QList<HostInfo> hosts = m_client->hosts();
    const QString wanted = m_settings.target();
    const QSignalBlocker blocker(m_target);
    m_target->clear();
    const bool several = hosts.size() > 1;
    if (several) {
        m_target->addItem(icon(QStringLiteral("host")), tr("Any host"), QString());
    }
    bool hasLocal = false;
    for (const HostInfo &host : hosts) {
        if (!host.diskLow) {
            m_saidDiskLow.remove(host.id);
        } else if (!m_saidDiskLow.contains(host.id)) {
            m_saidDiskLow.insert(host.id);
            say(sentence(QStringLiteral("disk.low"),
                {{QStringLiteral("host"), host.label}, {QStringLiteral("freeMiB"), host.diskFreeMiB}}));
        }
        const bool local = host.target.isEmpty();
        hasLocal = hasLocal || local;
        m_target->addItem(icon(local ? QStringLiteral("computer") : QStringLiteral("host")),
            local ? tr("This computer") : host.label, host.id);
    }
    if (!hasLocal) {
        m_target->addItem(icon(QStringLiteral("computer")), tr("This computer"), QStringLiteral("local"));
    }
    const int index = m_target->findData(wanted);
    m_target->setCurrentIndex(std::max(0, index));
    const QList<QWidget *> pages = m_tabs->pages();
    for (QWidget *page : pages) {
        if (auto *designer = qobject_cast<DesignerPage *>(page)) {
            designer->setHosts(hosts);
        } else if (auto *run = qobject_cast<RunPage *>(page)) {
            run->setHosts(hosts);
        }
    }
}

} // namespace trainyard
