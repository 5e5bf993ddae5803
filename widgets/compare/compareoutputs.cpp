// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/compareoutputs.h"

#include "widgets/plot/curvestore.h"

#include <algorithm>
#include <utility>

namespace trainyard
{
namespace
{
constexpr qsizetype readForReason = 4; // runs
}

CompareOutputs::CompareOutputs(CompareRuns *runs, QObject *parent)
    : QObject(parent), m_runs(runs), m_store(new CurveStore(this))
{
    connect(m_store, &CurveStore::reset, this, [this] {
        Q_EMIT leaving(); // some may be told again, in other series
        Q_EMIT reset();
    });
    connect(m_store, &CurveStore::grew, this, &CompareOutputs::grew);
}

void CompareOutputs::setWatching(bool on)
{
    m_isWatching = on;
    m_store->setWatching(on);
    readDrawn();
}

void CompareOutputs::readDrawn()
{
    if (!m_isWatching) {
        return;
    }
    QList<qsizetype> read = m_runs->drawn();
    if (read.isEmpty() && m_runs->metrics().isEmpty()) { // nothing is drawn, and why is what is asked
        for (qsizetype run = 0; run < std::min(readForReason, m_runs->runs().size()); ++run) {
            read.append(run);
        }
    }
    for (const qsizetype run : std::as_const(read)) {
        const QString uuid = m_runs->runs().at(run).job.uuid;
        if (!m_tries.contains(uuid)) {
            m_tries.insert(uuid, {});
            m_awaited.insert(uuid);
            Q_EMIT wanted(uuid);
        }
        for (const int task : m_tasks.value(uuid)) {
            m_store->want(task);
        }
    }
}

// Those that are known stay where they are, so that what was read of them is kept.
bool CompareOutputs::setTries(const QString &uuid, const QList<QList<OutputTry>> &tasks)
{
    m_awaited.remove(uuid);
    if (m_tries.value(uuid) == tasks) {
        return false;
    }
    m_tries.insert(uuid, tasks);
    QList<CurveStore::Task> all = m_store->tasks();
    for (auto it = m_tries.cbegin(); it != m_tries.cend(); ++it) {
        QList<int> &places = m_tasks[it.key()];
        for (qsizetype i = 0; i < it->size(); ++i) {
            if (i >= places.size()) {
                places.append(int(all.size()));
                all.append({it.key() + QLatin1Char('/') + QString::number(i), {}, false, it.key()});
            }
            CurveStore::Task &task = all[places.at(i)];
            task.earlier = it->at(i);
            const OutputTry newest = task.earlier.isEmpty() ? OutputTry() : task.earlier.takeLast();
            task.folder = newest.folder;
            task.attempt = newest.attempt;
            task.number = newest.number;
        }
    }
    Q_EMIT leaving();
    m_store->setTasks(all);
    readDrawn();
    return true;
}

int CompareOutputs::taskWith(qsizetype run, const QString &metric, CurveAlong along) const
{
    const QList<int> tasks = m_tasks.value(m_runs->runs().at(run).job.uuid);
    const auto found = std::find_if(
        tasks.cbegin(), tasks.cend(), [&](int task) { return m_store->series(task, metric, along) != nullptr; });
    return found == tasks.cend() ? -1 : *found;
}

// As the run writes it: in another case where only one of its curves has such a name.
QString CompareOutputs::spellingOf(qsizetype run, const QString &metric, CurveAlong along) const
{
    if (taskWith(run, metric, along) >= 0) {
        return metric;
    }
    // Asked for each run and plot again and again: not of all names that there are.
    QSet<QString> own;
    const QList<int> tasks = m_tasks.value(m_runs->runs().at(run).job.uuid);
    for (const int task : tasks) {
        const QStringList names = m_store->namesInAnyCase(task, metric);
        own += QSet<QString>(names.cbegin(), names.cend());
    }
    own.removeIf([&](const QString &name) { return taskWith(run, name, along) < 0; });
    return own.size() == 1 ? *own.cbegin() : metric;
}

const series::Series *CompareOutputs::series(qsizetype run, const QString &metric, CurveAlong along) const
{
    const QString name = spellingOf(run, metric, along);
    return m_store->series(taskWith(run, name, along), name, along);
}

QList<TryBegin> CompareOutputs::tryBegins(qsizetype run, const QString &metric) const
{
    const QString name = spellingOf(run, metric, CurveAlong::Time);
    const int task = isFigure(name) ? -1 : taskWith(run, name, CurveAlong::Time);
    return task < 0 ? QList<TryBegin>() : m_store->tryBegins(task);
}

qint64 CompareOutputs::startOf(qsizetype run) const
{
    const JobSummary &job = m_runs->runs().at(run).job;
    return job.launched.value_or(job.submitted);
}

QStringList CompareOutputs::names() const { return m_store->names(); }
bool CompareOutputs::isFigure(const QString &name) const { return m_store->isFigure(name); }
bool CompareOutputs::hasEpochs() const { return m_store->hasEpochs(); }

bool CompareOutputs::hasTimes() const { return m_store->hasTimes(); }
bool CompareOutputs::isReading() const { return m_isWatching && (!m_awaited.isEmpty() || m_store->isReading()); }

QStringList CompareOutputs::sharedFiles() const
{
    QStringList files;
    for (const Error &remark : m_store->remarks()) {
        const QString file = remark.args.value(QStringLiteral("file")).toString();
        if (remark.code == QLatin1StringView("metricfile.shared-file") && !files.contains(file)) {
            files.append(file);
        }
    }
    return files;
}

} // namespace trainyard
