// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/mainwindow.h"
#include "app/gui/statusline.h"
#include "app/gui/tabarea.h"
#include "app/gui/welcomepage.h"
#include "widgets/common/icons.h"
#include "widgets/common/infobar.h"
#include "widgets/form/designerpage.h"
#include "widgets/hosts/hostlabels.h"
#include "widgets/hosts/hostspane.h"
#include "widgets/jobs/jobsmodel.h"
#include "widgets/jobs/jobspane.h"
#include "widgets/tasks/runpage.h"
#include "widgets/text/sentences.h"
#include "widgets/text/texts.h"

#include <QComboBox>
#include <QPushButton>
#include <QSignalBlocker>

#include <algorithm>

// What the engine tells: jobs, hosts, and how it is itself.
namespace trainyard
{
namespace
{
QString topicOf(const QString &hostId) { return QStringLiteral("host ") + hostId; }
const QString ofEngine = QStringLiteral("engine");
} // namespace

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
        updateHosts();
        updateEngine();
        sayAwaited(host);
    });
    connect(m_client, &EngineClient::hostRemoved, this, [this](const QString &id) {
        m_awaitedHosts.remove(id);
        m_bar->hideIfOf(topicOf(id));
        updateHosts();
    });
    connect(m_hosts, &HostsPane::addRequested, this, [this](const QString &target) {
        m_client->addHost(target, {}, m_hosts, [this](const Result<HostInfo> &host) {
            m_hosts->setAddError(host ? QString() : errorText(host.error()));
            if (host) {
                m_awaitedHosts.insert(host->id);
                sayAwaited(*host);
            }
        });
    });
    connect(m_hosts, &HostsPane::checkRequested, this, &MainWindow::checkHost);
    connect(m_hosts, &HostsPane::removeRequested, this, [this](const QString &id) {
        m_client->removeHost(id, this, [this](const Result<bool> &result) {
            if (!result) {
                say(errorText(result.error()));
            }
        });
    });
}

void MainWindow::checkHost(const QString &id)
{
    m_client->call(QStringLiteral("hosts.check"), {{QStringLiteral("id"), id}}, this,
        [this, id](const Result<QJsonValue> &result) {
            if (result) {
                m_awaitedHosts.insert(id);
            } else {
                say(errorText(result.error()));
            }
        });
}

// Who added a host or wanted it checked is told when that came to nothing, and can try again there.
void MainWindow::sayAwaited(const HostInfo &host)
{
    if (host.state == HostState::Online) {
        m_bar->hideIfOf(topicOf(host.id));
    }
    const bool isSettled = host.state != HostState::Unknown && host.state != HostState::Connecting;
    if (!isSettled || !m_awaitedHosts.remove(host.id) || host.state == HostState::Online) {
        return;
    }
    const QString why = reasonText(host.error, host.errorArgs);
    say(why.isEmpty() ? tr("%1 cannot be used.").arg(host.label) : why);
    QPushButton *again = m_bar->addAction(host.state == HostState::NeedsLogin ? tr("Log in…") : tr("Check again"));
    again->setObjectName(QStringLiteral("hostAgain"));
    m_bar->setTopic(topicOf(host.id));
    connect(again, &QPushButton::clicked, this, [this, id = host.id] {
        m_bar->hide();
        checkHost(id);
    });
}

QList<HostInfo> MainWindow::hosts() const { return withDistinctLabels(m_client->hosts()); }

// At once: nobody finds out by a word in the status line, nor wants to press Run first. It goes when it is over.
void MainWindow::sayEngineTrouble(const QString &error)
{
    if (error == m_saidTrouble) {
        return;
    }
    m_saidTrouble = error;
    if (error.isEmpty()) {
        m_bar->hideIfOf(ofEngine);
    } else {
        say(error);
        m_bar->setTopic(ofEngine);
    }
}

void MainWindow::updateEngine()
{
    const QString error
        = m_client->status() == EngineClient::Status::Failed ? errorText(m_client->lastError()) : QString();
    m_status->setEngine(m_client->status(), activeJobs(), error);
    m_jobs->setTrouble(error);
    sayEngineTrouble(error);
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
    const QList<HostInfo> hosts = this->hosts();
    m_hosts->setHosts(hosts);
    fillTargets(hosts);
    QHash<QString, QString> labels;
    for (const HostInfo &host : hosts) {
        labels.insert(host.id, host.label);
        if (!host.diskLow) {
            m_saidDiskLow.remove(host.id);
        } else if (!m_saidDiskLow.contains(host.id)) {
            m_saidDiskLow.insert(host.id);
            say(sentence(QStringLiteral("disk.low"),
                {{QStringLiteral("host"), host.label}, {QStringLiteral("freeMiB"), host.diskFreeMiB}}));
        }
    }
    m_jobs->model()->setHostLabels(labels);
    const QList<QWidget *> pages = m_tabs->pages();
    for (QWidget *page : pages) {
        if (auto *designer = qobject_cast<DesignerPage *>(page)) {
            designer->setHosts(hosts);
        } else if (auto *run = qobject_cast<RunPage *>(page)) {
            run->setHosts(hosts);
        }
    }
}

// Hosts are measured all the time: the list is left alone while it is the same, as somebody may be choosing from it.
void MainWindow::fillTargets(const QList<HostInfo> &hosts)
{
    QList<std::pair<QString, QString>> targets; // id and words
    if (hosts.size() > 1) {
        targets.append({QString(), tr("Any host")});
    }
    const QString local = QStringLiteral("local");
    bool hasLocal = false;
    for (const HostInfo &host : hosts) {
        const bool isLocal = host.target.isEmpty();
        hasLocal = hasLocal || isLocal;
        targets.append({host.id, isLocal ? tr("This computer") : host.label});
    }
    if (!hasLocal) {
        targets.append({local, tr("This computer")});
    }
    bool isSame = m_target->count() == targets.size();
    for (int i = 0; isSame && i < targets.size(); ++i) {
        isSame
            = m_target->itemData(i).toString() == targets.at(i).first && m_target->itemText(i) == targets.at(i).second;
    }
    if (isSame) {
        return;
    }
    const QSignalBlocker blocker(m_target);
    m_target->clear();
    for (const auto &[id, words] : std::as_const(targets)) {
        m_target->addItem(icon(id == local ? QStringLiteral("computer") : QStringLiteral("host")), words, id);
    }
    m_target->setCurrentIndex(std::max(0, m_target->findData(m_settings.target())));
}

} // namespace trainyard
