// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"
#include "app/cli/console.h"
#include "app/cli/findings.h"
#include "app/cli/jobinput.h"
#include "app/cli/renderedenvironment.h"
#include "app/cli/sharedoptions.h"
#include "app/cli/words.h"
#include "model/base/shellquote.h"
#include "model/protocol/jobdocument.h"
#include "model/runtime/environment.h"
#include "model/template/pluginsteps.h"
#include "model/template/render.h"
#include "widgets/text/texts.h"

#include <QJsonArray>

#include <algorithm>

namespace trainyard::cli
{

namespace
{

constexpr qsizetype maxEnvironmentBytes = qsizetype(8) << 20; // of all roles together

QString userName() { return qEnvironmentVariable("USER", QStringLiteral("user")); }

// Nothing is placed yet: addresses and port numbers are known only when the job runs.
TaskEnvironment environmentFor(const JobSpec &job)
{
    JobIdentity identity;
    identity.user = userName();
    identity.jobName = job.name;
    QList<TaskPlacement> placements;
    constexpr qint64 shown = 1000;
    for (const TaskRole &role : job.taskRoles) {
        for (qint64 i = 0; i < std::min(role.instances, shown) && placements.size() < shown; ++i) {
            TaskPlacement placement;
            placement.role = role.name;
            placement.index = int(i);
            for (const Port &port : role.effectivePorts()) {
                placement.ports.append({port.label, {}});
            }
            placements.append(placement);
        }
    }
    return TaskEnvironment(job, identity, placements);
}

// All steps and the commands as one text for the user; each step runs in a bash of its own.
QString wholeScript(const ComposedRole &role)
{
    QString text;
    const auto add = [&text](const QString &title, const QString &script) {
        text += QStringLiteral("# --- ") + title + QStringLiteral(" ---\n") + script;
        if (!text.endsWith(QLatin1Char('\n'))) {
            text += QLatin1Char('\n');
        }
    };
    if (role.before.isEmpty() && role.after.isEmpty()) {
        return role.userScript;
    }
    for (const PluginScript &step : role.before) {
        add(tr("before: %1").arg(step.name), step.script);
    }
    add(tr("commands"), role.userScript);
    for (const PluginScript &step : role.after) {
        add(tr("after success: %1").arg(step.name), step.script);
    }
    return text;
}

// As a shell reads them.
QByteArray assignments(const QList<std::pair<QString, QString>> &variables)
{
    QByteArray text;
    for (const auto &[name, value] : variables) {
        text += name.toUtf8() + '=' + shellQuote(value.toUtf8()) + '\n';
    }
    return text;
}

QJsonArray stepsJson(const QList<PluginScript> &steps)
{
    QJsonArray array;
    for (const PluginScript &step : steps) {
        array.append(QJsonObject{{QStringLiteral("name"), step.name}, {QStringLiteral("script"), step.script},
            {QStringLiteral("failurePolicy"),
                step.failurePolicy == FailurePolicy::Ignore ? QStringLiteral("ignore") : QStringLiteral("fail")}});
    }
    return array;
}

struct RenderValues {
    QStringList words, parameters;
    bool json = false, asServer = false;
    QString catalog, role;
};

int render(const RenderValues &values)
{
    const bool asServer = values.asServer;
    const auto input
        = readJobInput(renderCommand().name, {values.words.constFirst(), values.parameters, values.catalog, asServer});
    if (const ExitStatus *status = std::get_if<ExitStatus>(&input)) {
        return *status;
    }
    const auto &[bytes, job] = std::get<JobInput>(input);
    const QString &only = values.role;
    if (!only.isEmpty() && !job.role(only)) {
        QStringList known;
        for (const TaskRole &role : job.taskRoles) {
            known.append(role.name);
        }
        errorLine(tr("The job has no task role '%1'. It has: %2.").arg(only, known.join(QStringLiteral(", ")))
            + didYouMean(only, known));
        return exitUnusable;
    }
    ComposeOptions options;
    options.asServer = asServer;
    options.strict = isStrict(job);
    const TaskEnvironment environment = environmentFor(job);
    QJsonObject roles;
    bool first = true;
    qsizetype environmentBytes = 0;
    for (const TaskRole &role : job.taskRoles) {
        if (!only.isEmpty() && role.name != only) {
            continue;
        }
        const Result<ComposedRole> composed = composeRole(job, role, options);
        if (!composed) {
            failureLine(composed.error());
            return exitNo;
        }
        // Every task has variables of every role, so the whole output would grow with the square of their number.
        RenderedEnvironment rendered;
        if (environmentBytes < maxEnvironmentBytes) {
            rendered = asServer ? RenderedEnvironment{serverEnvironment(job, userName(), role.name), {}}
                                : renderedEnvironment(job, role, environment);
        }
        QList<std::pair<QString, QString>> &variables = rendered.variables;
        // In the order of an object's keys: each that came before others would push them all aside.
        std::stable_sort(variables.begin(), variables.end(),
            [](const auto &one, const auto &other) { return one.first < other.first; });
        for (const auto &[name, value] : std::as_const(variables)) {
            environmentBytes += name.size() + value.size();
        }
        if (values.json) {
            QJsonObject assigned;
            for (const auto &[name, value] : std::as_const(variables)) {
                assigned.insert(name, value);
            }
            QJsonObject ports;
            for (const Port &port : role.effectivePorts()) {
                ports.insert(port.label, port.count);
            }
            roles.insert(role.name,
                QJsonObject{{QStringLiteral("script"), composed->userScript},
                    {QStringLiteral("before"), stepsJson(composed->before)},
                    {QStringLiteral("after"), stepsJson(composed->after)}, {QStringLiteral("environment"), assigned},
                    {QStringLiteral("setAtStart"), QJsonArray::fromStringList(rendered.setAtStart)},
                    {QStringLiteral("prerequisites"), QJsonArray::fromStringList(composed->prerequisiteOrder)},
                    {QStringLiteral("ports"), ports}});
            continue;
        }
        if (!first) {
            outLine(QString());
        }
        first = false;
        outLine(paint(Colour::Bold,
            (role.instances == 1 ? tr("# Task role %1, 1 instance").arg(role.name)
                                 : tr("# Task role %1, %2 instances").arg(role.name).arg(role.instances))));
        if (!composed->prerequisiteOrder.isEmpty()) {
            outLine(paint(
                Colour::Dim, tr("# Prerequisites: %1").arg(composed->prerequisiteOrder.join(QStringLiteral(", ")))));
        }
        if (!variables.isEmpty()) {
            outLine(paint(Colour::Dim, tr("# Environment of task 0, %1 variables").arg(variables.size())));
            outFile(assignments(variables));
            outLine({});
        }
        const QString script = wholeScript(*composed);
        outFile(script.toUtf8() + (script.endsWith(QLatin1Char('\n')) ? "" : "\n"));
    }
    if (environmentBytes >= maxEnvironmentBytes) {
        errorLine(tr("The job has many task roles: the environment is shown for the first ones only."));
    }
    if (values.json) {
        QJsonObject json{{QStringLiteral("roles"), roles}, {QStringLiteral("secretsMasked"), true}};
        if (asServer) {
            json.insert(QStringLiteral("stored"), QString::fromUtf8(maskSecretsAsServer(bytes)));
        }
        outJson(QJsonDocument(json));
    }
    return exitOk;
}

} // namespace

Command renderCommand()
{
    static const CommandLine<RenderValues> line
        = CommandLine<RenderValues>(QStringLiteral("render"), tr("Show what the tasks of a job would run"))
              .runs(render, {QStringLiteral("FILE"), 1, 1, Word::File, tr("Give one FILE to render.")})
              .text(tr("Fills in the templates of FILE ('-' is standard input) and shows the environment of task 0 and "
                       "the script of each task role. Secrets are not filled in, and variables that get their values "
                       "when the task starts say so; addresses and ports are empty."))
              .option(QStringLiteral("--json"), &RenderValues::json,
                  tr("print a JSON object: scripts, environment of task 0, prerequisites, ports"))
              .option(QStringLiteral("--role ROLE"), &RenderValues::role, tr("show this task role only"))
              .option(QStringLiteral("--param NAME=VALUE"), &RenderValues::parameters,
                  tr("use this value for a parameter; may be repeated"))
              .completes(Word::Parameter)
              .option(QStringLiteral("--as-server"), &RenderValues::asServer,
                  tr("show what an OpenPAI server makes of the job: its verdict, scripts and variables, and as JSON "
                     "the text that it stores"))
              .option(catalogOption().spelled, &RenderValues::catalog, catalogOption().text)
              .completes(Word::File)
              .exits({{exitOk, tr("ok")}, {exitNo, tr("the job has errors")},
                  {exitUnusable, tr("the file cannot be read, or wrong usage")}});
    return line.command();
}

} // namespace trainyard::cli
