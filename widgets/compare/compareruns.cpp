// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/compareruns.h"

#include "engine/api/compare/comparefolds.h"
#include "engine/api/foreignid.h"
#include "engine/api/jobfacts.h"
#include "engine/api/namesinanycase.h"
#include "widgets/common/tokens.h"
#include "widgets/text/comparetexts.h"

#include <QTimer>

#include <algorithm>
#include <tuple>
#include <utility>

namespace trainyard
{
namespace
{
constexpr int tellEveryMs = 200;
} // namespace

CompareRuns::CompareRuns(QObject *parent) : QObject(parent), m_timer(new QTimer(this))
{
    m_timer->setSingleShot(true);
    m_timer->setInterval(tellEveryMs);
    connect(m_timer, &QTimer::timeout, this, &CompareRuns::takeChanges);
}

void CompareRuns::setJobs(const QList<JobSummary> &jobs)
{
    QHash<QString, CompareRun> known;
    for (const CompareRun &run : std::as_const(m_runs)) {
        known.insert(run.job.uuid, run);
    }
    passOnLooks(jobs);
    m_runs.clear();
    m_places.clear();
    for (const JobSummary &job : jobs) {
        CompareRun run = known.value(job.uuid);
        run.job = job;
        m_places.insert(job.uuid, m_runs.size());
        m_runs.append(run);
    }
    m_looks.removeIf([this](const auto &look) { return !m_places.contains(look.key()); });
    // Jobs that are added are mostly newer ones: they take no look of another.
    QList<JobSummary> byNumber = jobs;
    std::sort(byNumber.begin(), byNumber.end(), [](const JobSummary &one, const JobSummary &other) {
        return std::tie(one.id, one.uuid) < std::tie(other.id, other.uuid);
    });
    m_ownLooks.clear();
    for (qsizetype i = 0; i < byNumber.size(); ++i) {
        m_ownLooks.insert(byNumber.at(i).uuid, int(i % lookCount));
    }
    m_hidden.removeIf([this](const QString &uuid) { return !m_places.contains(uuid); });
    m_brush.reset();
    m_isOther = true;
    const bool isOtherDrawn = drawAwaited();
    takeChanges();
    if (isOtherDrawn) {
        Q_EMIT drawnChanged();
    }
}

void CompareRuns::apply(const JobSummary &job)
{
    const qsizetype place = indexOf(job.uuid);
    if (place < 0) {
        return;
    }
    m_isOther = m_isOther || !hasSameFacts(m_runs.at(place).job, job);
    m_runs[place].job = job;
    if (!m_timer->isActive()) {
        m_timer->start();
    }
}

void CompareRuns::setText(const QString &uuid, const QByteArray &yaml)
{
    if (const qsizetype place = indexOf(uuid); place >= 0 && m_runs.at(place).yaml != yaml) {
        m_runs[place].yaml = yaml;
        m_isOther = true;
        m_timer->start();
    }
}

QStringList CompareRuns::uuidsOf(const QList<qsizetype> &runs) const
{
    QStringList uuids;
    for (const qsizetype run : runs) {
        uuids.append(m_runs.at(run).job.uuid);
    }
    return uuids;
}

void CompareRuns::setEnvironment(const QString &uuid, const QJsonObject &environment)
{
    if (const qsizetype place = indexOf(uuid); place >= 0 && m_runs.at(place).environment != environment) {
        m_runs[place].environment = environment;
        m_isOther = true;
        m_timer->start();
    }
}

void CompareRuns::takeChanges()
{
    QList<JobSummary> jobs;
    for (const CompareRun &run : std::as_const(m_runs)) {
        jobs.append(run.job);
    }
    const QStringList metrics = compareMetrics(jobs);
    if (!m_isOther && metrics == m_metrics) {
        if (drawBest()) {
            Q_EMIT drawnChanged();
        }
        Q_EMIT valuesChanged();
        return;
    }
    m_isOther = false;
    m_metrics = metrics;
    if (const QString spelling = nameInAnyCase(metrics, m_metric); !spelling.isNull()) {
        m_metric = spelling; // more runs may have it in another case
    }
    if (!m_isMetricChosen || !metrics.contains(m_metric)) {
        m_metric = metrics.value(0);
        m_better = betterByName(m_metric);
        m_isMetricChosen = false;
    }
    compare();
    tellReset();
}

void CompareRuns::compare()
{
    m_table = compareRuns(m_runs);
    const bool differ = std::any_of(m_table.different.cbegin(), m_table.different.cend(), [](const CompareFact &fact) {
        return fact.kind == CompareFact::Kind::Run && fact.name == QLatin1String("name");
    });
    // The heading has the name of a sweep, and the numbers in the names of its jobs say less than its parameters do.
    m_hasNames
        = differ && (m_group.isEmpty() || !std::all_of(m_runs.cbegin(), m_runs.cend(), [this](const CompareRun &run) {
              return run.job.group == m_group && isNumberedOf(run.job.name, m_group);
          }));
    m_mainParameter = -1;
    qsizetype most = 0;
    for (qsizetype i = 0; i < m_table.different.size(); ++i) {
        const CompareFact &fact = m_table.different.at(i);
        const qsizetype count = QSet<QString>(fact.values.cbegin(), fact.values.cend()).size();
        if (fact.kind == CompareFact::Kind::Parameter && !fact.isSeed() && count > most) {
            m_mainParameter = i;
            most = count;
        }
    }
    makeRows();
}

void CompareRuns::makeRows()
{
    m_folds.clear();
    if (m_isFolded) {
        m_folds = foldSeeds(m_table, m_runs.size());
    } else {
        for (qsizetype run = 0; run < m_runs.size(); ++run) {
            m_folds.append(QList<qsizetype>{run});
        }
    }
    m_foldOf = QList<qsizetype>(m_runs.size());
    for (qsizetype fold = 0; fold < m_folds.size(); ++fold) {
        for (const qsizetype run : std::as_const(m_folds.at(fold))) {
            m_foldOf[run] = fold;
        }
    }
    m_rows = m_folds;
    for (QList<qsizetype> &row : m_rows) {
        row.removeIf([this](qsizetype run) { return isHidden(run); });
    }
    m_rows.removeIf([](const QList<qsizetype> &row) { return row.isEmpty(); });
}

// Others are drawn only once everybody knows the runs and rows.
void CompareRuns::tellReset()
{
    const bool isOtherDrawn = drawBest();
    Q_EMIT reset();
    if (isOtherDrawn) {
        Q_EMIT drawnChanged();
    }
}

void CompareRuns::setMetric(const QString &metric)
{
    m_isMetricChosen = true;
    const QString spelling = nameInAnyCase(m_metrics, metric);
    if (!spelling.isNull() && spelling != m_metric) {
        m_metric = spelling;
        m_better = betterByName(spelling);
        tellReset();
    }
}

void CompareRuns::setBetter(Better better)
{
    if (better != m_better) {
        m_better = better;
        m_isMetricChosen = true;
        tellReset();
    }
}

std::optional<double> CompareRuns::value(qsizetype run) const
{
    return m_metric.isEmpty() ? std::nullopt : compareValue(m_runs.at(run).job, m_metric, m_better).best;
}

std::optional<double> CompareRuns::rankedValue(qsizetype run) const
{
    return m_metric.isEmpty() ? std::nullopt : compareValue(m_runs.at(run).job, m_metric, m_better).ranked();
}

QList<qsizetype> CompareRuns::ranking() const
{
    QList<std::optional<double>> values;
    QList<bool> behind;
    for (qsizetype run = 0; run < m_runs.size(); ++run) {
        values.append(rankedValue(run));
        behind.append(ranksBehind(m_runs.at(run).job));
    }
    QList<qsizetype> order = compareRanking(values, m_better, behind);
    order.removeIf([this](qsizetype run) { return isHidden(run); });
    return order;
}

QList<JobSummary> CompareRuns::jobsOf(const QList<qsizetype> &runs) const
{
    QList<JobSummary> jobs;
    for (const qsizetype run : runs) {
        jobs.append(m_runs.at(run).job);
    }
    return jobs;
}

std::optional<double> CompareRuns::rankedMean(const QList<qsizetype> &row) const
{
    QList<std::optional<double>> ranked;
    for (const qsizetype run : m_metric.isEmpty() ? QList<qsizetype>() : row) {
        const CompareValue value = compareValue(m_runs.at(run).job, m_metric, m_better);
        if (value.isBroken) {
            return std::nullopt;
        }
        ranked.append(value.ranked());
    }
    const CompareSpread spread = spreadOf(ranked);
    return spread.n > 0 ? std::optional(spread.mean) : std::nullopt;
}

QList<QList<qsizetype>> CompareRuns::rankedRows() const
{
    QList<std::optional<double>> means;
    QList<bool> behind;
    for (const QList<qsizetype> &row : m_rows) {
        means.append(rankedMean(row));
        behind.append(ranksBehind(jobsOf(row), m_metric));
    }
    QList<QList<qsizetype>> rows;
    for (const qsizetype row : compareRanking(means, m_better, behind)) {
        rows.append(m_rows.at(row));
    }
    return rows;
}

qsizetype CompareRuns::best() const
{
    const QList<qsizetype> order = ranking();
    return !order.isEmpty() && rankedValue(order.constFirst()) ? order.constFirst() : -1;
}

void CompareRuns::setFolded(bool on)
{
    if (on != m_isFolded) {
        rememberLooks();
        m_isFolded = on;
        if (!on) {
            drawRowsAsRuns();
        }
        makeRows();
        tellReset();
    }
}

QString CompareRuns::label(qsizetype run) const
{
    const JobSummary &job = m_runs.at(run).job;
    if (isForeign(job.uuid)) {
        return job.name;
    }
    const QString number = QStringLiteral("#%1").arg(job.id);
    return m_hasNames ? QString(job.name + QLatin1Char(' ') + number) : number;
}

QString detailOfRun(const CompareRuns &runs, qsizetype run)
{
    constexpr qsizetype most = 3;
    QStringList words;
    for (const CompareFact &fact : runs.table().different) {
        const QString &value = fact.values.at(run);
        const bool isTold = fact.kind == CompareFact::Kind::Parameter && !(runs.isFolded() && fact.isSeed());
        if (isTold && !value.isNull() && words.size() < most) {
            words.append(fact.name + u' ' + factValue(value));
        }
    }
    return words.join(QStringLiteral(", "));
}

} // namespace trainyard
