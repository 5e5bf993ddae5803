// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/store.h"

#include <QJsonObject>
#include <QSqlQuery>
#include <QVariant>

#include <optional>

// The form of values in the columns of the store.
namespace trainyard::columns
{

QString jsonText(const QJsonObject &object);
QJsonObject jsonObject(const QVariant &text);

template <typename T> QVariant orNull(const std::optional<T> &value) { return value ? QVariant(*value) : QVariant(); }

core::Task taskOf(const QVariant &data);

QString dataOf(const StoredDocument &document);
StoredDocument documentFrom(const QByteArray &yaml, const QVariant &data);

QString extraOf(const JobSummary &summary); // what the lists show and no search looks at
void readExtra(const QJsonObject &extra, JobSummary &summary); // whose `submitted` is known

inline constexpr QLatin1StringView summaryColumns{
    "id, uuid, name, user, state, sub, code, submitted, launched, completed, stop, retries, accountable,"
    " virtual_cluster, target, file, gpus, tasks, roles, reason, CAST(reason_args AS BLOB), priority, CAST(extra AS "
    "BLOB), grouped, CAST(parameters AS BLOB), CAST(label.tags AS BLOB), note, starred, archived, command"};
inline constexpr QLatin1StringView summaryTables{" FROM job LEFT JOIN label ON label.job = job.id"};
JobSummary summaryFrom(const QSqlQuery &row); // of these columns
ListedFacts listedFrom(const QSqlQuery &row, int from); // of those from `grouped` on
QString tagsText(const QStringList &tags);

} // namespace trainyard::columns
