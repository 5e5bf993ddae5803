// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/comparecolumns.h"

#include "app/cli/jobtable.h"
#include "app/cli/metricsprint.h"
#include "engine/api/compare/comparefolds.h"
#include "engine/api/jobfacts.h"
#include "widgets/text/comparetexts.h"
#include "widgets/text/exittexts.h"
#include "widgets/text/formats.h"
#include "widgets/text/healthtexts.h"

#include <QDateTime>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

using enum CompareColumn::Rank;

constexpr qsizetype usualMetrics = 4; // without --all
constexpr qsizetype longestCell = 40; // of what differs, for people; addresses and paths would fill the line

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

// The text of a fact in a row: folded runs differ in their seeds. For a program, nothing is shortened.
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

QList<CompareFact> shownFacts(const Compared &compared)
{
    QList<CompareFact> facts = compared.table.different;
    if (compared.all) {
        facts += compared.table.same;
    }
    facts.removeIf([&](const CompareFact &fact) {
        // Facts that change with every run of a user are only shown with --all, like long texts.
        return fact.kind == CompareFact::Kind::Environment && !compared.all;
    });
    return facts;
}

// The best value and the newest one are the same, in every run that has any.
bool isLoggedOnce(const QList<JobSummary> &jobs, const QString &metric)
{
    return hasOneValue(jobs, metric) && std::ranges::none_of(jobs, [&metric](const JobSummary &job) {
        return compareValue(job, metric, Better::Lower).isBroken;
    });
}

void addMetricColumns(
    const Compared &compared, QList<CompareColumn> &columns, const QString &none, bool isForProgram = false)
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
        // A metric that only repeats a parameter has a column already.
        metrics.removeIf([&](const QString &metric) {
            return metric != compared.metrics.constFirst() && repeatsParameter(jobs, metric);
        });
        metrics = metrics.first(std::min(usualMetrics, metrics.size()));
    }
    const auto addSpread = [&](const QString &title, const auto &values) {
        if (isForProgram && compared.isFolded) {
            const auto cell = [values](qsizetype which) {
                return [values, which](
                           const QList<qsizetype> &fold) { return spreadCells(spreadOf(values(fold))).at(which); };
            };
            columns.append({tr("%1 std").arg(title), cell(0)});
            columns.append({tr("%1 n").arg(title), cell(1)});
        }
    };
    for (const QString &metric : std::as_const(metrics)) {
        if (compared.step) {
            const auto values = [=, &compared](const QList<qsizetype> &fold) {
                return valuesOf(fold, [&](qsizetype run) { return compared.valueAtStep(run, metric); });
            };
            const QString title = metric + u'@' + QString::fromLatin1(numberText(*compared.step));
            columns.append({title, [=](const QList<qsizetype> &fold) { return foldedText(values(fold), none); },
                [=](const QList<qsizetype> &fold) { return wholeText(values(fold)); },
                metric == metrics.constFirst() ? AlwaysThere : OfResult});
            addSpread(title, values);
            continue;
        }
        const auto add = [&](const QString &title, std::optional<double> CompareValue::*member, int rank = OfResult) {
            const auto values = [=, &compared](const QList<qsizetype> &fold) {
                if (fold.size() > 1 && member == &CompareValue::bestAt) {
                    return QList<std::optional<double>>(); // a mean of places says nothing
                }
                return valuesOf(fold, [&](qsizetype run) {
                    return compareValue(compared.runs.at(run).job, metric, betterOf(compared, metric)).*member;
                });
            };
            columns.append({title,
                [=](const QList<qsizetype> &fold) {
                    // A step is not a measure that could be rounded.
                    return member == &CompareValue::bestAt ? wholeText(values(fold)) : foldedText(values(fold), none);
                },
                [=](const QList<qsizetype> &fold) { return wholeText(values(fold)); }, rank});
            if (member != &CompareValue::bestAt) {
                addSpread(title, values);
            }
        };
        const int rank = metric == compared.metrics.constFirst() ? AlwaysThere : OfResult;
        // Programs and --all have the same columns whatever was logged.
        if (!isForProgram && !compared.all && isLoggedOnce(jobs, metric)) {
            add(metric, &CompareValue::last, rank);
            const bool hasSteps = std::ranges::any_of(jobs,
                [&metric](const JobSummary &job) { return compareValue(job, metric, Better::Lower).step.has_value(); });
            if (hasSteps && metric == compared.metrics.constFirst()) {
                add(tr("at"), &CompareValue::bestAt, rank);
            }
            continue;
        }
        if (metric == compared.metrics.constFirst() || compared.all) {
            add(tr("%1 best").arg(metric), &CompareValue::best, rank);
            add(tr("at"), &CompareValue::bestAt, rank); // says nothing alone
        }
        add(tr("%1 last").arg(metric), &CompareValue::last);
    }
}

bool isName(const CompareFact &fact) { return fact.kind == CompareFact::Kind::Run && fact.name == "name"_L1; }

// `longest`: of a text for users, who also get short titles.
void addFactColumns(QList<CompareColumn> &columns, const QList<CompareFact> &facts, int rank = AlwaysThere,
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

// Whether one of them has begun: what only waited took no time.
bool hasBegun(const Compared &compared, const QList<qsizetype> &fold)
{
    return std::any_of(fold.cbegin(), fold.cend(),
        [&compared](qsizetype run) { return compared.runs.at(run).job.launched.has_value(); });
}

qint64 longestMs(const Compared &compared, const QList<qsizetype> &fold, qint64 now)
{
    qint64 longest = 0;
    for (const qsizetype run : fold) {
        const JobSummary &job = compared.runs.at(run).job;
        longest = std::max(longest, job.launched ? allAttemptsMs(job, now) : 0);
    }
    return longest;
}

// How the runs ended.
void addEndColumns(const Compared &compared, QList<CompareColumn> &columns, bool isForProgram = false)
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
        [&compared, now](const QList<qsizetype> &fold) {
            return hasBegun(compared, fold) ? formatDuration(longestMs(compared, fold, now)) : QString();
        },
        [&compared, now](const QList<qsizetype> &fold) {
            return hasBegun(compared, fold)
                ? QString::number(double(longestMs(compared, fold, now)) / 1000, 'g', QLocale::FloatingPointShortest)
                : QString();
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

} // namespace

Better betterOf(const Compared &compared, const QString &metric)
{
    return metric == compared.metrics.value(0) ? compared.better : betterByName(metric);
}

bool isCommand(const CompareFact &fact)
{
    return fact.kind == CompareFact::Kind::Configuration && fact.name.section(u'.', -2, -2) == "commands"_L1;
}

// The names, and the others in the order of the table of facts.
QList<CompareColumn> columnsForPrograms(const Compared &compared, const QString &none)
{
    QList<CompareColumn> columns{{u"name"_s, [&compared](const QList<qsizetype> &fold) {
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
    addMetricColumns(compared, columns, none, true);
    addEndColumns(compared, columns, true);
    return columns;
}

QList<CompareColumn> columnsForPeople(const Compared &compared, const QString &none)
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
    QList<CompareColumn> columns;
    const qsizetype longest = compared.all ? std::numeric_limits<qsizetype>::max() : longestCell;
    addFactColumns(columns, names, AlwaysThere, longest);
    addFactColumns(columns, parameters, OfParameter, longest);
    addMetricColumns(compared, columns, none);
    addEndColumns(compared, columns);
    addFactColumns(columns, others, OfOther, longest, factHeadings(others));
    return columns;
}

} // namespace trainyard::cli
