// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sweepread.h"

#include "app/cli/console.h"
#include "app/cli/formerjob.h"
#include "app/cli/jobcommands.h"
#include "engine/client/paths.h"
#include "engine/client/settings.h"
#include "engine/client/slurmoptions.h"
#include "model/protocol/jobname.h"
#include "model/sweep/worserule.h"
#include "widgets/text/texts.h"

#include <QRandomGenerator>

#include <algorithm>
#include <limits>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

// Says what is wrong with the values of a parameter, and where.
int reportValues(const QString &written, qsizetype valuesAt, const Error &error)
{
    failureLine(error);
    const qsizetype length = error.args.value("length"_L1).toInteger();
    if (length > 0) {
        const QString option = u"  "_s + sweepLine().name(&SweepValues::parameters) + u' ';
        plainErrorLine(option + written);
        const qsizetype at = option.size() + valuesAt + error.args.value("at"_L1).toInteger();
        plainErrorLine(QString(at, u' ') + QString(length, u'^'));
    }
    return exitUnusable;
}

// "lr=0.1,0.2" in two parts.
int readNames(const SweepValues &values, Sweep &sweep, QStringList &texts)
{
    for (const QString &word : values.parameters) {
        const QString name = word.section(u'=', 0, 0);
        if (name.isEmpty() || !word.contains(u'=')) {
            return sweepLine().wrongUsage(tr("%1 takes NAME=VALUES, such as lr=0.1,0.01, not '%2'.")
                                              .arg(sweepLine().name(&SweepValues::parameters), word));
        }
        if (sweep.parameters.contains(name)) {
            return sweepLine().wrongUsage(
                tr("The parameter %1 is given twice. Write all its values after one %2, separated by commas.")
                    .arg(name, sweepLine().name(&SweepValues::parameters)));
        }
        sweep.parameters.append(name);
        texts.append(word.section(u'=', 1));
    }
    return sweep.parameters.isEmpty()
        ? sweepLine().wrongUsage(tr("Give at least one parameter with its values, such as %1 lr=0.1,0.01.")
                                     .arg(sweepLine().name(&SweepValues::parameters)))
        : int(exitOk);
}

int readPlan(const SweepValues &values, Sweep &sweep)
{
    if (values.seed && !values.random) {
        return sweepLine().wrongUsage(
            tr("%1 belongs to %2: without it, nothing is drawn.")
                .arg(sweepLine().name(&SweepValues::seed), sweepLine().name(&SweepValues::random)));
    }
    if (!values.name.isEmpty() && !isJobName(values.name)) {
        return sweepLine().wrongUsage(errorText({u"submit.bad-group"_s, {{u"group"_s, values.name}}}));
    }
    if (!values.stopWorse.isEmpty()) {
        const Result<WorseRule> rule = worseRule(values.stopWorse);
        if (!rule) {
            return sweepLine().wrongUsage(errorText(rule.error()));
        }
        sweep.stopWorse = rule->toText();
    }
    sweep.limit = int(values.limit.value_or(0));
    sweep.plan.kind = values.random ? SweepKind::Random : values.zip ? SweepKind::Zip : SweepKind::Grid;
    sweep.plan.count = int(std::min<qint64>(values.random.value_or(0), std::numeric_limits<int>::max()));
    sweep.plan.seed = values.seed ? quint64(*values.seed) : QRandomGenerator::global()->generate();
    return exitOk;
}

} // namespace

int readSweep(const SweepValues &values, Submission &job, Sweep &sweep)
{
    if (values.words.isEmpty() != values.again.has_value()) {
        return sweepLine().wrongUsage(tr("Give one FILE of a job, or %1 with a job that is to run again.")
                                          .arg(sweepLine().name(&SweepValues::again)));
    }
    QStringList texts;
    if (const int status = readNames(values, sweep, texts); status != exitOk) {
        return status;
    }
    if (const int status = readPlan(values, sweep); status != exitOk) {
        return status;
    }
    for (const QString &name : std::as_const(sweep.parameters)) {
        job.request.parameters.insert(name, {}); // to be checked; the values go into the text
    }
    SubmissionWords words = submissionWords(values);
    words.withSecrets = !values.dryRun;
    if (const int status = values.again ? readFormer(*values.again, words, job.request) : int(exitOk);
        status != exitOk) {
        return status;
    }
    if (const int status = readSubmission(sweepCommand().name, words, job); status != exitOk) {
        return status;
    }
    job.request.parameters.clear();
    job.request.name.clear();
    const ParseOutcome outcome = parseJob(job.request.yaml);
    if (!outcome.canRun()) {
        sayRefusedText(job.checked, {u"job.invalid"_s, {}});
        return exitRefused;
    }
    if (values.again && !values.dryRun) {
        takeSecretsOfFormer(job.request);
    }
    if (job.request.documentName.isEmpty()) { // else it is that of the job which runs again
        job.request.documentName = outcome.spec->name;
    }
    sweep.group = values.name.isEmpty() ? outcome.spec->name : values.name;
    sweep.job = *outcome.spec;
    sweep.demand = demandOf(sweep.job);
    for (qsizetype i = 0; i < texts.size(); ++i) {
        const QString &name = sweep.parameters.at(i);
        const Value *known = outcome.spec->parameters.find(name);
        const Result<SweepAxis> axis = sweepAxis(name, known ? *known : Value(), texts.at(i),
            sweep.plan.kind == SweepKind::Zip ? SweepRepeats::Allowed : SweepRepeats::Refused);
        if (!axis) {
            return reportValues(values.parameters.at(i), name.size() + 1, axis.error());
        }
        sweep.plan.axes.append(*axis);
    }
    const Result<QList<SweepPoint>> points = sweepPoints(sweep.plan);
    if (!points) {
        return sweepLine().wrongUsage(errorText(points.error()));
    }
    sweep.points = *points;
    const SweepTarget target{job.request.target, worksHere(sweep.job, job.request.work, job.request.file), 0,
        sharesSlurmFolders(job.request.target, Settings(paths::configFolder() + u"/engine.json"_s))};
    sweep.sharesFolder = sweep.points.size() > 1 && sweepSharesFolder(sweep.job, target);
    sweep.writesSamePath = sweep.sharesFolder && writesSamePath(sweep.job);
    return exitOk;
}

} // namespace trainyard::cli
