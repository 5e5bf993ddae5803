// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/hostprint.h"

#include "app/cli/console.h"
#include "widgets/text/columns.h"
#include "widgets/text/formats.h"
#include "widgets/text/hosttexts.h"
#include "widgets/text/texts.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

QString resources(const HostInfo &host)
{
    QStringList parts;
    if (!host.gpus.isEmpty()) {
        parts.append(tr("%1 GPU").arg(host.gpus.size()) + u" ("_s + host.gpus.first().name + u')');
        const auto shared = std::count_if(
            host.gpus.cbegin(), host.gpus.cend(), [](const GpuInfo &gpu) { return gpu.promisedMiB > 0; });
        if (shared > 0) {
            parts.append(tr("%1 shared").arg(shared));
        }
    }
    if (host.cpus > 0) {
        parts.append(formatCores(host.cpus));
    }
    if (host.memoryMiB > 0) {
        parts.append(formatMiB(host.memoryMiB));
    }
    if (host.diskLow) {
        parts.append(tr("only %1 of disk left").arg(formatMiB(host.diskFreeMiB)));
    }
    return parts.isEmpty() ? tr("-") : parts.join(u", "_s); // it was not reached yet
}

// The runtimes of a host; a star marks the one in which tasks with an image run by default.
QString containers(const HostInfo &host)
{
    QStringList words;
    for (const QString &runtime : host.runtimes) {
        words.append(runtime == host.runIn ? QString(runtime + u'*') : runtime);
    }
    return words.isEmpty() ? tr("-") : words.join(u", "_s);
}

} // namespace

void outHosts(const QList<HostInfo> &hosts)
{
    QList<QStringList> rows{{tr("HOST"), tr("STATE"), tr("TASKS"), tr("RESOURCES"), tr("CONTAINERS"), tr("LABELS"),
        tr("ADDRESS"), tr("WHY")}};
    for (const HostInfo &host : hosts) {
        rows.append({host.id, hostStateText(host), QString::number(host.tasks), resources(host), containers(host),
            host.labels.isEmpty() ? tr("-") : host.labels.join(u' '), host.target.isEmpty() ? host.label : host.target,
            host.state == HostState::Online ? hostNotes(host).join(u' ') : reasonText(host.error, host.errorArgs)});
    }
    const QStringList lines = alignedRows(rows);
    for (qsizetype i = 0; i < lines.size(); ++i) {
        outLine(i == 0 ? paint(Colour::Bold, lines.at(i)) : lines.at(i));
    }
}

void outHostReport(const HostInfo &host)
{
    const QStringList lines = hostReport(host).split(u'\n', Qt::SkipEmptyParts);
    for (const QString &line : lines) {
        outLine(line);
    }
}

int sayOutcome(const QString &id, const std::optional<HostInfo> &host, const QString &more, ToldOfHost told)
{
    if (!host) {
        errorLine(
            tr("%1 has not answered yet; the engine keeps trying. 'trainyardctl hosts list' shows the state. If ssh "
               "asks about its key or for a password, the question is in the window; 'trainyardctl hosts check %1' "
               "asks it "
               "on a terminal.")
                .arg(id)
            + more);
        return exitNoEngine;
    }
    if (host->state != HostState::Online) {
        const QString why = reasonText(host->error, host->errorArgs);
        errorLine(tr("%1 is not usable (%2). ").arg(id, hostStateText(*host)) + why
            + (more.isEmpty() || why.isEmpty() || why.endsWith(u'.') ? QString() : u"."_s) + more);
        return exitNoEngine;
    }
    if (const QString wrong = checkText(*host); !wrong.isEmpty()) {
        errorLine(wrong);
        return exitNoEngine;
    }
    if (told == ToldOfHost::Troubles) {
        return exitOk;
    }
    outLine(tr("%1 is online: %2.").arg(id, resources(*host)));
    const QStringList notes = hostNotes(*host);
    for (const QString &note : notes) {
        outLine(note);
    }
    return exitOk;
}

} // namespace trainyard::cli
