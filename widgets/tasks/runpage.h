// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/metricpatterns.h"
#include "model/runtime/jobchanges.h"
#include "widgets/tasks/runview.h"

#include <QWidget>

namespace trainyard
{

class CodeOpener;
class CurvesView;
class FailurePanel;
class FilesView;
class HealthBars;
class LogPane;
class RunBars;
class RunFailure;
class RunHead;
class RunHistory;
class RunPanes;
class StoryKeeper;
class TaskLog;
class TasksPane;

// One run: what it is doing, its tasks, the log of one, why it waits or failed, its attempts and its configuration.
// Knows no engine: values are set from outside, and requests are signals. It arranges and wires its parts, and passes
// the values to them. Large because each part of the page is set from outside by a separate method.
class RunPage : public QWidget
{
    Q_OBJECT
public:
    explicit RunPage(QWidget *parent = nullptr);

    void setSummary(const JobSummary &job);
    void setDetail(const JobDetail &detail);
    void setTasks(int attempt, const QList<TaskInfo> &tasks); // of the attempt shown
    void applyTasks(const QList<TaskInfo> &changed); // others than of the attempt shown are passed over
    // The tries of this task that were not its last, in their order; of another task than the chosen one: passed over.
    void setEarlierTries(int attempt, const QString &role, int index, const QList<TaskInfo> &tries);
    void setHosts(const QList<HostInfo> &hosts); // their labels are shown
    void setMetricPatterns(const MetricPatterns &patterns); // of the settings; the job may have its own
    // Its document has another text than this run had, so it is no longer offered first for correction.
    void setDocumentDiffers(bool on);
    void setGracePeriod(qint64 seconds); // of a stop, where the job does not say its own
    // The error of a request; empty removes it. Not failed: it only takes a while.
    void setError(const QString &sentence, bool failed = true);

    QString uuid() const { return m_view.job.uuid; }
    QString title() const; // "resnet #41"
    const JobSummary &summary() const { return m_view.job; }
    const QString &place() const { return m_view.place; } // where it was to run, as formerTarget() has it
    int shownAttempt() const { return m_view.attempt; }
    QString statusText() const { return m_status; }
    LogPane *logPane() const { return m_log; }
    CurvesView *curves() const { return m_curves; }
    TasksPane *tasksPane() const { return m_tasks; }
    FilesView *files() const { return m_files; }
    StoryKeeper *story() const { return m_story; }
    QByteArray maskedYaml() const { return m_view.yaml; }
    bool showsFailure() const;
    JobPlace faultyPlace() const; // in the text of the job, that the failure is about; empty: none is known
    bool isRehearsal() const { return m_view.isRehearsal; }
    // The user's choice for the pane below the tasks in every run; until there is one, each page opens and folds it
    // automatically.
    void setHistoryFolded(bool on);
    void beginWithHistoryTab(int tab); // until the user chooses one here
    QByteArray saveLayout() const;
    void restoreLayout(const QByteArray &layout);

protected:
    void resizeEvent(QResizeEvent *event) override;

Q_SIGNALS:
    void stopRequested();
    void retryNowRequested(); // while it waits to be tried again
    void copyAnswered(bool isCopied); // while it asks whether its large work folder is copied
    void killRequested(); // while it is being stopped: without a grace period
    void giveUpRequested(); // while it is being stopped and its host or cluster does not answer
    void pauseRequested(bool on);
    // One more attempt of these tasks ("role/index"); none named: of those that did not succeed.
    void retryRequested(const QStringList &tasks);
    void releaseRequested(const QStringList &tasks); // "role/index", that are held after their failure
    void runAgainRequested();
    void originalRequested(); // of a rehearsal: to submit it
    void editAsNewRequested();
    // As a new document or a new run, after a look at it.
    void changeRequested(const trainyard::JobChange &change);
    void failureShown(); // of this text: answer with setDocumentDiffers()
    // The file of the job, or its text where it has none; `toPlace`: to say where its files are.
    void documentRequested(bool toPlace);
    void openFolderRequested();
    void jobRequested(qint64 number); // another one, that a reason names
    void openRequested(const QString &path); // a file or folder of the run, with another program
    void codeRequested(const QString &path, int line); // a file that is here, for an editor
    void hostRequested(const QString &id); // on which a task is, or that a reason names
    void terminalRequested(const trainyard::TaskInfo &task); // in its folder, where it ran
    void bringRequested(const trainyard::TaskInfo &task, const QStringList &globs); // files of it, to this computer
    void settingRequested(const QString &key); // that a reason names
    void addressRequested(const QString &address); // of what a task serves: for a browser
    void silenceHealthRequested(const QString &kind); // for all jobs
    void attemptRequested(int attempt); // answer with setTasks()
    void earlierTriesRequested(int attempt, const QString &role, int index); // answer with setEarlierTries()
    void historyFoldChanged(bool on); // by hand
    void historyTabChosen(int tab); // likewise, of those that other pages may begin with
    void titleChanged();
    void statusChanged(const QString &text);

private:
    void arrange();
    void wire();
    void showAttempt(int attempt); // chosen by hand
    void updateAttempt();
    void updateConfiguration();
    void updateAttemptExit();
    void updateCurves();
    void updateGrace();
    void updateHead();
    void updateReason();
    void showTries();
    void fitFailure();
    void tick();

    RunView m_view;
    std::optional<qint64> m_graceSeconds; // of the settings
    MetricPatterns m_patterns; // of the settings
    QString m_status;
    bool m_hasTasks = false; // of any attempt, even none: the first ones are asked for without naming one
    bool m_attemptChosen = false; // by hand: a newer one does not push it away
    RunBars *m_bars;
    HealthBars *m_health;
    RunHead *m_head;
    FailurePanel *m_failure;
    TasksPane *m_tasks;
    LogPane *m_log;
    TaskLog *m_taskLog;
    CodeOpener *m_code;
    RunFailure *m_why;
    RunHistory *m_history;
    CurvesView *m_curves; // its
    FilesView *m_files; // the same
    RunPanes *m_panes;
    StoryKeeper *m_story;
};

} // namespace trainyard
