// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/storecolumns.h"

#include "engine/store/statejson.h"

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

} // namespace

void readExtra(const QJsonObject &extra, JobSummary &summary)
{
    const QJsonArray counts = extra.value("counts"_L1).toArray();
    summary.counts = {
        counts.at(0).toInt(), counts.at(1).toInt(), counts.at(2).toInt(), counts.at(3).toInt(), counts.at(4).toInt()};
    const QJsonArray hosts = extra.value("hosts"_L1).toArray();
    for (const QJsonValue &host : hosts) {
        summary.hosts.append(host.toString());
    }
    summary.paused = extra.value("paused"_L1).toBool();
    summary.priorityClass = extra.value("priorityClass"_L1).toString();
    summary.order = extra.value("order"_L1).toDouble(double(summary.submitted));
    if (extra.contains("began"_L1)) {
        summary.began = extra.value("began"_L1).toInteger();
    }
    if (extra.contains("retryDelaySec"_L1)) {
        summary.retryDelaySec = extra.value("retryDelaySec"_L1).toInteger();
    }
}

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
    const std::optional<core::Task> ended = endedTaskFromText(data.toByteArray());
    return ended ? *ended : taskFromJson(jsonObject(data));
}

QString dataOf(const StoredDocument &document)
{
    QJsonObject parameters;
    for (auto it = document.parameters.begin(); it != document.parameters.end(); ++it) {
        parameters.insert(it.key(), it.value());
    }
    QJsonObject data{{u"parameters"_s, parameters}, {u"target"_s, document.target}, {u"work"_s, document.work},
        {u"runIn"_s, document.runIn}, {u"file"_s, document.file}};
    if (!document.key.isEmpty()) {
        data.insert(u"key"_s, document.key);
    }
    return jsonText(data);
}

StoredDocument documentFrom(const QByteArray &yaml, const QVariant &data)
{
    const QJsonObject object = jsonObject(data);
    StoredDocument document;
    document.yaml = yaml;
    const QJsonObject parameters = object.value("parameters"_L1).toObject();
    for (auto it = parameters.begin(); it != parameters.end(); ++it) {
        document.parameters.insert(it.key(), it.value().toString());
    }
    document.target = object.value("target"_L1).toString();
    document.work = object.value("work"_L1).toString();
    document.runIn = object.value("runIn"_L1).toString();
    document.file = object.value("file"_L1).toString();
    document.key = object.value("key"_L1).toString();
    return document;
}

// What the lists show and no search looks at.
QString extraOf(const JobSummary &summary)
{
    QJsonObject extra{{u"counts"_s,
                          QJsonArray{summary.counts.waiting, summary.counts.running, summary.counts.succeeded,
                              summary.counts.failed, summary.counts.stopped}},
        {u"hosts"_s, QJsonArray::fromStringList(summary.hosts)}};
    if (summary.order != double(summary.submitted)) {
        extra.insert(u"order"_s, summary.order);
    }
    if (summary.retryDelaySec) {
        extra.insert(u"retryDelaySec"_s, *summary.retryDelaySec);
    }
    if (summary.began) {
        extra.insert(u"began"_s, *summary.began);
    }
    if (summary.paused) {
        extra.insert(u"paused"_s, true);
    }
    if (!summary.priorityClass.isEmpty()) {
        extra.insert(u"priorityClass"_s, summary.priorityClass);
    }
    return jsonText(extra);
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
    return summary;
}

} // namespace trainyard::columns
