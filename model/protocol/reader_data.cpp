// SPDX-License-Identifier: GPL-3.0-or-later
// Reads extras.trainyard.data: folders and files that the tasks find on their hosts.
#include "model/protocol/reader.h"
#include "model/protocol/readerrules.h"

#include <QRegularExpression>

#include <algorithm>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

void readDataPaths(JobReader &reader, TakenField &taken, DataSource &source)
{
    const QList<MapEntry> entries = taken.inside->entries();
    for (const MapEntry &entry : entries) {
        const Place place{entry.value, taken.place.path.child(entry.key)};
        const QString path = reader.fields().textOrNumber(place, entry.key).value_or(QString());
        if (path.startsWith(u'/') || path == "~"_L1 || path.startsWith("~/"_L1)) {
            source.paths.append({entry.key, path});
        } else if (!place.isBroken()) {
            reader.findings().add(u"extras.data-path"_s, Severity::Error, ServerVerdict::Accepts, place.path,
                {{u"host"_s, entry.key}, {u"value"_s, path}});
        }
    }
}

// Digits alone are read as a number otherwise.
void readDataSum(JobReader &reader, TakenField &taken, DataSource &source)
{
    static const QRegularExpression digits(u"^[0-9a-f]{64}$"_s);
    const QString sum = reader.fields().textOrNumber(taken.place, taken.name).value_or(QString()).trimmed().toLower();
    if (digits.match(sum).hasMatch()) {
        source.sum = sum;
    } else if (!taken.place.isBroken()) {
        reader.findings().add(u"extras.data-sum"_s, Severity::Error, ServerVerdict::Accepts, taken.place.path);
    }
}

void readDataRoles(JobReader &, TakenField &taken, DataSource &source)
{
    source.roles = taken.texts.value_or(QStringList());
}

const FieldSection<DataSource> &dataSection()
{
    using Row = FieldSection<DataSource>::Row;
    static const FieldSection<DataSource> section("/extras/trainyard/data/*",
        {
            {"from", member(&DataSource::from)},
            {"paths", readDataPaths},
            Row("sha256", readDataSum).readsItself(),
            {"roles", readDataRoles},
        });
    return section;
}

// A role that is mistyped would be without the data.
void checkDataRoles(JobReader &reader, const JobSpec &job, const DataSource &source, const Place &place)
{
    QStringList roles;
    for (const TaskRole &role : std::as_const(job.taskRoles)) {
        roles.append(role.name);
    }
    for (qsizetype i = 0; i < source.roles.size(); ++i) {
        const QString &name = source.roles.at(i);
        if (roles.contains(name)) {
            continue;
        }
        const YamlPath at = place.path.child(u"roles"_s).child(i);
        Diagnostic &d = reader.findings().add(
            u"extras.data-role"_s, Severity::Error, ServerVerdict::Accepts, at, {{u"name"_s, name}});
        if (const QString similar = nearest(name, roles); !similar.isEmpty()) {
            reader.findings().fix(d, u"fix.did-you-mean"_s, {{u"name"_s, similar}}, {edit::SetText{at, similar}});
        }
    }
}

// Whether it can be the name of data that no other has.
bool checkDataName(JobReader &reader, const JobSpec &job, const QString &name, const Place &place)
{
    if (!isDataName(name)) {
        reader.findings().add(u"extras.data-name"_s, Severity::Error, ServerVerdict::Accepts, place.path,
            {{u"name"_s, name}}, Point::Key);
        return false;
    }
    const auto same = std::find_if(job.trainyard.data.cbegin(), job.trainyard.data.cend(),
        [&name](const DataSource &other) { return dataVariable(other.name) == dataVariable(name); });
    if (same != job.trainyard.data.cend()) {
        reader.findings().add(u"extras.data-same"_s, Severity::Error, ServerVerdict::Accepts, place.path,
            {{u"name"_s, name}, {u"other"_s, same->name}, {u"variable"_s, dataVariable(name)}}, Point::Key);
        return false;
    }
    return true;
}

} // namespace

void readerrules::readData(JobReader &reader, TakenField &taken, JobSpec &job)
{
    const QList<MapEntry> entries = taken.inside->entries();
    for (const MapEntry &entry : entries) {
        const Place place{entry.value, taken.place.path.child(entry.key)};
        if (!reader.fields().map(place, entry.key, ServerVerdict::Accepts)
            || !checkDataName(reader, job, entry.key, place)) {
            continue;
        }
        MapFields fields(reader.fields(), place);
        DataSource source;
        source.name = entry.key;
        dataSection().read(reader, fields, source, entry.key);
        if (!fields.has(u"from"_s) && !fields.has(u"paths"_s)) {
            reader.findings().add(u"extras.data-nowhere"_s, Severity::Error, ServerVerdict::Accepts, place.path,
                {{u"name"_s, entry.key}}, Point::Key);
            continue;
        }
        checkDataRoles(reader, job, source, place);
        job.trainyard.data.append(source);
    }
}

QStringList readerrules::dataProblems() { return dataSection().problems(); }

} // namespace trainyard
