// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/comparetab.h"

#include "app/gui/pages/outputtriesfetch.h"
#include "engine/api/compare/parametertext.h"
#include "engine/api/jobfilter.h"
#include "engine/api/jobpages.h"
#include "engine/client/capturedfile.h"
#include "engine/client/engineclient.h"
#include "engine/foreign/foreignruns.h"
#include "model/base/threads.h"
#include "widgets/common/icons.h"
#include "widgets/compare/comparecurves.h"
#include "widgets/compare/comparepage.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QPointer>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace trainyard
{
namespace
{

constexpr qsizetype mostComparedTexts = 60; // beyond these, the parameters say in what the runs differ
// A task that has just started has no record yet; one on a cluster may get it only at its end.
constexpr int surroundingsAgainMs = 1500, surroundingsLongestMs = 30'000;
constexpr int tasksDrawn = 4; // of a run: the first that has a metric is drawn

} // namespace

CompareTab::CompareTab(EngineClient *client, ForeignRuns *foreign, const QString &group, const QStringList &uuids)
    : Page(new ComparePage), m_client(client), m_foreign(foreign), m_page(static_cast<ComparePage *>(widget())),
      m_group(group), m_uuids(uuids)
{
    m_page->setHeading(m_group.isEmpty() ? title() : m_group);
    m_page->runs()->setGroup(m_group);
    connect(m_page, &ComparePage::outputsWanted, this, &CompareTab::askForOutputs);
    connect(m_page, &ComparePage::edited, this, &Page::edited);
    connect(m_page->runs(), &CompareRuns::reset, this, [this] {
        Q_EMIT changed();
        Q_EMIT statusTextChanged(statusText());
        Q_EMIT actionsChanged();
    });
    connect(
        m_page, &ComparePage::said, this, [this](const QString &sentence) { Q_EMIT sayRequested(sentence, false); });
    connect(m_page, &ComparePage::saved, this, [this](const QString &file) { Q_EMIT savedRequested({}, file); });
    connect(client, &EngineClient::reset, this, &CompareTab::load);
    connect(client, &EngineClient::jobChanged, this, &CompareTab::onJobChanged);
    connect(client, &EngineClient::jobRemoved, this, [this](const QString &uuid) { removeRuns({uuid}); });
    connect(foreign, &ForeignRuns::changed, this, [this](const ForeignRun &run) { onJobChanged(run.summary); });
    connect(foreign, &ForeignRuns::removed, this, [this](const QString &uuid) { removeRuns({uuid}); });
    load();
}

void CompareTab::load()
{
    const bool isReady = m_client->status() == EngineClient::Status::Ready;
    if (!m_group.isEmpty() && isReady) {
        ++m_round;
        m_seen.clear();
        loadGroup({groupFilter(m_group), 0, jobsOfPage});
    }
    const QStringList uuids = m_uuids;
    for (const QString &uuid : uuids) {
        if (isForeign(uuid)) {
            if (const auto run = m_foreign->run(uuid)) { // else it is being read
                m_jobs.insert(uuid, run->summary);
            }
        } else if (const auto job = m_client->job(uuid)) {
            m_jobs.insert(uuid, *job);
        } else if (m_group.isEmpty() && isReady) {
            loadJob(uuid); // it is older than what is mirrored
        }
    }
    show();
}

void CompareTab::loadGroup(const api::JobPage &page)
{
    m_client->call<api::ListJobs>(page, this, [this, page, round = m_round](const Result<QList<JobSummary>> &jobs) {
        const std::optional<api::JobPage> next = nextJobPage(page, jobs);
        if (round != m_round || (!jobs && !next)) {
            return; // the engine is gone; it is asked again when it is back
        }
        if (jobs) {
            takeOfGroup(*jobs);
        }
        if (next) {
            loadGroup(*next);
        } else {
            settleLooks();
            askForOthers();
        }
    });
}

void CompareTab::takeOfGroup(const QList<JobSummary> &jobs)
{
    QStringList found;
    bool isOther = false;
    for (const JobSummary &job : jobs) {
        if (job.group != m_group || m_removed.contains(job.uuid)) {
            continue;
        }
        m_seen.insert(job.uuid);
        if (m_jobs.contains(job.uuid) && m_uuids.contains(job.uuid)) {
            take(job); // it may have ended while the engine was not connected
            continue;
        }
        m_jobs.insert(job.uuid, job);
        isOther = true;
        if (!m_uuids.contains(job.uuid)) {
            found.prepend(job.uuid);
        }
    }
    if (isOther) {
        m_uuids = found + m_uuids; // older ones come later
        show();
    }
}

// Those that are not of the group and older than what is mirrored, and those that were removed while the engine was not
// connected.
void CompareTab::askForOthers()
{
    const QStringList uuids = m_uuids;
    for (const QString &uuid : uuids) {
        if (!m_seen.contains(uuid) && !isForeign(uuid) && !m_client->job(uuid)) {
            loadJob(uuid);
        }
    }
}

void CompareTab::loadJob(const QString &uuid)
{
    m_client->call<api::GetJob>({uuid}, this, [this, uuid](const Result<JobDetail> &detail) {
        if (detail) {
            m_jobs.insert(uuid, detail->summary);
            show();
        } else if (detail.error().code == QLatin1StringView("job.unknown")) {
            removeRuns({uuid}); // what is left is compared, and counted
        }
    });
}

void CompareTab::onJobChanged(const JobSummary &job)
{
    if (!m_group.isEmpty() && job.group == m_group && !m_uuids.contains(job.uuid) && !m_removed.contains(job.uuid)) {
        m_jobs.insert(job.uuid, job);
        m_uuids.append(job.uuid);
        show();
    } else if (m_uuids.contains(job.uuid)) {
        take(job);
    }
}

void CompareTab::take(const JobSummary &job)
{
    const bool isNew = !m_jobs.contains(job.uuid);
    m_jobs.insert(job.uuid, job);
    if (isNew) {
        show();
        return;
    }
    m_page->runs()->apply(job);
    readSurroundings(job);
    if (const auto drawn = m_drawn.constFind(job.uuid); drawn != m_drawn.cend() && *drawn != job.countedFrom()) {
        askForOutputs(job.uuid); // another attempt has outputs of its own
    }
}

void CompareTab::show()
{
    QList<JobSummary> jobs;
    for (const QString &uuid : std::as_const(m_uuids)) {
        if (m_jobs.contains(uuid)) {
            jobs.append(m_jobs.value(uuid));
        }
    }
    m_page->runs()->setJobs(jobs);
    m_page->setHeading(m_group.isEmpty() ? title() : m_group);
    if (!m_awaited.isEmpty() && jobs.size() == m_uuids.size() && !jobs.isEmpty()) {
        m_page->restoreLayout(std::exchange(m_awaited, {}));
    }
    if (m_group.isEmpty() && jobs.size() == m_uuids.size() && !jobs.isEmpty()) {
        settleLooks();
    }
    for (const JobSummary &job : std::as_const(jobs)) {
        if (m_asked.size() < mostComparedTexts && !m_asked.contains(job.uuid) && !isForeign(job.uuid)) {
            m_asked.insert(job.uuid);
            askForText(job);
        }
        readSurroundings(job);
    }
    Q_EMIT changed();
    Q_EMIT edited();
}

// Once: a run that is added later takes no look of another.
void CompareTab::settleLooks()
{
    if (!std::exchange(m_isSettled, true)) {
        m_page->runs()->settleLooks();
    }
}

void CompareTab::askForText(const JobSummary &job)
{
    m_client->call<api::GetJob>({job.uuid}, this, [this, uuid = job.uuid](const Result<JobDetail> &detail) {
        if (detail) {
            m_page->runs()->setText(uuid, yamlWithParameters(detail->yaml, detail->summary.parameters));
        } else {
            m_asked.remove(uuid);
        }
    });
}

// Once for each attempt as soon as it has begun, and again when the run is over.
void CompareTab::readSurroundings(const JobSummary &job)
{
    const Surroundings now{job.countedFrom(), isFinal(job.state)};
    if (job.launched && m_asked.contains(job.uuid) && m_surroundings.value(job.uuid) != now) {
        m_surroundings.insert(job.uuid, now);
        askForEnvironment(job.uuid, now, surroundingsAgainMs);
    }
}

void CompareTab::askForEnvironment(const QString &uuid, const Surroundings &of, int againMs)
{
    m_client->call<api::ListTasks>({uuid, -1, 0, 1}, this, [=, this](const Result<QList<TaskInfo>> &tasks) {
        if (!tasks) {
            m_surroundings.remove(uuid); // with the next change
            return;
        }
        const QString folder = tasks->isEmpty() ? QString() : tasks->constFirst().logFolder;
        threads::runOnPool([guard = QPointer<CompareTab>(this), uuid, of, againMs, folder] {
            const QJsonObject environment = capturedEnvironmentIn(folder);
            // The application object outlives the page; the guard is read on its thread only.
            threads::callLater(QCoreApplication::instance(), [guard, uuid, of, againMs, environment] {
                if (guard) {
                    guard->takeEnvironment(uuid, of, againMs, environment);
                }
            });
        });
    });
}

void CompareTab::takeEnvironment(
    const QString &uuid, const Surroundings &of, int againMs, const QJsonObject &environment)
{
    if (m_surroundings.value(uuid) != of) {
        return; // another attempt has begun, or the run is over: that is being read
    }
    m_page->runs()->setEnvironment(uuid, environment);
    if (environment.isEmpty() && !of.isOver && againMs <= surroundingsLongestMs) {
        QTimer::singleShot(againMs, this, [this, uuid, of, againMs] {
            if (m_surroundings.value(uuid) == of) {
                askForEnvironment(uuid, of, 2 * againMs);
            }
        });
    }
}

void CompareTab::askForOutputs(const QString &uuid)
{
    if (isForeign(uuid)) {
        const auto run = m_foreign->run(uuid);
        m_page->curves()->setOutputs(uuid, run ? QStringList{run->task.logFolder} : QStringList());
        return;
    }
    m_drawn.insert(uuid, m_jobs.value(uuid).countedFrom());
    fetchOutputTries(m_client, this, uuid, tasksDrawn, [this, uuid](const QList<QList<OutputTry>> &tasks) {
        if (tasks.isEmpty() || m_jobs.value(uuid).state == State::Waiting) { // for its next attempt, too
            m_drawn.insert(uuid, 0); // it is asked for again with the next change
        }
        m_page->curves()->setTries(uuid, tasks);
    });
}

void CompareTab::addRuns(const QStringList &uuids)
{
    for (const QString &uuid : uuids) {
        m_removed.remove(uuid);
        if (!m_uuids.contains(uuid)) {
            m_uuids.append(uuid);
        }
    }
    load();
}

void CompareTab::removeRuns(const QStringList &uuids)
{
    const qsizetype before = m_uuids.size();
    for (const QString &uuid : uuids) {
        m_uuids.removeOne(uuid);
        m_jobs.remove(uuid);
        if (!m_group.isEmpty()) {
            m_removed.insert(uuid);
        }
    }
    if (m_uuids.size() != before) {
        show();
    }
}

// The distinguishing part comes first, because a narrow tab cuts the end.
QString CompareTab::title() const
{
    return m_group.isEmpty() ? tr("%n run(s) compared", nullptr, int(m_uuids.size())) : tr("%1 compared").arg(m_group);
}

QIcon CompareTab::icon() const { return trainyard::icon(QStringLiteral("chart"), Colour::Muted); }

QString CompareTab::statusText() const { return tr("%n run(s)", nullptr, int(m_page->runs()->runs().size())); }

QList<QAction *> CompareTab::actions() const { return m_page->pageActions(); }

QList<QAction *> CompareTab::exports() const { return m_page->exportActions(); }

std::optional<SessionTab> CompareTab::place() const
{
    SessionTab tab;
    tab.kind = kind;
    tab.name = m_group.isEmpty() ? QString() : QString(groupPrefix + m_group);
    const QByteArray layout = m_awaited.isEmpty() ? m_page->saveLayout() : m_awaited;
    QJsonObject kept{{QStringLiteral("layout"), QString::fromUtf8(layout)}};
    QStringList runs = m_uuids;
    runs.removeIf([this](const QString &uuid) { // those of the group are found again
        return !m_group.isEmpty() && m_jobs.value(uuid).group == m_group;
    });
    kept.insert(QStringLiteral("runs"), QJsonArray::fromStringList(runs));
    kept.insert(
        QStringLiteral("removed"), QJsonArray::fromStringList(QStringList(m_removed.cbegin(), m_removed.cend())));
    kept.insert(QStringLiteral("folded"), m_page->runs()->isFolded());
    if (const auto drawn = m_page->runs()->chosenDrawn()) {
        kept.insert(QStringLiteral("drawn"), QJsonArray::fromStringList(*drawn));
        kept.insert(QStringLiteral("drawnAsRows"), QJsonArray::fromStringList(m_page->runs()->drawnAsRows()));
    }
    QJsonObject looks;
    const QHash<QString, int> given = m_page->runs()->looks();
    for (auto look = given.cbegin(); look != given.cend(); ++look) {
        looks.insert(look.key(), *look);
    }
    kept.insert(QStringLiteral("looks"), looks);
    tab.layout = QJsonDocument(kept).toJson(QJsonDocument::Compact);
    return tab;
}

void CompareTab::restoreLayout(const QByteArray &layout)
{
    const QJsonObject kept = QJsonDocument::fromJson(layout).object();
    for (const QJsonValue each : kept.value(QLatin1String("removed")).toArray()) {
        m_removed.insert(each.toString());
    }
    QStringList runs;
    for (const QJsonValue each : kept.value(QLatin1String("runs")).toArray()) {
        runs.append(each.toString());
    }
    QHash<QString, int> looks;
    const QJsonObject given = kept.value(QLatin1String("looks")).toObject();
    for (auto look = given.begin(); look != given.end(); ++look) {
        looks.insert(look.key(), look.value().toInt(-1));
    }
    m_page->runs()->setFolded(kept.value(QLatin1String("folded")).toBool());
    m_page->runs()->restoreLooks(looks);
    m_awaited = kept.value(QLatin1String("layout")).toString().toUtf8();
    if (const QJsonValue drawn = kept.value(QLatin1String("drawn")); drawn.isArray()) {
        QStringList uuids;
        for (const QJsonValue each : drawn.toArray()) {
            uuids.append(each.toString());
        }
        QStringList asRows;
        for (const QJsonValue each : kept.value(QLatin1String("drawnAsRows")).toArray()) {
            asRows.append(each.toString());
        }
        m_page->runs()->restoreDrawn(uuids, asRows);
    }
    addRuns(runs);
}

} // namespace trainyard
