// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/findings.h"
#include "app/cli/session.h"
#include "engine/client/cataloguefolder.h"

namespace trainyard::cli
{

// The options of a command line about running a job, in the words of the user.
struct SubmissionWords {
    QString file; // "-": standard input
    // A job that is run again: its text counts, and not that of its file, which is only where it works.
    struct Former {
        qint64 id = 0;
        QByteArray text;
    };
    std::optional<Former> former = {};
    QStringList variables, after, secrets, tags;
    QString on, name, in, catalog;
    std::optional<QString> work;
    std::optional<qint64> priority;
    bool strict = false;
    bool withSecrets = true; // false: their names are checked, and the user is not asked for values
};

// The options that every command has whose job may run in any way: its values have members of these names.
template <typename Values> SubmissionWords submissionWords(const Values &values)
{
    SubmissionWords words;
    words.file = values.words.value(0);
    words.variables = values.variables;
    words.after = values.after;
    words.secrets = values.secrets;
    words.tags = values.tags;
    words.on = values.on;
    words.name = values.name;
    words.in = values.in;
    words.catalog = values.catalog;
    words.work = values.work;
    words.priority = values.priority;
    words.strict = values.strict;
    return words;
}

// Reads NAME=VALUE of the option. Returns 0, or the exit status after saying what is wrong.
int readParameters(
    const QString &command, const QString &option, const QStringList &words, QMap<QString, QString> &parameters);

// A job that can be submitted.
struct Submission {
    QString file; // as messages call it
    qint64 former = 0; // the job that is run again; 0: none
    // The words of the command that rehearses it, without a limit of GPUs. Empty: it is not a rehearsal.
    QStringList rehearse = {};
    SubmitRequest request;
    CheckedFile checked;
};

// Reads the file and fills in the request; the parameters of `submission` are checked against those of the job. Returns
// 0, or the exit status after reporting what is wrong.
int readSubmission(const QString &command, const SubmissionWords &words, Submission &submission);

// Submits it. An engine that was lost before it answered may have the job or not: it is asked again with the key of the
// request, so that there is one job in any case. Missing secrets are asked for on the terminal, and stay in the
// request. Once there is a job, Ctrl+C is kept (Session::keepInterrupts) for the code that says that the job continues.
struct Submitting {
    Result<SubmitReply> reply;
    bool wasLost = false; // the engine, at least once
    bool isInterrupted = false; // Ctrl+C, and the engine has not answered: whether it has the job is not known
};
Submitting submitUntilKnown(Session &session, Submission &job, const QString &progress);
// Reports why a job was not taken in: what is wrong with its text, or what would help. Returns the exit status.
int reportRefusal(Session &session, const Submission &submission, const Error &error);

} // namespace trainyard::cli
