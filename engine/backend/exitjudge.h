// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/backend/exitrulesfile.h"
#include "engine/contract/taskfolder.h"
#include "engine/core/exitclassifier.h"
#include "engine/core/next.h"
#include "engine/core/why/whyfailed.h"
#include "model/protocol/jobspec.h"
#include "model/template/scriptlines.h"
#include "model/template/unresolved.h"

#include <QObject>
#include <QThreadPool>

namespace trainyard
{

struct ActiveJob;

// The record of the end of a try before it is classified: times, resources used, remains.
core::event::TryEnded endByRecord(core::TaskRef task, const QUuid &tryUuid, const contract::ExitRecord &record);

// Classifies the end of a try by the exit rules and by its output. A long output is read on a separate thread, and the
// answer comes later.
class ExitJudge : public QObject
{
    Q_OBJECT
public:
    explicit ExitJudge(ExitRulesFile &rules);
    ~ExitJudge() override;
    // The data about a try in addition to its end.
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
        QList<ScriptLine> lines = {}; // of its commands
        QStringList silent = {}; // commands that may end it with status 1 and without a message
        QString onlyProgram = {}; // if its commands are no more than that
    };
    // The properties of a task from the text of its job. `log` as above.
    static About aboutTask(const ActiveJob &job, core::TaskRef task, const QString &host, const QString &log);
    // The same after this end. Nothing of a good one, which is not explained: its commands may be long.
    static About aboutEnd(const ActiveJob &job, core::TaskRef task, const contract::ExitRecord &record,
        const QString &host, const QString &log);
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
