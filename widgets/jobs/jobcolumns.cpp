// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/jobs/jobcolumns.h"

#include "engine/api/compare/comparemetrics.h"
#include "engine/api/jobfacts.h"
#include "engine/api/listedvalue.h"
#include "model/base/csv.h"
#include "widgets/common/clocktext.h"
#include "widgets/common/statepainter.h"
#include "widgets/text/formats.h"
#include "widgets/text/healthtexts.h"
#include "widgets/text/hosttexts.h"
#include "widgets/text/metricrank.h"
#include "widgets/text/resulttexts.h"
#include "widgets/text/texts.h"
#include "widgets/text/whybrief.h"

#include <QCoreApplication>
#include <QHash>
#include <QSet>

#include <algorithm>
#include <cmath>
#include <functional>
#include <tuple>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr QChar fullStar(0x2605);
constexpr QChar emptyStar(0x2606);

struct ColumnTexts {
    Q_DECLARE_TR_FUNCTIONS(JobColumns)
};

// One fixed column: what it shows, and a number where it has one.
struct JobColumn {
    QString key;
    const char *title;
    bool isNumber;
    std::function<QString(const JobSummary &job, qint64 now)> text;
    std::function<std::optional<double>(const JobSummary &job, qint64 now)> number = {};
    std::function<QString(const JobSummary &job)> value = {}; // that leaves the window, where it is another one
};

QString shortTime(std::optional<qint64> ms, qint64 now) { return ms ? formatTime(*ms, now) : QString(); }

std::optional<double> timeNumber(std::optional<qint64> ms)
{
    return ms ? std::optional<double>(double(*ms)) : std::nullopt;
}

// The text of `ps` in its column of this name.
QString whyOf(const JobSummary &job) { return job.state == State::Succeeded ? brokenBrief(job) : jobReasonText(job); }

JobColumn countColumn(const QString &key, const char *title, int JobSummary::*member)
{
    return {key, title, true, [member](const JobSummary &job, qint64) { return QString::number(job.*member); },
        [member](const JobSummary &job, qint64) { return std::optional<double>(job.*member); }};
}

JobColumn textColumn(const QString &key, const char *title, const std::function<QString(const JobSummary &)> &text)
{
    return {key, title, false, [text](const JobSummary &job, qint64) { return text(job); }};
}

const QList<JobColumn> &columns()
{
    static const QList<JobColumn> all{
        {u"star"_s, QT_TRANSLATE_NOOP("JobColumns", "Star"), false,
            [](const JobSummary &job, qint64) { return QString(job.labels.isStarred ? fullStar : emptyStar); }, {},
            [](const JobSummary &job) { return job.labels.isStarred ? u"true"_s : QString(); }},
        {u"state"_s, QT_TRANSLATE_NOOP("JobColumns", "State"), false,
            [](const JobSummary &job, qint64) { return stateLabel(shapeOf(job)); }, {},
            [](const JobSummary &job) { return stateWord(job.state); }},
        textColumn(u"name"_s, QT_TRANSLATE_NOOP("JobColumns", "Name"), [](const JobSummary &job) { return job.name; }),
        {u"id"_s, QT_TRANSLATE_NOOP("JobColumns", "Number"), true,
            [](const JobSummary &job, qint64) { return QString(u'#' + QString::number(job.id)); },
            [](const JobSummary &job, qint64) { return std::optional<double>(double(job.id)); },
            [](const JobSummary &job) { return QString::number(job.id); }},
        {u"submitted"_s, QT_TRANSLATE_NOOP("JobColumns", "Submitted"), false,
            [](const JobSummary &job, qint64 now) { return shortTime(job.submitted, now); },
            [](const JobSummary &job, qint64) { return timeNumber(job.submitted); },
            [](const JobSummary &job) { return isoTimeWithMs(job.submitted); }},
        {u"completed"_s, QT_TRANSLATE_NOOP("JobColumns", "Ended"), false,
            [](const JobSummary &job, qint64 now) { return shortTime(job.completed, now); },
            [](const JobSummary &job, qint64) { return timeNumber(job.completed); },
            [](const JobSummary &job) { return job.completed ? isoTimeWithMs(*job.completed) : QString(); }},
        {u"time"_s, QT_TRANSLATE_NOOP("JobColumns", "Time"), true,
            [](const JobSummary &job, qint64 now) { return clockText(allAttemptsMs(job, now)); },
            [](const JobSummary &job, qint64 now) { return std::optional<double>(double(allAttemptsMs(job, now))); }},
        {u"progress"_s, QT_TRANSLATE_NOOP("JobColumns", "Progress"), true,
            [](const JobSummary &job, qint64) { return job.progress ? percentWords(*job.progress) : QString(); },
            [](const JobSummary &job, qint64) { return job.progress; }},
        {u"why"_s, QT_TRANSLATE_NOOP("JobColumns", "Why"), false,
            [](const JobSummary &job, qint64) { return whyBrief(job); }, {}, whyOf},
        {u"host"_s, QT_TRANSLATE_NOOP("JobColumns", "Host"), false,
            [](const JobSummary &job, qint64) { return jobHostsText(job); }, {},
            [](const JobSummary &job) { return job.hosts.join(", "_L1); }},
        textColumn(u"tags"_s, QT_TRANSLATE_NOOP("JobColumns", "Tags"),
            [](const JobSummary &job) { return job.labels.tags.join(", "_L1); }),
        textColumn(u"note"_s, QT_TRANSLATE_NOOP("JobColumns", "Note"),
            [](const JobSummary &job) { return job.labels.note.simplified(); }),
        textColumn(
            u"group"_s, QT_TRANSLATE_NOOP("JobColumns", "Group"), [](const JobSummary &job) { return job.group; }),
        textColumn(u"command"_s, QT_TRANSLATE_NOOP("JobColumns", "Command"),
            [](const JobSummary &job) { return job.command; }),
        countColumn(u"gpus"_s, QT_TRANSLATE_NOOP("JobColumns", "GPUs"), &JobSummary::totalGpu),
        countColumn(u"tasks"_s, QT_TRANSLATE_NOOP("JobColumns", "Tasks"), &JobSummary::totalTasks),
        countColumn(u"retries"_s, QT_TRANSLATE_NOOP("JobColumns", "Retries"), &JobSummary::retries),
        countColumn(u"priority"_s, QT_TRANSLATE_NOOP("JobColumns", "Priority"), &JobSummary::priority),
        {u"code"_s, QT_TRANSLATE_NOOP("JobColumns", "Exit code"), true,
            [](const JobSummary &job, qint64) {
                const std::optional<int> code = statusOrCode(job);
                return code ? QString::number(*code) : QString();
            },
            [](const JobSummary &job, qint64) {
                const std::optional<int> code = statusOrCode(job);
                return code ? std::optional<double>(*code) : std::nullopt;
            }},
        textColumn(u"user"_s, QT_TRANSLATE_NOOP("JobColumns", "User"), [](const JobSummary &job) { return job.user; }),
        textColumn(u"file"_s, QT_TRANSLATE_NOOP("JobColumns", "File"), [](const JobSummary &job) { return job.file; }),
        textColumn(u"uuid"_s, "UUID", [](const JobSummary &job) { return job.uuid; }),
    };
    return all;
}

const JobColumn *columnOf(const QString &key)
{
    const auto found
        = std::find_if(columns().cbegin(), columns().cend(), [&key](const JobColumn &each) { return each.key == key; });
    return found == columns().cend() ? nullptr : &*found;
}

JobSortKey keyOfValue(const QJsonValue &value)
{
    if (value.isDouble()) {
        // Values that are not numbers come last in either order, like missing ones.
        return std::isnan(value.toDouble()) ? JobSortKey() : JobSortKey{value.toDouble()};
    }
    bool isNumber = false;
    const QString text = value.isBool() ? (value.toBool() ? u"true"_s : u"false"_s) : value.toString();
    const double number = text.toDouble(&isNumber);
    return isNumber ? JobSortKey{number, text} : JobSortKey{{}, text};
}

} // namespace

QStringList fixedJobColumns()
{
    QStringList keys;
    for (const JobColumn &column : columns()) {
        keys.append(column.key);
    }
    return keys;
}

QStringList usualJobColumns()
{
    return {u"star"_s, u"state"_s, u"name"_s, u"why"_s, u"id"_s, u"submitted"_s, u"time"_s, u"host"_s, u"tags"_s,
        u"note"_s};
}

QStringList suggestedJobColumns(const QList<JobSummary> &jobs)
{
    constexpr qsizetype mostParameters = 4, mostResults = 3;
    QHash<QString, QSet<QString>> values; // of parameters
    QHash<QString, int> parameters, results; // how many jobs have them
    for (const JobSummary &job : jobs) {
        for (auto it = job.parameters.begin(); it != job.parameters.end(); ++it) {
            ++parameters[it.key()];
            values[it.key()].insert(it->toVariant().toString());
        }
    }
    const QList<MetricCount> metrics = metricCounts(jobs);
    for (const MetricCount &metric : metrics) {
        results.insert(metric.name, metric.jobs);
    }
    parameters.removeIf([&values](const auto &each) { return values.value(each.key()).size() < 2; });
    const auto first = [](const QHash<QString, int> &counts, qsizetype most) {
        QStringList names = counts.keys();
        std::sort(names.begin(), names.end(), [&counts](const QString &a, const QString &b) {
            return std::tuple(-counts.value(a), metricRank(a), a) < std::tuple(-counts.value(b), metricRank(b), b);
        });
        return names.first(std::min(most, names.size()));
    };
    QStringList keys = usualJobColumns();
    if (std::any_of(jobs.cbegin(), jobs.cend(), [](const JobSummary &job) { return !job.labels.tags.isEmpty(); })) {
        keys.move(keys.indexOf(u"tags"_s), keys.indexOf(u"name"_s) + 1);
    }
    qsizetype at = keys.indexOf(u"host"_s);
    const QStringList ofParameters = first(parameters, mostParameters);
    for (const QString &name : ofParameters) {
        keys.insert(at++, "param:"_L1 + name);
    }
    // A program that logs its own parameter says nothing with it.
    results.removeIf(
        [&](const auto &each) { return parameters.contains(each.key()) && repeatsParameter(jobs, each.key()); });
    const QStringList ofResults = first(results, mostResults);
    for (const QString &name : ofResults) {
        keys.insert(at++, "result:"_L1 + name);
    }
    return keys;
}

bool isJobColumn(const QString &key) { return columnOf(key) || isListedValue(key); }

QString jobColumnTitle(const QString &key)
{
    if (const JobColumn *column = columnOf(key)) {
        return ColumnTexts::tr(column->title);
    }
    const QString name = key.section(u':', 1);
    return key.startsWith("min:"_L1) ? ColumnTexts::tr("%1, least").arg(name)
        : key.startsWith("max:"_L1)  ? ColumnTexts::tr("%1, greatest").arg(name)
                                     : name;
}

QString jobColumnTitle(const QString &key, const QStringList &shown)
{
    const QString title = jobColumnTitle(key);
    const bool isAlone = std::none_of(shown.cbegin(), shown.cend(),
        [&](const QString &other) { return other != key && jobColumnTitle(other) == title; });
    return isAlone || columnOf(key)    ? title
        : key.startsWith("param:"_L1)  ? ColumnTexts::tr("%1 (setting)").arg(title)
        : key.startsWith("result:"_L1) ? ColumnTexts::tr("%1 (result)").arg(title)
                                       : title;
}

bool isNumberColumn(const QString &key)
{
    const JobColumn *column = columnOf(key);
    return !column || column->isNumber;
}

QString jobCellText(const JobSummary &job, const QString &key, qint64 now)
{
    if (const JobColumn *column = columnOf(key)) {
        return column->text(job, now);
    }
    const QJsonValue value = listedValue(job, key);
    return value.isDouble()
        ? (key.startsWith("param:"_L1) ? QString::number(value.toDouble(), 'g', 10) : metricNumber(value.toDouble()))
        : keyOfValue(value).text;
}

JobSortKey jobSortKey(const JobSummary &job, const QString &key, qint64 now)
{
    if (const JobColumn *column = columnOf(key)) {
        return column->number ? JobSortKey{column->number(job, now)} : JobSortKey{{}, column->text(job, now)};
    }
    return keyOfValue(listedValue(job, key));
}

QString jobCellValue(const JobSummary &job, const QString &key, qint64 now)
{
    const JobColumn *column = columnOf(key);
    if (column && column->value) {
        return column->value(job);
    }
    if (column && key == "time"_L1) {
        return QString::number(allAttemptsMs(job, now) / 1000);
    }
    if (column && key == "progress"_L1) {
        return job.progress ? QString::number(*job.progress) : QString();
    }
    if (column) {
        return column->text(job, now);
    }
    const QJsonValue value = listedValue(job, key);
    return value.isDouble() ? QString::number(value.toDouble(), 'g', 15) : keyOfValue(value).text;
}

QByteArray jobsAsText(const QList<JobSummary> &jobs, const QStringList &keys, char separator, qint64 now)
{
    QString text;
    const auto line = [&](const auto &cell) {
        for (qsizetype i = 0; i < keys.size(); ++i) {
            text += i > 0 ? QString(QLatin1Char(separator)) : QString();
            const QString value = cell(keys.at(i));
            text += separator == ',' ? csvCell(value) : tabCell(value);
        }
        text += u'\n';
    };
    line([](const QString &key) { return key; });
    for (const JobSummary &job : jobs) {
        line([&](const QString &key) { return jobCellValue(job, key, now); });
    }
    return text.toUtf8();
}

} // namespace trainyard
