// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/log/loghits.h"
#include "widgets/log/logtext.h"
#include "widgets/log/logworker.h"

#include <QAbstractScrollArea>
#include <QThread>

#include <atomic>
#include <memory>

class QPushButton;
class QTimer;

namespace trainyard
{

// Shows a log of any size: only the lines in sight are read and drawn. Follows the end until the user scrolls up, then
// says how many lines came since. Indexing and searching happen on a thread of the view's own.
class LogView : public QAbstractScrollArea
{
    Q_OBJECT
    Q_PROPERTY(bool following READ isFollowing WRITE setFollowing NOTIFY followingChanged)
public:
    explicit LogView(QWidget *parent = nullptr);
    ~LogView() override;

    void setSource(const LogSourceFactory &factory); // none: empty
    void setFollowing(bool on);
    bool isFollowing() const { return m_following; }
    void setTimesVisible(bool on);
    void setWrapped(bool on); // long lines go on in the next row

    qint64 lineCount() const { return m_lines.count(); }
    qint64 byteCount() const { return m_lines.index().size(); }
    bool isComplete() const { return m_complete; } // all is here and indexed
    QString lineText(qint64 line) const;
    QString text(qint64 first, qint64 count) const; // lines joined, at most 64 MiB
    qint64 topLine() const;
    qint64 newLines() const { return m_following ? 0 : std::max<qint64>(0, lineCount() - m_seenLines); }
    void showLine(qint64 line); // scrolls it into sight; following ends
    void showFirstError(); // as errorShown() tells
    QRect lineRect(qint64 line) const; // of its rows in sight, in the viewport; empty: it is not there

    QString selectedText() const;
    bool hasSelection() const;

    void search(const LogQuery &query);
    LogQuery query() const { return m_query; }
    qint64 currentHit() const { return m_currentHit; } // number of the line with a hit, from 0; -1 none
    qint64 hitLineCount() const { return m_hitLines.count(); }
    qint64 hitLine(qint64 number) const { return m_hitLines.line(number).value_or(-1); } // -1: it is not kept now
    bool searchDone() const { return m_searchDone; }

public Q_SLOTS:
    void copy();
    void selectAll();
    void nextHit();
    void previousHit();

Q_SIGNALS:
    void sizeChanged(qint64 lines, qint64 bytes);
    void followingChanged(bool on);
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
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void changeEvent(QEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void timerEvent(QTimerEvent *event) override;

private:
    struct Position {
        qint64 line = 0;
        qsizetype column = 0;
        auto operator<=>(const Position &) const = default;
    };
    void onIndexed(int generation, const LogIndex::Delta &delta, bool complete);
    void onFound(int generation, const LogHits::Stretch &stretch, const QList<qint64> &lines, bool done);
    void onHitsRead(int generation, const LogHits::Stretch &stretch, const QList<qint64> &lines);
    void showHit(); // the current one, as soon as its line is known
    void updateScrollBars();
    void updatePill();
    // What is in sight: lines, or the parts of lines that are wrapped.
    struct Row {
        qint64 line = 0;
        qsizetype begin = 0;
        qsizetype end = -1; // -1: to its end
        int y = 0;
    };
    struct Top {
        qint64 line = 0;
        int row = 0;
        auto operator<=>(const Top &) const = default;
    };
    QList<Row> rowsInView() const;
    QList<qsizetype> breaksOf(const QString &text) const; // where the rows of a line begin
    Top endTop() const; // of a wrapped log: with its end at the lower edge
    void scrollRows(int rows);
    void paintLine(QPainter &painter, const Row &row, int textLeft);
    QColor terminalColour(int code) const;
    QColor terminalGround(int code) const;
    std::pair<QColor, QColor> coloursOf(const LogText::Run &run, const QColor &plain) const; // ink and ground
    int gutterWidth() const;
    int rowsInSight() const;
    Position positionAt(const QPoint &point) const;
    void goToHit(qint64 number);
    std::pair<Position, Position> selection() const;

    mutable LogLines m_lines;
    QThread m_thread;
    LogWorker *m_worker;
    std::atomic<int> m_sourceGeneration = 0;
    std::atomic<int> m_searchGeneration = 0;
    QPushButton *m_pill;
    QWidget *m_marks;
    QTimer *m_lateRepaint;
    bool m_following = true;
    bool m_times = true;
    bool m_wrapped = false;
    int m_topRow = 0; // of the line at the top, when wrapped
    bool m_complete = false;
    bool m_adjusting = false;
    qint64 m_seenLines = 0; // how many there were when following ended
    int m_widest = 0;
    int m_rowHeight = 18;
    Position m_anchor, m_caret;
    bool m_selecting = false;
    int m_autoScroll = 0;
    int m_wheel = 0; // not yet a row
    LogQuery m_query;
    QRegularExpression m_expression;
    LogHits m_hitLines;
    qint64 m_currentHit = -1;
    bool m_searchDone = true;
};

} // namespace trainyard
