// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/runlink.h"

#include "app/gui/pages/refreshpace.h"
#include "widgets/tasks/filesview.h"
#include "widgets/tasks/runpage.h"
#include "widgets/tasks/storykeeper.h"
#include "widgets/text/texts.h"

#include <QJsonArray>

#include <algorithm>
#include <tuple>

namespace trainyard
{
namespace
{

constexpr int lookAgainMs = 2000; // at what nothing reports

// Progress and use, which change all the time while a task runs, do not count.
bool isInAnotherState(const TaskInfo &task, const TaskInfo &before)
{
    return std::tie(task.attempt, task.tries, task.state, task.reason, task.reasonArgs)
        != std::tie(before.attempt, before.tries, before.state, before.reason, before.reasonArgs);
}

} // namespace

RunLink::RunLink(EngineClient *client, const QString &uuid, RunPage *page)
    : QObject(page), m_client(client), m_uuid(uuid), m_page(page), m_pace(new RefreshPace(page))
{
    connect(m_pace, &RefreshPace::due, this, &RunLink::refreshDetail);
    if (const auto job = client->job(uuid)) {
        page->setSummary(*job);
    }
    connect(client, &EngineClient::statusChanged, this, &RunLink::sayConnecting);
    connect(client, &EngineClient::jobChanged, this, &RunLink::onJobChanged);
    connect(client, &EngineClient::tasksChanged, this, [this](const QString &job, const QList<TaskInfo> &tasks) {
        if (job == m_uuid) {
            onTasksChanged(tasks);
        }
    });
    connect(client, &EngineClient::resultsMoved, this, [this](const QString &job) {
        if (job == m_uuid) {
            m_pace->noteChange();
        }
    });
    connect(client, &EngineClient::reset, this, [this] {
        if (const auto job = m_client->job(m_uuid)) {
            m_page->setSummary(*job); // the rest is on its way
        }
        m_client->watchTasks(m_uuid, true);
        refreshDetail();
        fetchTasks(m_wantedAttempt);
    });
    connect(page, &RunPage::attemptRequested, this, [this](int attempt) {
        // Each news of an attempt that is not shown yet asks for it: they would keep it from ever being read.
        if (!m_pages.isUnderWay() || attempt != m_wantedAttempt) {
            fetchTasks(attempt);
        }
    });
    connect(page, &RunPage::earlierTriesRequested, this, [this](int attempt, const QString &role, int index) {
        ++m_triesRequest;
        fetchTries(attempt, role, index, 0, {});
    });
    connect(
        page->story(), &StoryKeeper::triesRequested, this, [this](int attempt) { fetchStory(attempt, 0, true, {}); });
    connect(page->files(), &FilesView::hostFilesWanted, this, &RunLink::fetchHostFiles);
    connect(page, &RunPage::silenceHealthRequested, this, &RunLink::silence);
    client->watchTasks(uuid, true);
    refreshDetail();
    fetchTasks(-1);
    fetchGrace();
}

RunLink::~RunLink()
{
    if (m_client) {
        m_client->watchTasks(m_uuid, false);
    }
}

void RunLink::onJobChanged(const JobSummary &job)
{
    if (job.uuid != m_uuid) {
        return;
    }
    const JobSummary before = m_page->summary();
    m_page->setSummary(job);
    if (job.stopRequested && !before.stopRequested) {
        fetchGrace(); // the setting may be another one by now
    }
    if (before.state != job.state || before.retries != job.retries) {
        // The end is read also for a page behind others: the engine may be gone by the time it is shown.
        if (m_page->isVisible() || isFinal(job.state)) {
            refreshDetail();
        } else {
            m_pace->noteChange();
        }
    }
}

void RunLink::onTasksChanged(const QList<TaskInfo> &tasks)
{
    m_pages.apply(tasks);
    m_page->applyTasks(tasks);
    if (!m_keepsFailed) {
        return;
    }
    bool isChange = false;
    for (const TaskInfo &task : tasks) {
        const auto known = m_known.find({task.role, task.index});
        if (known == m_known.end()) {
            m_known.insert({task.role, task.index}, task);
            isChange = true;
        } else if (isInAnotherState(task, *known)) {
            *known = task;
            isChange = true;
        }
    }
    if (isChange) {
        m_pace->noteChange();
    }
}

void RunLink::refreshDetail()
{
    if (!m_client) {
        return;
    }
    m_pace->asked();
    m_client->call<api::GetJob>({m_uuid}, this, [this](const Result<JobDetail> &detail) {
        m_lacksEngine = !detail && detail.error().code == QLatin1StringView("engine.not-running");
        if (detail) {
            m_page->setError({});
            m_page->setDetail(*detail);
            const bool isRunning = detail->summary.state == State::Running;
            m_keepsFailed = isRunning && detail->yaml.contains("holdAfterFailureMinutes");
            if (!m_keepsFailed) {
                m_known.clear();
            }
            // A service of a task starts after the task began, and nothing reports that.
            if (isRunning && detail->yaml.contains("tensorboard") && detail->services.isEmpty()) {
                m_pace->noteChangeIn(lookAgainMs);
            }
        } else {
            m_page->setError(errorText(detail.error()));
            sayConnecting();
        }
        m_pace->answered();
    });
}

// The window comes back before the engine is there: that it is not running need not be said while it is being started.
void RunLink::sayConnecting()
{
    if (!m_lacksEngine || !m_client) {
        return;
    }
    if (m_client->status() == EngineClient::Status::Connecting) {
        m_page->setError(tr("Connecting to the engine…"), false);
    } else if (m_client->status() == EngineClient::Status::Offline) {
        m_page->setError(errorText({QStringLiteral("engine.not-running"), {}}));
    } else if (m_client->status() == EngineClient::Status::Ready) {
        m_lacksEngine = false;
        m_page->setError({}); // it is there, and is asked again
    }
}

void RunLink::fetchHostFiles(const TaskInfo &task)
{
    // A host may take long: it is asked again when it has answered.
    const std::pair which(task.role, std::pair(task.index, task.attempt));
    if (!m_client || m_filesAskedOf.contains(which)) {
        return;
    }
    m_filesAskedOf.insert(which);
    const api::FilesWanted wanted{m_uuid, task.role, task.index, {QStringLiteral("**")}, false, task.attempt};
    m_client->call<api::ListTaskFiles>(wanted, this, [this, which, task](const Result<api::TaskFileList> &told) {
        m_filesAskedOf.remove(which);
        m_page->files()->setHostFiles(task, told);
    });
}

void RunLink::fetchGrace()
{
    m_client->call<api::GetSettings>({}, this, [this](const Result<QJsonObject> &settings) {
        const QJsonValue seconds
            = settings ? settings->value(QStringLiteral("stop.graceSeconds")) : QJsonValue(QJsonValue::Undefined);
        if (seconds.isDouble()) {
            m_page->setGracePeriod(seconds.toInteger());
        }
    });
}

void RunLink::silence(const QString &kind)
{
    const QString key = QStringLiteral("health.silence");
    m_client->call<api::GetSettings>({}, this, [this, key, kind](const Result<QJsonObject> &settings) {
        if (!settings) {
            m_page->setError(errorText(settings.error()));
            return;
        }
        QJsonArray kinds = settings->value(key).toArray();
        if (!kinds.contains(kind)) {
            kinds.append(kind);
        }
        m_client->call<api::SetSetting>({key, kinds}, this,
            [this](const Result<bool> &done) { m_page->setError(done ? QString() : errorText(done.error())); });
    });
}

void RunLink::fetchTasks(int attempt)
{
    m_wantedAttempt = attempt;
    ++m_request;
    m_pages.begin();
    fetchMore(attempt);
}

void RunLink::fetchMore(int attempt)
{
    m_client->call<api::ListTasks>({m_uuid, attempt, int(m_pages.size()), EngineClient::tasksAtOnce}, this,
        [this, attempt, request = m_request](const Result<QList<TaskInfo>> &tasks) {
            if (request != m_request) {
                return;
            }
            if (!tasks) {
                m_pages.fail();
                m_page->setError(errorText(tasks.error()));
                sayConnecting();
                return;
            }
            m_pages.add(*tasks);
            if (tasks->size() == EngineClient::tasksAtOnce) {
                fetchMore(tasks->constFirst().attempt); // also when a newer one begins meanwhile
                return;
            }
            const QList<TaskInfo> all = m_pages.take();
            m_page->setTasks(all.isEmpty() ? std::max(0, attempt) : all.constFirst().attempt, all);
        });
}

// The engine lists those of all tasks, each task's together.
void RunLink::fetchTries(int attempt, const QString &role, int index, int from, const QList<TaskInfo> &before)
{
    m_client->call<api::ListTries>({m_uuid, attempt, from, EngineClient::tasksAtOnce}, this,
        [this, attempt, role, index, from, before, request = m_triesRequest](const Result<QList<TaskInfo>> &tries) {
            if (request != m_triesRequest) {
                return;
            }
            if (!tries) {
                m_page->setError(errorText(tries.error()));
                sayConnecting();
                return;
            }
            QList<TaskInfo> found = before;
            bool isPast = false;
            for (const TaskInfo &one : *tries) {
                if (one.role == role && one.index == index) {
                    found.append(one);
                } else {
                    isPast = !found.isEmpty();
                }
            }
            if (tries->size() == EngineClient::tasksAtOnce && !isPast) {
                fetchTries(attempt, role, index, from + EngineClient::tasksAtOnce, found);
                return;
            }
            m_page->setEarlierTries(attempt, role, index, found);
        });
}

// The tries that were not the last of their task, then the tasks themselves.
void RunLink::fetchStory(int attempt, int from, bool tries, const QList<TaskInfo> &before)
{
    const auto take = [this, attempt, from, tries, before](const Result<QList<TaskInfo>> &answer) {
        if (!answer) {
            m_page->story()->setTriesFailed(attempt, errorText(answer.error()));
            return;
        }
        const QList<TaskInfo> all = before + *answer;
        if (answer->size() == EngineClient::tasksAtOnce) {
            fetchStory(attempt, from + EngineClient::tasksAtOnce, tries, all);
        } else if (tries) {
            fetchStory(attempt, 0, false, all);
        } else {
            m_page->story()->setAttemptTries(attempt, all);
        }
    };
    if (tries) {
        m_client->call<api::ListTries>({m_uuid, attempt, from, EngineClient::tasksAtOnce}, this, take);
    } else {
        m_client->call<api::ListTasks>({m_uuid, attempt, from, EngineClient::tasksAtOnce}, this, take);
    }
}

} // namespace trainyard
