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
#include <iterator>
#include <tuple>
#include <utility>

namespace trainyard
{
namespace
{
constexpr qsizetype drawnFirst = 6;
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
    m_rows.clear();
    if (m_isFolded) {
        m_rows = foldSeeds(m_table, m_runs.size());
    } else {
        for (qsizetype run = 0; run < m_runs.size(); ++run) {
            m_rows.append(QList<qsizetype>{run});
        }
    }
    m_rowsWithHidden = m_rows.size();
    for (QList<qsizetype> &row : m_rows) {
        row.removeIf([this](qsizetype run) { return isHidden(run); });
    }
    m_rows.removeIf([](const QList<qsizetype> &row) { return row.isEmpty(); });
}

void CompareRuns::setHidden(const QSet<QString> &uuids)
{
    if (uuids != m_hidden) {
        m_hidden = uuids;
        makeRows();
        drawBest();
        Q_EMIT reset();
        Q_EMIT drawnChanged(); // also where the user has chosen: a hidden run is not drawn
    }
}

// As long as the user has not chosen, those are drawn that are the best now. One that stays among them keeps its look.
bool CompareRuns::drawBest()
{
    if (m_isDrawnChosen || m_isDrawnHeld) {
        return false;
    }
    const auto tells = [this](qsizetype run) {
        return value(run) || m_metrics.isEmpty()
            || std::any_of(m_metrics.cbegin(), m_metrics.cend(),
                [&](const QString &metric) { return hasValue(m_runs.at(run).job, metric); });
    };
    QStringList wanted;
    for (const qsizetype run : ranking()) { // those that have another metric only come last
        if (wanted.size() < drawnFirst && passes(run) && tells(run)) {
            wanted.append(m_runs.at(run).job.uuid);
        }
    }
    bool isOther = m_looks.removeIf([&wanted](const auto &look) { return !wanted.contains(look.key()); }) > 0;
    for (const QString &uuid : std::as_const(wanted)) {
        if (!m_looks.contains(uuid)) {
            draw(uuid);
            isOther = true;
        }
    }
    return isOther;
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

// The one that it was restored with. Else its own one, unless a drawn run has its colour and there is one that fewer
// have: of the colours that are used least, the first one with a dash that is free.
int CompareRuns::freeLook(const QString &uuid) const
{
    int ofColour[seriesCount] = {};
    bool isTaken[lookCount] = {};
    const auto take = [&](int look) {
        ofColour[look % seriesCount] += isTaken[look] ? 0 : 1;
        isTaken[look] = true;
    };
    for (const int look : m_looks) {
        take(look);
    }
    if (const int kept = m_keptLooks.value(uuid, -1); kept >= 0 && !isTaken[kept]) {
        return kept;
    }
    for (auto kept = m_keptLooks.cbegin(); kept != m_keptLooks.cend(); ++kept) {
        take(*kept);
    }
    int free = -1;
    for (int look = 0; look < lookCount; ++look) {
        if (!isTaken[look] && (free < 0 || ofColour[look % seriesCount] < ofColour[free % seriesCount])) {
            free = look;
        }
    }
    if (free < 0) { // too many are kept for runs that have not come
        const auto drawn = m_looks.values();
        free = 0;
        while (drawn.contains(free)) {
            ++free;
        }
    }
    static_assert(lookCount > mostDrawn);
    const int own = m_ownLooks.value(uuid);
    const bool isOwnFree = !isTaken[own] && ofColour[own % seriesCount] <= ofColour[free % seriesCount];
    return isOwnFree ? own : free;
}

QHash<QString, int> CompareRuns::looks() const
{
    QHash<QString, int> all = m_looks;
    for (auto kept = m_keptLooks.cbegin(); kept != m_keptLooks.cend(); ++kept) {
        if (!m_places.contains(kept.key())) { // it may still come
            all.insert(kept.key(), *kept);
        }
    }
    return all;
}

void CompareRuns::restoreLooks(const QHash<QString, int> &looks)
{
    m_keptLooks.clear();
    for (auto look = looks.cbegin(); look != looks.cend() && m_keptLooks.size() < mostDrawn; ++look) {
        if (*look >= 0 && *look < lookCount) {
            m_keptLooks.insert(look.key(), *look);
        }
    }
    settleLooks();
}

void CompareRuns::settleLooks()
{
    const QHash<QString, int> before = std::exchange(m_looks, {});
    QStringList uuids = before.keys();
    std::sort(uuids.begin(), uuids.end(), [this](const QString &one, const QString &other) {
        return std::tuple(m_runs.at(m_places.value(one)).job.id, one)
            < std::tuple(m_runs.at(m_places.value(other)).job.id, other);
    });
    for (const QString &uuid : std::as_const(uuids)) {
        draw(uuid);
    }
    if (m_looks != before) {
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

qsizetype CompareRuns::best() const
{
    const QList<qsizetype> order = ranking();
    return !order.isEmpty() && rankedValue(order.constFirst()) ? order.constFirst() : -1;
}

void CompareRuns::setFolded(bool on)
{
    if (on != m_isFolded) {
        m_isFolded = on;
        makeRows();
        Q_EMIT reset();
    }
}

QList<qsizetype> CompareRuns::drawn() const
{
    QList<qsizetype> all;
    for (qsizetype run = 0; run < m_runs.size(); ++run) {
        if (look(run) >= 0) {
            all.append(run);
        }
    }
    return all;
}

bool CompareRuns::setDrawn(const QList<qsizetype> &runs, bool on)
{
    m_isDrawnChosen = true;
    bool fits = true;
    for (const qsizetype run : runs) {
        const QString &uuid = m_runs.at(run).job.uuid;
        if (!on) {
            m_looks.remove(uuid);
            m_keptLooks.remove(uuid);
        } else if (m_looks.size() >= mostDrawn) {
            fits = fits && m_looks.contains(uuid);
        } else if (!m_looks.contains(uuid)) {
            draw(uuid);
        }
    }
    Q_EMIT drawnChanged();
    return fits;
}

std::optional<QStringList> CompareRuns::chosenDrawn() const
{
    if (!m_isDrawnChosen) {
        return std::nullopt;
    }
    QStringList uuids;
    for (const CompareRun &run : m_runs) {
        if (m_looks.contains(run.job.uuid)) {
            uuids.append(run.job.uuid);
        }
    }
    return uuids + m_awaitedDrawn;
}

void CompareRuns::restoreDrawn(const QStringList &uuids)
{
    m_isDrawnChosen = true;
    m_looks.clear();
    m_awaitedDrawn = uuids.mid(0, mostDrawn);
    drawAwaited();
    Q_EMIT drawnChanged();
}

bool CompareRuns::drawAwaited()
{
    return m_awaitedDrawn.removeIf([this](const QString &uuid) {
        const bool isThere = m_places.contains(uuid);
        if (isThere && m_looks.size() < mostDrawn && !m_looks.contains(uuid)) {
            draw(uuid);
        }
        return isThere;
    }) > 0;
}

void CompareRuns::holdDrawn(bool on)
{
    m_isDrawnHeld = on;
    if (!on && drawBest()) {
        Q_EMIT drawnChanged();
    }
}

void CompareRuns::setBrush(const std::optional<QSet<qsizetype>> &passing)
{
    if (passing != m_brush) {
        m_brush = passing;
        drawBest();
        Q_EMIT brushChanged();
        Q_EMIT drawnChanged(); // also where the user has chosen, as with a filter
    }
}

QList<qsizetype> CompareRuns::unticked() const
{
    QList<qsizetype> all;
    for (const QList<qsizetype> &row : m_rows) {
        const bool isTicked = std::any_of(
            row.cbegin(), row.cend(), [this](qsizetype run) { return m_looks.contains(m_runs.at(run).job.uuid); });
        std::copy_if(
            row.cbegin(), row.cend(), std::back_inserter(all), [&](qsizetype run) { return !isTicked && passes(run); });
    }
    return all;
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

int lookOfRow(const CompareRuns &runs, const QList<qsizetype> &row)
{
    const auto drawn = std::find_if(row.cbegin(), row.cend(), [&runs](qsizetype run) { return runs.look(run) >= 0; });
    return drawn == row.cend() ? -1 : runs.look(*drawn);
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
