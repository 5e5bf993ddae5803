// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/pscolumns.h"

#include "app/cli/console.h"
#include "app/cli/jobtable.h"
#include "engine/api/jobfacts.h"
#include "engine/api/listedvalue.h"
#include "engine/client/exportmark.h"
#include "model/base/csv.h"
#include "widgets/text/healthtexts.h"

#include <QDateTime>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <functional>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

// The value of a column: a number, a text, or neither if it is empty.
struct Cell {
    std::optional<double> number;
    QString text = {};
};

Cell numberCell(double number) { return {number, QString::number(number, 'g', 15)}; }

Cell codeCell(const JobSummary &job)
{
    const std::optional<int> code = statusOrCode(job);
    return code ? numberCell(*code) : Cell();
}

// "loss is NaN since step 4, GPU idle": the first of each kind.
QString healthSummary(const JobSummary &job)
{
    QStringList words, kinds;
    for (const HealthMark &mark : job.health) {
        if (!kinds.contains(mark.code)) {
            kinds.append(mark.code);
            words.append(healthBrief(mark));
        }
    }
    return words.join(u", "_s);
}

QString isoTime(qint64 ms) { return QDateTime::fromMSecsSinceEpoch(ms, Qt::UTC).toString(Qt::ISODate); }

struct FixedColumn {
    QString name;
    std::function<Cell(const JobSummary &job, qint64 now)> cell;
};
const QList<FixedColumn> &fixedColumns()
{
    static const QList<FixedColumn> columns{
        {u"id"_s, [](const JobSummary &job, qint64) { return numberCell(double(job.id)); }},
        {u"name"_s,
            [](const JobSummary &job, qint64) {
                return Cell{{}, job.name};
            }},
        {u"state"_s,
            [](const JobSummary &job, qint64) {
                return Cell{{}, stateWord(job.state)};
            }},
        {u"tasks"_s,
            [](const JobSummary &job, qint64) {
                return Cell{job.totalTasks, tasksText(job)};
            }},
        {u"failed"_s, [](const JobSummary &job, qint64) { return numberCell(job.counts.failed); }},
        {u"time"_s,
            [](const JobSummary &job, qint64 now) {
                return numberCell(std::floor(double(allAttemptsMs(job, now)) / 1000));
            }},
        {u"submitted"_s,
            [](const JobSummary &job, qint64) {
                return Cell{{}, isoTime(job.submitted)};
            }},
        {u"completed"_s,
            [](const JobSummary &job, qint64) {
                return Cell{{}, job.completed ? isoTime(*job.completed) : QString()};
            }},
        {u"host"_s,
            [](const JobSummary &job, qint64) {
                return Cell{{}, job.hosts.join(u',')};
            }},
        {u"why"_s,
            [](const JobSummary &job, qint64) {
                return Cell{{}, whyShown(job)};
            }},
        {u"uuid"_s,
            [](const JobSummary &job, qint64) {
                return Cell{{}, job.uuid};
            }},
        {u"code"_s, [](const JobSummary &job, qint64) { return codeCell(job); }},
        {u"priority"_s, [](const JobSummary &job, qint64) { return numberCell(job.priority); }},
        {u"user"_s,
            [](const JobSummary &job, qint64) {
                return Cell{{}, job.user};
            }},
        {u"tags"_s,
            [](const JobSummary &job, qint64) {
                return Cell{{}, job.labels.tags.join(u',')};
            }},
        {u"note"_s,
            [](const JobSummary &job, qint64) {
                return Cell{{}, job.labels.note};
            }},
        {u"command"_s,
            [](const JobSummary &job, qint64) {
                return Cell{{}, job.command};
            }},
        {u"group"_s,
            [](const JobSummary &job, qint64) {
                return Cell{{}, job.group};
            }},
        {u"star"_s,
            [](const JobSummary &job, qint64) {
                return Cell{{}, job.labels.isStarred ? u"*"_s : QString()};
            }},
        {u"health"_s,
            [](const JobSummary &job, qint64) {
                return Cell{{}, healthSummary(job)};
            }},
    };
    return columns;
}

Cell cellOf(const QJsonValue &value)
{
    if (value.isDouble() && std::isnan(value.toDouble())) {
        return {{}, u"NaN"_s};
    }
    if (value.isDouble()) {
        return numberCell(value.toDouble());
    }
    bool isNumber = false;
    const QString text = value.isBool() ? (value.toBool() ? u"true"_s : u"false"_s) : value.toString();
    const double number = text.toDouble(&isNumber);
    return isNumber ? Cell{number, text} : Cell{{}, text};
}

Cell cellOf(const JobSummary &job, const QString &name, qint64 now)
{
    if (name.contains(u':')) {
        return cellOf(listedValue(job, name));
    }
    for (const FixedColumn &column : fixedColumns()) {
        if (column.name == name) {
            return column.cell(job, now);
        }
    }
    return {};
}

} // namespace

// A program that ended well may have gone wrong all the same.
QString whyShown(const JobSummary &job)
{
    if (job.state != State::Succeeded) {
        return whyText(job);
    }
    QStringList words{failedTasksText(job), healthSummary(job)};
    words.removeAll(QString());
    return words.join(u"; "_s);
}

QString tasksText(const JobSummary &job)
{
    const QString text = progressText(job);
    return job.counts.failed > 0 ? tr("%1 (%2 failed)").arg(text, QString::number(job.counts.failed)) : text;
}

const QStringList &columnNames()
{
    static const QStringList names = [] {
        QStringList list;
        for (const FixedColumn &column : fixedColumns()) {
            list.append(column.name);
        }
        return list;
    }();
    return names;
}

bool isColumn(const QString &name) { return columnNames().contains(name) || isListedValue(name); }

void sortJobs(QList<JobSummary> &jobs, const QString &sort)
{
    const bool isDown = sort.startsWith(u'-');
    const QString key = isDown ? sort.sliced(1) : sort;
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    struct Keyed {
        JobSummary job;
        Cell cell;
    };
    std::vector<Keyed> all;
    all.reserve(std::size_t(jobs.size()));
    for (JobSummary &job : jobs) {
        Cell cell = cellOf(job, key, now);
        all.push_back({std::move(job), std::move(cell)});
    }
    std::stable_sort(all.begin(), all.end(), [isDown](const Keyed &a, const Keyed &b) {
        const bool hasOne = a.cell.number || !a.cell.text.isEmpty();
        const bool hasOther = b.cell.number || !b.cell.text.isEmpty();
        if (hasOne != hasOther) {
            return hasOne;
        }
        const Cell &first = isDown ? b.cell : a.cell;
        const Cell &second = isDown ? a.cell : b.cell;
        if (first.number && second.number) {
            return *first.number < *second.number;
        }
        return first.number || second.number ? first.number.has_value() && !second.number : first.text < second.text;
    });
    std::transform(all.begin(), all.end(), jobs.begin(), [](Keyed &each) { return std::move(each.job); });
}

QString formatted(const JobSummary &job, const QString &format, qint64 now)
{
    QString line = format;
    line.replace(u"\\t"_s, u"\t"_s).replace(u"\\n"_s, u"\n"_s);
    static const QRegularExpression column(u"\\{([^{}]+)\\}"_s);
    QString result;
    qsizetype at = 0;
    auto matches = column.globalMatch(line);
    while (matches.hasNext()) {
        const QRegularExpressionMatch match = matches.next();
        result += QStringView(line).sliced(at, match.capturedStart() - at);
        result += cellOf(job, match.captured(1), now).text.replace(u'\n', u' ');
        at = match.capturedEnd();
    }
    return result + QStringView(line).sliced(at);
}

QStringList namedColumns(const QString &format)
{
    static const QRegularExpression column(u"\\{([^{}]*)\\}"_s);
    QStringList names;
    auto matches = column.globalMatch(format);
    while (matches.hasNext()) {
        names.append(matches.next().captured(1));
    }
    return names;
}

QString unknownColumn(const QString &format)
{
    const QStringList names = namedColumns(format);
    const auto unknown
        = std::find_if(names.cbegin(), names.cend(), [](const QString &name) { return !isColumn(name); });
    return unknown == names.cend() ? QString() : unknown->isEmpty() ? u"{}"_s : *unknown;
}

QString csvOf(
    const QList<JobSummary> &jobs, const QStringList &columns, const QHash<QString, QueuePlace> &queue, qint64 now)
{
    static const QString place = u"queue"_s; // known of the list, and not of a job
    const QStringList names = !columns.isEmpty() ? columns
                                                 : QStringList{u"id"_s, u"name"_s, u"state"_s, place, u"tasks"_s,
                                                     u"time"_s, u"submitted"_s, u"host"_s, u"why"_s};
    QString text;
    for (const QString &name : names) {
        text += csvCell(name) + u',';
    }
    text += exportMark() + u'\n';
    for (const JobSummary &job : jobs) {
        for (const QString &name : names) {
            const int position = name == place ? queue.value(job.uuid).position : 0;
            text += csvCell(position > 0 ? QString::number(position) : cellOf(job, name, now).text) + u',';
        }
        text += exportVersion() + u'\n';
    }
    return text;
}

} // namespace trainyard::cli
