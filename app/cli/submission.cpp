// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/submission.h"

#include "app/cli/clustertoken.h"
#include "app/cli/console.h"
#include "app/cli/names.h"
#include "app/cli/secrets.h"
#include "app/cli/sharedoptions.h"
#include "app/cli/strictjob.h"
#include "app/cli/useofhost.h"
#include "app/cli/words.h"
#include "engine/client/datafindings.h"
#include "model/base/shellquote.h"
#include "model/import/batchusage.h"
#include "model/protocol/jobname.h"
#include "model/protocol/variablename.h"
#include "model/runtime/rehearsal.h"
#include "model/yaml/yamledit.h"
#include "widgets/text/rehearsaltexts.h"
#include "widgets/text/texts.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

QStringList editingWords(const QJsonArray &edits)
{
    QStringList words;
    for (const QJsonValue &edit : edits) {
        words.append(u"--set "_s + shellWord(edit[u"path"].toString() + u'=' + edit[u"value"].toString()));
    }
    return words;
}

// The file stays as it is, since the whole job is submitted elsewhere: only the rehearsal asks for less.
void sayRehearsalFix(const Submission &submission, const QJsonArray &edits)
{
    QStringList command = submission.rehearse;
    if (const std::optional<qint64> gpus = gpusThatFit(edits)) {
        command.append({u"--gpus"_s, QString::number(*gpus)});
        errorLine(tr("With fewer GPUs, the rehearsal fits here: %1").arg(shellWords(command)));
        return;
    }
    command.replace(command.indexOf(submission.file), u"-"_s);
    const QStringList changed{u"trainyardctl edit"_s, shellWord(submission.file), editingWords(edits).join(u' ')};
    errorLine(
        tr("A rehearsal can lower only the number of GPUs. A changed copy of the job fits here, and 'trainyardctl "
           "promote' then submits that copy: %1")
            .arg(QString(changed.join(u' ') + u" | "_s + shellWords(command))));
}

// When a job asks for more than there is, names the command that would run.
void sayFix(const Submission &submission, const Error &error)
{
    const QString &file = submission.file;
    const QString text = refusalFixText(error);
    if (text.isEmpty()) {
        return;
    }
    const QJsonArray edits = error.args.value("fix"_L1).toArray();
    if (!submission.rehearse.isEmpty()) {
        sayRehearsalFix(submission, edits);
        return;
    }
    QStringList words{u"trainyardctl edit"_s, file == "-"_L1 ? file : u"-i "_s + shellWord(file)};
    if (submission.former > 0) {
        words = QStringList{u"trainyardctl show %1 --yaml | trainyardctl edit -"_s.arg(submission.former)};
    }
    words += editingWords(edits);
    errorLine(tr("%1, and it fits here: %2").arg(text, words.join(u' ')));
}

// A value that is written into the job is shown and kept with it. A number, a truth value or a path is none.
void sayIfSecret(const QString &name, const QString &value)
{
    static const QRegularExpression harmless(u"\\A(?:[\\d.+-]+|true|false|yes|no|on|off|none|[~/.].*)?\\z"_s,
        QRegularExpression::CaseInsensitiveOption | QRegularExpression::DotMatchesEverythingOption);
    if (batch::looksSecret(name, value) || (batch::isNameOfSecret(name) && !harmless.match(value).hasMatch())) {
        errorLine(tr(
            "The value of %1 looks like a secret, and is now in the text of the job, where everyone who gets the job "
            "can read it. Make it a secret of the job: write 'secrets: {%2: \"******\"}' into the job, refer to it in "
            "the commands with <% $secrets.%2 %>, and give its value with %3 %2=@FILE or %3 %2=env:VARIABLE.")
                      .arg(name, name.toLower(), secretOption().shown()));
    }
}

// Environment variables of the command line become the job's own: it runs the same again, and the record shows them.
int addVariables(const QString &command, const QStringList &words, QByteArray &yaml)
{
    const bool isJob = words.isEmpty() || parseJob(yaml).canRun(); // else the engine says what is wrong with it
    for (const QString &word : words) {
        const QString name = word.section(u'=', 0, 0);
        if (!isVariableName(name)) {
            return usageError(command,
                tr("%1 takes NAME=VALUE, or the NAME of a variable of this shell, not '%2'. Names that begin with PAI_ "
                   "or TRAINYARD_ are reserved.")
                    .arg(environmentOption().shown(), word));
        }
        if (!word.contains(u'=') && !qEnvironmentVariableIsSet(name.toLatin1().constData())) {
            return usageError(command, tr("The variable %1 is not set in this shell.").arg(name));
        }
        const QString value
            = word.contains(u'=') ? word.section(u'=', 1) : qEnvironmentVariable(name.toLatin1().constData());
        if (!isJob) {
            continue;
        }
        const YamlPath place{u"extras"_s, u"trainyard"_s, u"variables"_s, name};
        const Result<TextEdits> edits = planEdit(YamlDocument::parse(yaml), edit::SetText{place, value});
        if (!edits) {
            return report(edits.error());
        }
        yaml = applyEdits(yaml, *edits);
        sayIfSecret(name, value);
    }
    return exitOk;
}

// On other machines the folder is another one, and a container has files of its own.
void addMissingScripts(const SubmissionWords &words, Submission &submission)
{
    const SubmitRequest &request = submission.request;
    const bool isHere = request.target.isEmpty() || request.target == "local"_L1;
    const bool isOnHost = request.runIn.isEmpty() || request.runIn == "host"_L1;
    ParseOutcome &outcome = submission.checked.outcome;
    if (!isHere || !isOnHost || words.former || !outcome.spec) {
        return;
    }
    const std::optional<QString> work = !request.work.isEmpty()
        ? std::optional(request.work)
        : workFolderOf(*outcome.spec, words.file == "-"_L1 ? QString() : QFileInfo(words.file).absolutePath());
    if (work) {
        addScriptFindings(outcome, *work);
    }
}

// After Ctrl+C an answer is waited for only so long; an engine that is well gives it before.
constexpr int answerPatienceMs = 1000;

} // namespace

int readParameters(
    const QString &command, const QString &option, const QStringList &words, QMap<QString, QString> &parameters)
{
    for (const QString &word : words) {
        const qsizetype equals = word.indexOf(u'=');
        if (equals <= 0) {
            return usageError(command, tr("%1 takes NAME=VALUE, not '%2'.").arg(option, word));
        }
        parameters.insert(word.left(equals), word.mid(equals + 1));
    }
    return exitOk;
}

int readSubmission(const QString &command, const SubmissionWords &words, Submission &submission)
{
    submission.file = words.former ? QString(u'#' + QString::number(words.former->id)) : words.file;
    submission.former = words.former ? words.former->id : 0;
    SubmitRequest &request = submission.request;
    request.name = words.name;
    request.target = words.on;
    request.runIn = words.in;
    if (words.work) {
        request.work = QDir::cleanPath(QDir::current().absoluteFilePath(*words.work));
    }
    if (words.priority) {
        request.priority = int(*words.priority);
    }
    request.after = words.after;
    request.tags = words.tags;
    const Result<QByteArray> bytes = words.former ? Result<QByteArray>(words.former->text) : readInput(words.file);
    if (!bytes) {
        const int status = report(bytes.error());
        sayIfJobWord(words.file);
        return status;
    }
    if (refuseOldJob(*bytes, submission.file) || refuseProgram(*bytes, submission.file)) {
        return exitRefused;
    }
    // Items of the catalogue are written into the job, so that it runs the same again and the record shows them.
    const CatalogueLookup catalogue = folderCatalogue(catalogueFolder(words.catalog));
    const Result<QByteArray> whole = catalogue ? withCatalogue(*bytes, catalogue) : bytes;
    if (!whole) {
        return report(whole.error());
    }
    submission.checked = checkedFile(submission.file, *bytes, catalogue, request.parameters.keys(), request.name);
    addMissingScripts(words, submission);
    request.yaml = withJobName(*whole, request.name);
    if (const int status = addVariables(command, words.variables, request.yaml); status != exitOk) {
        return status;
    }
    if (words.strict) {
        if (const int status = makeStrict(submission.file, catalogue, request.yaml); status != exitOk) {
            return status;
        }
    }
    if (words.former) {
        request.file = words.file;
    } else if (words.file != "-"_L1) {
        request.file = QFileInfo(words.file).absoluteFilePath();
    }
    QStringList hidden;
    for (const QString &word : words.secrets) {
        hidden.append(word.section(u'=', 0, 0));
    }
    if (const int status = refuseUnknownNames(command, request.yaml, request.parameters.keys(), hidden);
        status != exitOk) {
        return status;
    }
    for (const QString &word : words.withSecrets ? words.secrets : QStringList()) {
        if (const int status = readSecret(command, word, request.secrets); status != exitOk) {
            return status;
        }
    }
    return exitOk;
}

Submitting submitUntilKnown(Session &session, Submission &job, const QString &progress)
{
    SubmitRequest &request = job.request;
    int lost = 0;
    if (request.target.startsWith(openPaiKind + u':')) {
        handOverKeptToken(session, request.target);
    }
    for (;;) {
        session.keepInterrupts();
        const auto answer = session.callUntilInterrupted<api::Submit>(request, progress, answerPatienceMs);
        if (!answer) {
            return {fail(u"engine.submit-unanswered"_s), lost > 0, true};
        }
        const Result<SubmitReply> &reply = *answer;
        if (!reply && reply.error().code == "engine.submit-unknown"_L1 && ++lost < EngineClient::mostLosses) {
            continue;
        }
        if (!reply) {
            const bool isInterrupted = KeptInterrupts::arePending();
            session.letInterruptsEnd();
            const QMap<QString, QString> before = request.secrets;
            if (!isInterrupted && askForMissingSecrets(reply.error(), request.secrets)) {
                QMap<QString, QString> asked = request.secrets;
                asked.removeIf([&before](const auto &each) { return before.contains(each.key()); });
                sayOfGivenSecrets(job.checked, asked);
                continue;
            }
        }
        return {reply, lost > 0 || (!reply && reply.error().code == "engine.submit-unanswered"_L1)};
    }
}

int reportRefusal(Session &session, const Submission &submission, const Error &error)
{
    if (error.code == "job.invalid"_L1) {
        sayRefusedText(submission.checked, error);
        return exitRefused;
    }
    const int status = reportOfHost(session, submission.rehearse.isEmpty() ? error : refusedRehearsal(error));
    sayHowToGiveSecrets(error);
    sayFix(submission, error);
    return status;
}

} // namespace trainyard::cli
