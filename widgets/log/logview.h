// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/log/loglayout.h"
#include "widgets/log/logpainter.h"
#include "widgets/log/logscroll.h"
#include "widgets/log/logsearch.h"
#include "widgets/log/logselection.h"

#include <QAbstractScrollArea>

class QTimer;

namespace trainyard
{

class HitStrip;
class LogFeed;
class NewLinesPill;

// Shows a log of any size: only the lines in sight are read and drawn. Follows the end until the user scrolls up, then
// says how many lines came since. It joins its parts: what reads the log (LogFeed), where its lines stand (LogLayout,
// LogScroll), what is selected (LogSelection, LogMouse), what is looked for (LogSearch), and how it is drawn
// (LogPainter).
class LogView : public QAbstractScrollArea
{
    Q_OBJECT
    Q_PROPERTY(bool following READ isFollowing WRITE setFollowing NOTIFY followingChanged)
public:
    explicit LogView(QWidget *parent = nullptr);

    void setSource(const LogSourceFactory &factory); // none: empty
    bool isFollowing() const { return m_scroll->isFollowing(); }
    void setFollowing(bool on) { m_scroll->setFollowing(on); }
    void setTimesVisible(bool on);
    bool isWrapped() const { return m_layout.isWrapped(); }
    void setWrapped(bool on); // long lines go on in the next row

    qint64 lineCount() const { return m_lines.count(); }
    qint64 byteCount() const { return m_lines.index().size(); }
    bool isComplete() const { return m_complete; } // all is here and indexed
    QString lineText(qint64 line) const { return m_lines.text(line); }
    QString text(qint64 first, qint64 count) const { return m_lines.text(first, count); }
    qint64 topLine() const { return m_scroll->topLine(); }
    qint64 newLines() const { return m_scroll->newLines(); }
    void showLine(qint64 line) { m_scroll->showLine(line); } // scrolls it into sight; following ends
    // The first line that was not written before this moment (ms UTC); -1: it has not come, or lines have no times.
    qint64 lineAtTime(qint64 time) const;
    void markLine(qint64 line); // scrolls it into sight and selects it
    void showFirstError(); // as errorShown() tells
    QRect lineRect(qint64 line) const { return m_scroll->lineRect(line); }

    QString selectedText() const { return m_selection->text(); }
    bool hasSelection() const { return !m_selection->isEmpty(); }

    void search(const LogQuery &query) { m_search->setQuery(query); }
    LogQuery query() const { return m_search->query(); }
    qint64 currentHit() const { return m_search->current(); }
    qint64 hitLineCount() const { return m_search->hits().count(); }
    qint64 hitLine(qint64 number) const { return m_search->hits().line(number).value_or(-1); } // -1: not kept now
    bool searchDone() const { return m_search->isDone(); }

public Q_SLOTS:
    void copy() { m_selection->copy(); }
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
    void errorShown(bool found); // the first line that tells of an error, if there is one

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
    void grow(const LogIndex::Delta &delta, bool complete);
    void showError(qint64 line);
    void showHit(qint64 line);
    void updateMarks(); // beside the text, and over it

    mutable LogLines m_lines;
    LogLayout m_layout;
    bool m_complete = false;
    LogFeed *m_feed;
    LogScroll *m_scroll;
    LogSelection *m_selection;
    LogSearch *m_search;
    LogPainter m_painter;
    NewLinesPill *m_pill;
    HitStrip *m_marks;
    QTimer *m_lateRepaint;
};

} // namespace trainyard
