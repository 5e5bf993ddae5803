// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/slurmqueue.h"

#include "engine/backend/clock.h"
#include "engine/client/settings.h"
#include "engine/clusters/slurmrefusal.h"

#include <algorithm>
#include <utility>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

constexpr int mostPauseSec = 60;
constexpr int quietAnswers = 6; // before it is asked less often
constexpr int idsOfAQuestion = 50;
constexpr qint64 placesPauseMs = 60'000, newPlacePauseMs = 10'000; // the line of all users may be long
constexpr qint64 closestMs = 3000; // between two questions that something has asked for
// When accounts are back, the controller tells them what it has kept for them, which takes a while.
constexpr qint64 backlogMs = 60'000;

QString jobOf(const QString &id) { return id.section(u'_', 0, 0).section(u'+', 0, 0); }

// The site keeps none, as far as this can be known.
bool hasNoAccounts(const SlurmCommands::Answer &answer)
{
    return answer.kind == SlurmCommands::Answer::Kind::Missing || slurm::hasNoAccounts(answer.errors + answer.out);
}

} // namespace

SlurmQueue::SlurmQueue(SlurmCommands &commands, const Settings &settings) : m_commands(commands), m_settings(settings)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &SlurmQueue::ask);
    connect(&m_limits, &SlurmLimitWatch::learned, this, &SlurmQueue::answered);
}

void SlurmQueue::follow(const QString &id, const slurm::JobMark &mark)
{
    QHash<QString, slurm::JobMark> &followed = m_followed[jobOf(id)];
    const bool isNew = !followed.contains(id);
    followed.insert(id, mark);
    if (isNew) {
        refresh();
    }
}

void SlurmQueue::unfollow(const QString &id)
{
    const QString job = jobOf(id);
    const auto it = m_followed.find(job);
    if (it == m_followed.end() || !it->remove(id)) {
        return;
    }
    if (!it->isEmpty()) { // others of its array
        m_known.remove(id);
        m_missed.remove(id);
        return;
    }
    m_followed.erase(it);
    m_known.removeIf([&job](const auto &each) { return jobOf(each.key()) == job; });
}

void SlurmQueue::refresh()
{
    m_quiet = 0;
    m_isWanted = true;
    if (!m_isAsking) {
        askLater();
    }
}

SlurmQueue::Known SlurmQueue::known(const QString &id) const
{
    for (const QString &key : {id, QString(id + u"+0"_s)}) {
        if (const auto it = m_known.constFind(key); it != m_known.cend()) {
            return *it;
        }
    }
    if (jobOf(id) != id) {
        m_missed.insert(id);
    }
    return {};
}

bool SlurmQueue::hasOthersOf(const QString &id) const
{
    return id.contains(u'_') && known(id).state.isEmpty() && m_arrays.contains(jobOf(id));
}

bool SlurmQueue::wereAccountsSilent(qint64 forMs) const
{
    return m_accountsSilentAt > 0 && m_answeredAt - m_accountsSilentAt < forMs;
}

void SlurmQueue::askLater()
{
    const int pause = int(m_settings.integer(u"clusters.pollSeconds"_s));
    const int longer = m_quiet < quietAnswers ? pause : std::min(mostPauseSec, pause * (m_quiet - quietAnswers + 2));
    if (m_isWanted) {
        const qint64 gap = std::min<qint64>(closestMs, pause * 1000);
        m_timer.start(int(std::clamp<qint64>(m_askedAt + gap - steadyMs(), 0, gap)));
    } else if (!m_followed.isEmpty()) {
        m_timer.start(std::max(pause, longer) * 1000);
    }
}

void SlurmQueue::ask()
{
    m_isWanted = false;
    if (m_isAsking || m_followed.isEmpty()) {
        return;
    }
    m_isAsking = true;
    m_askedAt = steadyMs();
    m_commands.run(u"squeue"_s, slurm::queueArguments(), [this](const SlurmCommands::Answer &answer) {
        m_isAsking = false;
        if (answer.isGood()) {
            m_problem = {};
            take(slurm::queueRows(answer.out));
            m_answeredAt = steadyMs();
            askAccounts();
            askForPlaces();
        } else {
            m_problem = slurm::whyNoAnswer(u"squeue"_s, answer);
        }
        Q_EMIT answered();
        askLater();
    });
}

void SlurmQueue::note(const QString &id, const QString &state, const QString &reason, qint64 start)
{
    Known &known = m_known[id];
    if (known.state != state || known.reason != reason) {
        known.since = known.state == state ? known.since : steadyMs();
        m_quiet = 0;
    }
    known.state = state;
    known.reason = reason;
    known.start = start;
    known.wasThere = true;
}

// With all of its array, or by itself; or it is the row of what the array has in common.
bool SlurmQueue::isFollowed(const QString &id) const
{
    const QString job = jobOf(id);
    const auto it = m_followed.constFind(job);
    return it != m_followed.cend() && (!id.contains(u'_') || it->contains(id) || it->contains(job));
}

bool SlurmQueue::isOurs(const QString &id, const QString &name, const QString &comment, const QString &line) const
{
    const auto it = m_followed.constFind(jobOf(id));
    return it != m_followed.cend() && std::any_of(it->cbegin(), it->cend(), [&](const slurm::JobMark &mark) {
        return slurm::isMarked(mark, name, comment, line);
    });
}

void SlurmQueue::take(const QList<slurm::QueueRow> &rows)
{
    ++m_quiet;
    m_arrays.clear();
    QSet<QString> ours, seen; // of a heterogeneous job, not each component may have its comment
    for (const slurm::QueueRow &row : rows) {
        if (isOurs(row.id, row.name, row.comment, row.script)) {
            ours.insert(jobOf(row.id));
        }
    }
    for (const slurm::QueueRow &row : rows) {
        if (!ours.contains(jobOf(row.id))) {
            continue;
        }
        seen.insert(jobOf(row.id));
        if (row.id.contains(u'_')) {
            m_arrays.insert(jobOf(row.id));
        }
        if (isFollowed(row.id)) { // what becomes of others of its array does not matter here
            note(row.id, row.state, row.reason, row.start);
            seen.insert(row.id);
        }
    }
    for (auto followed = m_followed.cbegin(); followed != m_followed.cend(); ++followed) {
        const QString &id = followed.key();
        if (!seen.contains(id)) {
            Known &known = m_known[id];
            if (!known.state.isEmpty() && slurm::phaseOf(known.state) != slurm::Phase::Over) {
                known = {{}, {}, 0, steadyMs(), 0, true}; // it was there, and is gone
            } else if (known.state.isEmpty() && known.since == 0) {
                known.since = steadyMs();
            }
        } else if (const auto it = m_known.constFind(id); it != m_known.cend() && it->state.isEmpty()) {
            m_known.erase(it); // its elements are there again
        }
    }
    // Elements that were cancelled before they began have one row for all of them, with the id of the array. It says
    // nothing of those that had begun and are gone.
    const auto absent = [this](const QString &id, bool hasBegun) {
        const Known whole = m_known.value(jobOf(id));
        const bool isOver = !whole.state.isEmpty() && slurm::phaseOf(whole.state) == slurm::Phase::Over;
        return isOver && !hasBegun ? Known{whole.state, whole.reason, 0, steadyMs()} : Known{{}, {}, 0, steadyMs()};
    };
    for (const QString &id : std::exchange(m_missed, {})) {
        if (m_followed.contains(jobOf(id)) && !m_known.contains(id)) {
            const Known now = absent(id, false);
            m_known.insert(id, now);
        }
    }
    for (auto it = m_known.begin(); it != m_known.end(); ++it) {
        const bool isElement = it.key().contains(u'_') || it.key().contains(u'+');
        if (isElement && !seen.contains(it.key()) && slurm::phaseOf(it->state) != slurm::Phase::Over
            && !it->state.isEmpty()) {
            *it = absent(it.key(), slurm::phaseOf(it->state) != slurm::Phase::Pending);
            it->wasThere = true;
        }
    }
}

std::optional<slurm::LinePlace> SlurmQueue::placeOf(const QString &id) const
{
    const auto it = m_places.constFind(jobOf(id));
    const bool isInLine = it != m_places.cend() && slurm::waitsForItsTurn(known(id).reason);
    return isInLine ? std::optional(*it) : std::nullopt;
}

// Sooner when another one has come into the line.
void SlurmQueue::askForPlaces()
{
    bool isAnyInLine = false, isAnyNew = false;
    for (auto it = m_known.cbegin(); it != m_known.cend(); ++it) {
        const bool isInLine = slurm::phaseOf(it->state) == slurm::Phase::Pending && slurm::waitsForItsTurn(it->reason);
        isAnyInLine = isAnyInLine || isInLine;
        isAnyNew = isAnyNew || (isInLine && !m_places.contains(jobOf(it.key())));
    }
    const qint64 pause = isAnyNew ? newPlacePauseMs : placesPauseMs;
    const bool isDue = m_placesAskedAt == 0 || steadyMs() - m_placesAskedAt >= pause;
    if (!isAnyInLine || !isDue || m_isAskingForPlaces) {
        return;
    }
    m_isAskingForPlaces = true;
    m_placesAskedAt = steadyMs();
    m_commands.run(u"squeue"_s, slurm::lineArguments(), [this](const SlurmCommands::Answer &answer) {
        m_isAskingForPlaces = false;
        const QHash<QString, slurm::LinePlace> places
            = answer.isGood() ? slurm::linePlaces(answer.out) : QHash<QString, slurm::LinePlace>();
        if (std::exchange(m_places, places) != places) {
            Q_EMIT answered();
        }
    });
}

// Without accounts, this fails, and then nothing is known.
void SlurmQueue::askAccounts()
{
    if (m_isAskingAccounts) {
        return;
    }
    QSet<QString> gone;
    for (auto it = m_known.cbegin(); it != m_known.cend(); ++it) {
        if (it->state.isEmpty()) {
            gone.insert(jobOf(it.key()));
        }
    }
    if (gone.isEmpty()) {
        m_accountsProblem = {};
        return;
    }
    // In turn, since the accounts may not know the first ones.
    QStringList ids(gone.cbegin(), gone.cend());
    std::sort(ids.begin(), ids.end());
    std::rotate(ids.begin(), std::upper_bound(ids.begin(), ids.end(), m_lastOfAccounts), ids.end());
    ids = ids.mid(0, idsOfAQuestion);
    m_lastOfAccounts = ids.constLast();
    m_isAskingAccounts = true;
    m_commands.run(
        u"sacct"_s, slurm::accountArguments(ids, m_hasLines), [this, ids](const SlurmCommands::Answer &answer) {
            m_isAskingAccounts = false;
            if (lacksLines(answer)) {
                askAccounts();
            } else {
                takeAccounts(ids, answer);
            }
        });
}

// For the first time: it is to be asked again, without them.
bool SlurmQueue::lacksLines(const SlurmCommands::Answer &answer)
{
    return !answer.isGood() && slurm::isWithoutLines(answer.errors) && std::exchange(m_hasLines, false);
}

void SlurmQueue::takeAccounts(const QStringList &asked, const SlurmCommands::Answer &answer)
{
    const bool areNone = !answer.isGood() && hasNoAccounts(answer);
    if (!answer.isGood() && !areNone) {
        m_accountsSilentAt = steadyMs();
        m_accountsProblem = slurm::whyNoAnswer(u"sacct"_s, answer);
        Q_EMIT answered();
        return;
    }
    m_accountsProblem = {};
    // Others wait for their turn: of them the accounts have said nothing.
    const QSet<QString> jobs(asked.cbegin(), asked.cend());
    for (auto it = m_known.begin(); it != m_known.end(); ++it) {
        if (it->state.isEmpty() && (areNone || jobs.contains(jobOf(it.key())))) {
            it->accountsAt = steadyMs();
        }
    }
    if (areNone) {
        return;
    }
    QList<slurm::AccountRow> rows = slurm::accountRows(answer.out);
    rows.removeIf([this](const slurm::AccountRow &row) { return !isOurs(row.id, row.name, row.comment, row.line); });
    const QList<slurm::AccountRow> newest = slurm::newestRuns(rows);
    for (const slurm::AccountRow &row : newest) {
        const QStringList elements = slurm::elementsOf(row.id);
        for (const QString &id : elements) {
            // A job that the accounts call running may be one whose end they have missed.
            const bool isNews = slurm::phaseOf(row.state) == slurm::Phase::Over && m_known.value(id).state.isEmpty();
            if (isNews && isFollowed(id)) {
                note(id, row.state, {}, row.start);
            }
        }
    }
    Q_EMIT answered();
}

// Only these: what they are asked about is soon asked to end, and a queue may be too long to be heard.
void SlurmQueue::pick(const QStringList &ids, const slurm::JobMark &mark, const Picked &then)
{
    QStringList jobs;
    for (const QString &id : ids) {
        jobs.append(jobOf(id));
    }
    jobs.removeDuplicates();
    m_commands.run(u"squeue"_s, slurm::queueArguments(jobs), [ids, mark, then](const SlurmCommands::Answer &answer) {
        const bool isDone = answer.kind == SlurmCommands::Answer::Kind::Done;
        if (!answer.isGood() && !(isDone && slurm::isUnknownToQueue(answer.errors))) {
            then(std::nullopt);
            return;
        }
        QSet<QString> ours;
        const QList<slurm::QueueRow> rows = slurm::queueRows(answer.out);
        for (const slurm::QueueRow &row : rows) {
            if (slurm::isMarked(mark, row.name, row.comment, row.script)) {
                ours.insert(jobOf(row.id));
            }
        }
        QStringList picked = ids;
        picked.removeIf([&ours](const QString &id) { return !ours.contains(jobOf(id)); });
        then(picked);
    });
}

void SlurmQueue::find(const QString &name, const QString &comment, qint64 sentAt, const Found &then)
{
    m_commands.run(
        u"squeue"_s, slurm::queueArguments(), [this, name, comment, sentAt, then](const SlurmCommands::Answer &answer) {
            if (!answer.isGood()) {
                then(std::nullopt);
                return;
            }
            const QList<slurm::QueueRow> rows = slurm::queueRows(answer.out);
            const auto it = std::find_if(rows.cbegin(), rows.cend(), [&comment](const slurm::QueueRow &row) {
                return slurm::isMarked({{}, {comment}}, {}, row.comment, row.script); // a site may have another comment
            });
            if (it != rows.cend()) {
                then(jobOf(it->id));
            } else {
                findInAccounts(name, comment, sentAt, then);
            }
        });
}

// It may have ended so long ago that the queue does not show it any more: sites can have it forgotten within seconds.
void SlurmQueue::findInAccounts(const QString &name, const QString &comment, qint64 sentAt, const Found &then)
{
    const QDateTime since = QDateTime::fromMSecsSinceEpoch(sentAt).addDays(-1);
    m_commands.run(u"sacct"_s, slurm::searchArguments(name, since, m_hasLines),
        [this, name, comment, sentAt, then](const SlurmCommands::Answer &answer) {
            if (lacksLines(answer)) {
                findInAccounts(name, comment, sentAt, then);
            } else if (answer.isGood()) {
                const QString id = slurm::idInAccounts(answer.out, comment);
                const bool isLate = m_accountsSilentAt > 0 && steadyMs() - m_accountsSilentAt < backlogMs;
                const bool isSure = !id.isEmpty() || !isLate;
                then(isSure ? std::optional(id) : std::nullopt);
            } else if (hasNoAccounts(answer)) {
                then(QString()); // all is asked that can be asked
            } else {
                m_accountsSilentAt = steadyMs();
                then(std::nullopt);
            }
        });
}

} // namespace trainyard
