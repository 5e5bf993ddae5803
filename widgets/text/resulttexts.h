// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QJsonObject>
#include <QString>
#include <QStringList>

#include <optional>

namespace trainyard
{

// "61 %, about 8 min left", "61 %", "about 8 min left", or nothing. `progress` is 0 to 1, times are ms UTC.
QString progressWords(std::optional<double> progress, std::optional<qint64> endExpected, qint64 now);
QString percentWords(double progress); // "61 %"; 100 % only when nothing is left

// "0.3391", "1.2e-05": five digits.
QString metricNumber(double value);
// Each metric of JobSummary::results with its newest value and, where another one was greater or smaller, these:
// "loss  0.3391 at 3000, least 0.3312 at 2400, greatest 2.31 at 1"; of a job of several tasks also "(worker/0)".
struct ResultLine {
    QString name, text;
};
QList<ResultLine> resultLines(const QJsonObject &results);
// "5 min behind: the output is still being read, up to step 40 so far": of a job that runs, whose values are of then.
// Empty where they are of now.
QString lagText(const JobSummary &job, qint64 now);
// Why its values are not final, as a sentence: it has not ended, was stopped, or its output is still being read. Empty:
// they are.
QString unfinishedText(const JobSummary &job);
// Says that the job never came to the step at which the rule of its group compares it; empty where it did, or has no
// rule.
QString unreachedRuleText(const QJsonObject &results);

} // namespace trainyard
