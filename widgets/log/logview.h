// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/log/lineprefix.h"
#include "widgets/log/logkeys.h"
#include "widgets/log/loglayout.h"
#include "widgets/log/logpainter.h"
#include "widgets/log/logscroll.h"
#include "widgets/log/logsearch.h"
#include "widgets/log/logselection.h"

#include <QAbstractScrollArea>

class QMenu;
class QTimer;

namespace trainyard
{

class HitStrip;
class LogFeed;
class NewLinesPill;

// Shows a log of any size: only the lines in sight are read and drawn. Follows the end until the user scrolls up, then
// says how many lines were added since. It combines its parts: reading (LogFeed), positions of lines (LogLayout,
// LogScroll), selection (LogSelection, LogMouse, LogKeys), search (LogSearch), and drawing (LogPainter). Large because
// all of it is accessed through one widget.
class LogView : public QAbstractScrollArea
{
    Q_OBJECT
    Q_PROPERTY(bool following READ isFollowing WRITE setFollowing NOTIFY followingChanged)
public:
    explicit LogView(QWidget *parent = nullptr);

    // None: empty. `parts`: the tasks whose lines are in it, where there are several.
    void setSource(const LogSourceFactory &factory, const QList<LogPart> &parts = {});
    bool isFollowing() const { return m_scroll->isFollowing(); }
    void setFollowing(bool on) { m_scroll->setFollowing(on); }
    LogTimes times() const { return m_layout.times(); }
    void setTimes(LogTimes times);
    bool isNumbered() const { return m_layout.isNumbered(); }
    void setNumbered(bool on); // each line has its number before it
    void setRules(const LogRules &rules); // which lines are errors and warnings
    bool isWrapped() const { return m_layout.isWrapped(); }
    void setWrapped(bool on); // long lines go on in the next row

    qint64 lineCount() const { return m_lines.count(); }
    // With unfinished lines. While it grows it never falls: of a bar only what it shows now counts, which gets shorter.
    qint64 byteCount() const { return m_bytes; }
    bool isComplete() const { return m_complete; } // all is here and indexed
    bool hasLooked() const { return m_hasLooked; } // into the log, so that it is known whether there is something
    void watchWhileHidden(bool on); // whether it looks if the log has grown, also where something else is shown
    QString lineText(qint64 line) const { return m_lines.text(line); }
    QString text(qint64 first, qint64 count) const { return m_lines.text(first, count); }
    qint64 topLine() const { return m_scroll->topLine(); }
    qint64 newLines() const { return m_scroll->newLines(); }
    void showLine(qint64 line) { m_scroll->showLine(line); } // scrolls it into sight; following ends
    // The first line that was not written before this moment (ms UTC); -1: it has not come, or lines have no times.
    qint64 lineAtTime(qint64 time) const { return m_lines.lineAtTime(time); }
    std::optional<qint64> timeOf(qint64 line) const; // when it was written (ms UTC), where that is known
    void markLine(qint64 line); // scrolls it into sight and selects it
    std::optional<qint64> currentLine() const { return m_selection->currentLine(); } // that was clicked or jumped to
    void setMarkedLines(const QSet<qint64> &lines); // those with a bookmark
    // The line that says why the task failed, until another log is shown; its own colours stay.
    void setCauseLine(std::optional<qint64> line);
    std::optional<qint64> causeLine() const { return m_painter.cause(); }
    enum class Jump { FirstError, NextProblem, PreviousProblem, Traceback };
    void jump(Jump what); // as jumped() reports
    QRect lineRect(qint64 line) const { return m_scroll->lineRect(line); }

    LinePrefix linePrefix() const { return {m_layout.parts(), m_layout.times()}; } // of lines that leave it as text
    QString selectedText() const { return m_selection->text(); }
    QString selectedInOneLine() const { return m_selection->textInOneLine(); }
    bool hasSelection() const { return !m_selection->isEmpty(); }

    void search(const LogQuery &query) { m_search->setQuery(query); }
    LogQuery query() const { return m_search->query(); }
    void continueSearch(qint64 line, bool isThere) { m_search->continueFrom(line, isThere); } // as LogSearch has it
    qint64 currentHit() const { return m_search->current(); }
    bool isHitReached() const { return m_search->isReached(); }
    qint64 hitLineCount() const { return m_search->hits().count(); }
    qint64 hitLine(qint64 number) const { return m_search->hits().line(number).value_or(-1); } // -1: not kept now
    bool searchDone() const { return m_search->isDone(); }

public Q_SLOTS:
    void copy();
    void selectAll() { m_selection->selectAll(); }
    void nextHit() { m_search->next(); }
    void previousHit() { m_search->previous(); }

Q_SIGNALS:
    void sizeChanged(qint64 lines, qint64 bytes);
    void followingChanged(bool on);
    void wrappedChanged(bool on);
    void searchChanged();
    void selectionChanged();
    void completed();
    void jumped(trainyard::LogView::Jump what, bool found);
    void currentLineChanged();
    void copyCutShort(); // not all that is selected was copied
    void timesChanged();
    void numberedChanged(bool on);
    void menuAboutToShow(QMenu *menu, qint64 line); // where it was opened: others add to it

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void scrollContentsBy(int dx, int dy) override;
    void wheelEvent(QWheelEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    bool event(QEvent *event) override;

private:
    void wire();
    void grow(const LogIndex::Delta &delta, const QList<LogSource::Live> &live, bool complete);
    void showFound(qint64 line);
    QMenu *timesMenu(QMenu *parent);
    void showHit(qint64 line);
    void updateMarks(); // beside the text, and over it

    mutable LogLines m_lines;
    LogLayout m_layout;
    LogRules m_rules;
    Jump m_jump = Jump::FirstError; // the last one
    qint64 m_bytes = 0;
    bool m_complete = false, m_hasLooked = false;
    bool m_watchesHidden = false;
    bool m_wasHitReached = false; // when searchChanged() was emitted
    bool m_isOpening = false; // what it has so far is not new
    LogFeed *m_feed;
    LogScroll *m_scroll;
    LogSelection *m_selection;
    LogSearch *m_search;
    LogKeys m_keys;
    LogPainter m_painter;
    NewLinesPill *m_pill;
    HitStrip *m_marks;
    QTimer *m_lateRepaint;
};

} // namespace trainyard
