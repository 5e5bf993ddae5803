// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/tasks/runview.h"

#include <QObject>

#include <utility>

class QBoxLayout;
class QPushButton;
class QWidget;

namespace trainyard
{

class InfoBar;

// The bars of a run's page: below its head why the job waits, and above the tabs a request that failed, that it was
// tried again, and the tasks that are kept for inspection. They are separate in the layout of the page, so that each
// shrinks by itself if there is too little room.
class RunBars : public QObject
{
    Q_OBJECT
public:
    explicit RunBars(QWidget *page);
    void addTo(QBoxLayout *layout); // of the page
    void addWaitTo(QBoxLayout *layout); // below the head
    void setView(const RunView &view);
    void setKeptTasks(qint64 job, const QList<KeptTask> &tasks); // by the number of the job; none: no bar
    void setError(const QString &sentence, bool failed = true); // empty: no bar; not failed: it only takes a while
    void setSaved(const QString &file); // said where an error is said
    void tick(qint64 now);
    int shownHeight() const; // of the bars that are there now, whether they are laid out or not

Q_SIGNALS:
    void jobRequested(qint64 number); // that the reason names
    void settingRequested(const QString &key); // likewise
    void hostRequested(const QString &id); // likewise
    void attemptChosen(int attempt);
    void releaseRequested(const QStringList &tasks); // "role/index"
    void killRequested(); // of a job that is being stopped
    void giveUpRequested(); // of one that is being stopped and whose host or cluster does not answer
    void retryNowRequested(); // of one that waits to be tried again
    void originalRequested(); // of a rehearsal that has succeeded
    void copyAnswered(bool isCopied); // of one that asks whether its large work folder is copied

private:
    QString waitText() const;
    void showReason(InfoBar *bar, bool isWarning);
    void sayRetried(const AttemptInfo &before);
    bool sayOnce(const QString &text, bool isWarning = true); // false: that was said last
    void sayStopping();
    void sayUnheard();
    void explainGiveUp(QPushButton *button) const;
    void sayWaitsForRetry();
    void askToCopy();
    void offerOriginal();
    QString stopText(qint64 now) const;
    QString heldText(qint64 now) const;
    void requestRelease();

    QWidget *m_page;
    RunView m_view;
    enum class Told { Other, Stops, StopsUnheard, WaitsForRetry, AsksToCopy, HasFailedTasks, IsRehearsed };
    Told m_told = Told::Other; // a bar whose button is being pressed stays, a closed one stays away
    std::optional<qint64> m_stopBegan; // nothing when it began before this page was looking
    QList<KeptTask> m_keptTasks;
    std::pair<const InfoBar *, QString> m_hostOffered; // by which bar, now
    QString m_saidOnce; // said last; closed by the user, it stays away until there is something else
    InfoBar *m_wait;
    InfoBar *m_reason;
    InfoBar *m_held;
    InfoBar *m_error;
};

} // namespace trainyard
