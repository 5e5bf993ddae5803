// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/backend/exitrulesfile.h"
#include "engine/contract/taskfolder.h"
#include "engine/core/exitclassifier.h"
#include "engine/core/next.h"
#include "engine/core/why/whyfailed.h"
#include "model/protocol/jobspec.h"
#include "model/template/unresolved.h"

#include <QObject>
#include <QThreadPool>

namespace trainyard
{

struct ActiveJob;

// What its record says of the end of a try, before that is judged: times, what it used, what it left.
core::event::TryEnded endByRecord(core::TaskRef task, const QUuid &tryUuid, const contract::ExitRecord &record);

// The names of the secrets that commands contain, each once.
QStringList secretsInCommands(const QStringList &commands);

// Explains a syntax error in the script that a task runs from memory because the values of secrets are in it, and an
// error of the shell or of a program about a word that is masked, which is then a part of a value: a value with
// characters that a shell reads as its own is the likely reason. The names are told, and nothing of the values.
// `takenApart`: those that a shell takes apart where they stand; others are masked as a whole.
FailureFacts blamingSecrets(FailureFacts facts, const QStringList &secrets, const QStringList &takenApart);

// Explains an error of the shell by a reference that stands in the commands because it refers to nothing: bash takes <%
// $parameters.x %> for redirections and a variable. What the reference names is told then.
FailureFacts blamingReferences(FailureFacts facts, const QList<UnresolvedReference> &references);

// The variables that the task did not get, as its runtime log names them.
QStringList leftOutVariables(const QByteArray &runtimeLog);
// Explains an error that names one of these variables: a KeyError, a variable of the shell that is not set, words of
// the program.
FailureFacts blamingLeftOut(FailureFacts facts, const QStringList &variables);

// Names the commands that may have caused a failure without a message.
FailureFacts suspecting(FailureFacts facts, const QStringList &silent);

// Explains an error of git in a copy of the work folder, which has no .git, and a file that is missing there although
// `work`, the folder that was copied, has it: it is one of those that are not copied. Waits for the disk.
FailureFacts blamingCopy(FailureFacts facts, bool worksInCopy, const QString &work);

// What the end of a try means, by the exit rules and by what its output says. A long output is read on a thread of its
// own; the answer comes then.
class ExitJudge : public QObject
{
    Q_OBJECT
public:
    explicit ExitJudge(ExitRulesFile &rules);
    ~ExitJudge() override;
    // What is known of a try beside its end.
    struct About {
        QString host;
        QString log; // the folder with its output; empty when that says nothing
        bool isLogElsewhere = false; // still on its host: what it says is not known, and no longer waited for
        bool upstreamOrder = false;
        bool worksInCopy = false; // of the work folder
        QString work = {}; // that folder, on this computer
        core::UsedMemory memory = {};
        QStringList secrets = {}; // names of those that the commands contain and whose values a shell may misread
        QStringList secretsOfSteps = {}; // of those that the commands of prerequisites contain
        QStringList takenApart = {}, takenApartOfSteps = {}; // of these, those that a shell takes apart there
        QList<UnresolvedReference> unresolved = {}; // that stay in the commands
        QStringList silent = {}; // commands that may end it with status 1 and without a message
    };
    // What the text of its job says of a task. `log` as above.
    static About aboutTask(const ActiveJob &job, core::TaskRef task, const QString &host, const QString &log);
    // `event`: the end, without its result.
    void judge(const core::event::TryEnded &event, const contract::ExitRecord &record, const About &about);

Q_SIGNALS:
    void judged(const trainyard::core::event::TryEnded &event);
    void gpuBusy(const QString &host, const QString &uuid); // its keeper found that another process has it
    void gpusLost(const QString &host, const QStringList &uuids); // fell off the bus while it ran

private:
    ExitRulesFile &m_rules;
    QThreadPool m_threads; // few, so that few such outputs are in memory
};

} // namespace trainyard
