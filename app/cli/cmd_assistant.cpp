// SPDX-License-Identifier: GPL-3.0-or-later
// The actions of an assistant's server: the engine accepts these only from such a server.
#include "app/cli/commandline.h"
#include "app/cli/console.h"
#include "app/cli/jobcommands.h"
#include "app/cli/session.h"
#include "app/cli/submission.h"
#include "engine/api/valuejson.h"

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

struct AssistantValues {
    QStringList words, parameters;
    QString on;
    std::optional<QString> work;
};

template <typename Reply> int sayReply(const Result<Reply> &reply)
{
    if (!reply) {
        return report(reply.error());
    }
    outJson(QJsonDocument(valuejson::toValue(*reply).toObject()));
    return exitOk;
}

int runAssistantPropose(const AssistantValues &values)
{
    Submission submission;
    for (const QString &word : values.parameters) {
        submission.request.parameters.insert(word.section(u'=', 0, 0), word.section(u'=', 1));
    }
    SubmissionWords words;
    words.file = values.words.constFirst();
    words.on = values.on;
    words.work = values.work;
    if (const int status = readSubmission(u"assistant"_s, words, submission); status != exitOk) {
        return status;
    }
    Session session;
    if (const int status = session.connect(EngineClient::Start::IfNeeded); status != exitOk) {
        return status;
    }
    const Result<api::Proposal> proposed = session.call<api::ProposeJob>(submission.request);
    return proposed ? sayReply(proposed) : reportRefusal(session, submission, proposed.error());
}

int runAssistantProposal(const AssistantValues &values)
{
    Session session;
    if (const int status = session.connect(EngineClient::Start::IfNeeded); status != exitOk) {
        return status;
    }
    return sayReply(session.call<api::GetProposal>({values.words.constFirst()}));
}

int runAssistantSubmit(const AssistantValues &values)
{
    Session session;
    if (const int status = session.connect(EngineClient::Start::IfNeeded); status != exitOk) {
        return status;
    }
    return sayReply(session.call<api::SubmitProposal>({values.words.constFirst(), values.words.constLast()}));
}

int runAssistantStop(const AssistantValues &values)
{
    Session session;
    JobSummary job;
    if (const int status = session.connectFor(values.words.constFirst(), job); status != exitOk) {
        return status;
    }
    return sayReply(session.call<api::ProposeStop>({job.uuid}));
}

} // namespace

Command assistantCommand()
{
    static const CommandLine<AssistantValues> line
        = CommandLine<AssistantValues>(u"assistant"_s, tr("Propose and submit jobs for an assistant"))
              .form(u"propose"_s, runAssistantPropose, {u"FILE"_s, 1, 1, Word::File, tr("Which file?")})
              .form(u"proposal"_s, runAssistantProposal, {u"ID"_s, 1, 1, Word::Other, tr("Which proposal?")})
              .form(u"submit"_s, runAssistantSubmit,
                  {u"ID DIGEST"_s, 2, 2, Word::Other, tr("Which proposal, and by which digest?")})
              .form(u"stop"_s, runAssistantStop, {u"JOB"_s, 1, 1, Word::Job, tr("Which job?")})
              .text(tr("'trainyardctl mcp --submit' starts this for its assistant. The engine refuses it from any "
                       "other program: 'trainyardctl run' and 'trainyardctl stop' are for people."))
              .option(u"--param NAME=VALUE"_s, &AssistantValues::parameters,
                  tr("the value of a parameter; may be repeated"))
              .of({u"propose"_s})
              .option(u"--on NAME"_s, &AssistantValues::on, tr("where the job is to run"))
              .of({u"propose"_s})
              .option(u"--work DIR"_s, &AssistantValues::work, tr("the folder in which its commands begin"))
              .of({u"propose"_s})
              .completes(Word::File)
              .examples({u"trainyardctl assistant propose train.pai.yaml"_s})
              .exits({{exitOk, tr("ok")}, {exitUnusable, tr("the input cannot be read, or wrong usage")},
                  {exitNoEngine, tr("no engine")}, {exitRefused, tr("refused, such as for lack of an approval")}});
    return line.command();
}

} // namespace trainyard::cli
