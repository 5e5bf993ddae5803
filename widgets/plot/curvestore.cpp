// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/curvestore.h"

#include "engine/api/tasklabel.h"
#include "engine/api/values.h"

#include <QTimer>

#include <algorithm>

namespace trainyard
{
namespace
{

// What nearly everybody looks at first.
int rankOfName(const QString &name)
{
    const QString last = name.section(QLatin1Char('/'), -1).toLower();
    if (last == QLatin1String("loss")) {
        return name.contains(QLatin1Char('/')) ? 1 : 0;
    }
    if (last.contains(QLatin1String("loss"))) {
        return 2;
    }
    for (const char *wanted : {"acc", "reward", "return", "map", "f1", "bleu", "ppl", "perplexity"}) {
        if (last.contains(QLatin1String(wanted))) {
            return 3;
        }
    }
    return 4;
}

} // namespace

CurveStore::CurveStore(QObject *parent) : QObject(parent), m_feed(new MetricsFeed(this)), m_timer(new QTimer(this))
{
    constexpr int tellEveryMs = 100;
    m_timer->setSingleShot(true);
    m_timer->setInterval(tellEveryMs);
    connect(m_timer, &QTimer::timeout, this, &CurveStore::grew);
    connect(m_feed, &MetricsFeed::found, this, &CurveStore::take);
    connect(m_feed, &MetricsFeed::caughtUp, this, [this] {
        if (m_isReading) {
            m_isReading = false;
            Q_EMIT grew();
        }
    });
}

void CurveStore::setTasks(const QList<TaskInfo> &tasks)
{
    QList<Task> wanted;
    bool isSame = tasks.size() == m_tasks.size();
    for (const TaskInfo &task : tasks) {
        wanted.append({taskLabel(task), task.logFolder});
        isSame = isSame && wanted.constLast().name == m_tasks.at(wanted.size() - 1).name
            && wanted.constLast().folder == m_tasks.at(wanted.size() - 1).folder;
    }
    if (isSame) {
        return;
    }
    // A task that starts gets its folder, and the others are as they were.
    const auto isGrown = [](const Task &before, const Task &now) {
        return before.name == now.name && (before.folder.isEmpty() || before.folder == now.folder);
    };
    const bool onlyMore
        = wanted.size() >= m_tasks.size() && std::equal(m_tasks.cbegin(), m_tasks.cend(), wanted.cbegin(), isGrown);
    const QList<Task> before = onlyMore ? m_tasks : QList<Task>();
    for (int i = 0; i < before.size(); ++i) {
        wanted[i].isWanted = before.at(i).isWanted;
    }
    if (!onlyMore) {
        m_feed->clear();
        m_curves.clear();
        m_order.clear();
        m_firstTime = 0;
    }
    m_tasks = wanted;
    m_curves.resize(static_cast<std::size_t>(wanted.size()));
    for (int i = 0; i < wanted.size(); ++i) {
        if (wanted.at(i).isWanted && before.at(i).folder.isEmpty()) {
            read(i);
        }
    }
    Q_EMIT reset();
}

void CurveStore::want(int task)
{
    if (!m_tasks.at(task).isWanted) {
        m_tasks[task].isWanted = true;
        read(task);
    }
}

void CurveStore::read(int task)
{
    if (!m_tasks.at(task).folder.isEmpty()) {
        m_isReading = true;
        m_feed->add(task, m_tasks.at(task).folder);
    }
}

void CurveStore::setWatching(bool on) { m_feed->setWatching(on); }

void CurveStore::take(const MetricsFeed::Batch &batch)
{
    auto &curves = m_curves[static_cast<std::size_t>(batch.task)];
    for (const LogMetrics::TimedPoint &timed : batch.points) {
        const QString name = QString::fromStdString(timed.point.name);
        std::unique_ptr<Curve> &curve = curves[name];
        if (!curve) {
            curve = std::make_unique<Curve>();
            m_order.insert(name, m_order.value(name, int(m_order.size())));
        }
        curve->series.append({curve->x.next(timed.point), timed.time, timed.point.value});
        m_firstTime = m_firstTime == 0 ? timed.time : std::min(m_firstTime, timed.time);
    }
    if (!m_timer->isActive()) {
        m_timer->start();
    }
}

QStringList CurveStore::names() const
{
    QStringList all = m_order.keys();
    std::sort(all.begin(), all.end(), [this](const QString &a, const QString &b) {
        const int first = rankOfName(a), second = rankOfName(b);
        return first != second ? first < second : m_order.value(a) < m_order.value(b);
    });
    return all;
}

const series::Series *CurveStore::series(int task, const QString &name) const
{
    if (task < 0 || std::size_t(task) >= m_curves.size()) {
        return nullptr;
    }
    const auto &curves = m_curves[std::size_t(task)];
    const auto found = curves.find(name);
    return found == curves.cend() ? nullptr : &found->second->series;
}

} // namespace trainyard
