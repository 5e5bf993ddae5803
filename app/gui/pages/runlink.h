// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/pages/taskpages.h"
#include "engine/client/engineclient.h"

#include <QHash>
#include <QObject>
#include <QPointer>
#include <QSet>

#include <utility>

namespace trainyard
{

class RefreshPace;
class RunPage;

// Keeps one run page in step with the engine: its summary, attempts and the tasks of the attempt shown.
class RunLink : public QObject
{
    Q_OBJECT
public:
    RunLink(EngineClient *client, const QString &uuid, RunPage *page); // child of the page
    ~RunLink() override;

private:
    void refreshDetail();
    void sayConnecting();
    void fetchGrace();
    void fetchHostFiles(const TaskInfo &task);
    void silence(const QString &kind); // health marks of it, of all jobs
    void fetchTasks(int attempt);
    void fetchMore(int attempt);
    void fetchTries(int attempt, const QString &role, int index, int from, const QList<TaskInfo> &before);
    void fetchStory(int attempt, int from, bool tries, const QList<TaskInfo> &before);
    void onJobChanged(const JobSummary &job);
    void onTasksChanged(const QList<TaskInfo> &tasks);
    QPointer<EngineClient> m_client;
    QString m_uuid;
    RunPage *m_page;
    int m_wantedAttempt = -1;
    bool m_lacksEngine = false; // for the newest answer about the job
    bool m_keepsFailed = false; // which tasks are kept, and until when, changes with the state of a task
    QHash<std::pair<QString, int>, TaskInfo> m_known; // of these jobs, by role and index
    RefreshPace *m_pace; // of questions about the job
    int m_request = 0; // answers to older requests are dropped
    TaskPages m_pages; // of the newest request
    int m_triesRequest = 0; // the same
    // Tasks on other hosts, by role, index and attempt: without an answer.
    QSet<std::pair<QString, std::pair<int, int>>> m_filesAskedOf;
};

} // namespace trainyard
