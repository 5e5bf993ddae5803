// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/comparecolumns.h"

#include "widgets/text/comparetexts.h"

#include <QCoreApplication>

#include <algorithm>

namespace trainyard
{
namespace
{

constexpr qsizetype mostFacts = 10, mostOtherMetrics = 3, mostNearParameters = 3;
constexpr qsizetype longestFact = 40; // characters; the parts below the table show longer ones

struct CompareColumnTexts {
    Q_DECLARE_TR_FUNCTIONS(CompareColumns)
};

bool mayBeColumn(const CompareRuns &runs, const CompareFact &fact)
{
    const bool isTold = fact.kind == CompareFact::Kind::Environment
        || (fact.kind == CompareFact::Kind::Run && fact.name != QLatin1String("hosts"));
    return !isTold && !(runs.isFolded() && fact.isSeed());
}

} // namespace

QStringList repeatedMetrics(const CompareRuns &runs)
{
    QSet<QString> parameters; // there are few, of metrics there may be many
    for (const QList<CompareFact> *facts : {&runs.table().same, &runs.table().different}) {
        for (const CompareFact &fact : *facts) {
            if (fact.kind == CompareFact::Kind::Parameter) {
                parameters.insert(fact.name);
            }
        }
    }
    QList<JobSummary> jobs;
    for (const CompareRun &run : runs.runs()) {
        jobs.append(run.job);
    }
    QStringList repeated;
    for (const QString &metric : runs.metrics()) {
        if (metric != runs.metric() && parameters.contains(metric) && repeatsParameter(jobs, metric)) {
            repeated.append(metric);
        }
    }
    return repeated;
}

QList<CompareColumn> compareColumns(const CompareRuns &runs, const QStringList &leftOut)
{
    using Part = ComparePart;
    QList<CompareColumn> columns{
        {Part::Check, {}}, {Part::Line, {}}, {Part::Star, {}}, {Part::Run, CompareColumnTexts::tr("Run")}};
    const QList<CompareFact> &facts = runs.table().different;
    QList<CompareColumn> parameters, settings;
    for (qsizetype i = 0; i < facts.size() && parameters.size() + settings.size() < mostFacts; ++i) {
        const CompareFact &fact = facts.at(i);
        const bool isShort = std::all_of(fact.values.cbegin(), fact.values.cend(),
            [](const QString &value) { return value.size() <= longestFact && !value.contains(QLatin1Char('\n')); });
        if (isShort && mayBeColumn(runs, fact)) {
            // The last part of a long path says enough above a column; its tip has all of it.
            QList<CompareColumn> &part = fact.kind == CompareFact::Kind::Parameter ? parameters : settings;
            part.append({Part::Fact, factHeading(fact), i});
        }
    }
    // The compared values come first, beside the name: the result that ranks the runs, the parameters, the other
    // results. Settings may not fit.
    if (!runs.metric().isEmpty()) {
        columns.append({Part::Best, CompareColumnTexts::tr("%1 best").arg(runs.metric()), -1, runs.metric()});
    }
    QList<CompareColumn> others;
    for (const QString &metric : runs.metrics()) {
        if (metric == runs.metric() || others.size() >= mostOtherMetrics || leftOut.contains(metric)) {
            continue;
        }
        bool hasAlike = false; // a program that logs its own parameter
        for (QList<CompareColumn> *part : {&parameters, &settings}) {
            for (CompareColumn &column : *part) {
                if (column.title == metric) {
                    column.title = CompareColumnTexts::tr("%1 (setting)").arg(metric);
                    hasAlike = true;
                }
            }
        }
        others.append({Part::Last, hasAlike ? CompareColumnTexts::tr("%1 (result)").arg(metric) : metric, -1, metric});
    }
    columns += parameters.first(std::min(mostNearParameters, parameters.size()));
    columns += others;
    columns += parameters.mid(std::min(mostNearParameters, parameters.size()));
    columns.append({Part::State, CompareColumnTexts::tr("State")}); // why a run failed matters more than a setting
    columns += settings;
    columns.append({{Part::Step, CompareColumnTexts::tr("Step")}, {Part::Time, CompareColumnTexts::tr("Time")}});
    return columns;
}

bool isDataColumn(ComparePart part)
{
    return part != ComparePart::Check && part != ComparePart::Line && part != ComparePart::Star;
}

QList<CompareColumn> dataColumns(const CompareRuns &runs, const QList<CompareColumn> &shown)
{
    QList<CompareColumn> columns;
    const auto addFacts = [&] {
        for (qsizetype i = 0; i < runs.table().different.size(); ++i) {
            if (const CompareFact &fact = runs.table().different.at(i); mayBeColumn(runs, fact)) {
                columns.append({ComparePart::Fact, factTitle(fact), i});
            }
        }
    };
    for (const CompareColumn &column : shown) {
        if (column.part == ComparePart::Run) {
            columns.append(column);
            addFacts();
        } else if (isDataColumn(column.part) && column.part != ComparePart::Fact) {
            columns.append(column);
        }
    }
    return columns;
}

} // namespace trainyard
