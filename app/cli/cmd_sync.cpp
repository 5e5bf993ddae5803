// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"
#include "app/cli/console.h"
#include "app/cli/copyquestion.h"
#include "app/cli/hostcommand.h"
#include "app/cli/hostwait.h"
#include "app/cli/jobcommands.h"
#include "app/cli/session.h"
#include "app/cli/syncprint.h"
#include "app/cli/useofhost.h"
#include "app/cli/watch.h"
#include "app/cli/words.h"
#include "model/protocol/jobdocument.h"
#include "model/template/pluginsteps.h"
#include "widgets/text/formats.h"
#include "widgets/text/hosttexts.h"
#include "widgets/text/texts.h"

#include <QDir>
#include <QEventLoop>
#include <QFileInfo>
#include <QUuid>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

struct SyncValues {
    QStringList words;
    std::optional<QString> allow, refuse; // jobs
    QString on;
    bool dryRun = false, yes = false, json = false;
};
const CommandLine<SyncValues> &syncLine();

struct WorkPlace {
    QString folder;
    QString without; // the job, if it has secrets
};

int readWorkPlace(const QString &word, WorkPlace &place)
{
    const QFileInfo named(word);
    if (!named.isFile()) {
        place.folder = QDir::cleanPath(named.absoluteFilePath());
        return exitOk;
    }
    const Result<QByteArray> bytes = readInput(word);
    if (!bytes) {
        return report(bytes.error());
    }
    const ParseOutcome outcome = parseJob(*bytes);
    if (!outcome.spec) {
        errorLine(tr("%1 is not a job that can be read. 'trainyardctl check %1' says why; a FOLDER is copied without "
                     "a job.")
                      .arg(word));
        return exitUnusable;
    }
    const JobSpec &spec = *outcome.spec;
    const QString own = spec.trainyard.work;
    if (!copiesWork(spec) || own.startsWith("~/"_L1)) {
        errorLine(!copiesWork(spec)
                ? tr("The job wants no copy of its work folder (extras.trainyard.copyWork).")
                : tr("The work folder of the job, %1, is each host's own, so nothing is copied.").arg(own));
        return exitRefused;
    }
    place.folder
        = own.isEmpty() ? named.absolutePath() : QDir::cleanPath(QDir(named.absolutePath()).absoluteFilePath(own));
    const Value::Map *secrets = spec.secrets.asMap();
    place.without = secrets && !secrets->isEmpty() ? named.absoluteFilePath() : QString();
    return exitOk;
}

// Nothing: Ctrl+C. The engine ends the copy when the session goes.
std::optional<Result<api::FolderSynced>> syncUntilDone(Session &session, const api::FolderToSync &wanted)
{
    constexpr int lookMs = 300;
    Progress progress(tr("Reading the files of %1 ...").arg(wanted.folder));
    const Interrupts interrupts;
    QEventLoop loop;
    QTimer look;
    std::optional<Result<api::FolderSynced>> answer;
    QObject::connect(&interrupts, &Interrupts::pressed, &loop, &QEventLoop::quit);
    QObject::connect(&look, &QTimer::timeout, &loop, [&] {
        session.client().call<api::GetSyncProgress>({wanted.id}, &loop, [&](const Result<api::SyncProgress> &now) {
            if (now && now->ofBytes > 0) {
                progress.setText(tr("Copying to %1: %2 of %3 ...")
                                     .arg(wanted.host, formatBytes(now->bytes), formatBytes(now->ofBytes)));
            }
        });
    });
    session.client().call<api::SyncCode>(wanted, &loop, [&](const Result<api::FolderSynced> &result) {
        answer = result;
        loop.quit();
    });
    look.start(lookMs);
    if (!answer) {
        loop.exec();
    }
    return answer;
}

// Ends with 0 when the host is there; an engine that has just started connects it first.
int reachHost(Session &session, const QString &id)
{
    if (hostNamed(session, id).id.isEmpty()) {
        return reportOfHost(session, {u"host.unknown"_s, {{u"host"_s, id}}});
    }
    std::optional<HostInfo> host = waitForHost(session, id);
    // ssh asks people only about hosts that are needed, as this one is now.
    const bool mayAsk = host && host->state == HostState::NeedsLogin && hasTerminal();
    if (mayAsk && session.call<api::CheckHost>({id})) {
        host = waitForHost(session, id);
    }
    if (host && host->state == HostState::Online) {
        return exitOk;
    }
    errorLine(host
            ? tr("%1 is not usable (%2). %3").arg(id, hostStateWord(*host), reasonText(host->error, host->errorArgs))
            : tr("%1 has not answered yet; 'trainyardctl hosts check %1' says more.").arg(id));
    return exitNoEngine;
}

// What has arrived on the host stays there, so another engine continues when this one is lost.
std::optional<Result<api::FolderSynced>> syncOverLosses(Session &session, const api::FolderToSync &wanted)
{
    for (int lost = 1;; ++lost) {
        std::optional<Result<api::FolderSynced>> done = syncUntilDone(session, wanted);
        const bool isLost = done && !*done && done->error().code == "engine.gone"_L1;
        if (!isLost || lost >= EngineClient::mostLosses || !session.isThereAgain()
            || reachHost(session, wanted.host) != exitOk) {
            return done;
        }
    }
}

int syncFolder(const SyncValues &values)
{
    WorkPlace place;
    if (const int status = readWorkPlace(values.words.value(0, u"."_s), place); status != exitOk) {
        return status;
    }
    const Result<CodeFiles> code = codeFilesOf(place.folder, {0, 0, place.without});
    if (!code) {
        report(code.error());
        return exitUnusable;
    }
    const QList<LeftOut> left = values.dryRun || values.json ? leftOutOf(*code, place.without) : QList<LeftOut>();
    if (!values.json) {
        printFolder(*code);
    }
    if (!values.json && values.dryRun) {
        printLeftOut(left);
    }
    Session session;
    session.client().setAnswersQuestions(hasTerminal());
    if (const int status = session.connect(EngineClient::Start::IfNeeded); status != exitOk) {
        return status;
    }
    if (const int status = reachHost(session, values.on); status != exitOk) {
        return status;
    }
    api::FolderToSync wanted{QUuid::createUuid().toString(QUuid::WithoutBraces), values.on, place.folder, place.without,
        values.yes, values.dryRun};
    std::optional<Result<api::FolderSynced>> done = syncOverLosses(session, wanted);
    if (done && !*done && done->error().code == "code.too-big"_L1) {
        if (values.json || !CopyAsker::canAsk()) {
            const int status = report(done->error());
            errorLine(tr("%1 copies it anyway.").arg(syncLine().name(&SyncValues::yes)));
            return status;
        }
        plainErrorLine(errorText(done->error()));
        const std::optional<QString> said = askOnTerminal(tr("Copy it anyway? [y/N] "), true);
        if (!said || !isYes(*said)) {
            return said ? exitRefused : exitInterrupted;
        }
        wanted.isAllowed = true;
        done = syncOverLosses(session, wanted);
    }
    if (!done) {
        errorLine(tr("Cancelled. Whole files that have arrived on %1 stay there, and are not sent again the next time.")
                      .arg(values.on));
        return exitInterrupted;
    }
    if (!*done) {
        return report(done->error());
    }
    if (values.json) {
        outJson(QJsonDocument(withHostJson(syncJson(*code, left), values.on, **done, values.dryRun)));
    } else {
        printSynced(values.on, **done, values.dryRun);
    }
    return exitOk;
}

int answerJob(const QString &word, bool isCopied, bool json)
{
    Session session;
    JobSummary job;
    if (const int status = session.connectFor(word, job); status != exitOk) {
        return status;
    }
    const Result<bool> answered = session.call<api::AnswerCopy>({job.uuid, isCopied});
    if (!answered) {
        return report(answered.error());
    }
    if (json) {
        outJson(QJsonDocument(
            QJsonObject{{u"job"_s, job.id}, {u"name"_s, job.name}, {u"uuid"_s, job.uuid}, {u"copied"_s, isCopied}}));
    } else {
        outLine(isCopied ? tr("The work folder of %1 is copied.").arg(jobTitle(job))
                         : tr("The work folder of %1 is not copied, and the job fails.").arg(jobTitle(job)));
    }
    return exitOk;
}

int runSync(const SyncValues &values)
{
    const std::optional<QString> &answered = values.allow ? values.allow : values.refuse;
    if (answered && (!values.words.isEmpty() || !values.on.isEmpty() || values.dryRun || values.yes)) {
        return syncLine().wrongUsage(
            tr("%1 and %2 go with a JOB and nothing else.")
                .arg(syncLine().name(&SyncValues::allow), syncLine().name(&SyncValues::refuse)));
    }
    if (answered) {
        return answerJob(*answered, values.allow.has_value(), values.json);
    }
    if (values.on.isEmpty()) {
        return syncLine().wrongUsage(tr("To which host? Name it with %1.").arg(syncLine().name(&SyncValues::on)));
    }
    return syncFolder(values);
}

const CommandLine<SyncValues> &syncLine()
{
    static const CommandLine<SyncValues> line
        = CommandLine<SyncValues>(u"sync"_s, tr("Copy the code of a work folder to a host ahead of a job"))
              .runs(runSync, {u"[FOLDER|FILE]"_s, 0, 1, Word::File, tr("the work folder, or a job")})
              .text(
                  tr("Copies the files that are copied with a job (see 'code') to a host now, so that a job with this "
                     "work folder starts there at once. For FILE, a job, these are the files of its work folder. Files "
                     "that the host has are not sent again. Ctrl+C ends the copy, and the next one sends the files "
                     "that have not arrived whole."))
              .option(u"--on HOST"_s, &SyncValues::on, tr("the host, as 'hosts list' names it"))
              .option(u"--dry-run"_s, &SyncValues::dryRun,
                  tr("copy nothing; show what would be copied, what stays here and why, and what the host lacks"))
              .option(u"--yes"_s, &SyncValues::yes,
                  tr("copy the folder even if it is larger than the settings code.maxMiB and code.maxFiles say; its "
                     "jobs no longer ask either, until it has doubled in size"))
              .option(u"--allow JOB"_s, &SyncValues::allow,
                  tr("copy the large work folder of a job that waits for this answer, now and at its next jobs"))
              .completes(Word::Job)
              .option(u"--refuse JOB"_s, &SyncValues::refuse, tr("do not copy it; the job fails"))
              .completes(Word::Job)
              .option(u"--json"_s, &SyncValues::json,
                  tr("print a JSON object: folder, host, bytes, files, git (whether git names the files), biggest, "
                     "leftOut (path, bytes, files, isWhole, by), shared (the host has the folder itself), sentBytes, "
                     "with --dry-run instead missing (bytes, files). With --allow and --refuse: job, name, uuid, "
                     "copied"))
              .exclusive(&SyncValues::allow, &SyncValues::refuse)
              .examples({u"trainyardctl sync --on lab1"_s, u"trainyardctl sync ~/project --on lab1 --dry-run"_s,
                  u"trainyardctl sync --allow 41"_s})
              .exits({{exitOk, tr("the host has it, or the answer was given")},
                  {exitUnusable, tr("no such folder, file or job, or wrong usage")},
                  {exitNoEngine, tr("no engine or host")},
                  {exitRefused, tr("the folder is too large or is never copied, or the job does not ask")},
                  {exitInterrupted, tr("interrupted with Ctrl+C")}});
    return line;
}

} // namespace

Command syncCommand() { return syncLine().command(); }

} // namespace trainyard::cli
