// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/log/logview.h"

#include <QWidget>

class QAction;
class QToolButton;

namespace trainyard
{

class EmptyState;
class LogBookmarks;
class LogFindRow;
class LogHead;
class LogJumps;
class LogReturn;
class LogSaving;
class PreparationFold;

// The log of a task, or those of several tasks as one, with a header to choose the task and the stream, to follow, to
// show times and to search. Large because everything in its head acts on the one view below it and follows what that
// shows.
class LogPane : public QWidget
{
    Q_OBJECT
public:
    explicit LogPane(QWidget *parent = nullptr);

    // Shows the log in the folder of a try. When the folder is empty, nothing has been written yet, and `emptyText`
    // says why.
    void setLog(const QString &title, const QString &folder, const QString &emptyText = {});
    // The logs of several tries as one log, in the order of time; each line says to which part it belongs.
    void setLogs(
        const QString &title, const QStringList &folders, const QList<LogPart> &parts, const QString &emptyText = {});
    // Only what was written then; nothing: everything. A chip in the head says so, and takes it back.
    void setTimeRange(const std::optional<LogTimeRange> &range);
    std::optional<LogTimeRange> timeRange() const { return m_range; }
    void say(const QString &sentence); // in a bar above the log
    void setTry(const QString &words); // which try of the task it is; empty: it has only one
    void setRun(const QString &name, qint64 number); // whose logs they are: names of saved ones begin with it
    QString title() const; // "worker/0", or "worker/0, try 1 of 2"
    QString folder() const { return m_folders.value(0); }
    bool showsAll() const; // of the output of one try: its lines have the numbers that they have in the file
    void showAll(); // both streams, of any time, with and without a hit
    LogSourceFactory shownSource() const; // what is in sight of it or not
    LogBookmarks *bookmarks() const { return m_bookmarks; }
    PreparationFold *preparation() const { return m_preparation; }
    void setWrapped(bool on); // whether long lines go on in the next row, as they do until the user says otherwise
    LogView *view() const { return m_view; }
    QToolButton *titleButton() const; // give it a menu to choose another task
    QToolButton *tryButton() const; // and this one, to choose another try
    QAction *findAction() const { return m_find; }

public Q_SLOTS:
    void showFind();

protected:
    bool event(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

Q_SIGNALS:
    void openRequested(const QString &file); // with whatever the desktop opens text with
    void wrappedChanged(bool on);
    void timeRangeDropped(); // all times are shown again
    void statusChanged(const QString &text); // "worker/0: 18,402 lines, 2.1 MiB"
    void rulesRequested(); // the colours of lines are to be edited
    void patternsRequested(); // own metrics are to be edited
    void nextFailedRequested(); // another task that failed is to be chosen

private:
    void wire();
    void addToMore(QMenu *menu);
    void applySource();
    void updateSearch();
    std::optional<qint64> placeOfUser() const; // a line: where a click, a jump or the search has led last
    void updateStatus();
    void showOrHideEmpty();
    void watchBehindSentence(bool isShown);
    QString emptySentence() const;
    void updateActions();
    QStringList m_folders;
    QList<LogPart> m_parts;
    std::optional<LogTimeRange> m_range;
    LogSourceFactory m_whole; // all lines of what is chosen
    LogQuery m_filterQuery; // only lines with these are shown
    std::optional<int> m_context; // lines around each of them; nothing: all lines are shown
    bool m_isAtHit = false; // the user went to a hit last, not to a line
    LogHead *m_head = nullptr;
    LogSaving *m_saving = nullptr;
    QAction *m_follow = nullptr;
    QAction *m_times = nullptr;
    QAction *m_wrap = nullptr;
    QAction *m_numbers = nullptr;
    QAction *m_runtime = nullptr;
    QAction *m_find = nullptr;
    QAction *m_save = nullptr;
    QAction *m_external = nullptr;
    LogFindRow *m_findRow;
    LogView *m_view;
    LogBookmarks *m_bookmarks;
    LogJumps *m_jumps;
    LogReturn *m_return;
    PreparationFold *m_preparation;
    EmptyState *m_empty;
    QString m_emptyText;
};

} // namespace trainyard
