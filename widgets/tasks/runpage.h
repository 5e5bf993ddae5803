// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "widgets/common/statepainter.h"

#include <QHash>
#include <QWidget>

#include <optional>

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QSplitter;
class QStackedLayout;
class QTabBar;
class QToolButton;
class QVBoxLayout;

namespace trainyard
{

class AttemptList;
class ElidedLabel;
class FailurePanel;
class Ground;
class InfoBar;
class LogPane;
class StateLabel;
class TasksPane;
class TryList;

// One run: what it is doing, its tasks, the log of one, why it waits or failed, its attempts and its configuration.
// Knows no engine: values are set from outside, wishes come out as signals.
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
    void setError(const QString &sentence); // of a request; empty takes it away

    QString uuid() const { return m_job.uuid; }
    QString title() const; // "resnet #41"
    const JobSummary &summary() const { return m_job; }
    int shownAttempt() const { return m_attempt; }
    QString statusText() const { return m_status; }
    LogPane *logPane() const { return m_log; }
    TasksPane *tasksPane() const { return m_tasks; }
    QByteArray maskedYaml() const { return m_yaml; }
    QByteArray saveLayout() const;
    void restoreLayout(const QByteArray &layout);

protected:
    void resizeEvent(QResizeEvent *event) override;

Q_SIGNALS:
    void stopRequested();
    void pauseRequested(bool on);
    // One more attempt of these tasks ("role/index"); none named: of those that did not succeed.
    void rerunRequested(const QStringList &tasks);
    void releaseRequested(const QStringList &tasks); // "role/index", that are held after their failure
    void runAgainRequested();
    void editAsNewRequested();
    void documentRequested(); // the file of the job
    void openFolderRequested();
    void jobRequested(qint64 number); // another one, that a reason names
    void addressRequested(const QString &address); // of what a task serves: for a browser
    void attemptRequested(int attempt); // answer with setTasks()
    void earlierTriesRequested(int attempt, const QString &role, int index); // answer with setEarlierTries()
    void titleChanged();
    void statusChanged(const QString &text);

private:
    QWidget *makeHead();
    QWidget *makeBottom();
    void updateHead();
    void updateAttemptExit();
    void followFailure();
    void updateServices();
    void openService();
    void updateReason();
    int shownStatus() const; // of the program where it has one, our code otherwise
    void sayRetried(const AttemptInfo &before);
    void updateLog(const TaskInfo &task);
    void showAttempt(int attempt);
    void forgetTries();
    void updateTries();
    void showTry(int number);
    std::optional<TaskInfo> shownTry() const;
    QList<TaskInfo> triesOf(const TaskInfo &task) const;
    void fillAttemptMenu();
    void fillTaskMenu();
    void fillTryMenu();
    void updateHeld();
    QString heldText(qint64 now) const;
    QString waitText() const;
    const AttemptInfo *formerAttempt() const;
    void setWords(QPushButton *button, const QString &words);
    void fitHead();
    void fitFailure();
    void foldBottom(bool on); // to the row of its tabs
    void sizeBottom();
    void foldByItself();
    void tick();
    JobSummary m_job;
    QList<AttemptInfo> m_attempts;
    QByteArray m_yaml;
    QString m_runFolder;
    QString m_status;
    QList<ServiceInfo> m_services;
    QList<HeldTask> m_heldTasks;
    Ground *m_head;
    QHash<QPushButton *, QString> m_words; // of the buttons in the head; left out where there is no room
    int m_attempt = 0;
    bool m_attemptChosen = false; // by hand: a newer one does not push it away
    std::optional<TaskInfo> m_triesOf; // the chosen task, as it was when its earlier tries were asked for
    QList<TaskInfo> m_earlierTries;
    std::optional<int> m_tryChosen; // by hand, from 0; the newest otherwise
    QString m_barText; // what the bar said last; closed by the user, it stays away until there is something else
    ElidedLabel *m_name;
    QLabel *m_number;
    StateLabel *m_state;
    QLabel *m_duration;
    QLabel *m_progress;
    QToolButton *m_attemptButton;
    QPushButton *m_stop;
    QPushButton *m_pause;
    QPushButton *m_rerun;
    QPushButton *m_again;
    QPushButton *m_edit;
    QPushButton *m_folder;
    QPushButton *m_board;
    InfoBar *m_bar;
    InfoBar *m_heldBar;
    InfoBar *m_errorBar;
    FailurePanel *m_failure;
    TasksPane *m_tasks;
    LogPane *m_log;
    QSplitter *m_across;
    QSplitter *m_down;
    QTabBar *m_tabs;
    QStackedLayout *m_bottom;
    QWidget *m_bottomPane;
    QWidget *m_bottomBody;
    bool m_folded = false;
    bool m_foldChosen = false; // by hand
    int m_unfoldedHeight = 160;
    AttemptList *m_attemptList;
    TryList *m_tryList;
    QPlainTextEdit *m_configuration;
};

} // namespace trainyard
