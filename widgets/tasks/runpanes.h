// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QSplitter>

#include <optional>

class QBoxLayout;

namespace trainyard
{

class LogPane;
class RunHistory;
class StillPointer;
class TasksPane;

// How the panes of a run's page share its room: the tasks beside the log, and below them the history, which is folded
// while it has little to show. Automatic changes wait until the pointer rests, so that a click on the row of tabs finds
// it where it was.
class RunPanes : public QSplitter
{
    Q_OBJECT
public:
    RunPanes(TasksPane *tasks, LogPane *log, RunHistory *history);
    void unfold(); // unless the user has chosen, or the job has failed
    void setFailed(bool on) { m_hasFailed = on; } // the job: its log has the room
    // Unless the user has chosen, the curves are the best view of the run: the pane opens with them, also when the
    // first value arrives later. On a visible page they come to the front only while the user does not see the tab that
    // was there.
    void suggestCurves(bool isOpening);
    // In a low window, unless the user has chosen or sized it: why the job failed needs the room. When the pointer
    // rests.
    void foldForFailure();
    void giveRoom(); // more for what is below the tasks, as for curves; at once after a click on their tab
    void setFoldChosen(bool on); // by hand: nothing else changes it from now on
    std::optional<bool> foldChosen() const;
    // For bars: between the tasks and what is below them. One that comes takes its height from the tasks and the log,
    // so that the row of tabs stays where it is.
    QBoxLayout *barsPlace() const { return m_upper; }
    // The height with which nothing is squeezed, without bars; what is below the tasks keeps the height that it has.
    int leastHeight() const;
    // On a low page: with rows of tasks and some lines of the log in sight, and with what is below them where it is
    // open, as the page scrolls then. On others what is above them may take more.
    QSize minimumSizeHint() const override;
    void setPageHeight(int height);
    bool isPageLow() const { return m_isPageLow; }

    struct Sizes {
        QByteArray across, down;
        int lent = 0; // of the lower pane, to bars that need not be there another time
    };
    Sizes savedSizes() const;
    void restoreSizes(const Sizes &saved);

protected:
    bool event(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

Q_SIGNALS:
    void folded(bool on);
    void foldChangedByHand(bool on);

private:
    void setFolded(bool on);
    void doWanted();
    void sizeLower();
    int lowerOf(int whole) const; // the height of what is below the tasks, of so much in all
    int chosenLowerOf(int whole) const; // without what bars below have
    bool isOfBarBelow(const QResizeEvent &event);
    QSplitter *m_across;
    QBoxLayout *m_upper;
    RunHistory *m_history;
    StillPointer *m_pointer;
    QElapsedTimer m_sinceAsked; // for a pane, by hand, or for the page
    bool m_wantsCurves = false;
    bool m_wantsUnfolding = false;
    bool m_wantsRoom = false;
    bool m_wantsFolding = false;
    bool m_givesRoom = false; // curves have asked for their half
    bool m_foldChosen = false;
    bool m_hasFailed = false;
    bool m_isPageLow = false;
    bool m_isSizedByHand = false; // so that the log may be as low as the user has made it
    int m_unfoldedHeight = 160;
    int m_lent = 0; // to bars below, out of what is below the tasks
    QSize m_windowSize;
    int m_topInWindow = 0;
};

} // namespace trainyard
