// SPDX-License-Identifier: GPL-3.0-or-later
// What a job says under extras.trainyard about its place in the queue and its end.
#include "model/protocol/reader.h"

#include <QJsonArray>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

constexpr qint64 mostPriority = 1000000;
constexpr qint64 mostSeconds = 10ll * 365 * 24 * 3600;

void refuseWord(
    Findings &findings, const Place &place, const QString &field, const QString &value, const QStringList &known)
{
    Diagnostic &d = findings.add(u"extras.choice"_s, Severity::Error, Server::Accepts, place.path,
        {{u"field"_s, field}, {u"value"_s, value}, {u"known"_s, QJsonArray::fromStringList(known)}});
    if (const QString similar = nearest(value, known); !similar.isEmpty()) {
        findings.fix(d, u"fix.set"_s, {{u"value"_s, similar}}, {edit::SetText{place.path, similar}});
    }
}

} // namespace

void JobReader::readOwnQueue(MapFields &fields, JobSpec &job)
{
    TrainyardExtras &own = job.trainyard;
    const auto number = [&](const Place &place, const QString &field, std::optional<qint64> least) {
        return m_fields.integer(place, field, least, Fields::Null::Absent, Server::Accepts);
    };
    if (const auto priority = fields.take(u"priority"_s)) {
        own.priority = std::clamp(number(*priority, u"priority"_s, {}).value_or(0), -mostPriority, mostPriority);
    }
    if (const auto limits = fields.take(u"limits"_s); limits && m_fields.map(*limits, u"limits"_s, Server::Accepts)) {
        MapFields inner(m_fields, *limits);
        if (const auto time = inner.take(u"timeSeconds"_s)) {
            if (const auto seconds = number(*time, u"timeSeconds"_s, 1)) {
                own.timeLimitSeconds = std::clamp<qint64>(*seconds, 1, mostSeconds);
            }
        }
        inner.unknown(u"limits"_s, Severity::Note, Server::Accepts, u"field.ignored"_s);
    }
    if (const auto memory = fields.take(u"gpuMemoryMB"_s); memory && !memory->isMap()) {
        number(*memory, u"gpuMemoryMB"_s, 1);
    } else if (memory) {
        MapFields roles(m_fields, *memory);
        for (const TaskRole &role : std::as_const(job.taskRoles)) {
            if (const auto ofRole = roles.take(role.name)) {
                number(*ofRole, u"gpuMemoryMB"_s, 1);
            }
        }
        roles.unknown(u"gpuMemoryMB"_s, Severity::Warning, Server::Accepts, u"field.ignored"_s);
    }
    if (const auto after = fields.take(u"after"_s)) {
        readAfter(*after, job);
    }
    if (const auto stop = fields.take(u"stop"_s)) {
        readStop(*stop, job);
    }
}

// One job, or a list: each by its number or name, or as {job, when}.
void JobReader::readAfter(const Place &place, JobSpec &job)
{
    QList<Place> items{place};
    if (place.isSequence()) {
        items = m_fields.list(place, u"after"_s, Server::Accepts).value_or(QList<Place>());
    }
    for (const Place &item : std::as_const(items)) {
        JobAfter after;
        if (item.isMap()) {
            MapFields fields(m_fields, item);
            if (const auto name = fields.take(u"job"_s)) {
                after.job = m_fields.textOrNumber(*name, u"job"_s).value_or(QString());
            } else {
                m_fields.missing(item, u"job"_s, u"after"_s);
                continue;
            }
            if (const auto when = fields.take(u"when"_s)) {
                const QStringList known{u"succeeded"_s, u"ended"_s};
                const QString word = m_fields.text(*when, u"when"_s).value_or(QString());
                if (known.contains(word)) {
                    after.whenEnded = word == known.last();
                } else {
                    refuseWord(m_findings, *when, u"when"_s, word, known);
                }
            }
            fields.unknown(u"after"_s, Severity::Note, Server::Accepts, u"field.ignored"_s);
        } else {
            after.job = m_fields.textOrNumber(item, u"after"_s).value_or(QString());
        }
        if (!after.job.isEmpty() && !job.trainyard.after.contains(after)) {
            job.trainyard.after.append(after);
        }
    }
}

void JobReader::readStop(const Place &place, JobSpec &job)
{
    if (!m_fields.map(place, u"stop"_s, Server::Accepts)) {
        return;
    }
    StopRule &rule = job.trainyard.stop;
    MapFields fields(m_fields, place);
    if (const auto signal = fields.take(u"signal"_s)) {
        const QString word = m_fields.textOrNumber(*signal, u"signal"_s).value_or(QString());
        rule.signal = stopSignalOf(word);
        if (rule.signal == 0) {
            refuseWord(m_findings, *signal, u"signal"_s, word, stopSignalNames());
        }
    }
    if (const auto only = fields.take(u"only"_s)) {
        const QString word = m_fields.text(*only, u"only"_s).value_or(QString());
        rule.onlyMain = word == "main"_L1;
        if (!rule.onlyMain) {
            refuseWord(m_findings, *only, u"only"_s, word, {u"main"_s});
        }
    }
    if (const auto grace = fields.take(u"graceSeconds"_s)) {
        const auto seconds = m_fields.integer(*grace, u"graceSeconds"_s, 0, Fields::Null::Absent, Server::Accepts);
        if (seconds) {
            rule.graceSeconds = std::clamp<qint64>(*seconds, 0, 24 * 3600);
        }
    }
    fields.unknown(u"stop"_s, Severity::Note, Server::Accepts, u"field.ignored"_s);
}

} // namespace trainyard
