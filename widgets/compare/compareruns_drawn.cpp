// SPDX-License-Identifier: GPL-3.0-or-later
// Which of the compared runs are drawn, and how each of them looks.
#include "widgets/common/tokens.h"
#include "widgets/compare/compareruns.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace trainyard
{
namespace
{

constexpr qsizetype drawnFirst = 6;

} // namespace

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

int CompareRuns::lookOfFold(qsizetype run) const
{
    for (const qsizetype each : foldOf(run)) {
        if (const int look = m_looks.value(m_runs.at(each).job.uuid, -1); look >= 0) {
            return look;
        }
    }
    return -1;
}

// As long as the user has not chosen, those rows are drawn that are the best now. One that stays among them keeps its
// look.
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
    qsizetype rows = 0;
    for (const QList<qsizetype> &row : rankedRows()) { // those that have another metric only come last
        const auto first
            = std::find_if(row.cbegin(), row.cend(), [&](qsizetype run) { return passes(run) && tells(run); });
        if (first == row.cend() || rows == drawnFirst) {
            continue;
        }
        ++rows;
        QStringList kept = uuidsOf(foldOf(*first));
        kept.removeIf([this](const QString &uuid) { return !m_looks.contains(uuid); });
        wanted += kept.isEmpty() ? QStringList{m_runs.at(*first).job.uuid} : kept;
    }
    const QStringList before = m_looks.keys();
    for (const QString &uuid : before) {
        if (!wanted.contains(uuid)) {
            rememberLook(uuid);
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

void CompareRuns::rememberLook(const QString &uuid)
{
    if (!m_isFolded) {
        m_pastLooks.insert(uuid, m_looks.value(uuid));
        return;
    }
    const qsizetype run = indexOf(uuid);
    const int look = lookOfFold(run);
    for (const qsizetype each : foldOf(run)) { // any of them may be the one that a filter leaves
        m_pastLooksOfFolds.insert(m_runs.at(each).job.uuid, look);
    }
}

void CompareRuns::rememberLooks()
{
    const QStringList uuids = m_looks.keys();
    for (const QString &uuid : uuids) {
        rememberLook(uuid);
    }
}

// The one that it was restored with, or that it had. Else its own one, unless a drawn run has its colour and there is
// one that fewer have: of the colours that are used least, the first one with a dash that is free. What a run had that
// is not drawn now is taken only when no other is left.
int CompareRuns::freeLook(const QString &uuid) const
{
    int ofColour[seriesCount] = {}, ofPast[seriesCount] = {};
    bool isTaken[lookCount] = {}, isPast[lookCount] = {};
    const auto take = [&](int look) {
        ofColour[look % seriesCount] += isTaken[look] ? 0 : 1;
        isTaken[look] = true;
    };
    for (const int look : m_looks) {
        take(look);
    }
    const int past = (m_isFolded ? m_pastLooksOfFolds : m_pastLooks).value(uuid, -1);
    for (const int had : {m_keptLooks.value(uuid, -1), past}) {
        if (had >= 0 && !isTaken[had]) {
            return had;
        }
    }
    for (auto kept = m_keptLooks.cbegin(); kept != m_keptLooks.cend(); ++kept) {
        take(*kept);
    }
    for (const QHash<QString, int> *all : {&m_pastLooks, &m_pastLooksOfFolds}) {
        for (const int look : *all) {
            ofPast[look % seriesCount] += isTaken[look] || isPast[look] ? 0 : 1;
            isPast[look] = true;
        }
    }
    const auto cost = [&](int look) {
        const int colour = look % seriesCount;
        return std::tuple(isPast[look], ofColour[colour], ofPast[colour]);
    };
    int free = -1;
    for (int look = 0; look < lookCount; ++look) {
        if (!isTaken[look] && (free < 0 || cost(look) < cost(free))) {
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
    return !isTaken[own] && cost(own) <= cost(free) ? own : free;
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
    m_pastLooks.clear();
    m_pastLooksOfFolds.clear();
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
    QSet<qsizetype> rows; // that leave
    for (const qsizetype run : runs) {
        const QString &uuid = m_runs.at(run).job.uuid;
        if (!on) {
            rows.insert(m_foldOf.at(run));
        } else if (lookOfFold(run) >= 0) {
            continue;
        } else if (m_looks.size() >= mostDrawn) {
            fits = false;
        } else {
            draw(uuid); // a row has one look, so that as many rows can be drawn as runs
            if (m_isFolded) {
                m_drawnAsRows.insert(uuid);
            }
        }
    }
    for (const qsizetype row : std::as_const(rows)) { // with its hidden runs: one of them would still draw the others
        const QStringList uuids = uuidsOf(m_folds.at(row));
        const auto drawn = std::find_if(
            uuids.cbegin(), uuids.cend(), [this](const QString &uuid) { return m_looks.contains(uuid); });
        if (drawn != uuids.cend()) {
            rememberLook(*drawn);
        }
        for (const QString &uuid : uuids) {
            m_looks.remove(uuid);
            m_keptLooks.remove(uuid);
            m_drawnAsRows.remove(uuid);
        }
    }
    Q_EMIT drawnChanged();
    return fits;
}

// What the user drew as a row stays drawn when its runs are rows of their own, as far as there is room.
void CompareRuns::drawRowsAsRuns()
{
    const QSet<QString> drawn = std::exchange(m_drawnAsRows, {});
    for (const QString &uuid : drawn) {
        const qsizetype place = indexOf(uuid);
        const QStringList row = place < 0 ? QStringList() : uuidsOf(foldOf(place));
        for (const QString &each : row) {
            if (m_looks.size() < mostDrawn && !m_looks.contains(each)) {
                draw(each);
            }
        }
    }
}

// A row stays drawn when the run goes that has its look.
void CompareRuns::passOnLooks(const QList<JobSummary> &staying)
{
    QSet<QString> stay;
    for (const JobSummary &job : staying) {
        stay.insert(job.uuid);
    }
    for (const QList<qsizetype> &row : std::as_const(m_folds)) {
        const int look = lookOfFold(row.constFirst());
        const QStringList uuids = uuidsOf(row);
        const auto heir
            = std::find_if(uuids.cbegin(), uuids.cend(), [&stay](const QString &uuid) { return stay.contains(uuid); });
        if (look < 0 || heir == uuids.cend() || std::any_of(uuids.cbegin(), uuids.cend(), [&](const QString &uuid) {
                return stay.contains(uuid) && m_looks.contains(uuid);
            })) {
            continue;
        }
        m_looks.insert(*heir, look);
        if (std::any_of(
                uuids.cbegin(), uuids.cend(), [this](const QString &uuid) { return m_drawnAsRows.contains(uuid); })) {
            m_drawnAsRows.insert(*heir);
        }
    }
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

QStringList CompareRuns::drawnAsRows() const
{
    QStringList uuids(m_drawnAsRows.cbegin(), m_drawnAsRows.cend());
    uuids.sort();
    return uuids;
}

void CompareRuns::restoreDrawn(const QStringList &uuids, const QStringList &asRows)
{
    m_isDrawnChosen = true;
    m_looks.clear();
    m_drawnAsRows.clear();
    if (m_isFolded) {
        std::copy_if(asRows.cbegin(), asRows.cend(), std::inserter(m_drawnAsRows, m_drawnAsRows.end()),
            [&uuids](const QString &uuid) { return uuids.contains(uuid); });
    }
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
        const bool isTicked = lookOfFold(row.constFirst()) >= 0;
        std::copy_if(
            row.cbegin(), row.cend(), std::back_inserter(all), [&](qsizetype run) { return !isTicked && passes(run); });
    }
    return all;
}

int lookOfRow(const CompareRuns &runs, const QList<qsizetype> &row)
{
    const auto drawn = std::find_if(row.cbegin(), row.cend(), [&runs](qsizetype run) { return runs.look(run) >= 0; });
    return drawn == row.cend() ? -1 : runs.look(*drawn);
}

} // namespace trainyard
