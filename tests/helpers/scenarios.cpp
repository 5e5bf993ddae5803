// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/scenarios.h"

#include "engine/core/report.h"
#include "engine/core/retry.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace trainyard::core;

namespace scenarios
{

namespace
{

QString taskText(const QString &name, std::optional<int> code, int tries, int charged)
{
    return u"%1 %2 %3 %4"_s.arg(name, code ? QString::number(*code) : u"-"_s).arg(tries).arg(charged);
}

// The world around one job: places, ports and processes come at once, ends only when the scenario says so.
class World
{
public:
    World(const Scenario &scenario, const RetryLimits &guards)
    {
        JobPolicy policy = scenario.policy;
        policy.guards = guards;
        const QUuid uuid = QUuid::createUuidV5(QUuid(), scenario.id);
        JobMeta meta;
        meta.name = scenario.id;
        m_job = newJob(uuid, meta, policy, m_now);
        happen(event::Submitted{});
    }

    void tick(const QList<Happening> &happenings)
    {
        ++m_now;
        std::vector<Event> events;
        for (const Happening &item : happenings) {
            if (item.isStop) {
                events.push_back({m_now, event::StopRequested{}});
                continue;
            }
            waitFor(item);
            const std::optional<TaskRef> ref = m_job.find(item.role, item.index);
            if (!ref) {
                continue;
            }
            const QUuid uuid = tryUuid(m_job.uuid, item.attempt, item.role, item.index, item.tryIndex);
            events.push_back({m_now,
                event::TryEnded{*ref, uuid,
                    {item.code, item.code >= 0 ? std::optional(item.code) : std::nullopt, {}, {}}, m_now - 1, m_now,
                    true}});
        }
        for (Event &event : events) {
            event.at = m_now;
        }
        orderTick(events);
        for (const Event &event : events) {
            happen(event.what);
        }
    }

    Outcome finish()
    {
        endStopped();
        Outcome outcome;
        const JobSummary summary = summaryOf(m_job);
        outcome.state = stateWord(summary.state);
        outcome.exitCode = m_job.isFinished() ? jobCode(m_job) : std::nullopt;
        outcome.attempts = int(m_job.attempts.size());
        outcome.killed = QStringList(m_killed.begin(), m_killed.end());
        outcome.killed.sort();
        outcome.retries = m_job.retries;
        outcome.charged = m_job.chargedRetries;
        for (int i = 0; i < outcome.attempts; ++i) {
            const auto &result = m_job.attempts[std::size_t(i)].result;
            if (result) {
                outcome.attemptCodes.append(result->code);
            }
        }
        const AttemptInfo last = attemptInfoOf(m_job, outcome.attempts - 1);
        if (!last.triggerRule.isEmpty()) {
            outcome.trigger = u"%1/%2 %3"_s.arg(last.triggerRole).arg(last.triggerIndex).arg(last.triggerRule);
        }
        outcome.backoff = m_backoff;
        for (std::size_t i = 0; i < m_job.tasks.size(); ++i) {
            const TaskRef ref = m_job.refAt(i);
            const Task &task = m_job.tasks[i];
            outcome.tasks.append(taskText(m_job.roleName(ref) + u'/' + QString::number(ref.index), taskCode(task.state),
                task.tryIndex + 1, task.chargedRetries));
        }
        return outcome;
    }

private:
    template <typename What> void happen(What what)
    {
        QList<decltype(Event::what)> queue{decltype(Event::what)(std::move(what))};
        while (!queue.isEmpty()) {
            Step step = next(std::move(m_job), {m_now, queue.takeFirst()}, ExitRules::bundled());
            m_job = std::move(step.job);
            noteKilled();
            for (const Effect &effect : step.effects) {
                react(effect, queue);
            }
        }
    }

    void react(const Effect &effect, QList<decltype(Event::what)> &queue)
    {
        if (const auto *place = std::get_if<effect::RequestPlacement>(&effect)) {
            event::PlacementGranted granted;
            for (TaskRef ref : place->tasks) {
                granted.grants.push_back({ref, tryUuid(m_job, ref), {u"local"_s, u"127.0.0.1"_s, {}, {}}});
            }
            queue.append(granted);
        } else if (const auto *draw = std::get_if<effect::DrawPorts>(&effect)) {
            event::PortsDrawn drawn;
            for (TaskRef ref : draw->tasks) {
                drawn.tasks.push_back({ref, tryUuid(m_job, ref), {}});
            }
            queue.append(drawn);
        } else if (const auto *launch = std::get_if<effect::LaunchTry>(&effect)) {
            queue.append(event::TryStarted{launch->task, launch->tryUuid, {u"boot"_s, ++m_pid, 1}, m_now});
        } else if (const auto *stop = std::get_if<effect::StopTry>(&effect)) {
            m_stopping.append({stop->task, stop->tryUuid});
        } else if (const auto *timer = std::get_if<effect::StartTimer>(&effect)) {
            if (!timer->task) {
                m_backoff.append(std::get<Backoff>(m_job.phase).conflict);
            }
            if (timer->due <= m_now) {
                queue.append(event::RetryDue{timer->attempt, timer->task});
            } else {
                m_timers.append(*timer);
            }
        }
    }

    void noteKilled()
    {
        for (std::size_t i = 0; i < m_job.tasks.size(); ++i) {
            if (taskCode(m_job.tasks[i].state) == codeAttemptEnded) {
                const TaskRef ref = m_job.refAt(i);
                m_killed.insert(u"%1/%2#%3@%4"_s.arg(m_job.roleName(ref))
                                    .arg(ref.index)
                                    .arg(m_job.tasks[i].tryIndex)
                                    .arg(m_job.attempt()));
            }
        }
    }

    // The stopped ones are gone: whatever they returned.
    void endStopped()
    {
        while (!m_stopping.isEmpty()) {
            const auto [ref, uuid] = m_stopping.takeFirst();
            happen(event::TryEnded{ref, uuid, {143, 143, {}, {}}, 0, 0, true});
        }
    }

    // Lets time pass until the attempt and try of the happening are there.
    void waitFor(const Happening &item)
    {
        if (item.attempt > m_job.attempt()) {
            endStopped();
        }
        const auto isEarly = [&] {
            const std::optional<TaskRef> ref = m_job.find(item.role, item.index);
            return item.attempt > m_job.attempt() || (ref && item.tryIndex > m_job.task(*ref).tryIndex)
                || (ref && std::holds_alternative<Waiting>(m_job.task(*ref).state));
        };
        while (isEarly() && !m_timers.isEmpty()) {
            const effect::StartTimer timer = m_timers.takeFirst();
            m_now = std::max(m_now, timer.due);
            happen(event::RetryDue{timer.attempt, timer.task});
        }
    }

    JobState m_job;
    qint64 m_now = 1'000'000;
    qint64 m_pid = 100;
    QList<std::pair<TaskRef, QUuid>> m_stopping;
    QList<effect::StartTimer> m_timers;
    QSet<QString> m_killed;
    QList<bool> m_backoff;
};

tl::unexpected<Error> bad(const QString &what) { return fail(u"scenario.invalid"_s, {{u"what"_s, what}}); }

constexpr int mostTasks = 100000;
constexpr int anyNumber = 1 << 30;

// Reads one scenario, and keeps the first thing in it that cannot be played: a typing error that were taken for a zero
// would be a passed test that tested nothing.
class Reader
{
public:
    explicit Reader(const QString &where) : m_where(where) { }
    const QString &problem() const { return m_problem; }

    QString text(const QJsonValue &value, const QString &name)
    {
        if (!value.isString() || value.toString().isEmpty()) {
            complain(name + u" must be a text that is not empty"_s);
        }
        return value.toString();
    }

    int number(const QJsonValue &value, const QString &name, int least, int most, std::optional<int> absent = {})
    {
        if (absent && (value.isUndefined() || value.isNull())) {
            return *absent;
        }
        const double exact = value.toDouble(0.5);
        if (!value.isDouble() || exact < least || exact > most || exact != std::floor(exact)) {
            complain(u"%1 must be a whole number from %2 to %3"_s.arg(name).arg(least).arg(most));
            return least;
        }
        return int(exact);
    }

    QJsonArray list(const QJsonValue &value, const QString &name)
    {
        if (!value.isArray()) {
            complain(name + u" must be a list"_s);
        }
        return value.toArray();
    }

    void complain(const QString &what)
    {
        if (m_problem.isEmpty()) {
            m_problem = m_where + u": "_s + what + u'.';
        }
    }

private:
    QString m_where, m_problem;
};

void readJob(const QJsonValue &job, Scenario &scenario, Reader &reader)
{
    const QJsonArray roles = reader.list(job["roles"_L1], u"job/roles"_s);
    if (roles.isEmpty()) {
        reader.complain(u"job/roles has no role"_s);
    }
    int tasks = 0;
    for (qsizetype i = 0; i < roles.size(); ++i) {
        const QJsonValue role = roles.at(i);
        const QString place = u"job/roles/%1/"_s.arg(i);
        const QString name = reader.text(role["name"_L1], place + u"name"_s);
        for (const RolePolicy &other : scenario.policy.roles) {
            if (other.name == name) {
                reader.complain(u"there are two roles '%1'"_s.arg(name));
            }
        }
        const int instances = reader.number(role["instances"_L1], place + u"instances"_s, 1, mostTasks - tasks);
        tasks += instances;
        scenario.policy.roles.push_back(
            {name, instances, reader.number(role["minFailed"_L1], place + u"minFailed"_s, -anyNumber, anyNumber),
                reader.number(role["minSucceeded"_L1], place + u"minSucceeded"_s, -anyNumber, anyNumber),
                reader.number(role["taskRetry"_L1], place + u"taskRetry"_s, -2, anyNumber, 0), {}});
    }
    scenario.policy.jobRetry = reader.number(job["jobRetry"_L1], u"job/jobRetry"_s, -2, anyNumber, 0);
    if (const QJsonValue gang = job["gang"_L1]; !gang.isUndefined() && !gang.isBool()) {
        reader.complain(u"job/gang must be true or false"_s);
    }
    scenario.policy.gang = job["gang"_L1].toBool(true);
}

Happening readEvent(const QJsonValue &event, const QString &place, const Scenario &scenario, Reader &reader)
{
    Happening happening;
    if (event["t"_L1].isDouble()) {
        happening.tick = QString::number(event["t"_L1].toDouble());
    }
    if (const QJsonValue action = event["action"_L1]; !action.isUndefined()) {
        if (action.toString() != "stop"_L1) {
            reader.complain(place + u"action must be \"stop\""_s);
        }
        happening.isStop = true;
        return happening;
    }
    happening.role = reader.text(event["role"_L1], place + u"role"_s);
    happening.index = reader.number(event["index"_L1], place + u"index"_s, 0, mostTasks);
    happening.attempt = reader.number(event["attempt"_L1], place + u"attempt"_s, 0, anyNumber, 0);
    happening.tryIndex = reader.number(event["try"_L1], place + u"try"_s, 0, anyNumber, 0);
    happening.code = reader.number(event["exit"_L1], place + u"exit"_s, -anyNumber, anyNumber);
    const auto isHere = [&happening](const RolePolicy &role) {
        return role.name == happening.role && happening.index < role.instances;
    };
    if (std::none_of(scenario.policy.roles.cbegin(), scenario.policy.roles.cend(), isHere)) {
        reader.complain(u"%1: there is no task %2/%3"_s.arg(place.chopped(1), happening.role).arg(happening.index));
    }
    return happening;
}

QStringList texts(const QJsonArray &array)
{
    QStringList list;
    for (const QJsonValue &value : array) {
        list.append(value.toString());
    }
    list.sort();
    return list;
}

} // namespace

QByteArray Outcome::toLine(const QString &id) const
{
    // Written by hand for the order of the fields, which people compare by eye; the parts are Qt's.
    const auto json = [](const QJsonValue &value) {
        return QJsonDocument(QJsonArray{value}).toJson(QJsonDocument::Compact).sliced(1).chopped(1);
    };
    return "{\"id\":" + json(id) + ",\"state\":" + json(state) + ",\"exitCode\":"
        + json(exitCode ? QJsonValue(*exitCode) : QJsonValue()) + ",\"attempts\":" + QByteArray::number(attempts)
        + ",\"killed\":" + json(QJsonArray::fromStringList(killed)) + ",\"retries\":{\"total\":"
        + QByteArray::number(retries) + ",\"accountable\":" + QByteArray::number(charged) + "}}";
}

Result<QList<Scenario>> fromJson(const QByteArray &json)
{
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(json, &error);
    if (!document.isArray()) {
        return bad(error.error == QJsonParseError::NoError ? u"This is not a list of scenarios."_s
                                                           : error.errorString() + u'.');
    }
    QList<Scenario> list;
    const QJsonArray items = document.array();
    for (qsizetype number = 0; number < items.size(); ++number) {
        const QJsonValue item = items.at(number);
        Reader reader(u"Scenario %1 (%2)"_s.arg(number + 1).arg(item["id"_L1].toString()));
        Scenario scenario;
        scenario.id = reader.text(item["id"_L1], u"id"_s);
        readJob(item["job"_L1], scenario, reader);
        const QJsonArray events = reader.list(item["events"_L1], u"events"_s);
        for (qsizetype i = 0; i < events.size(); ++i) {
            scenario.events.append(readEvent(events.at(i), u"events/%1/"_s.arg(i), scenario, reader));
        }
        if (!reader.problem().isEmpty()) {
            return bad(reader.problem());
        }
        if (!item["expect"_L1].isObject()) {
            list.append(scenario); // to be played, and to be judged by somebody else
            continue;
        }
        scenario.isJudged = true;
        const QJsonObject expect = item["expect"_L1].toObject();
        Expected &expected = scenario.expected;
        expected.state = expect["state"_L1].toString();
        if (expect["exitCode"_L1].isDouble()) {
            expected.exitCode = expect["exitCode"_L1].toInt();
        }
        expected.attempts = expect["attempts"_L1].toInt();
        expected.killed = texts(expect["killed"_L1].toArray());
        if (expect.contains("retries"_L1)) {
            expected.charged = expect["retries"_L1]["accountable"_L1].toInt();
        }
        if (expect.contains("trigger"_L1)) {
            const QJsonObject trigger = expect["trigger"_L1].toObject();
            expected.trigger = trigger.isEmpty() ? QString()
                                                 : u"%1/%2 %3"_s.arg(trigger["role"_L1].toString())
                                                       .arg(trigger["index"_L1].toInt())
                                                       .arg(trigger["rule"_L1].toString());
        }
        if (expect.contains("attemptExitCodes"_L1)) {
            QList<int> codes;
            const QJsonArray array = expect["attemptExitCodes"_L1].toArray();
            for (const QJsonValue &code : array) {
                codes.append(code.toInt());
            }
            expected.attemptCodes = codes;
        }
        if (expect.contains("backoff"_L1)) {
            QList<bool> flags;
            const QJsonArray array = expect["backoff"_L1].toArray();
            for (const QJsonValue &flag : array) {
                flags.append(flag.toBool());
            }
            expected.backoff = flags;
        }
        const QJsonObject tasks = expect["tasks"_L1].toObject();
        for (auto it = tasks.begin(); it != tasks.end(); ++it) {
            const QJsonValue code = it.value()["code"_L1];
            expected.tasks.append(taskText(it.key(), code.isDouble() ? std::optional(code.toInt()) : std::nullopt,
                it.value()["tries"_L1].toInt(), it.value()["accountable"_L1].toInt()));
        }
        list.append(scenario);
    }
    return list;
}

// id | name:instances F<minFailed> S<minSucceeded> T<taskRetry>; ... | R<jobRetry> [nogang] | events | state | code or
// - | attempts charged | trigger or - | killed or -
Result<QList<Scenario>> fromTable(const QByteArray &text)
{
    static const QRegularExpression rolePattern(u"^(\\w+):(\\d+) F(-?\\d+) S(-?\\d+)(?: T(-?\\d+))?$"_s);
    static const QRegularExpression eventPattern(u"^(?:a(\\d+):)?(\\w+)/(\\d+)(?:#(\\d+))?=(-?\\d+)(?:@(\\w+))?$"_s);
    static const QRegularExpression stopPattern(u"^stop(?:@(\\w+))?$"_s);
    QList<Scenario> list;
    const QStringList lines = QString::fromUtf8(text).split(u'\n');
    for (const QString &line : lines) {
        if (line.trimmed().isEmpty() || line.startsWith(u"//"_s)) {
            continue;
        }
        QStringList cells = line.split(u'|');
        if (cells.size() != 9) {
            return bad(line);
        }
        for (QString &cell : cells) {
            cell = cell.trimmed();
        }
        Scenario scenario;
        scenario.isJudged = true;
        scenario.id = cells[0];
        const QStringList roles = cells[1].split(u"; "_s);
        for (const QString &role : roles) {
            const QRegularExpressionMatch match = rolePattern.match(role);
            if (!match.hasMatch()) {
                return bad(line);
            }
            scenario.policy.roles.push_back({match.captured(1), match.captured(2).toInt(), match.captured(3).toInt(),
                match.captured(4).toInt(), match.captured(5).toInt(), {}});
        }
        scenario.policy.jobRetry = cells[2].section(u' ', 0, 0).mid(1).toInt();
        scenario.policy.gang = !cells[2].endsWith("nogang"_L1);
        const QStringList events = cells[3].split(u", "_s);
        for (const QString &event : events) {
            Happening happening;
            const QRegularExpressionMatch stop = stopPattern.match(event);
            const QRegularExpressionMatch match = eventPattern.match(event);
            if (stop.hasMatch()) {
                happening.isStop = true;
                happening.tick = stop.captured(1);
            } else if (match.hasMatch()) {
                happening = {false, match.captured(1).toInt(), match.captured(2), match.captured(3).toInt(),
                    match.captured(4).toInt(), match.captured(5).toInt(), match.captured(6)};
            } else {
                return bad(line);
            }
            scenario.events.append(happening);
        }
        scenario.expected.state = cells[4];
        if (cells[5] != "-"_L1) {
            scenario.expected.exitCode = cells[5].toInt();
        }
        scenario.expected.attempts = cells[6].section(u' ', 0, 0).toInt();
        scenario.expected.charged = cells[6].section(u' ', 1, 1).toInt();
        scenario.expected.trigger = cells[7] == "-"_L1 ? QString() : cells[7];
        if (cells[8] != "-"_L1) {
            scenario.expected.killed = cells[8].split(u' ');
            scenario.expected.killed.sort();
        }
        list.append(scenario);
    }
    return list;
}

RetryLimits openPaiRetryLimits()
{
    RetryLimits guards;
    guards.freeRetryCap = -1;
    guards.minPauseMs = 0;
    return guards;
}

Outcome play(const Scenario &scenario, const RetryLimits &guards)
{
    World world(scenario, guards);
    for (qsizetype i = 0; i < scenario.events.size();) {
        QList<Happening> together{scenario.events[i]};
        while (++i < scenario.events.size() && !together.first().tick.isEmpty()
            && scenario.events[i].tick == together.first().tick) {
            together.append(scenario.events[i]);
        }
        world.tick(together);
    }
    return world.finish();
}

QString difference(const Expected &expected, const Outcome &outcome)
{
    QStringList texts;
    const auto compare = [&](const char *what, const auto &wanted, const auto &got) {
        if (!(wanted == got)) {
            QString text;
            QDebug(&text).nospace() << what << ": wanted " << wanted << ", got " << got;
            texts.append(text);
        }
    };
    compare("state", expected.state, outcome.state);
    compare("exit code", expected.exitCode.value_or(-99999), outcome.exitCode.value_or(-99999));
    compare("attempts", expected.attempts, outcome.attempts);
    compare("killed", expected.killed, outcome.killed);
    compare("charged", expected.charged.value_or(outcome.charged), outcome.charged);
    compare("trigger", expected.trigger.value_or(outcome.trigger), outcome.trigger);
    compare("attempts' codes", expected.attemptCodes.value_or(outcome.attemptCodes), outcome.attemptCodes);
    compare("back-off", expected.backoff.value_or(outcome.backoff), outcome.backoff);
    for (const QString &task : expected.tasks) {
        if (!outcome.tasks.contains(task)) {
            texts.append(u"task: wanted %1, got %2"_s.arg(task, outcome.tasks.join(u", "_s)));
        }
    }
    return texts.join(u"; "_s);
}

} // namespace scenarios
