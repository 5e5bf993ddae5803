// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/tasks/runchanges.h"
#include "widgets/tasks/runview.h"

#include <QObject>

namespace trainyard
{

class CodeOpener;
class EvidenceSeeker;
class FailurePanel;
class TaskLog;
class TasksPane;

// Fills the panel that says why a run failed: of several tasks that failed, of the one that the user has chosen. With
// the lines of its output that show it, which it has the log mark, too.
class RunFailure : public QObject
{
    Q_OBJECT
public:
    RunFailure(FailurePanel *panel, TasksPane *tasks, TaskLog *log, CodeOpener *code, QObject *parent);
    bool setView(const RunView &view); // whether it failed, so that the panel is there
    bool isTold() const { return m_toldText.has_value(); } // for which told() was emitted
    const JobPlace &place() const { return m_place; } // in the text of the job, that the failure is about
    // Its document has another text than this run had, so it is no longer offered first for correction.
    void setDocumentDiffers(bool on);

Q_SIGNALS:
    void changed(); // without a setView(): what the panel says
    void told(); // of this text: answer with setDocumentDiffers()

private:
    void update();
    void tell(const JobSummary &failed);
    void seekEvidence(const QString &task); // "worker/0"; empty: in the output of the current one
    FailurePanel *m_panel;
    TasksPane *m_tasks;
    TaskLog *m_log;
    CodeOpener *m_code;
    EvidenceSeeker *m_evidence;
    RunView m_view;
    RunChanges m_changes;
    JobPlace m_place;
    bool m_documentDiffers = false;
    std::optional<QByteArray> m_toldText;
};

} // namespace trainyard
