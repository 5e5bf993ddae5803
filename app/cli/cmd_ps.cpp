// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/console.h"
#include "app/cli/jobcommands.h"
#include "app/cli/jobtable.h"
#include "app/cli/leftfolders.h"
#include "app/cli/session.h"
#include "engine/api/openpaijson.h"
#include "widgets/text/columns.h"
#include "widgets/text/formats.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QJsonArray>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

constexpr int page = 1000;
constexpr int finalShown = 20; // without --all, besides the active ones

QString tr(const char *text) { return QCoreApplication::translate("trainyardctl", text); }

Result<QList<JobSummary>> readAll(Session &session, const QString &filter)
{
    QList<JobSummary> all;
    for (;;) {
        const Result<QList<JobSummary>> jobs = session.ask<QList<JobSummary>>(
            [&](auto reply) {
                session.client().listJobs(
                    filter, all.isEmpty() ? 0 : all.constLast().id, page, session.context(), reply);
            },
            tr("Reading the jobs ..."));
        if (!jobs) {
            return jobs;
        }
        all += *jobs;
        if (jobs->size() < page) {
            return all;
        }
    }
}

void print(const QList<JobSummary> &jobs)
{
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    QList<QStringList> rows{
        {tr("ID"), tr("NAME"), tr("STATE"), tr("TASKS"), tr("TIME"), tr("SUBMITTED"), tr("HOST"), tr("WHY")}};
    for (const JobSummary &job : jobs) {
        const QString tasks = isFinal(job.state) ? QString::number(job.totalTasks)
                                                 : u"%1/%2"_s.arg(job.counts.running).arg(job.totalTasks);
        rows.append({QString::number(job.id), job.name, stateWord(job.state), tasks,
            elapsed(job.countedFrom(), job.completed, now), formatTime(job.submitted, now), job.hosts.join(u','),
            job.state == State::Succeeded ? QString() : whyText(job)});
    }
    const QStringList lines = alignedRows(rows);
    for (qsizetype i = 0; i < lines.size(); ++i) {
        if (i == 0) {
            outLine(paint(Colour::Bold, lines.at(i)));
            continue;
        }
        const JobSummary &job = jobs.at(i - 1);
        const QString word = stateWord(job.state);
        QString line = lines.at(i);
        // Behind the name, which may hold the same word.
        const qsizetype at = line.indexOf(word, line.indexOf(job.name) + job.name.size());
        outLine(line.replace(at, word.size(), paint(stateColour(job.state), word)));
    }
}

// No job at all, where jobs have run: their store is not the one that it was.
bool tellOfLeftFolders(Session &session)
{
    const Result<EngineStatus> status
        = session.ask<EngineStatus>([&](auto reply) { session.client().engineStatus(session.context(), reply); });
    const QStringList lines
        = status ? leftFolderLines(leftFolders(session, status->stateFolder), status->stateFolder) : QStringList();
    for (const QString &line : lines) {
        errorLine(line);
    }
    return !lines.isEmpty();
}

int run(const QStringList &arguments)
{
    QCommandLineParser parser;
    parser.addOptions({{{u"a"_s, u"all"_s}, {}}, {u"json"_s, {}}});
    if (!parse(parser, u"ps"_s, arguments)) {
        return exitUnusable;
    }
    if (parser.positionalArguments().size() > 1) {
        return usageError(u"ps"_s, tr("Give one FILTER, in quotes if it has blanks."));
    }
    Session session;
    if (const int status = session.connect(EngineClient::Start::IfNeeded); status != exitOk) {
        return status;
    }
    const QString filter = parser.positionalArguments().value(0);
    QList<JobSummary> jobs;
    if (parser.isSet(u"all"_s) || !filter.isEmpty()) {
        const Result<QList<JobSummary>> all = readAll(session, filter);
        if (!all) {
            return report(all.error());
        }
        jobs = *all;
    } else {
        int finals = 0;
        const QList<JobSummary> known = session.client().jobs();
        for (const JobSummary &job : known) {
            if (!isFinal(job.state) || ++finals <= finalShown) {
                jobs.append(job);
            }
        }
    }
    if (parser.isSet(u"json"_s)) {
        QJsonArray array;
        for (const JobSummary &job : std::as_const(jobs)) {
            array.append(openpai::toListEntry(job));
        }
        outJson(QJsonDocument(array));
    } else if (!jobs.isEmpty()) {
        print(jobs);
    } else if (filter.isEmpty() && tellOfLeftFolders(session)) {
        return exitOk;
    } else if (stderrIsTerminal()) {
        errorLine(filter.isEmpty() ? tr("There are no jobs. 'trainyardctl run FILE' starts one.")
                                   : tr("No job matches '%1'.").arg(filter));
    }
    return exitOk;
}

} // namespace

Command psCommand()
{
    return {u"ps"_s, tr("List jobs, newest first"),
        tr("ps [--all] [--json] [FILTER]\n\n"
           "Lists the jobs that are not over and the newest 20 that are; newest first. TIME is that of the newest\n"
           "attempt.\n\n"
           "  -a, --all  all jobs there are\n"
           "  --json     an array in the field names of OpenPAI's API, with id, uuid and host\n"
           "  FILTER     a text in name, number or UUID, or state:running and the like (of all jobs)\n\n"
           "Examples:\n"
           "  trainyardctl ps\n"
           "  trainyardctl ps --all --json | jq '.[] | select(.state == \"FAILED\") | .name'\n\n"
           "Exit status: 0 ok; 2 wrong usage; 3 no engine."),
        run};
}

} // namespace trainyard::cli
