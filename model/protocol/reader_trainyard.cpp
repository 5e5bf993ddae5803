// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the fields of extras.trainyard about the queue and the end of a job.
#include "model/base/utf8.h"
#include "model/protocol/reader.h"
#include "model/protocol/readerrules.h"
#include "model/protocol/variablename.h"

#include <QRegularExpression>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

void readNameOfJob(JobReader &reader, TakenField &taken, JobAfter &)
{
    taken.text = reader.fields().textOrNumber(taken.place, taken.name);
}

void checkWhen(JobReader &, TakenField &taken, JobAfter &after) { after.whenEnded = taken.text == u"ended"_s; }

const FieldSection<JobAfter> &afterSection()
{
    using Row = FieldSection<JobAfter>::Row;
    static const FieldSection<JobAfter> section("/extras/trainyard/after",
        {
            Row("job", member(&JobAfter::job), readNameOfJob).readsItself(),
            {"when", checkWhen},
        });
    return section;
}

} // namespace

// A number for all roles, or one for each.
void readerrules::readGpuMemory(JobReader &reader, TakenField &taken, JobSpec &job)
{
    const auto check = [&](const Place &place) {
        reader.fields().integer(place, taken.name, 1, Fields::Null::Absent, ServerVerdict::Accepts);
    };
    if (!taken.place.isMap()) {
        check(taken.place);
        return;
    }
    MapFields roles(reader.fields(), taken.place);
    for (const TaskRole &role : std::as_const(job.taskRoles)) {
        if (const auto ofRole = roles.take(role.name)) {
            check(*ofRole);
        }
    }
    roles.unknown(taken.name, Severity::Warning, ServerVerdict::Accepts, u"field.ignored"_s);
}

// One job, or a list: each by its number or name, or as {job, when}.
void readerrules::readAfter(JobReader &reader, TakenField &taken, JobSpec &job)
{
    QList<Place> items{taken.place};
    if (taken.place.isSequence()) {
        items = reader.fields().list(taken.place, taken.name, ServerVerdict::Accepts).value_or(QList<Place>());
    }
    for (const Place &item : std::as_const(items)) {
        JobAfter after;
        if (item.isMap()) {
            MapFields fields(reader.fields(), item);
            if (!fields.has(u"job"_s)) {
                reader.fields().missing(item, u"job"_s, taken.name);
                continue;
            }
            afterSection().read(reader, fields, after, taken.name);
        } else {
            after.job = reader.fields().textOrNumber(item, taken.name).value_or(QString());
        }
        if (!after.job.isEmpty() && !job.trainyard.after.contains(after)) {
            job.trainyard.after.append(after);
        }
    }
}

// The result of variablesOf() is checked here.
void readerrules::readVariables(JobReader &reader, TakenField &taken, JobSpec &)
{
    Fields &fields = reader.fields();
    if (!fields.map(taken.place, taken.name, ServerVerdict::Accepts)) {
        return;
    }
    MapFields variables(fields, taken.place);
    const QStringList names = variables.keys();
    for (const QString &name : names) {
        const Place value = variables.take(name).value_or(Place());
        if (!isVariableName(name)) {
            reader.findings().add(u"extras.variable-name"_s, Severity::Error, ServerVerdict::Accepts, value.path,
                QJsonObject{{u"name"_s, name}});
        } else if (!value.isScalar() && !value.isBroken()) {
            fields.textOrNumber(value, name); // a boolean is a text, too, but neither a list nor a map is
        }
    }
}

// A metric that nothing finds would be missed only after the run. The expression is read again together with the
// output.
void readerrules::checkMetricPatterns(JobReader &reader, TakenField &taken, JobSpec &)
{
    Fields &fields = reader.fields();
    if (!fields.map(taken.place, taken.name, ServerVerdict::Accepts)) {
        return;
    }
    MapFields patterns(fields, taken.place);
    const QStringList names = patterns.keys();
    for (const QString &name : names) {
        const Place value = patterns.take(name).value_or(Place());
        if (!value.isScalar() || value.isNull()) {
            continue;
        }
        const QRegularExpression expression(textFromUtf8(value.resolved()->scalar));
        const int steps = expression.namedCaptureGroups().contains(u"step"_s) ? 1 : 0;
        if (!expression.isValid()) {
            reader.findings().add(u"extras.metric-pattern"_s, Severity::Warning, ServerVerdict::Accepts, value.path,
                {{u"name"_s, name}, {u"message"_s, expression.errorString()}});
        } else if (!expression.pattern().isEmpty() && expression.captureCount() <= steps) {
            reader.findings().add(
                u"extras.metric-groups"_s, Severity::Warning, ServerVerdict::Accepts, value.path, {{u"name"_s, name}});
        }
    }
}

void readerrules::readStopSignal(JobReader &reader, TakenField &taken, JobSpec &job)
{
    const QString word = reader.fields().textOrNumber(taken.place, taken.name).value_or(QString());
    job.trainyard.stop.signal = stopSignalOf(word);
    if (job.trainyard.stop.signal == 0) {
        sayWrongWord(reader.findings(), taken.field, taken.place.path, word);
    }
}

void readerrules::readStopOnly(JobReader &, TakenField &taken, JobSpec &job)
{
    job.trainyard.stop.onlyMain = taken.text == u"main"_s;
}

void readerrules::checkSilence(JobReader &reader, TakenField &taken, JobSpec &)
{
    const QStringList kinds = taken.texts.value_or(QStringList());
    for (qsizetype i = 0; i < kinds.size(); ++i) {
        if (!taken.field.valueNames().contains(kinds.at(i))) {
            sayWrongWord(reader.findings(), taken.field, taken.place.path.child(i), kinds.at(i));
        }
    }
}

QStringList readerrules::queueProblems() { return afterSection().problems(); }

} // namespace trainyard
