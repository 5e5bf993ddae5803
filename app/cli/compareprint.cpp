// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/compareprint.h"

#include "app/cli/comparecolumns.h"
#include "app/cli/comparelayout.h"
#include "app/cli/console.h"
#include "app/cli/jobtable.h"
#include "engine/api/jobfacts.h"
#include "engine/client/exportmark.h"
#include "model/base/csv.h"
#include "widgets/text/columns.h"
#include "widgets/text/comparetexts.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

constexpr qsizetype sameShown = 8;
constexpr int widthElsewhere = 160; // of lines that go to no terminal
constexpr qsizetype mostSideBySide = 4; // runs of which each has a column of its own, when all is shown

// "#41", or "#41 and 4 more" for runs that are folded.
QString runsText(const Compared &compared, const QList<qsizetype> &fold)
{
    const QString first = u"#%1"_s.arg(compared.runs.at(fold.constFirst()).job.id);
    return fold.size() == 1 ? first : tr("%1 and %2 more").arg(first, QString::number(fold.size() - 1));
}

QJsonValue jsonNumber(const std::optional<double> &value) { return value ? QJsonValue(*value) : QJsonValue(); }

// The values of one run, or those that all runs with known values share. Parameters keep their types.
QJsonObject factsJson(
    const QList<CompareFact> &facts, const QList<CompareRun> &runs, std::optional<qsizetype> ofRun = std::nullopt)
{
    static const QStringList kinds{u"parameters"_s, u"configuration"_s, u"run"_s, u"environment"_s};
    QJsonObject all;
    for (const CompareFact &fact : facts) {
        const QString &kind = kinds.at(int(fact.kind));
        QJsonObject ofKind = all.value(kind).toObject();
        const qsizetype run = ofRun.value_or(std::max<qsizetype>(0, firstKnownOf(fact, runs)));
        const QString &value = fact.values.at(run);
        ofKind.insert(fact.name,
            value.isNull()                                  ? QJsonValue()
                : fact.kind == CompareFact::Kind::Parameter ? runs.at(run).job.parameters.value(fact.name)
                                                            : QJsonValue(value));
        all.insert(kind, ofKind);
    }
    return all;
}

// The meaning of the stars, or why there are none.
QString bestText(const Compared &compared)
{
    const QString &metric = compared.metrics.constFirst();
    if (!compared.marked().isEmpty()) {
        return compared.better == Better::Lower ? tr("* has the best %1; less is better.").arg(metric)
                                                : tr("* has the best %1; more is better.").arg(metric);
    }
    if (areAllSame(compared.means())) {
        return compared.step ? tr("%1 is the same in all of them.").arg(metric)
                             : tr("The best %1 is the same in all of them.").arg(metric);
    }
    return compared.step ? tr("%1 is the same in all of them that have it.").arg(metric)
                         : tr("The best %1 is the same in all of them that can be ranked.").arg(metric);
}

} // namespace

void printTable(const Compared &compared)
{
    qsizetype rest = 0;
    const QString same = sameWords(compared.table.same, compared.runs, sameShown, &rest);
    if (!same.isEmpty() && !compared.all) {
        outLine(rest > 0 ? tr("Same in all: %1, and %2 more").arg(same, QString::number(rest))
                         : tr("Same in all: %1").arg(same));
        outLine(QString());
    }
    const QString none = u"-"_s;
    const QList<qsizetype> marked = compared.marked(), order = compared.order();
    QStringList labels, stars;
    for (const qsizetype place : order) {
        labels.append(runsText(compared, compared.folds.at(place)));
        stars.append(marked.contains(place) ? u"*"_s : QString());
    }
    // In lines with a column for each of hundreds of settings, nothing is found.
    const bool isTurned = compared.all && order.size() <= mostSideBySide;
    QList<LaidColumn> columns;
    if (!isTurned) {
        columns = {{QString(), stars}, {tr("RUN"), labels}};
    }
    for (const CompareColumn &column : columnsForPeople(compared, none)) {
        QStringList cells;
        for (const qsizetype place : order) {
            const QString text = column.text(compared.folds.at(place));
            const bool isCut = isTurned && text.contains(u'…'); // two that differ behind that would look equal
            cells.append(isCut ? column.whole(compared.folds.at(place)) : text.isEmpty() ? none : text);
        }
        columns.append({column.title, cells, column.rank, column.isName});
    }
    // A file or a program gets lines that people can read, too.
    const int width = stdoutIsTerminal() ? terminalWidth() : widthElsewhere;
    QStringList heads = labels; // "#41 *"
    for (qsizetype i = 0; i < heads.size(); ++i) {
        heads[i] += stars.at(i).isEmpty() ? QString() : QString(u' ' + stars.at(i));
    }
    const LaidTable table
        = isTurned ? turnedTable(columns, heads, width) : laidTable(columns, labels, compared.all ? 0 : width);
    QStringList lines = alignedRows(table.rows, tableWidth(compared.all));
    lines.first() = paint(Colour::Bold, lines.first());
    for (const QString &line : std::as_const(lines)) {
        outLine(line);
    }
    if (!table.below.isEmpty()) {
        outLine(QString());
        outLine(tr("What has no room above:"));
        for (const QString &line : table.below) {
            outLine(line);
        }
    }
    const QList<CompareFact> &different = compared.table.different;
    if (!compared.all && std::any_of(different.cbegin(), different.cend(), isCommand)) {
        outLine(QString());
        outLine(tr("The commands differ, too: --all shows them."));
    }
    const QString more = compared.all ? QString() : otherDifferences(different, compared.runs);
    if (!more.isEmpty()) {
        outLine(QString());
        outLine(tr("What else differs: %1. --all shows it.").arg(more));
    }
    if (!compared.best().isEmpty()) { // the metric may have no values, such as at this step
        outLine(QString());
        outLine(bestText(compared));
        const QList<std::optional<double>> means = compared.means();
        if (const qsizetype other = betterBehind(means, compared.better, compared.behind()); other >= 0) {
            const QList<qsizetype> &fold = compared.folds.at(other);
            outLine(betterBehindText(runsText(compared, fold), compared.jobsOf(fold), means.at(other).value_or(0)));
        }
    }
}

void printCsv(const Compared &compared)
{
    const QList<CompareColumn> columns = columnsForPrograms(compared, {});
    QStringList head{u"run"_s};
    for (const CompareColumn &column : columns) {
        head.append(csvCell(column.title));
    }
    head.append(exportMark());
    outFile((head.join(u',') + u'\n').toUtf8());
    for (const qsizetype place : compared.order()) {
        const QList<qsizetype> &fold = compared.folds.at(place);
        QStringList ids;
        for (const qsizetype run : fold) {
            ids.append(QString::number(compared.runs.at(run).job.id));
        }
        QStringList row{ids.join(u' ')};
        for (const CompareColumn &column : columns) {
            row.append(csvCell(column.whole(fold)));
        }
        row.append(exportVersion());
        outFile((row.join(u',') + u'\n').toUtf8());
    }
}

void printJson(const Compared &compared)
{
    QJsonArray runs;
    const QList<qsizetype> best = compared.best();
    for (const qsizetype place : compared.order()) {
        const bool isBest = best.contains(place);
        for (const qsizetype run : compared.folds.at(place)) {
            const JobSummary &job = compared.runs.at(run).job;
            QJsonObject results;
            for (const QString &metric : compared.metrics) {
                const CompareValue value = compareValue(job, metric, betterOf(compared, metric));
                QJsonObject one{{u"last"_s, jsonNumber(value.last)}, {u"step"_s, jsonNumber(value.step)},
                    {u"best"_s, jsonNumber(value.best)}, {u"bestAt"_s, jsonNumber(value.bestAt)}};
                if (compared.step) {
                    one.insert(u"atStep"_s, jsonNumber(compared.valueAtStep(run, metric)));
                }
                results.insert(metric, one);
            }
            runs.append(QJsonObject{{u"id"_s, job.id}, {u"uuid"_s, job.uuid}, {u"name"_s, job.name},
                {u"state"_s, stateWord(job.state)}, {u"best"_s, isBest && compared.value(run)}, {u"fold"_s, place},
                {u"milliseconds"_s, allAttemptsMs(job, QDateTime::currentMSecsSinceEpoch())},
                {u"different"_s, factsJson(compared.table.different, compared.runs, run)}, {u"results"_s, results},
                {u"resultsComplete"_s, isFinal(job.state) && !job.resultsPending}});
        }
    }
    outJson(QJsonDocument(QJsonObject{
        {u"metric"_s, compared.metrics.isEmpty() ? QJsonValue() : QJsonValue(compared.metrics.constFirst())},
        {u"better"_s, compared.better == Better::Lower ? u"lower"_s : u"higher"_s},
        {u"step"_s, jsonNumber(compared.step)}, {u"same"_s, factsJson(compared.table.same, compared.runs)},
        {u"runs"_s, runs}}));
}

} // namespace trainyard::cli
