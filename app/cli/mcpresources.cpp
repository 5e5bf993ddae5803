// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/mcpresources.h"

#include "app/cli/console.h"
#include "app/cli/mcptools.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli::mcp
{
namespace
{

constexpr qsizetype mostListed = 50; // jobs on a page of the list

QString plainType() { return u"text/plain"_s; }

QJsonObject templateOf(const QString &uri, const QString &name, const QString &about)
{
    return {{u"uriTemplate"_s, QString(u"trainyard://"_s + uri)}, {u"name"_s, name}, {u"description"_s, about},
        {u"mimeType"_s, plainType()}};
}

} // namespace

QJsonArray resourceTemplates()
{
    return {
        templateOf(u"jobs{?from}"_s, tr("Jobs"), tr("The jobs, the newest first; 'from' is the first row, from 0.")),
        templateOf(u"job/{id}{?from}"_s, tr("A job"),
            tr("A job and its tasks: states, reasons, results. 'id' is the "
               "number of the job or the beginning of its UUID.")),
        templateOf(u"job/{id}/yaml{?from}"_s, tr("Text of a job"),
            tr("The text of the job, with masks in place of secrets; 'from' is the first line, from 1.")),
        templateOf(u"job/{id}/why"_s, tr("Failure or wait"), tr("Why the job failed, or what it waits for.")),
        templateOf(u"job/{id}/why/{role}/{index}"_s, tr("Failure of a task"), tr("Why a task failed.")),
        templateOf(u"job/{id}/log/{role}/{index}{?from}"_s, tr("Output of a task"),
            tr("The last lines of the output of a task, or those from the line 'from' on, from 1.")),
        templateOf(u"job/{id}/metrics{?from}"_s, tr("Metrics of a job"),
            tr("First, last, least and greatest value of each curve.")),
        templateOf(u"job/{id}/metrics/{role}/{index}{?from}"_s, tr("Metrics of a task"),
            tr("The same for the curves of one task."))};
}

Found foundLines(const QString &text, qint64 from)
{
    QStringList lines = text.split(u'\n');
    if (!lines.isEmpty() && lines.constLast().isEmpty()) {
        lines.removeLast(); // what follows the last newline is not a line
    }
    Found found;
    qsizetype bytes = 0;
    qint64 at = from - 1;
    for (; at < lines.size(); ++at) {
        const QString line = shortened(plainText(lines.at(at)));
        bytes += line.toUtf8().size() + 1;
        if (bytes > mostAnswerBytes && !found.shown.isEmpty()) {
            break;
        }
        found.shown += line + u'\n';
    }
    if (found.shown.isEmpty()) {
        found.shown = tr("(There are no such lines.)\n");
    }
    if (at < lines.size()) {
        found.shown += tr("(More follows: ask again with from = %1.)\n").arg(at + 1);
    }
    return found;
}

Begun beginResource(const ResourceUri &uri, const Roots &roots)
{
    if (uri.kind == ResourceUri::Kind::Yaml) {
        QStringList words{u"show"_s, u"--yaml"_s};
        addOperands(words, {uri.job});
        return invocation(words,
            std::make_unique<WholeOutput>(
                [from = uri.from.value_or(1)](const QByteArray &out, const CommandEnd &ended) -> Found {
                    return ended.status == exitOk ? foundLines(QString::fromUtf8(out), from)
                                                  : Found{{}, complaintOf(ended.err), true};
                }));
    }
    QJsonObject arguments;
    if (!uri.job.isEmpty()) {
        arguments.insert(u"job"_s, uri.job);
    }
    if (!uri.role.isEmpty()) {
        arguments.insert(u"task"_s, uri.task());
    }
    if (uri.from) {
        arguments.insert(u"from"_s, *uri.from);
    }
    const QString tool = ResourceUri::word(uri.kind); // the tools are called so; none gives the text of a job
    const QString complaint = complaintAbout(tool, arguments);
    return complaint.isEmpty() ? toolNamed(tool)->begin(arguments, roots) : Begun(tl::unexpected(complaint));
}

Found foundResources(const QJsonDocument &ps, qsizetype from)
{
    const QJsonArray jobs = ps.array();
    QJsonArray list;
    if (from == 0) {
        list.append(QJsonObject{{u"uri"_s, ResourceUri().text()}, {u"name"_s, tr("Jobs")},
            {u"description"_s, tr("The jobs, the newest first.")}, {u"mimeType"_s, plainType()}});
    }
    const qsizetype end = std::min(jobs.size(), from + mostListed);
    for (qsizetype i = from; i < end; ++i) {
        const QString id = QString::number(jobs.at(i).toObject().value("id"_L1).toInteger());
        list.append(QJsonObject{{u"uri"_s, ResourceUri{ResourceUri::Kind::Job, id}.text()},
            {u"name"_s, tr("Job %1").arg(id)}, {u"mimeType"_s, plainType()}});
    }
    Found found{{{u"resources"_s, list}}};
    if (end < jobs.size()) {
        found.data.insert(u"nextCursor"_s, QString::number(end));
    }
    found.isOurs = true; // numbers, and sentences of this program
    return found;
}

Begun beginResourceList(qsizetype from)
{
    return invocation({u"ps"_s, u"--all"_s, u"--json"_s},
        jsonOutput([from](const QJsonDocument &json) { return foundResources(json, from); }));
}

} // namespace trainyard::cli::mcp
