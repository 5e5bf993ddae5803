// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/console.h"
#include "app/cli/jobcommands.h"
#include "app/cli/jobtable.h"
#include "app/cli/session.h"
#include "app/cli/words.h"
#include "widgets/text/columns.h"
#include "widgets/text/formats.h"
#include "widgets/text/texts.h"

#include <QJsonArray>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

constexpr int connectPatienceMs = 90000; // pushing the agent over a slow line takes its time

bool isSettled(const HostInfo &host)
{
    return host.state == HostState::Online || host.state == HostState::NeedsLogin || host.state == HostState::Failed
        || (host.state == HostState::Offline && !host.error.isEmpty());
}

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
        parts.append(tr("%1 cores").arg(host.cpus));
    }
    if (host.memoryMiB > 0) {
        parts.append(formatMiB(host.memoryMiB));
    }
    if (host.diskLow) {
        parts.append(tr("only %1 of disk left").arg(formatMiB(host.diskFreeMiB)));
    }
    return parts.join(u", "_s);
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

// The state of the host once it is known: online, or why not.
std::optional<HostInfo> waitForHost(Session &session, const QString &id)
{
    const Progress progress(tr("Connecting to %1 ...").arg(id));
    QEventLoop loop;
    std::optional<HostInfo> settled;
    const auto look = [&] {
        const QList<HostInfo> hosts = session.client().hosts();
        for (const HostInfo &host : hosts) {
            if (host.id == id && isSettled(host)) {
                settled = host;
                loop.quit();
            }
        }
    };
    QObject::connect(&session.client(), &EngineClient::hostChanged, &loop, look);
    QObject::connect(&session.client(), &EngineClient::reset, &loop, look);
    QTimer patience;
    QObject::connect(&patience, &QTimer::timeout, &loop, &QEventLoop::quit);
    patience.start(connectPatienceMs);
    QObject::connect(&session.client(), &EngineClient::question, &loop, [&](const Question &question) {
        if (question.host == id) {
            const bool shown = question.kind == "hostKey"_L1 || question.kind == "other"_L1;
            const std::optional<QString> text = askOnTerminal(question.prompt + u' ', shown);
            session.client().call<api::Answer>({question.id, text}, session.context(), [](const Result<bool> &) {});
            patience.start(connectPatienceMs);
        }
    });
    QTimer::singleShot(0, &loop, look);
    loop.exec();
    return settled;
}

int sayOutcome(Session &session, const QString &id)
{
    const std::optional<HostInfo> host = waitForHost(session, id);
    if (!host) {
        errorLine(
            tr("%1 has not answered yet; the engine keeps trying. 'trainyardctl hosts list' shows the state.").arg(id));
        return exitNoEngine;
    }
    if (host->state != HostState::Online) {
        errorLine(tr("%1 is not usable (%2). ").arg(id, hostStateText(host->state))
            + reasonText(host->error, host->errorArgs));
        return exitNoEngine;
    }
    outLine(tr("%1 is online: %2.").arg(id, resources(*host)));
    const QStringList notes = hostNotes(*host);
    for (const QString &note : notes) {
        outLine(note);
    }
    return exitOk;
}

int runAdd(Session &session, const QCommandLineParser &parser, const QStringList &words)
{
    if (words.size() != 1) {
        return usageError(u"hosts"_s, tr("Which host? Give user@host, or a name of your ssh configuration."));
    }
    const Result<HostInfo> host = session.call<api::AddHost>({words.first(), parser.value(u"name"_s)});
    if (!host) {
        return report(host.error());
    }
    const int status = sayOutcome(session, host->id);
    if (status != exitOk) {
        errorLine(tr("%1 is in the list and is tried again from time to time; 'trainyardctl hosts remove %1' removes "
                     "it, 'trainyardctl hosts set %1 TARGET' corrects how it is reached.")
                      .arg(host->id));
    }
    return status;
}

int runList(Session &session, const QCommandLineParser &parser)
{
    const QList<HostInfo> hosts = session.client().hosts();
    if (parser.isSet(u"json"_s)) {
        QJsonArray array;
        for (const HostInfo &host : hosts) {
            array.append(host.toJson());
        }
        outJson(QJsonDocument(array));
        return exitOk;
    }
    QList<QStringList> rows{
        {tr("HOST"), tr("STATE"), tr("TASKS"), tr("RESOURCES"), tr("CONTAINERS"), tr("ADDRESS"), tr("WHY")}};
    for (const HostInfo &host : hosts) {
        rows.append({host.id, hostStateText(host.state), QString::number(host.tasks), resources(host), containers(host),
            host.target.isEmpty() ? host.label : host.target,
            host.state == HostState::Online ? hostNotes(host).join(u' ') : reasonText(host.error, host.errorArgs)});
    }
    const QStringList lines = alignedRows(rows);
    for (qsizetype i = 0; i < lines.size(); ++i) {
        outLine(i == 0 ? paint(Colour::Bold, lines.at(i)) : lines.at(i));
    }
    return exitOk;
}

int runRemove(Session &session, const QCommandLineParser &parser, const QStringList &words)
{
    if (words.size() != 1) {
        return usageError(u"hosts"_s, tr("Which host? 'trainyardctl hosts list' shows them."));
    }
    const Result<bool> removed = session.call<api::RemoveHost>({words.first(), parser.isSet(u"force"_s)});
    if (!removed && removed.error().code == "host.logs-pending"_L1) {
        const int status = report(removed.error());
        errorLine(tr("'trainyardctl hosts remove --force %1' removes it all the same.").arg(words.first()));
        return status;
    }
    return removed ? int(exitOk) : report(removed.error());
}

int runSet(Session &session, const QStringList &words)
{
    if (words.size() != 2) {
        return usageError(u"hosts"_s, tr("Which host, and how is it reached? Give NAME and TARGET."));
    }
    const Result<HostInfo> set = session.call<api::SetHost>({words.at(0), words.at(1)});
    return set ? sayOutcome(session, words.at(0)) : report(set.error());
}

int runCheck(Session &session, const QStringList &words)
{
    QStringList ids = words;
    if (ids.isEmpty()) {
        const QList<HostInfo> hosts = session.client().hosts();
        for (const HostInfo &host : hosts) {
            ids.append(host.id);
        }
    }
    int worst = exitOk;
    for (const QString &id : std::as_const(ids)) {
        const Result<HostInfo> asked = session.call<api::CheckHost>({id});
        worst = std::max(worst, asked ? sayOutcome(session, id) : report(asked.error()));
    }
    return worst;
}

int runHosts(const QStringList &arguments)
{
    QCommandLineParser parser;
    parser.addOptions({{u"json"_s, {}}, {u"name"_s, {}, u"name"_s}, {u"force"_s, {}}});
    if (!parse(parser, u"hosts"_s, arguments)) {
        return exitUnusable;
    }
    const QStringList words = parser.positionalArguments();
    const QString what = words.value(0, u"list"_s);
    const QStringList known{u"add"_s, u"list"_s, u"remove"_s, u"check"_s, u"set"_s};
    if (!known.contains(what)) {
        return usageError(u"hosts"_s,
            tr("'%1' is not a command of hosts; use add, list, set, remove or check.").arg(what)
                + didYouMean(what, known));
    }
    if (what == "list"_L1 && words.size() > 1) {
        return usageError(u"hosts"_s, tr("hosts list shows all hosts and takes no name."));
    }
    for (const auto &[option, of] :
        {std::pair{u"json"_s, u"list"_s}, {u"name"_s, u"add"_s}, {u"force"_s, u"remove"_s}}) {
        if (parser.isSet(option) && what != of) {
            return usageError(u"hosts"_s, tr("--%1 is an option of hosts %2.").arg(option, of));
        }
    }
    Session session;
    const bool connects = what == "add"_L1 || what == "check"_L1 || what == "set"_L1;
    session.client().setAnswersQuestions(connects && hasTerminal());
    if (const int status = session.connect(EngineClient::Start::IfNeeded); status != exitOk) {
        return status;
    }
    if (what == "add"_L1) {
        return runAdd(session, parser, words.mid(1));
    }
    if (what == "set"_L1) {
        return runSet(session, words.mid(1));
    }
    if (what == "remove"_L1) {
        return runRemove(session, parser, words.mid(1));
    }
    return what == "check"_L1 ? runCheck(session, words.mid(1)) : runList(session, parser);
}

} // namespace

Command hostsCommand()
{
    return {u"hosts"_s, tr("List, add, check and remove hosts"),
        tr("hosts [list [--json]]\n"
           "       trainyardctl hosts add TARGET [--name NAME]\n"
           "       trainyardctl hosts set NAME TARGET\n"
           "       trainyardctl hosts check [NAME]\n"
           "       trainyardctl hosts remove NAME [--force]\n\n"
           "Manages the computers on which jobs can run: this one, and those that 'ssh TARGET' reaches. A small "
           "helper\n"
           "program is copied to the cache folder there; nothing has to be installed. Questions of ssh (for a pass\n"
           "phrase, or about the key of a host) are asked on the terminal.\n"
           "A host whose logs are not completely fetched is removed only with --force.\n"
           "CONTAINERS lists the runtimes that 'run --in' accepts for the host; the default has a star.\n\n"
           "Examples:\n"
           "  trainyardctl hosts add ada@lab1\n"
           "  trainyardctl hosts add lab1.example.org --name lab1\n"
           "  trainyardctl hosts check lab1\n"
           "  trainyardctl hosts list --json\n\n"
           "Exit status: 0 ok; 2 wrong usage; 3 no engine, or the host cannot be used; 4 refused."),
        runHosts};
}

} // namespace trainyard::cli
