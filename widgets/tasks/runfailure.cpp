// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/runfailure.h"

#include "engine/api/jobfacts.h"
#include "engine/api/tasklabel.h"
#include "widgets/tasks/codeopener.h"
#include "widgets/tasks/evidenceseeker.h"
#include "widgets/tasks/failurepanel.h"
#include "widgets/tasks/tasklog.h"
#include "widgets/tasks/taskspane.h"
#include "widgets/text/failuretexts.h"

#include <algorithm>
#include <utility>

namespace trainyard
{

RunFailure::RunFailure(FailurePanel *panel, TasksPane *tasks, TaskLog *log, CodeOpener *code, QObject *parent)
    : QObject(parent), m_panel(panel), m_tasks(tasks), m_log(log), m_code(code), m_evidence(new EvidenceSeeker(this))
{
    const auto again = [this] {
        if (m_view.failure()) {
            update();
            Q_EMIT changed();
        }
    };
    connect(m_evidence, &EvidenceSeeker::changed, this, again);
    connect(tasks, &TasksPane::currentTaskChanged, this, [this, again] {
        if (m_tasks->chosenTask()) {
            again();
        }
    });
    connect(panel, &FailurePanel::lineRequested, log,
        [this](qint64 line) { m_log->showLine(m_evidence->found().at(line)); });
    connect(panel, &FailurePanel::codeRequested, code, &CodeOpener::open);
    connect(code, &CodeOpener::found, this, [this, panel](const QString &file, int line) {
        panel->setCode(file, line);
        Q_EMIT changed(); // one more button may need one more row
    });
}

bool RunFailure::setView(const RunView &view)
{
    m_view = view;
    update();
    return m_view.failure().has_value();
}

void RunFailure::setDocumentDiffers(bool on)
{
    if (std::exchange(m_documentDiffers, on) != on) {
        update();
        Q_EMIT changed();
    }
}

void RunFailure::update()
{
    const std::optional<JobSummary> failed = m_view.failure();
    m_panel->setVisible(failed.has_value());
    if (!failed) {
        m_evidence->seek({}, {});
        m_log->setCause({});
        m_toldText.reset();
        m_place = {};
        return;
    }
    tell(*failed);
    if (m_toldText != m_view.yaml) {
        m_toldText = m_view.yaml;
        Q_EMIT told();
    }
}

void RunFailure::tell(const JobSummary &failed)
{
    const std::optional<TaskInfo> task = m_tasks->chosenTask() ? m_tasks->currentTask() : std::nullopt;
    const std::optional<RunView::Failure> other = task ? m_view.otherFailure(*task) : std::nullopt;
    const AttemptInfo *shown = m_view.shownAttempt();
    // Only attempts that began count: before one that did not begin, the previous failure is the result.
    const auto telling = std::find_if(m_view.attempts.cbegin(), m_view.attempts.cend(),
        [index = m_view.tellingAttempt()](const AttemptInfo &each) { return each.index == index; });
    const AttemptInfo *last = telling == m_view.attempts.cend() ? nullptr : &*telling;
    seekEvidence(other ? taskLabel(*task) : m_view.causeTask());
    const EvidenceSeeker::Found &found = m_evidence->found();
    const OutputQuote quote = found.evidence.root ? OutputQuote::SeenBeside : OutputQuote::Said;
    FailureText text = other ? failureText(other->job, &other->attempt, last == shown ? &other->attempt : last,
                           m_view.hostLabels, quote, m_view.attemptCount())
                             : failureText(failed, shown, last, m_view.hostLabels, quote, m_view.attemptCount());
    m_place = jobPlace(failureFacts(other ? other->job.reasonArgs : failed.reasonArgs));
    if (other) {
        text.explanation += u'\n' + tr("The job failed because of %1.").arg(m_view.causeTask());
    }
    // Only of the last one that began: the attempt after an older one did begin.
    const bool isLast = shown && shown == last;
    const QString stopped = m_view.job.state == State::Stopped && isLast && m_view.attempt < m_view.job.retries
        ? QLatin1Char(' ') + tr("The job was stopped before attempt %1 began.").arg(m_view.attempt + 2)
        : QString();
    m_panel->setFailure(text.cause, text.explanation + stopped, text.mayGoWell, text.advice);
    m_panel->setTransient(text.isTransient);
    m_panel->setFault(text.fault);
    // They are for what ended the job, and of a text that was replaced they may have been made already.
    m_panel->setChanges(other || !m_view.showsNewestText() ? QList<JobChange>() : m_changes.of(m_view));
    m_panel->setRetry(canRetryFailed(m_view.job), m_view.job.counts.succeeded > 0);
    using Document = FailurePanel::Document;
    const bool hasFile = !m_view.job.file.isEmpty();
    // Also if a retry may succeed: a user who wants to correct the job looks for it here. A run without a
    // file has its text in the store.
    m_panel->setDocument(hasFile && m_documentDiffers ? Document::OtherFile
            : hasFile                                 ? Document::File
            : text.missesScript                       ? Document::Place
                                                      : Document::Text);
    m_panel->setCodeLinks(m_code->isHere());
    m_code->seek(text.file, text.line);
    const LogEvidence &evidence = found.evidence;
    m_panel->setEvidence(found.title, evidence.firstLine, evidence.lines, evidence.root, evidence.isWhole);
    m_log->setCause(evidence.root ? std::optional(found.at(*evidence.root)) : std::nullopt);
}

void RunFailure::seekEvidence(const QString &task)
{
    std::optional<TaskInfo> of = m_tasks->currentTask();
    if (const TaskName named = taskNamed(task); named.index >= 0) {
        const TasksModel *model = m_tasks->model();
        of = model->task(model->indexOf(named.role, named.index));
    }
    m_evidence->seek(of, of ? m_view.findingIn(*of) : FailureFacts());
}

} // namespace trainyard
