// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/storecolumns.h"

#include "engine/api/valuejson.h"
#include "engine/store/statejson.h"
#include "engine/store/storedfields.h"

#include <QJsonArray>
#include <QJsonDocument>

using namespace Qt::StringLiterals;

namespace trainyard::columns
{

namespace
{

std::optional<qint64> optionalTime(const QVariant &value)
{
    return value.isNull() ? std::nullopt : std::optional(value.toLongLong());
}

std::optional<int> optionalInt(const QVariant &value)
{
    return value.isNull() ? std::nullopt : std::optional(value.toInt());
}

// An older engine gave a job that ended without a start the time of its end in place of that of its start.
void dropLaunchThatNeverWas(JobSummary &summary)
{
    if (summary.launched && isFinal(summary.state) && summary.launched == summary.completed) {
        summary.began = summary.countedFrom(); // its time is what it was
        summary.launched.reset();
    }
}

} // namespace

QString jsonText(const QJsonObject &object)
{
    return QString::fromUtf8(QJsonDocument(object).toJson(QJsonDocument::Compact));
}

// A column that the query casts to BLOB comes as the bytes that it is, which saves two conversions.
QJsonObject jsonObject(const QVariant &text)
{
    return QJsonDocument::fromJson(
        text.typeId() == QMetaType::QByteArray ? text.toByteArray() : text.toString().toUtf8())
        .object();
}

core::Task taskOf(const QVariant &data)
{
    const std::optional<core::Task> task = taskFromText(data.toByteArray());
    return task ? *task : taskFromJson(jsonObject(data));
}

QString dataOf(const StoredDocument &document) { return jsonText(valuejson::objectOf(document)); }

StoredDocument documentFrom(const QByteArray &yaml, const QVariant &data)
{
    StoredDocument document;
    document.yaml = yaml;
    valuejson::readObject(jsonObject(data), document);
    return document;
}

QString extraOf(const JobSummary &summary)
{
    valuejson::Writer writer;
    extraFields(writer, summary);
    return jsonText(writer.json);
}

void readExtra(const QJsonObject &extra, JobSummary &summary)
{
    valuejson::Reader reader{extra};
    extraFields(reader, summary);
}

QString tagsText(const QStringList &tags)
{
    return QString::fromUtf8(QJsonDocument(QJsonArray::fromStringList(tags)).toJson(QJsonDocument::Compact));
}

ListedFacts listedFrom(const QSqlQuery &row, int from)
{
    ListedFacts listed;
    listed.group = row.value(from++).toString();
    listed.parameters = jsonObject(row.value(from++));
    const QByteArray tags = row.value(from++).toByteArray();
    if (!tags.isEmpty() && tags != "[]") { // few jobs have any
        for (const QJsonValue &tag : QJsonDocument::fromJson(tags).array()) {
            listed.labels.tags.append(tag.toString());
        }
    }
    listed.labels.note = row.value(from++).toString();
    listed.labels.isStarred = row.value(from++).toBool();
    listed.labels.isArchived = row.value(from++).toBool();
    listed.command = row.value(from++).toString();
    return listed;
}

JobSummary summaryFrom(const QSqlQuery &row)
{
    JobSummary summary;
    int i = 0;
    summary.id = row.value(i++).toLongLong();
    summary.uuid = row.value(i++).toString();
    summary.name = row.value(i++).toString();
    summary.user = row.value(i++).toString();
    summary.state = stateFromWord(row.value(i++).toString());
    summary.subState = row.value(i++).toString();
    summary.exitCode = optionalInt(row.value(i++));
    summary.submitted = row.value(i++).toLongLong();
    summary.launched = optionalTime(row.value(i++));
    summary.completed = optionalTime(row.value(i++));
    summary.stopRequested = row.value(i++).toBool();
    summary.retries = row.value(i++).toInt();
    summary.userRetries = row.value(i++).toInt();
    summary.platformRetries = summary.retries - summary.userRetries;
    summary.virtualCluster = row.value(i++).toString();
    summary.target = row.value(i++).toString();
    summary.file = row.value(i++).toString();
    summary.totalGpu = row.value(i++).toInt();
    summary.totalTasks = row.value(i++).toInt();
    summary.totalRoles = row.value(i++).toInt();
    summary.reason = row.value(i++).toString();
    summary.reasonArgs = jsonObject(row.value(i++));
    summary.priority = row.value(i++).toInt();
    readExtra(jsonObject(row.value(i++)), summary);
    const ListedFacts listed = listedFrom(row, i);
    summary.labels = listed.labels;
    summary.group = listed.group;
    summary.parameters = listed.parameters;
    summary.command = listed.command;
    dropLaunchThatNeverWas(summary);
    return summary;
}

} // namespace trainyard::columns
