// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/compareprint.h"

#include "app/cli/comparelayout.h"
#include "app/cli/console.h"
#include "app/cli/jobtable.h"
#include "app/cli/metricsprint.h"
#include "engine/api/compare/comparefolds.h"
#include "engine/api/jobfacts.h"
#include "engine/client/exportmark.h"
#include "model/base/csv.h"
#include "widgets/text/columns.h"
#include "widgets/text/comparetexts.h"
#include "widgets/text/exittexts.h"
#include "widgets/text/formats.h"
#include "widgets/text/healthtexts.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

constexpr qsizetype usualMetrics = 4; // without --all
constexpr qsizetype sameShown = 8;
constexpr int widthElsewhere = 160; // of lines that go to no terminal
constexpr qsizetype longestCell = 40; // of what differs, for people; addresses and paths would fill the line

// "#41", or "#41 and 4 more" for runs that are folded.
QString runsText(const Compared &compared, const QList<qsizetype> &fold)
{
    const QString first = u"#%1"_s.arg(compared.runs.at(fold.constFirst()).job.id);
    return fold.size() == 1 ? first : tr("%1 and %2 more").arg(first, QString::number(fold.size() - 1));
}

// The mean, with all of its digits.
QString wholeText(const QList<std::optional<double>> &values)
{
    const CompareSpread spread = spreadOf(values);
    return spread.hasBroken ? QString::fromLatin1(numberText(std::nan("")))
        : spread.n > 0      ? QString::fromLatin1(numberText(spread.mean))
                            : QString();
}

// "0.31 ± 0.02 (n 3)": the mean with the deviation.
QString foldedText(const QList<std::optional<double>> &values, const QString &none)
{
    const CompareSpread spread = spreadOf(values);
    if (spread.n == 0 && !spread.hasBroken) {
        return none;
    }
    const QString text = spreadText(spread, values.size() > 1);
    return values.size() == 1 || spread.hasBroken ? text : tr("%1 (n %2)").arg(text, QString::number(spread.n));
}

// What a row shows of a fact: of folded runs the seeds differ. For a program nothing is shortened.
QString factText(const CompareFact &fact, const QList<qsizetype> &fold, bool isWhole)
{
    QStringList values;
    for (const qsizetype run : fold) {
        const QString &whole = fact.values.at(run);
        if (const QString value = isWhole ? whole : factValue(whole); !values.contains(value)) {
            values.append(value);
        }
    }
    return values.join(u',');
}

// Of columns for people: what is always in the table, and what goes below it where there is no room, the last first.
enum Rank { AlwaysThere, OfParameter, OfResult, OfTime, OfOther };

struct Column {
    QString title;
    std::function<QString(const QList<qsizetype> &fold)> text;
    // The same for a program: whole values, and of folded runs the mean alone.
    std::function<QString(const QList<qsizetype> &fold)> whole = text;
    int rank = AlwaysThere;
    bool isName = false;
};

QList<CompareFact> shownFacts(const Compared &compared)
{
    QList<CompareFact> facts = compared.table.different;
    if (compared.all) {
        facts += compared.table.same;
    }
    facts.removeIf([&](const CompareFact &fact) {
        // What changes with every run that a person starts is left to --all, as are long texts.
        return fact.kind == CompareFact::Kind::Environment && !compared.all;
    });
    return facts;
}

Better senseOf(const Compared &compared, const QString &metric)
{
    return metric == compared.metrics.value(0) ? compared.better : betterByName(metric);
}

void addMetricColumns(const Compared &compared, QList<Column> &columns, const QString &none)
{
    const auto valuesOf = [](const QList<qsizetype> &fold, const auto &of) {
        QList<std::optional<double>> values;
        for (const qsizetype run : fold) {
            values.append(of(run));
        }
        return values;
    };
    QList<JobSummary> jobs;
    for (const CompareRun &run : compared.runs) {
        jobs.append(run.job);
    }
    QStringList metrics = compared.metrics;
    if (!compared.all) {
        // What only repeats a parameter has a column already.
        metrics.removeIf([&](const QString &metric) {
            return metric != compared.metrics.constFirst() && repeatsParameter(jobs, metric);
        });
        metrics = metrics.first(std::min(usualMetrics, metrics.size()));
    }
    for (const QString &metric : std::as_const(metrics)) {
        if (compared.step) {
            const auto values = [=, &compared](const QList<qsizetype> &fold) {
                return valuesOf(fold, [&](qsizetype run) { return compared.valueAtStep(run, metric); });
            };
            columns.append({metric + u'@' + QString::fromLatin1(numberText(*compared.step)),
                [=](const QList<qsizetype> &fold) { return foldedText(values(fold), none); },
                [=](const QList<qsizetype> &fold) { return wholeText(values(fold)); },
                metric == metrics.constFirst() ? AlwaysThere : OfResult});
            continue;
        }
        const auto add = [&](const QString &title, std::optional<double> CompareValue::*member, int rank = OfResult) {
            const auto values = [=, &compared](const QList<qsizetype> &fold) {
                if (fold.size() > 1 && member == &CompareValue::bestAt) {
                    return QList<std::optional<double>>(); // a mean of places says nothing
                }
                return valuesOf(fold, [&](qsizetype run) {
                    return compareValue(compared.runs.at(run).job, metric, senseOf(compared, metric)).*member;
                });
            };
            columns.append({title,
                [=](const QList<qsizetype> &fold) {
                    // A step is no measure that could be rounded.
                    return member == &CompareValue::bestAt ? wholeText(values(fold)) : foldedText(values(fold), none);
                },
                [=](const QList<qsizetype> &fold) { return wholeText(values(fold)); }, rank});
        };
        if (metric == compared.metrics.constFirst() || compared.all) {
            add(tr("%1 best").arg(metric), &CompareValue::best,
                metric == compared.metrics.constFirst() ? AlwaysThere : OfResult);
            add(tr("at"), &CompareValue::bestAt,
                metric == compared.metrics.constFirst() ? AlwaysThere : OfResult); // says nothing alone
        }
        add(tr("%1 last").arg(metric), &CompareValue::last);
    }
}

bool isName(const CompareFact &fact) { return fact.kind == CompareFact::Kind::Run && fact.name == "name"_L1; }

// `longest`: of a text for people, who get short titles as well.
void addFactColumns(QList<Column> &columns, const QList<CompareFact> &facts, int rank = AlwaysThere,
    qsizetype longest = std::numeric_limits<qsizetype>::max(), const QStringList &titles = {})
{
    for (qsizetype i = 0; i < facts.size(); ++i) {
        const CompareFact &fact = facts.at(i);
        const auto shown = [fact, longest](const QList<qsizetype> &fold) {
            const QString text = factText(fact, fold, false);
            return text.size() > longest ? QString(text.first(longest - 1) + u'…') : text;
        };
        columns.append({titles.isEmpty() ? factTitle(fact) : titles.at(i), shown,
            [fact](const QList<qsizetype> &fold) { return factText(fact, fold, true); }, rank, isName(fact)});
    }
}

qint64 longestMs(const Compared &compared, const QList<qsizetype> &fold, qint64 now)
{
    qint64 longest = 0;
    for (const qsizetype run : fold) {
        longest = std::max(longest, allAttemptsMs(compared.runs.at(run).job, now));
    }
    return longest;
}

// How the runs ended.
void addEndColumns(const Compared &compared, QList<Column> &columns, bool isForProgram = false)
{
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    columns.append({tr("STATE"), [&compared, isForProgram](const QList<qsizetype> &fold) {
                        QStringList words;
                        for (const qsizetype run : fold) {
                            const JobSummary &job = compared.runs.at(run).job;
                            if (const QString word = isForProgram ? stateWord(job.state) : shownState(job);
                                !words.contains(word)) {
                                words.append(word);
                            }
                        }
                        return words.join(u',');
                    }});
    columns.append({isForProgram ? u"seconds"_s : tr("TIME"),
        [&compared, now](const QList<qsizetype> &fold) { return formatDuration(longestMs(compared, fold, now)); },
        [&compared, now](const QList<qsizetype> &fold) {
            return QString::number(double(longestMs(compared, fold, now)) / 1000, 'g', QLocale::FloatingPointShortest);
        },
        OfTime});
    const auto whyOf = [&compared](const QList<qsizetype> &fold) {
        QStringList words;
        for (const qsizetype run : fold) {
            const JobSummary &job = compared.runs.at(run).job;
            const QString failure = failureBrief(job);
            const QString why = failure.isEmpty() ? brokenBrief(job) : failure;
            if (!why.isEmpty() && !words.contains(why)) {
                words.append(why);
            }
        }
        return words.join(u", "_s);
    };
    QList<qsizetype> all(compared.runs.size());
    std::iota(all.begin(), all.end(), 0);
    if (!whyOf(all).isEmpty()) {
        columns.append({tr("WHY"), whyOf});
    }
}

// For a program: the names, and the others in the order of the table of facts.
QList<Column> tableColumns(const Compared &compared, const QString &none)
{
    QList<Column> columns{{u"name"_s, [&compared](const QList<qsizetype> &fold) {
                               QStringList names;
                               for (const qsizetype run : fold) {
                                   names.append(compared.runs.at(run).job.name);
                               }
                               names.removeDuplicates();
                               return names.join(u' ');
                           }}};
    QList<CompareFact> facts = shownFacts(compared);
    facts.removeIf(isName);
    addFactColumns(columns, facts);
    addMetricColumns(compared, columns, none);
    addEndColumns(compared, columns, true);
    return columns;
}

bool isCommand(const CompareFact &fact)
{
    return fact.kind == CompareFact::Kind::Configuration && fact.name.section(u'.', -2, -2) == "commands"_L1;
}

// What people look for comes first: the name, the parameters and the results. Commands, which are long, and whether a
// secret is there, which says nothing, are left to --all.
QList<Column> columnsForPeople(const Compared &compared, const QString &none)
{
    QList<CompareFact> names, parameters, others;
    for (const CompareFact &fact : shownFacts(compared)) {
        const bool isSecret = fact.kind == CompareFact::Kind::Configuration && fact.name.startsWith("secrets."_L1);
        if (isName(fact) && compared.table.different.contains(fact)) {
            names.append(fact);
        } else if (fact.kind == CompareFact::Kind::Parameter) {
            parameters.append(fact);
        } else if (compared.all || !(isCommand(fact) || isSecret)) {
            others.append(fact);
        }
    }
    QList<Column> columns;
    const qsizetype longest = compared.all ? std::numeric_limits<qsizetype>::max() : longestCell;
    addFactColumns(columns, names, AlwaysThere, longest);
    addFactColumns(columns, parameters, OfParameter, longest);
    addMetricColumns(compared, columns, none);
    addEndColumns(compared, columns);
    addFactColumns(columns, others, OfOther, longest, factHeadings(others));
    return columns;
}

QJsonValue jsonNumber(const std::optional<double> &value) { return value ? QJsonValue(*value) : QJsonValue(); }

// Parameters keep their types.
QJsonObject factsJson(const QList<CompareFact> &facts, const QList<CompareRun> &runs, qsizetype run)
{
    static const QStringList kinds{u"parameters"_s, u"configuration"_s, u"run"_s, u"environment"_s};
    QJsonObject all;
    for (const CompareFact &fact : facts) {
        const QString &kind = kinds.at(int(fact.kind));
        QJsonObject ofKind = all.value(kind).toObject();
        const QString &value = fact.values.at(run);
        ofKind.insert(fact.name,
            value.isNull()                                  ? QJsonValue()
                : fact.kind == CompareFact::Kind::Parameter ? runs.at(run).job.parameters.value(fact.name)
                                                            : QJsonValue(value));
        all.insert(kind, ofKind);
    }
    return all;
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
    QList<LaidColumn> columns{{QString(), stars}, {tr("RUN"), labels}};
    for (const Column &column : columnsForPeople(compared, none)) {
        QStringList cells;
        for (const qsizetype place : order) {
            const QString text = column.text(compared.folds.at(place));
            cells.append(text.isEmpty() ? none : text);
        }
        columns.append({column.title, cells, column.rank, column.isName});
    }
    // A file or a program gets lines that people can read, too.
    const int width = stdoutIsTerminal() ? terminalWidth() : widthElsewhere;
    const LaidTable table = laidTable(columns, labels, compared.all ? 0 : width);
    QStringList lines = alignedRows(table.rows, tableWidth(compared.all));
    lines.first() = paint(Colour::Bold, lines.first());
    for (const QString &line : std::as_const(lines)) {
        outLine(line);
    }
    if (!table.below.isEmpty()) {
        outLine(QString());
        outLine(tr("What differs and has no room above:"));
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
        const QString &metric = compared.metrics.constFirst();
        outLine(QString());
        outLine(marked.isEmpty()                   ? tr("%1 is the same in all of them.").arg(metric)
                : compared.better == Better::Lower ? tr("* has the best %1; less is better.").arg(metric)
                                                   : tr("* has the best %1; more is better.").arg(metric));
        const QList<std::optional<double>> means = compared.means();
        if (const qsizetype other = betterBehind(means, compared.better, compared.behind()); other >= 0) {
            const QList<qsizetype> &fold = compared.folds.at(other);
            outLine(betterBehindText(runsText(compared, fold), compared.jobsOf(fold), means.at(other).value_or(0)));
        }
    }
}

void printCsv(const Compared &compared)
{
    const QList<Column> columns = tableColumns(compared, {});
    QStringList head{u"run"_s};
    for (const Column &column : columns) {
        head.append(csvCell(column.title));
    }
    head.append(exportMark());
    out((head.join(u',') + u'\n').toUtf8());
    for (const qsizetype place : compared.order()) {
        const QList<qsizetype> &fold = compared.folds.at(place);
        QStringList ids;
        for (const qsizetype run : fold) {
            ids.append(QString::number(compared.runs.at(run).job.id));
        }
        QStringList row{ids.join(u' ')};
        for (const Column &column : columns) {
            row.append(csvCell(column.whole(fold)));
        }
        row.append(exportVersion());
        out((row.join(u',') + u'\n').toUtf8());
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
                const CompareValue value = compareValue(job, metric, senseOf(compared, metric));
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
        {u"step"_s, jsonNumber(compared.step)}, {u"same"_s, factsJson(compared.table.same, compared.runs, 0)},
        {u"runs"_s, runs}}));
}

} // namespace trainyard::cli
