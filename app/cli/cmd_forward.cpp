// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"
#include "app/cli/console.h"
#include "app/cli/jobcommands.h"
#include "app/cli/portchoice.h"
#include "app/cli/session.h"
#include "app/cli/sharedoptions.h"
#include "app/cli/taskshell.h"
#include "engine/api/tasklabel.h"
#include "widgets/text/columns.h"

#include <QJsonArray>
#include <QJsonObject>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

constexpr qsizetype mostLogsRead = 50; // of tasks of a job, for what their outputs say

struct ForwardValues {
    QStringList words;
    std::optional<qint64> local;
    bool stop = false, list = false, json = false;
};
const CommandLine<ForwardValues> &forwardLine();

// The meaning of the words after the job.
struct WantedPort {
    std::optional<TaskWord> task;
    QString port; // a number, a label, or a program; empty: none was named
};

WantedPort wantedOf(const QStringList &words)
{
    WantedPort wanted;
    for (const QString &word : words.sliced(1)) {
        if (const std::optional<TaskWord> task = taskWord(word); task && !wanted.task) {
            wanted.task = task;
        } else {
            wanted.port = word;
        }
    }
    return wanted;
}

QJsonObject jsonOf(const OfferedPort &offered)
{
    const api::TaskPort &port = offered.port;
    QJsonObject json{{u"task"_s, taskLabel(port.role, port.index)}, {u"host"_s, port.host}, {u"port"_s, port.port},
        {u"forwarded"_s, port.localPort > 0}};
    if (!port.label.isEmpty()) {
        json.insert(u"label"_s, port.label);
    }
    if (!offered.served.program.isEmpty()) {
        json.insert(u"program"_s, offered.served.program);
    }
    if (const QString address = offered.address(); !address.isEmpty()) {
        json.insert(u"localPort"_s, port.isHere ? port.port : port.localPort);
        json.insert(u"address"_s, address);
    }
    return json;
}

void printList(const QList<OfferedPort> &ports, const JobSummary &job, bool json)
{
    if (json) {
        QJsonArray all;
        for (const OfferedPort &port : ports) {
            all.append(jsonOf(port));
        }
        outJson(QJsonDocument(all));
        return;
    }
    if (ports.isEmpty()) {
        outLine(job.state == State::Running
                ? tr("No port was found: the job has none for its running tasks, and their output names no address. A "
                     "number forwards any port.")
                : tr("The job is not running, so it has no ports."));
        return;
    }
    QList<QStringList> rows{{tr("TASK"), tr("HOST"), tr("PORT"), tr("WHAT"), tr("ADDRESS ON THIS COMPUTER")}};
    for (const OfferedPort &offered : ports) {
        const QString address = offered.address();
        const QString name = offered.name();
        rows.append(
            {taskLabel(offered.port.role, offered.port.index), offered.port.host, QString::number(offered.port.port),
                name.isEmpty() ? tr("-") : name, address.isEmpty() ? tr("not forwarded") : address});
    }
    const QStringList lines = alignedRows(rows);
    for (const QString &line : lines) {
        outLine(line);
    }
}

int stopForwards(
    Session &session, const JobSummary &job, const WantedPort &wanted, const QList<TaskInfo> &tasks, bool json)
{
    api::ForwardToStop which;
    which.id = job.uuid;
    if (wanted.task) {
        which.role = wanted.task->role;
        which.index = wanted.task->index;
    }
    QList<int> numbers{0}; // all
    if (!wanted.port.isEmpty()) {
        numbers.clear();
        if (const std::optional<int> number = portNumber(wanted.port)) {
            // 0 would mean all of them.
            if (*number < 1 || *number > 65535) {
                return report(Error{u"forward.bad-port"_s, {{u"port"_s, *number}}});
            }
            numbers.append(*number);
        } else {
            const Result<QList<OfferedPort>> ports = portsOfTasks(session, job, tasks, wanted.port);
            if (!ports) {
                return report(ports.error());
            }
            for (const OfferedPort &one : portsMeant(*ports, wanted.port)) {
                numbers.append(one.port.port);
            }
        }
    }
    bool any = false;
    for (const int number : std::as_const(numbers)) {
        which.port = number;
        const Result<bool> stopped = session.call<api::StopForward>(which);
        if (!stopped) {
            return report(stopped.error());
        }
        any = any || *stopped;
    }
    if (!any) {
        errorLine(wanted.port.isEmpty() ? tr("None of its ports is forwarded.")
                                        : tr("Its port %1 is not forwarded.").arg(wanted.port));
        return exitRefused;
    }
    if (json) {
        outJson(QJsonDocument(QJsonObject{{u"stopped"_s, true}}));
    }
    return exitOk;
}

int forwardOne(Session &session, const JobSummary &job, OfferedPort offered, const ForwardValues &values)
{
    api::PortToForward wanted;
    wanted.id = job.uuid;
    wanted.role = offered.port.role;
    wanted.index = offered.port.index;
    wanted.port = offered.port.port;
    wanted.local = int(values.local.value_or(0));
    const Result<api::TaskPort> port = session.call<api::ForwardPort>(wanted);
    if (!port) {
        return report(port.error());
    }
    offered.port = *port;
    if (values.json) {
        outJson(QJsonDocument(jsonOf(offered)));
        return exitOk;
    }
    outLine(offered.address());
    if (port->isHere) {
        plainErrorLine(tr("The task runs on this computer, so nothing had to be forwarded."));
    } else if (port->localPort != port->port && wanted.local == 0) {
        plainErrorLine(tr("Port %1 of this computer is in use, so %2 is used instead.")
                           .arg(QString::number(port->port), QString::number(port->localPort)));
    }
    return exitOk;
}

// One port was named, as a number or in words.
int forwardNamed(Session &session, const JobSummary &job, const WantedPort &wanted, const QList<TaskInfo> &tasks,
    const ForwardValues &values)
{
    const Result<QList<OfferedPort>> ports = portsOfTasks(session, job, tasks, wanted.port);
    if (!ports) {
        return report(ports.error());
    }
    QList<OfferedPort> meant = portsMeant(*ports, wanted.port);
    const std::optional<int> number = portNumber(wanted.port);
    if (meant.isEmpty() && number) {
        // Nothing lists it, and it may exist nevertheless.
        TaskInfo task;
        if (const int status
            = wanted.task ? findTask(session, job, *wanted.task, task) : findOnlyTask(session, job, task);
            status != exitOk) {
            return status;
        }
        OfferedPort plain;
        plain.port.role = task.role;
        plain.port.index = task.index;
        plain.port.port = *number;
        meant.append(plain);
    }
    if (meant.isEmpty()) {
        errorLine(tr("No running task of the job has a port '%1'. '%2' lists those that are known.")
                      .arg(wanted.port, u"trainyardctl forward %1"_s.arg(job.id)));
        return exitUnusable;
    }
    const bool isOfOneTask = std::all_of(meant.cbegin(), meant.cend(), [&meant](const OfferedPort &one) {
        return one.port.role == meant.constFirst().port.role && one.port.index == meant.constFirst().port.index;
    });
    if (!isOfOneTask) {
        errorLine(tr("Several tasks have a port '%1'. Give one of them: ROLE/INDEX.").arg(wanted.port));
        return exitUnusable;
    }
    // If several ports have one label, the first is the one that the program knows.
    return forwardOne(session, job, meant.constFirst(), values);
}

int runForward(const ForwardValues &values)
{
    const WantedPort wanted = wantedOf(values.words);
    if (values.words.size() > 2 && !wanted.task) {
        return forwardLine().wrongUsage(tr("'%1' is not a task, ROLE/INDEX.").arg(values.words.at(1)));
    }
    if (values.local && (wanted.port.isEmpty() || values.stop || values.list)) {
        return forwardLine().wrongUsage(
            tr("%1 is for a PORT that is forwarded.").arg(forwardLine().name(&ForwardValues::local)));
    }
    Session session;
    JobSummary job;
    if (const int status = session.connectFor(values.words.constFirst(), job); status != exitOk) {
        return status;
    }
    QList<TaskInfo> tasks;
    if (wanted.task) {
        TaskInfo task;
        if (const int status = findTask(session, job, *wanted.task, task); status != exitOk) {
            return status;
        }
        tasks.append(task);
    } else {
        const Result<QList<TaskInfo>> all = session.allTasks(job.uuid, -1);
        if (!all) {
            return report(all.error());
        }
        tasks = *all;
        tasks.removeIf([](const TaskInfo &task) { return task.state != State::Running; });
        tasks.resize(std::min(tasks.size(), mostLogsRead));
    }
    if (values.stop) {
        return stopForwards(session, job, wanted, tasks, values.json);
    }
    if (!wanted.port.isEmpty() && !values.list) {
        return forwardNamed(session, job, wanted, tasks, values);
    }
    const Result<QList<OfferedPort>> ports = portsOfTasks(session, job, tasks, wanted.port);
    if (!ports) {
        return report(ports.error());
    }
    printList(wanted.port.isEmpty() ? *ports : portsMeant(*ports, wanted.port), job, values.json);
    return exitOk;
}

const CommandLine<ForwardValues> &forwardLine()
{
    static const CommandLine<ForwardValues> line
        = CommandLine<ForwardValues>(u"forward"_s, tr("Reach a port of a running task from this computer"))
              .runs(runForward, {u"JOB [ROLE/INDEX] [PORT | LABEL]"_s, 1, 3, Word::Job, whichJob()})
              .text(tr("Forwards a port of a running task to this computer, through the connection that the engine has "
                       "to its host, and prints the address for a browser. PORT is a number, LABEL one of the ports "
                       "of the job or a program that its output names, such as tensorboard, jupyter or vllm. Without "
                       "a port, it lists what is found."))
              .option(u"--local PORT"_s, &ForwardValues::local,
                  tr("listen on this port of this computer; by default on the same number or, if it is in use, on the "
                     "next one that is free"),
                  wholeNumber(1))
              .option(u"--stop"_s, &ForwardValues::stop, tr("stop forwarding PORT, or all ports of the task or job"))
              .option(u"--list"_s, &ForwardValues::list,
                  tr("list the ports, even if one is named, and the address of each or that it is not forwarded"))
              .option(jsonOption(), &ForwardValues::json)
              .exclusive(&ForwardValues::stop, &ForwardValues::list)
              .more(tr("The port can be reached from this computer only (127.0.0.1), by all its users. It stays the "
                       "same when the connection to the host is lost and comes back. It ends with the task, or with "
                       "the engine. Tasks on this computer need no forward: their address is printed as it is."))
              .examples({u"trainyardctl forward 41"_s, u"trainyardctl forward 41 tensorboard"_s,
                  u"trainyardctl forward 41 worker/0 8888 --local 9000"_s, u"trainyardctl forward 41 --stop"_s})
              .exits({{exitOk, tr("ok")}, {exitUnusable, tr("no such job, task or port, or wrong usage")},
                  {exitNoEngine, tr("no engine")},
                  {exitRefused,
                      tr("the task is not running, the port of this computer is in use, or nothing was "
                         "forwarded")}});
    return line;
}

} // namespace

Command forwardCommand() { return forwardLine().command(); }

} // namespace trainyard::cli
