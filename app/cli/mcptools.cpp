// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/mcptools.h"

#include "app/cli/console.h"
#include "app/cli/mcparguments.h"
#include "app/cli/mcpfound.h"
#include "app/cli/mcpproposals.h"
#include "app/cli/words.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli::mcp
{
namespace
{

using Kind = ToolParameter::Kind;

constexpr qint64 mostRows = 100, usualRows = 20, mostFrom = 1000000000;
constexpr qint64 mostLines = 500, usualLines = 100, mostPoints = 500;
constexpr qint64 mostCompared = 50;

ToolParameter numberParameter(const QString &name, qint64 least, qint64 most, const QString &about)
{
    return {name, Kind::Number, about, false, least, most};
}
ToolParameter switchParameter(const QString &name, const QString &about) { return {name, Kind::Switch, about}; }

ToolParameter taskParameter() { return textParameter(u"task"_s, tr("The task, as ROLE/INDEX, such as worker/0.")); }
ToolParameter fromParameter() { return numberParameter(u"from"_s, 0, mostFrom, tr("The first row, from 0.")); }
ToolParameter limitParameter() { return numberParameter(u"limit"_s, 1, mostRows, tr("How many rows; 20 without it.")); }
ToolParameter attemptParameter()
{
    return numberParameter(u"attempt"_s, 1, 1000000, tr("An earlier attempt of the job, counted from 1."));
}
ToolParameter tryParameter()
{
    return numberParameter(u"try"_s, 1, 1000000, tr("An earlier try of the task, counted from 1; it needs the task."));
}
qint64 numberOf(const QJsonObject &arguments, QLatin1StringView name, qint64 usual)
{
    return arguments.value(name).toInteger(usual);
}

Part partOf(const QJsonObject &arguments)
{
    return {numberOf(arguments, "from"_L1, 0), numberOf(arguments, "limit"_L1, usualRows)};
}

// "--attempt=2" for a number that is given.
void addNumber(QStringList &words, const QJsonObject &arguments, const QString &name)
{
    if (arguments.contains(name)) {
        words.append(u"--"_s + name + u'=' + QString::number(arguments.value(name).toInteger()));
    }
}

Begun beginJobs(const QJsonObject &arguments, const Roots &)
{
    QStringList words{u"ps"_s, u"--all"_s, u"--json"_s};
    addOperands(words, {textOf(arguments, "filter"_L1).trimmed()});
    return invocation(
        words, jsonOutput([part = partOf(arguments)](const QJsonDocument &json) { return foundJobs(json, part); }));
}

Begun beginJob(const QJsonObject &arguments, const Roots &)
{
    const Part part = partOf(arguments);
    QStringList words{u"show"_s, u"--json"_s, u"--tasks"_s, u"--from="_s + QString::number(part.from),
        u"--limit="_s + QString::number(part.limit)};
    addOperands(words, {textOf(arguments, "job"_L1)});
    return invocation(words, jsonOutput([part](const QJsonDocument &json) -> Found {
        const QJsonArray several = json.array(); // of a word that may stand for more than one
        return several.size() > 1
            ? Found{{}, tr("This tool shows one job, but these are %1.").arg(several.size()), true}
            : json.isArray() ? foundJob(QJsonDocument(several.at(0).toObject()), part)
                             : foundJob(json, part);
    }));
}

Begun beginWhy(const QJsonObject &arguments, const Roots &)
{
    if (arguments.contains("try"_L1) && !arguments.contains("task"_L1)) {
        return tl::unexpected(tr("An earlier try needs the task: ROLE/INDEX."));
    }
    QStringList words{u"why"_s};
    addNumber(words, arguments, u"attempt"_s);
    addNumber(words, arguments, u"try"_s);
    addOperands(words, {textOf(arguments, "job"_L1), textOf(arguments, "task"_L1)});
    // "Nothing has failed" is an answer, too.
    return invocation(words, std::make_unique<WholeOutput>([](const QByteArray &out, const CommandEnd &ended) -> Found {
        const QString said = out.isEmpty() ? complaintOf(ended.err) : QString::fromUtf8(out);
        const QString text = shortened(said, mostAnswerBytes / 4);
        const bool isAnswer = ended.status == exitOk || ended.status == exitNo;
        return {{{u"lines"_s, QJsonArray::fromStringList(text.split(u'\n', Qt::SkipEmptyParts))}}, text, !isAnswer};
    }));
}

Begun beginLog(const QJsonObject &arguments, const Roots &)
{
    if (arguments.contains("try"_L1) && !arguments.contains("task"_L1)) {
        return tl::unexpected(tr("An earlier try needs the task: ROLE/INDEX."));
    }
    WantedLines wanted{qsizetype(numberOf(arguments, "lines"_L1, usualLines))};
    if (arguments.contains("from"_L1)) {
        wanted.from = numberOf(arguments, "from"_L1, 1);
    }
    wanted.search = textOf(arguments, "search"_L1);
    QStringList words{u"logs"_s};
    if (!wanted.from && wanted.search.isEmpty()) {
        words.append(u"--tail="_s + QString::number(wanted.lines));
    }
    const QString stream = textOf(arguments, "stream"_L1);
    if (!stream.isEmpty() && stream != "both"_L1) {
        words.append(u"--"_s + stream);
    }
    addNumber(words, arguments, u"attempt"_s);
    addNumber(words, arguments, u"try"_s);
    addOperands(words, {textOf(arguments, "job"_L1), textOf(arguments, "task"_L1)});
    return invocation(words, std::make_unique<LogOutput>(wanted));
}

Begun beginMetrics(const QJsonObject &arguments, const Roots &)
{
    QStringList words{u"metrics"_s, u"--json"_s};
    if (arguments.value("machine"_L1).toBool()) {
        words.append(u"--machine"_s);
    }
    if (const QString name = textOf(arguments, "name"_L1); !name.isEmpty()) {
        words.append(u"--name="_s + name);
    }
    addOperands(words, {textOf(arguments, "job"_L1), textOf(arguments, "task"_L1)});
    return invocation(words,
        std::make_unique<MetricsOutput>(WantedCurves{
            qsizetype(numberOf(arguments, "points"_L1, 0)), qsizetype(numberOf(arguments, "from"_L1, 0))}));
}

Begun beginCompare(const QJsonObject &arguments, const Roots &)
{
    QStringList jobs;
    const QJsonArray given = arguments.value("jobs"_L1).toArray();
    for (const QJsonValue &job : given) {
        jobs.append(job.toString());
    }
    const QString group = textOf(arguments, "group"_L1), metric = textOf(arguments, "metric"_L1);
    if (jobs.isEmpty() && group.isEmpty()) {
        return tl::unexpected(tr("Name at least two jobs, or a group."));
    }
    QStringList words{u"compare"_s, u"--json"_s};
    if (!group.isEmpty()) {
        words.append(u"--group="_s + group);
    }
    if (!metric.isEmpty()) {
        words.append(u"--metric="_s + metric);
    }
    addOperands(words, jobs);
    return invocation(words, jsonOutput(foundComparison));
}

Begun beginHosts(const QJsonObject &arguments, const Roots &)
{
    return invocation({u"hosts"_s, u"list"_s, u"--json"_s},
        jsonOutput([part = partOf(arguments)](const QJsonDocument &json) { return foundHosts(json, part); }));
}

Begun beginTargets(const QJsonObject &arguments, const Roots &)
{
    return invocation({u"targets"_s, u"list"_s, u"--json"_s},
        jsonOutput([part = partOf(arguments)](const QJsonDocument &json) { return foundTargets(json, part); }));
}

Begun beginCheck(const QJsonObject &arguments, const Roots &roots)
{
    const auto document = documentOf(arguments, roots);
    if (!document) {
        return tl::unexpected(document.error());
    }
    QStringList words{u"check"_s, u"--json"_s};
    if (arguments.value("strict"_L1).toBool()) {
        words.append(u"--strict"_s);
    }
    addOperands(words, {u"-"_s});
    return invocation(words,
        jsonOutput([part = partOf(arguments)](const QJsonDocument &json) { return foundFindings(json, part); }),
        *document);
}

Begun beginPlan(const QJsonObject &arguments, const Roots &roots)
{
    const auto document = documentOf(arguments, roots);
    if (!document) {
        return tl::unexpected(document.error());
    }
    QStringList words{u"render"_s, u"--json"_s};
    if (const QString role = textOf(arguments, "role"_L1); !role.isEmpty()) {
        words.append(u"--role="_s + role);
    }
    const QJsonObject parameters = arguments.value("parameters"_L1).toObject();
    if (const QString wrong = addParameters(words, parameters); !wrong.isEmpty()) {
        return tl::unexpected(wrong);
    }
    addOperands(words, {u"-"_s});
    const bool withEnvironment = arguments.value("environment"_L1).toBool();
    return invocation(words, jsonOutput([part = partOf(arguments), withEnvironment](const QJsonDocument &json) {
        return foundPlan(json, part, withEnvironment);
    }),
        *document);
}

Begun beginExplain(const QJsonObject &arguments, const Roots &)
{
    const QString name = textOf(arguments, "name"_L1);
    QStringList words{u"explain"_s, u"--json"_s};
    addOperands(words, {name});
    return invocation(words, jsonOutput([part = partOf(arguments), isList = name.isEmpty()](const QJsonDocument &json) {
        return foundExplanation(json, part, isList);
    }));
}

QList<Tool> makeTools()
{
    const QList<ToolParameter> part{fromParameter(), limitParameter()};
    return {
        {u"jobs"_s, tr("List jobs"),
            tr("Lists jobs, the newest first, with state, results and, where they failed or wait, the reason."),
            QList<ToolParameter>{textParameter(u"filter"_s,
                tr("Only jobs that match, such as 'state:failed after:7d' or 'val_loss<0.3'. The words are those of "
                   "the filter of 'trainyardctl ps'."))}
                + part,
            beginJobs},
        {u"job"_s, tr("Show a job"), tr("Shows a job and its tasks: states, hosts, exit codes, reasons, results."),
            QList<ToolParameter>{jobParameter()} + part, beginJob},
        {u"why"_s, tr("Explain a failure or a wait"),
            tr("Says why a job or a task failed, with the line of its output that shows it and what to do, or what a "
               "job waits for. Ask this before you read logs."),
            {jobParameter(), taskParameter(), attemptParameter(), tryParameter()}, beginWhy},
        {u"log"_s, tr("Read the output of a task"),
            tr("Reads the output of a task: its last lines, or with 'search' the lines that have a text, or with "
               "'from' those from a line on. Secrets are masked."),
            {jobParameter(), taskParameter(),
                numberParameter(u"lines"_s, 1, mostLines, tr("How many lines at most; 100 without it.")),
                numberParameter(u"from"_s, 1, mostFrom, tr("The first line, from 1.")),
                textParameter(u"search"_s, tr("Only lines with this text; capitals do not matter.")),
                {u"stream"_s, Kind::Text, tr("Which output."), false, 0, 0, {u"both"_s, u"stdout"_s, u"stderr"_s}},
                attemptParameter(), tryParameter()},
            beginLog},
        {u"metrics"_s, tr("Read metrics"),
            tr("Sums up the curves of a job, such as losses: first, last, least and greatest value, each with its "
               "step. With 'points' also the curve, thinned so that its extremes stay."),
            {jobParameter(), taskParameter(), textParameter(u"name"_s, tr("Only series of such names: 'val*'.")),
                numberParameter(u"points"_s, 0, mostPoints, tr("Points of each curve at most; none without it.")),
                switchParameter(
                    u"machine"_s, tr("Instead: what the tasks used of processors, memory and GPUs of their hosts.")),
                fromParameter()},
            beginMetrics},
        {u"compare"_s, tr("Compare jobs"),
            tr("Compares jobs: what differs in parameters and configuration, and which is the best."),
            {{u"jobs"_s, Kind::Texts, tr("Numbers, UUIDs or names of jobs."), false, 0, mostCompared},
                textParameter(u"group"_s, tr("All jobs of this group, such as those of a sweep.")),
                textParameter(u"metric"_s, tr("The metric that ranks them."))},
            beginCompare},
        {u"hosts"_s, tr("List hosts"), tr("Lists the computers that run jobs: state, processors, memory, GPUs."), part,
            beginHosts},
        {u"targets"_s, tr("List clusters"), tr("Lists the clusters to which jobs can be handed over."), part,
            beginTargets},
        {u"check"_s, tr("Check the text of a job"),
            tr("Lists errors, warnings and notes of a job, each with its location and possible fixes. Nothing runs."),
            documentParameters()
                + QList<ToolParameter>{switchParameter(u"strict"_s, tr("The verdict of an OpenPAI server."))} + part,
            beginCheck},
        {u"plan"_s, tr("Show what a job would run"),
            tr("Fills in the templates of a job and shows the script of each task role. Nothing runs. Secrets are not "
               "filled in."),
            documentParameters()
                + QList<ToolParameter>{textParameter(u"role"_s, tr("Only this task role.")),
                    {u"parameters"_s, Kind::Values, tr("Values for parameters, by name.")},
                    switchParameter(u"environment"_s, tr("Also the variables that task 0 would see."))}
                + part,
            beginPlan},
        {u"explain"_s, tr("Explain a field"),
            tr("Explains a field of a job (taskRoles.worker.taskRetryCount, or just its name), a variable of its "
               "tasks, or a setting. Without a name, all of them are listed."),
            QList<ToolParameter>{textParameter(u"name"_s, tr("What to explain."))} + part, beginExplain},
    };
}

} // namespace

const QList<Tool> &tools(Offered offered)
{
    static const QList<Tool> reading = makeTools();
    static const QList<Tool> all = reading + proposalTools();
    return offered == Offered::Proposals ? all : reading;
}

const Tool *toolNamed(const QString &name, Offered offered)
{
    const QList<Tool> &table = tools(offered);
    const auto found
        = std::find_if(table.cbegin(), table.cend(), [&name](const Tool &tool) { return tool.name == name; });
    return found == table.cend() ? nullptr : &*found;
}

QJsonArray toolList(Offered offered)
{
    QJsonArray list;
    for (const Tool &tool : tools(offered)) {
        QJsonObject properties;
        QJsonArray required;
        for (const ToolParameter &parameter : tool.parameters) {
            properties.insert(parameter.name, schemaOf(parameter));
            if (parameter.isRequired) {
                required.append(parameter.name);
            }
        }
        QJsonObject schema{{u"type"_s, u"object"_s}, {u"properties"_s, properties}, {u"additionalProperties"_s, false}};
        if (!required.isEmpty()) {
            schema.insert(u"required"_s, required);
        }
        const QJsonObject annotations{{u"readOnlyHint"_s, !tool.isWriting}, {u"destructiveHint"_s, tool.isWriting},
            {u"idempotentHint"_s, !tool.isWriting}, {u"openWorldHint"_s, tool.isWriting}};
        list.append(QJsonObject{{u"name"_s, tool.name}, {u"title"_s, tool.title}, {u"description"_s, tool.about},
            {u"inputSchema"_s, schema}, {u"annotations"_s, annotations}});
    }
    return list;
}

QString complaintAbout(const QString &name, const QJsonObject &arguments, Offered offered)
{
    const Tool *const tool = toolNamed(name, offered);
    if (!tool) {
        QStringList known;
        for (const Tool &each : tools(offered)) {
            known.append(each.name);
        }
        return tr("There is no tool '%1'. The tools are: %2.").arg(name.left(100), known.join(u", "_s));
    }
    QStringList known;
    for (const ToolParameter &parameter : tool->parameters) {
        known.append(parameter.name);
        const QJsonValue value = arguments.value(parameter.name);
        if (value.isUndefined() && parameter.isRequired) {
            return tr("The tool %1 needs '%2': %3").arg(tool->name, parameter.name, parameter.about);
        }
        if (!value.isUndefined() && !isValueRight(value, parameter)) {
            return tr("'%1' takes %2.").arg(parameter.name, valueText(parameter));
        }
    }
    const QStringList given = arguments.keys();
    for (const QString &argument : given) {
        if (!known.contains(argument)) {
            return tr("The tool %1 has no argument '%2'. It has: %3.")
                       .arg(tool->name, argument.left(100), known.join(u", "_s))
                + didYouMean(argument.left(100), known);
        }
    }
    return {};
}

} // namespace trainyard::cli::mcp
