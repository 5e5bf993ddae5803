// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/pstable.h"

#include "app/cli/console.h"
#include "app/cli/jobtable.h"
#include "app/cli/pscolumns.h"
#include "widgets/text/columns.h"
#include "widgets/text/formats.h"
#include "widgets/text/whybrief.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

enum class PsColumn { Id, Name, State, Queue, Tasks, Time, Submitted, Host, Why };

constexpr int roomOfName = 24, roomOfHost = 12, roomOfWhy = 20; // "Out of shared memory"

QString headOf(PsColumn column)
{
    switch (column) {
    case PsColumn::Id:
        return tr("ID");
    case PsColumn::Name:
        return tr("NAME");
    case PsColumn::State:
        return tr("STATE");
    case PsColumn::Queue:
        return tr("QUEUE");
    case PsColumn::Tasks:
        return tr("TASKS");
    case PsColumn::Time:
        return tr("TIME");
    case PsColumn::Submitted:
        return tr("SUBMITTED");
    case PsColumn::Host:
        return tr("HOST");
    case PsColumn::Why:
        break;
    }
    return tr("WHY");
}

// How tables of one width are filled.
struct PsManner {
    int width = 0;
    qint64 now = 0;
    bool hasCounts = true; // of tasks that failed
};

QString psCell(PsColumn column, const JobSummary &job, int position, const PsManner &manner)
{
    switch (column) {
    case PsColumn::Id:
        return QString::number(job.id);
    case PsColumn::Name:
        return job.name;
    case PsColumn::State:
        return shownState(job);
    case PsColumn::Queue:
        return position > 0 ? QString::number(position) : QString();
    case PsColumn::Tasks:
        return manner.hasCounts ? tasksText(job) : progressText(job);
    case PsColumn::Time:
        return elapsedInAll(job, manner.now);
    case PsColumn::Submitted:
        return formatTime(job.submitted, manner.now);
    case PsColumn::Host:
        return job.hosts.join(u',');
    case PsColumn::Why:
        break;
    }
    return manner.width > 0 && job.state != State::Succeeded ? whyBrief(job) : whyShown(job);
}

// Whether names, hosts and reasons have as much room as says enough of them.
bool hasRoom(const QList<QStringList> &rows, const QList<PsColumn> &columns, int width)
{
    constexpr int gap = 2;
    int needed = gap * int(columns.size() - 1);
    for (qsizetype i = 0; i < columns.size(); ++i) {
        int widest = 0;
        for (const QStringList &row : rows) {
            widest = std::max(widest, columnsOf(row.at(i)));
        }
        const PsColumn column = columns.at(i);
        needed += column == PsColumn::Name ? std::min(widest, roomOfName)
            : column == PsColumn::Host     ? std::min(widest, roomOfHost)
            : column == PsColumn::Why      ? std::min(widest, roomOfWhy)
                                           : widest;
    }
    return needed <= width;
}

} // namespace

QStringList psTable(const QList<JobSummary> &jobs, const QHash<QString, QueuePlace> &queue, int width, qint64 now)
{
    QList<PsColumn> columns{PsColumn::Id, PsColumn::Name, PsColumn::State, PsColumn::Queue, PsColumn::Tasks,
        PsColumn::Time, PsColumn::Submitted, PsColumn::Host, PsColumn::Why};
    if (std::none_of(
            jobs.cbegin(), jobs.cend(), [&queue](const JobSummary &job) { return queue.contains(job.uuid); })) {
        columns.removeAll(PsColumn::Queue);
    }
    PsManner manner{width, now};
    const auto rowsOf = [&] {
        QList<QStringList> rows{QStringList()};
        for (const PsColumn column : std::as_const(columns)) {
            rows.first().append(headOf(column));
        }
        for (const JobSummary &job : jobs) {
            QStringList &row = rows.emplaceBack();
            for (const PsColumn column : std::as_const(columns)) {
                row.append(psCell(column, job, queue.value(job.uuid).position, manner));
            }
        }
        return rows;
    };
    QList<QStringList> rows = rowsOf();
    QList<PsColumn> lessTelling{PsColumn::Submitted, PsColumn::Host, PsColumn::Tasks};
    while (width > 0 && !hasRoom(rows, columns, width) && (manner.hasCounts || !lessTelling.isEmpty())) {
        if (manner.hasCounts) {
            manner.hasCounts = false;
        } else {
            columns.removeAll(lessTelling.takeFirst());
        }
        rows = rowsOf();
    }
    QList<int> names{int(columns.indexOf(PsColumn::Name))};
    if (const qsizetype host = columns.indexOf(PsColumn::Host); host >= 0) {
        names.append(int(host));
    }
    QStringList lines = alignedRows(rows, width, names);
    lines.first() = paint(Colour::Bold, lines.first());
    for (qsizetype i = 1; i < lines.size(); ++i) {
        const JobSummary &job = jobs.at(i - 1);
        const QString word = shownState(job);
        // A column of its own: the name, which may be cut, may hold the same word.
        const qsizetype at = lines.at(i).indexOf(u"  "_s + word);
        if (at >= 0) {
            lines[i].replace(at + 2, word.size(), paint(stateColour(job.state), word));
        }
    }
    return lines;
}

} // namespace trainyard::cli
