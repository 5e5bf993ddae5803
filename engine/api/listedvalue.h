// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/namesinanycase.h"
#include "engine/api/values.h"

#include <QStringList>

namespace trainyard
{

// The value of a job that lists show under a name of the job's own: the value of "param:lr", "result:loss" (the latest
// one, NaN when it is not a number), "min:loss" or "max:loss"; undefined where the job has none. Programs spell the
// names of results with or without capitals.
inline QJsonValue listedValue(const JobSummary &job, const QString &column)
{
    const QString kind = column.section(u':', 0, 0);
    const QString name = column.section(u':', 1);
    if (kind == u"param") {
        return job.parameters.value(name);
    }
    const QJsonValue result = memberInAnyCase(job.results, name);
    return kind == u"min"            ? result[u"least"]
        : kind == u"max"             ? result[u"most"]
        : kind != u"result"          ? QJsonValue(QJsonValue::Undefined)
        : result[u"broken"].toBool() ? QJsonValue(qQNaN())
                                     : result[u"last"];
}

// Whether it has the form of such a name.
inline bool isListedValue(const QString &column)
{
    static const QStringList kinds{
        QStringLiteral("param"), QStringLiteral("result"), QStringLiteral("min"), QStringLiteral("max")};
    return kinds.contains(column.section(u':', 0, 0)) && !column.section(u':', 1).isEmpty();
}

} // namespace trainyard
