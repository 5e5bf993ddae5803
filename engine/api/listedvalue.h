// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QStringList>

namespace trainyard
{

// What lists show of a job by names of its own: the value of "param:lr", "result:loss" (the latest one, NaN when it is
// not a number), "min:loss" or "max:loss"; undefined where the job has none.
inline QJsonValue listedValue(const JobSummary &job, const QString &column)
{
    const QString kind = column.section(u':', 0, 0);
    const QString name = column.section(u':', 1);
    return kind == u"param" ? job.parameters.value(name)
        : kind == u"min"    ? job.results.value(name)[u"least"]
        : kind == u"max"    ? job.results.value(name)[u"most"]
        : kind == u"result"
        ? (job.results.value(name)[u"broken"].toBool() ? QJsonValue(qQNaN()) : job.results.value(name)[u"last"])
        : QJsonValue(QJsonValue::Undefined);
}

// Whether it has the form of such a name.
inline bool isListedValue(const QString &column)
{
    static const QStringList kinds{
        QStringLiteral("param"), QStringLiteral("result"), QStringLiteral("min"), QStringLiteral("max")};
    return kinds.contains(column.section(u':', 0, 0)) && !column.section(u':', 1).isEmpty();
}

} // namespace trainyard
