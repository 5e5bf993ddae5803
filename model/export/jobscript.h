// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/export/jobexport.h"

#include <QHash>
#include <QSet>

#include <limits>

// The bash text that all exports have in common. Internal to model/export.
namespace trainyard::exporting
{

// The variables that replace the references to secrets in the texts of a job.
class SecretNames
{
public:
    explicit SecretNames(const JobSpec &job) : m_job(job) { }
    // The variable for "$secrets.token": SECRET_TOKEN. Nothing if the reference is not to a secret of the job.
    std::optional<QString> variable(const QString &key);
    QStringList all() const { return m_all; }
    QStringList keys() const { return m_keys; } // of the same

private:
    const JobSpec &m_job;
    QHash<QString, QString> m_variables; // by key
    QStringList m_all, m_keys;
};

// A function that prints the text with the values of secrets in it, and nothing else.
QByteArray textFunction(const QByteArray &name, const QString &text, SecretNames &secrets);

// The starter of a script's tasks: the script itself, on one machine or as steps of Slurm, or another program.
enum class Starter { Machine, Slurm, Other };

// What a script has to do, in the words that the parts of scripts have for it:
//   secrets, steps (of prerequisites), environment (variables of the job), images (with the starters Machine and Slurm)
//   retries, job-retries, task-retries      the first: either of the others
//   many, rules                             not one task; when the job is over is more than the end of its only task
//   gpus, stop-file                         tasks are asked to stop by a file
using ScriptNeeds = QSet<QByteArray>;
ScriptNeeds needsOf(const JobSpec &job, Starter starter);
// How often a task of the role is tried again.
qint64 taskRetriesOf(const JobSpec &job, const TaskRole &role);

// The text without what is not needed: lines between "#@if WORD" or "#@if !WORD" and "#@end", which do not nest.
QByteArray neededLines(const QByteArray &text, const ScriptNeeds &needs);

// The settings and the texts of a job as functions and arrays of bash, and what they lack.
struct JobScript {
    QByteArray text;
    ScriptNeeds needs;
    QStringList secrets;
    QStringList secretKeys; // the references that they replace: "$secrets.token"
    QList<ExportNote> notes;
    Exported begun() const { return {{}, notes, secrets}; } // a writer adds its text and its own notes
};
Result<JobScript> jobScript(const JobSpec &job, Starter starter);

// The image of a role; empty when it has none.
QString imageOf(const JobSpec &job, const TaskRole &role);
// For systems whose tasks run in containers only: fails with "export.no-image" or "export.no-images", which name each
// of these roles without one.
Result<void> imagesOf(const JobSpec &job, const QList<qsizetype> &roles);
// The same of all roles.
Result<void> imagesOf(const JobSpec &job);
qint64 taskCount(const JobSpec &job);

// A part that is the same in every script: "task", "run", "member".
QByteArray scriptPart(const QString &name, const ScriptNeeds &needs);
// The folders of a script that starts the tasks itself, as assignments of RUN_FOLDER, WORK_FOLDER and so on. `base` and
// `unique` are words of bash: the folder in which it was called, and a part that distinguishes runs.
struct ScriptPlace {
    QByteArray base, unique;
    bool apptainer = false;
};
QByteArray folderSettings(const JobSpec &job, const ScriptPlace &place, const ScriptNeeds &needs);
// The name of the job as files and other systems take it: letters, digits, '-' and '_'.
QByteArray plainName(const JobSpec &job);
bool usesApptainer(const JobSpec &job, const ExportOptions &options);
// Notes that the tasks, which the job allows to start one by one as there is room for them, start together.
void noteGang(QList<ExportNote> &notes, const JobSpec &job);
// Notes the roles whose images are not used.
void noteUnusedImages(QList<ExportNote> &notes, const JobSpec &job);
// A script that runs one task where something else starts the tasks: its argument is the number of the task in the job.
// `settings` are lines of bash that set the array ADDRESSES, and what else differs.
QByteArray memberScript(const JobSpec &job, const JobScript &script, const QByteArray &settings);
// A name of lower-case letters, digits and '-', as most of these systems want it.
QString dashedName(const QString &name);
// The same for each task role, with unique names. Names longer than `most` are cut, and a distinguishing part is added.
QStringList dashedRoles(const JobSpec &job, qsizetype most = std::numeric_limits<qsizetype>::max());
// The name, cut after `most` characters.
QString cutName(const QString &dashed, qsizetype most);
// Notes what systems lack that only start tasks and keep no rules about them.
void noteUnruled(QList<ExportNote> &notes, const JobSpec &job);
// The handling of a script's arguments: --commands, --task, and `main` without one.
QByteArray dispatch(const QByteArray &main, const ScriptNeeds &needs);

// The first lines of the comments: which job this is.
QString readmeHead(const JobSpec &job);
// Each line as a comment, broken at about 100 columns. A text cannot end its comment.
QByteArray commented(const QString &text);
// The comments at the beginning of an export, which keeps `head`: how it is run, and then the notes.
QByteArray headComment(Exported &exported, const QString &head, const ExportOptions &options);
// The notes, with a line above that says what they are.
QStringList notesLines(const QList<ExportNote> &notes, const ExportOptions &options);
// How values of secrets are given: by environment variables where they reach the tasks, or by a file. Empty without
// secrets.
QString secretsHelp(const JobSpec &job, const QStringList &secrets, bool byEnvironment);

// Notes that several targets share: of fields that the starter of the tasks does not have, and of task roles.
void noteFields(QList<ExportNote> &notes, const JobSpec &job, Starter starter);
// Whether an allocation of Slurm distributes the tasks of a role over nodes as the role's rule says: `same-host` and
// `different-hosts` of a role whose resources no other role asks for.
bool isArrangedBySlurm(const JobSpec &job, const TaskRole &role);
// The note that scripts of the job are missing because the other system has no work folder of the user.
void noteWorkFolder(QList<ExportNote> &notes, const JobSpec &job, const QString &code);
void noteRoles(QList<ExportNote> &notes, const JobSpec &job, bool completion, bool logins);

// One writer for each target.
Result<Exported> bashExport(const JobSpec &job, const JobScript &script, const ExportOptions &options);
Result<Exported> sbatchExport(const JobSpec &job, const JobScript &script, const ExportOptions &options);
Result<Exported> composeExport(const JobSpec &job, const JobScript &script, const ExportOptions &options);
Result<Exported> jobSetExport(const JobSpec &job, const JobScript &script, const ExportOptions &options);
Result<Exported> skyPilotExport(const JobSpec &job, const JobScript &script, const ExportOptions &options);
Result<Exported> dstackExport(const JobSpec &job, const JobScript &script, const ExportOptions &options);

} // namespace trainyard::exporting
