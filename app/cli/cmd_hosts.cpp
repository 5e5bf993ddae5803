// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/console.h"
#include "app/cli/environmentsofhost.h"
#include "app/cli/filesofhost.h"
#include "app/cli/hostprint.h"
#include "app/cli/hostremoval.h"
#include "app/cli/hostsline.h"
#include "app/cli/hostwait.h"
#include "app/cli/jobcommands.h"
#include "app/cli/session.h"
#include "app/cli/useofhost.h"
#include "engine/api/hosterrors.h"
#include "engine/api/valuejson.h"
#include "engine/hosts/hostsfile.h"
#include "widgets/text/texts.h"

#include <QJsonArray>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

// Whether no computer has the name. If names cannot be looked up at the moment, this is not known.
bool isNameWrong(const HostInfo &host)
{
    return host.error == "host.name-unknown"_L1
        && !host.errorArgs.value("message"_L1).toString().contains("temporary failure"_L1, Qt::CaseInsensitive);
}

// The JSON has the steps of the check: it is not printed before they have ended.
int tellOutcome(
    Session &session, const QString &id, const std::optional<HostInfo> &reached, const QString &more, bool json)
{
    std::optional<HostInfo> host = reached;
    if (json && host && host->state == HostState::Online) {
        const std::optional<HostInfo> measured = waitForMeasures(session, id);
        host = measured ? measured : host;
    }
    if (json && host) {
        outJson(QJsonDocument(host->toJson()));
    }
    return sayOutcome(id, host, more, json ? ToldOfHost::Troubles : ToldOfHost::All);
}

int runAdd(const HostsValues &values)
{
    Session session;
    if (const int status = connectForHosts(session, true); status != exitOk) {
        return status;
    }
    session.keepInterrupts(); // the host may be in the list already
    const Result<HostInfo> host = session.call<api::AddHost>({values.words.constFirst(), values.name});
    if (!host) {
        return report(host.error());
    }
    const QString staysInList
        = tr(" It stays in the list and is tried again from time to time; 'trainyardctl hosts remove %1' removes it, "
             "'trainyardctl hosts set %1 TARGET' corrects how it is reached.")
              .arg(host->id);
    const auto [reached, isInterrupted] = waitForHostOrInterrupt(session, host->id);
    if (isInterrupted) {
        errorLine(tr("%1 is added and has not answered yet.").arg(host->id) + staysInList);
        return exitInterrupted;
    }
    if (reached && isNameWrong(*reached) && session.call<api::RemoveHost>({host->id, true})) {
        errorLine(
            tr("%1 is not added. %2 Check its spelling. The name must be known to ssh: in its configuration, or on "
               "the network.")
                .arg(values.words.constFirst(), reasonText(reached->error, reached->errorArgs)));
        return exitNoEngine;
    }
    if (reached && hosterror::isSame(reached->error) && session.call<api::RemoveHost>({host->id, true})) {
        errorLine(tr("%1 is not added. It is %2, which is in the list: the same account on the same computer.")
                      .arg(values.words.constFirst(), reached->errorArgs.value("other"_L1).toString()));
        return exitRefused;
    }
    if (const QString own = HostsFile::nameFor(values.words.constFirst()); values.name.isEmpty() && host->id != own) {
        errorLine(tr("The host is added as %1, because the name '%2' is taken. %3 gives it a name of your choice.")
                      .arg(host->id, own, hostsLine().name(&HostsValues::name)));
    }
    return tellOutcome(session, host->id, reached, staysInList, values.json);
}

int runList(const HostsValues &values)
{
    Session session;
    if (const int status = connectForHosts(session, false); status != exitOk) {
        return status;
    }
    waitForHost(session, u"local"_s); // an engine that has just started does not know it yet
    const QList<HostInfo> hosts = session.client().hosts();
    if (values.json) {
        QJsonArray array;
        for (const HostInfo &host : hosts) {
            array.append(host.toJson());
        }
        outJson(QJsonDocument(array));
        return exitOk;
    }
    outHosts(hosts);
    return exitOk;
}

int runHostsShow(const HostsValues &values)
{
    Session session;
    if (const int status = connectForHosts(session, false); status != exitOk) {
        return status;
    }
    const QString &id = values.words.constFirst();
    if (id == "local"_L1) {
        waitForHost(session, id); // an engine that has just started does not know it yet
    }
    const std::optional<HostInfo> host = knownHost(session, id);
    if (!host) {
        return reportOfHost(session, {u"host.unknown"_s, {{u"host"_s, id}}});
    }
    const std::optional<api::HostFiles> files = filesOf(session, *host);
    const Result<api::HostHistory> hour = session.call<api::GetHostHistory>({id});
    if (values.json) {
        QJsonObject object = host->toJson();
        if (hour) {
            object.insert(u"lastHour"_s, valuejson::toValue(*hour));
        }
        if (files) {
            object.insert(u"files"_s, valuejson::toValue(*files));
        }
        outJson(QJsonDocument(object));
    } else {
        outHostReport(*host);
        if (hour) {
            outLastHour(*hour, host->gpus);
        }
        if (files) {
            outFiles(*files);
        }
    }
    return host->state == HostState::Online ? exitOk : exitNoEngine;
}

int runEnvironments(const HostsValues &values)
{
    Session session;
    if (const int status = connectForHosts(session, false); status != exitOk) {
        return status;
    }
    if (const QString &id = values.words.constFirst(); id == "local"_L1) {
        waitForHost(session, id); // an engine that has just started does not know it yet
    }
    return outEnvironments(session, values.words.constFirst(), values.json);
}

int runSet(const HostsValues &values)
{
    Session session;
    if (const int status = connectForHosts(session, true); status != exitOk) {
        return status;
    }
    const QStringList &words = values.words;
    const Result<HostInfo> set = session.call<api::SetHost>({words.at(0), words.at(1)});
    if (!set) {
        return reportOfHost(session, set.error());
    }
    const std::optional<HostInfo> reached = waitForHost(session, words.at(0));
    return tellOutcome(session, words.at(0), reached,
        reached && isNameWrong(*reached)
            ? tr(" Check its spelling. The name must be known to ssh: in its configuration, or on the network. "
                 "'trainyardctl hosts set %1 TARGET' corrects it.")
                  .arg(words.at(0))
            : QString(),
        values.json);
}

int runCheck(const HostsValues &values)
{
    Session session;
    if (const int status = connectForHosts(session, true); status != exitOk) {
        return status;
    }
    QStringList ids = values.words;
    if (ids.isEmpty()) {
        const QList<HostInfo> hosts = session.client().hosts();
        for (const HostInfo &host : hosts) {
            ids.append(host.id);
        }
    }
    int worst = exitOk;
    QJsonArray checked;
    for (const QString &id : std::as_const(ids)) {
        const Result<HostInfo> asked = session.call<api::CheckHost>({id});
        const std::optional<HostInfo> reached = asked ? waitForHost(session, id) : std::nullopt;
        worst = std::max(worst,
            asked ? sayOutcome(id, reached, {}, values.json ? ToldOfHost::Troubles : ToldOfHost::All)
                  : reportOfHost(session, asked.error()));
        const std::optional<HostInfo> host = asked ? waitForMeasures(session, id) : std::nullopt;
        if (host && values.json) {
            checked.append(host->toJson());
        } else if (host) {
            outHostReport(*host);
        }
    }
    if (values.json && (worst == exitOk || !checked.isEmpty())) {
        outJson(QJsonDocument(checked));
    }
    return worst;
}

int runLabel(const HostsValues &values)
{
    Session session;
    if (const int status = connectForHosts(session, false); status != exitOk) {
        return status;
    }
    const QString &id = values.words.constFirst();
    const QStringList added = labelsIn(values.words.mid(1)), removed = labelsIn(values.removed);
    return added.isEmpty() && removed.isEmpty() ? showLabels(session, id, values.json)
                                                : changeLabels(session, {id, added, removed, {}, {}}, values.json);
}

int runDrain(const HostsValues &values)
{
    Session session;
    if (const int status = connectForHosts(session, false); status != exitOk) {
        return status;
    }
    return drainHost(session, values.words.constFirst(), !values.off, values.json);
}

int runHours(const HostsValues &values)
{
    Session session;
    if (const int status = connectForHosts(session, false); status != exitOk) {
        return status;
    }
    const QString &id = values.words.constFirst();
    const QString hours = values.words.mid(1).join(u' ');
    if (hours.isEmpty() && !values.off) {
        return showHours(session, id, values.json);
    }
    if (!hours.isEmpty() && values.off) {
        return hostsLine().wrongUsage(tr("Give either hours or %1.").arg(hostsLine().name(&HostsValues::off)));
    }
    return changeHours(session, id, hours, values.json);
}

int runAddress(const HostsValues &values)
{
    Session session;
    if (const int status = connectForHosts(session, false); status != exitOk) {
        return status;
    }
    const QString &id = values.words.constFirst();
    const QString address = values.words.value(1);
    return address.isEmpty() ? showAddress(session, id, values.json)
                             : changeAddress(session, id, address == "auto"_L1 ? QString() : address, values.json);
}

int runReleaseHost(const HostsValues &values)
{
    bool isNumber = true;
    const int gpu = values.words.size() > 1 ? values.words.at(1).toInt(&isNumber) : -1;
    if (!isNumber || gpu < -1) {
        return hostsLine().wrongUsage(tr("'%1' is not the number of a GPU.").arg(values.words.value(1)));
    }
    Session session;
    if (const int status = connectForHosts(session, false); status != exitOk) {
        return status;
    }
    return releaseHost(session, {values.words.constFirst(), gpu}, values.json);
}

} // namespace

int connectForHosts(Session &session, bool reachesHost)
{
    session.client().setAnswersQuestions(reachesHost && hasTerminal());
    return session.connect(EngineClient::Start::IfNeeded);
}

const CommandLine<HostsValues> &hostsLine()
{
    static const CommandLine<HostsValues> line
        = CommandLine<HostsValues>(u"hosts"_s, tr("List, add, check, clean and remove hosts"))
              .form(u"list"_s, runList, {{}, 0, 0, Word::Other, tr("hosts list shows all hosts and takes no name.")})
              .form(u"add"_s, runAdd,
                  {u"TARGET"_s, 1, 1, Word::Other,
                      tr("Which host? Give user@host, or a name of your ssh configuration.")})
              .form(u"set"_s, runSet,
                  {u"NAME TARGET"_s, 2, 2, Word::SshHost,
                      tr("Which host, and how is it reached? Give NAME and TARGET.")})
              .form(u"check"_s, runCheck, {u"[NAME...]"_s, 0, anyNumber, Word::Host, {}})
              .form(u"show"_s, runHostsShow,
                  {u"NAME"_s, 1, 1, Word::Host, tr("Which host? 'trainyardctl hosts list' shows them.")})
              .form(u"environments"_s, runEnvironments,
                  {u"NAME"_s, 1, 1, Word::Host, tr("Which host? 'trainyardctl hosts list' shows them.")})
              .form(u"remove"_s, runHostsRemove,
                  {u"NAME"_s, 1, 1, Word::SshHost, tr("Which host? 'trainyardctl hosts list' shows them.")})
              .form(u"clean"_s, runHostsClean,
                  {u"NAME"_s, 1, 1, Word::SshHost, tr("Which host? 'trainyardctl hosts list' shows them.")})
              .form(u"label"_s, runLabel,
                  {u"NAME [WORD...]"_s, 1, anyNumber, Word::Host,
                      tr("Which host? 'trainyardctl hosts list' shows them.")})
              .form(u"drain"_s, runDrain,
                  {u"NAME"_s, 1, 1, Word::Host, tr("Which host? 'trainyardctl hosts list' shows them.")})
              .form(u"hours"_s, runHours,
                  {u"NAME [HOURS...]"_s, 1, anyNumber, Word::Host,
                      tr("Which host? 'trainyardctl hosts list' shows them.")})
              .form(u"address"_s, runAddress,
                  {u"NAME [ADDRESS|INTERFACE|auto]"_s, 1, 2, Word::Host,
                      tr("Which host? 'trainyardctl hosts list' shows them.")})
              .form(u"release"_s, runReleaseHost,
                  {u"NAME [GPU]"_s, 1, 2, Word::Host, tr("Which host? 'trainyardctl hosts list' shows them.")})
              .text(tr(
                  "Manages the computers on which jobs can run: this one, and those that 'ssh TARGET' reaches. A small "
                  "helper program is copied to the cache folder there; nothing has to be installed. Questions of ssh "
                  "(for a pass phrase, or about the key of a host) are asked on the terminal. A host that cannot be "
                  "reached is added anyway, but not one whose name cannot be resolved.\n\n'hosts show' and 'hosts "
                  "check' print each step of the way to a host with what was found, or what is wrong and what to do; "
                  "the text can be sent to the administrator of the host. 'hosts show' also says how much the host "
                  "was used in the last hour, and what Trainyard has put there.\n\n'hosts environments' lists the "
                  "Python environments and the modules that were found on a host, each with the value of "
                  "extras.trainyard.environment by which a job uses it.\n\n'hosts clean' removes from a host what no "
                  "job of your list needs: copied code and data, older helpers, and folders of jobs that you have "
                  "removed. "
                  "Nothing of another engine is touched, and copies that another engine has used too stay.\n\n'hosts "
                  "label' gives a host labels that jobs may ask for "
                  "(extras.trainyard.hosts); without one, it lists those that the host has. On a drained host, nothing "
                  "new starts, and running tasks continue. 'hosts hours' sets the hours of the week in which nothing "
                  "new starts there, by the clock of this computer. 'hosts release' ends the quarantine of a host, or "
                  "of one of its GPUs, after several tries in a row have failed there because of the machine (setting "
                  "hosts.quarantineAfter).\n\n'hosts address' says by which address tasks on other hosts reach a host: "
                  "an address, one of its interfaces, or 'auto', which is the default: one that is chosen from its "
                  "interfaces. Without an address, the choice is printed.\n\nCONTAINERS lists the runtimes that 'run "
                  "--in' accepts for the host; the default has a star."))
              .option(u"--json"_s, &HostsValues::json,
                  tr("print JSON: an array of hosts (list, check), or one host, with add and set after its check; with "
                     "clean, what is left there; with "
                     "remove: "
                     "host, ok, left (the same, null if that is not known)"))
              .of({u"list"_s, u"add"_s, u"set"_s, u"check"_s, u"show"_s, u"environments"_s, u"clean"_s, u"remove"_s,
                  u"label"_s, u"drain"_s, u"hours"_s, u"address"_s, u"release"_s})
              .option(u"-r, --remove WORD"_s, &HostsValues::removed, tr("remove this label; may be repeated"))
              .of({u"label"_s})
              .option(u"--off"_s, &HostsValues::off, tr("let new tasks start there again"))
              .of({u"drain"_s, u"hours"_s})
              .option(u"--name NAME"_s, &HostsValues::name,
                  tr("the name of the host in lists and options; by default taken from TARGET"))
              .of({u"add"_s})
              .option(u"--force"_s, &HostsValues::force,
                  tr("remove the host or its files even if some of its logs have not been fetched completely, or the "
                     "host "
                     "although clusters are reached through it"))
              .of({u"remove"_s, u"clean"_s})
              .option(u"--all"_s, &HostsValues::all,
                  tr("also remove the folders of jobs that have ended, with everything that they wrote there, and the "
                     "helper"))
              .of({u"clean"_s})
              .option(u"--clean"_s, &HostsValues::clean, tr("first remove what 'clean --all' removes"))
              .of({u"remove"_s})
              .examples({u"trainyardctl hosts add ada@lab1"_s, u"trainyardctl hosts add lab1.example.org --name lab1"_s,
                  u"trainyardctl hosts check lab1"_s, u"trainyardctl hosts show lab1"_s,
                  u"trainyardctl hosts environments lab1"_s, u"trainyardctl hosts clean lab1"_s,
                  u"trainyardctl hosts remove --clean lab1"_s, u"trainyardctl hosts label lab1 a100 nvlink"_s,
                  u"trainyardctl hosts drain lab1"_s,
                  u"trainyardctl hosts hours lab1 'Mon-Fri 09:00-17:00; Sat 22:00-06:00'"_s,
                  u"trainyardctl hosts address lab1 ib0"_s, u"trainyardctl hosts list --json"_s})
              .exits({{exitOk, tr("ok")}, {exitUnusable, tr("wrong usage")},
                  {exitNoEngine, tr("no engine, or the host cannot be used")}, {exitRefused, tr("refused")},
                  {exitInterrupted, tr("interrupted with Ctrl+C")}});
    return line;
}

Command hostsCommand() { return hostsLine().command(); }

} // namespace trainyard::cli
