// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "widgets/common/labels.h"

#include <QHash>

#include <optional>

class QStackedLayout;
class QTabBar;

namespace trainyard
{

class AttemptList;
class ConfigurationView;
class CurvesView;
class EnvironmentView;
class EventsView;
class FilesView;
class TimelinePage;
class TryList;
struct RunStory;

// The pane below the tasks and the log of a run: its timeline, metrics and events, its attempts, and of the chosen task
// the tries, what it found when it started, and its files; also the configuration. Each is under a tab. It can be
// folded to the row of its tabs.
class RunHistory : public Ground
{
    Q_OBJECT
public:
    RunHistory();
    void setPauses(const QList<PauseSpan> &pauses); // of the job, that are over
    void setAttempts(const QList<AttemptInfo> &attempts, int shown);
    void setShownAttempt(int attempt);
    void setTries(const QList<TaskInfo> &tries, int shown, const QHash<QString, QString> &hostLabels,
        std::optional<int> attemptExit);
    // As ConfigurationView::setText().
    void setConfiguration(const QByteArray &yaml, const QByteArray &before, const QString &note);
    void setStory(const RunStory &story, qint64 now); // after storyWanted()
    void tick(qint64 now);
    CurvesView *curves() const { return m_curves; }
    FilesView *files() const { return m_files; }
    bool isInConfiguration(const QWidget *widget) const; // which has its own search

    int tab() const; // a number that a saved layout may keep
    std::optional<int> tabChosen() const; // by hand, or by setTab()
    void setTab(int tab);
    void beginWithTab(int tab); // that was chosen last in another run; unless the user has chosen one here
    void suggestCurves(); // unless the user has chosen a tab
    bool isFolded() const { return m_folded; }
    void setFolded(bool on);

Q_SIGNALS:
    void attemptChosen(int attempt); // by hand
    void tryChosen(int number); // by hand
    void tryOfTaskChosen(int attempt, const QString &role, int index, int number); // by hand
    void lineChosen(const QString &role, int index, qint64 line); // of the output, by hand
    void storyWanted(); // the user looks at the timeline or the events, or could
    void logsInSightChanged(const QStringList &folders); // of tries in the timeline
    void foldChosen(bool on); // by hand; answer with setFolded()
    void tabChosenByHand(int tab); // one that other runs may begin with
    void grew(); // it shows more than the head of the page: there are several attempts, or tries

protected:
    void resizeEvent(QResizeEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QWidget *makeTabRow();
    void addPages();
    void addTab(int kind, const QString &name, QWidget *page, QWidget *controls);
    void showControls();
    void explainTab();
    void showEventCount(int count);
    void tellChosen(int tab);
    void showTask(const std::optional<TaskInfo> &task, const QString &hostLabel);
    QTabBar *m_tabs;
    ElidedLabel *m_explanation; // of the word on the tab
    QWidget *m_body;
    QStackedLayout *m_pages = nullptr;
    QWidget *m_row = nullptr; // of the tabs
    QHash<int, QWidget *> m_controls; // of tabs that have some
    TimelinePage *m_timeline;
    EventsView *m_events;
    EnvironmentView *m_environment;
    FilesView *m_files;
    AttemptList *m_attempts;
    TryList *m_tries;
    ConfigurationView *m_configuration;
    CurvesView *m_curves;
    QString m_task; // whose tries are listed
    QString m_storyTrouble; // a sentence
    bool m_folded = false;
    bool m_tabChosen = false;
    bool m_isSuggesting = false;
    bool m_isSetting = false; // the tab, and the user has not pressed anything
};

} // namespace trainyard
