// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "widgets/plot/curveline.h"
#include "widgets/plot/stepclock.h"

#include <QList>
#include <QWidget>

#include <functional>
#include <optional>
#include <utility>

class QCPGraph;
class QCPItemRect;
class QCPItemStraightLine;
class QCPItemText;
class QCustomPlot;

namespace trainyard
{

// One metric of several tasks as lines over steps or time. Of each line only the points that its columns of pixels need
// are drawn, whatever its length. No other code uses the drawing library. Large because all use of that library is
// here, except for pictures (curvepicture.h) and our extensions of it (exactticker.h, slicedgraph.h).
//
// Dragging zooms in on what it covers while everything is in sight, and pans then; Ctrl and the wheel zooms along the
// axis, a double click shows everything. A click chooses a moment, dragging with Shift a stretch of time. With the
// keys, Left and Right move a cursor from value to value, which Return or Space chooses and Esc releases it; they pan
// where only a part is shown and there is no such cursor. Without a cursor, Esc gives up the stretch of time.
class CurvePlot : public QWidget
{
    Q_OBJECT
public:
    explicit CurvePlot(const QString &title, QWidget *parent = nullptr);
    ~CurvePlot() override;

    QString title() const { return m_title; }
    void setLines(const QList<CurveLine> &lines); // their series have to live until the next call
    void setLook(const CurveLook &look);
    void setMarks(const QList<CurveMark> &marks);
    QString markAt(const QPoint &at) const; // what the marks there say; empty: there are none
    QString tipAt(const QPoint &at) const; // that, or what the mouse does
    using Range = std::pair<double, double>;
    void setRange(const std::optional<Range> &range); // of the axis along; nothing: all of every line
    void setWhole(const Range &range); // what "all" means, for all plots of the page
    // Whether a tooltip on the numbers of the axis explains the mouse, where it hides no line.
    void setTellsHint(bool on) { m_tellsHint = on; }
    bool isZoomed() const { return m_range.has_value(); }
    // The span that was chosen with Shift, marked until it is cleared: the times (ms UTC), and the positions along the
    // axis; without these, the positions of the times.
    using Times = std::pair<qint64, qint64>;
    void setChosen(const std::optional<Times> &times, const std::optional<Range> &places = std::nullopt);
    std::optional<Range> chosenRange() const; // along
    // Converts a position along steps or epochs to a time and back, called when needed. Without an answer, the lines
    // themselves decide.
    void setClock(std::function<stepclock::Series()> clock) { m_clock = std::move(clock); }
    // As by hand, with rangeChosen():
    void zoomIn(const QPoint &at); // in this widget
    void zoomOut();
    void zoomTo(const std::optional<Range> &range); // nothing: all
    void refresh(); // the series have grown
    void setCursor(std::optional<double> at);
    bool hasKeyCursor() const { return m_keyPlace.has_value(); } // cursorMoved() last reported the keys
    QPoint cursorPixel() const; // in this widget: of the keys, else of the mouse
    void setPreferred(const QString &label)
    {
        m_preferred = label;
    } // of lines that lie on each other, a click means this
    void setMoment(std::optional<qint64> time); // marks what was then (ms UTC)
    QList<QPair<CurveLine, series::Point>> pointsAt(double place) const; // the nearest one of each line

    const CurveLook &look() const { return m_look; }
    const QList<CurveLine> &lines() const { return m_lines; }
    qsizetype lineCount() const { return m_lines.size(); }
    std::optional<Range> extent() const; // along, of all lines
    Range shownRange() const;
    QPoint pixelOf(double place, double value) const; // in this widget
    QList<QPoint> drawnPoints() const; // pixels that the lines go through
    // Pictures look the same in every theme and have the title, the name of the axis along and, of several lines, a
    // legend, which comes on top of the height; nothing of the pointer is in them.
    Result<void> save(const QString &file, const QSizeF &millimetres) const; // as CurvePicture does
    QByteArray svg(const QSizeF &millimetres) const; // for a page of text; empty when it could not be drawn
    // The positions of lines, by label, in the legend of a saved picture: the least number comes first. Without them
    // the order is that of drawing.
    void setLegendPlaces(std::function<qsizetype(const QString &label)> placeOf)
    {
        m_legendPlaceOf = std::move(placeOf);
    }

    QSize sizeHint() const override { return {480, 160}; }
    QSize minimumSizeHint() const override { return {160, 120}; }

Q_SIGNALS:
    void rangeChosen(const std::optional<trainyard::CurvePlot::Range> &range); // by hand; answer with setRange()
    void cursorMoved(std::optional<double> place); // also when other places come below a pointer that rests
    void momentChosen(const trainyard::CurveLine &line, const trainyard::series::Point &point);
    void timesChosen(qint64 from, qint64 to); // ms UTC
    void chosenDropped(); // by Esc; answer with setChosen()
    void menuRequested(const QPoint &globalPosition);

protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    static bool isShownOn(double value, bool isLog);
    friend class CurvePicture; // another plot of the same lines
    void applyColours();
    void applyTicks();
    void lookForParts();
    void draw(); // when it is in sight, else as soon as it is
    void drawNow();
    void followPointer();
    void drawMarks();
    QList<QPair<double, QString>> placesOfTries() const; // along the axis, with what their marks say
    double placeOfMark(const CurveMark &mark) const;
    void drawBand(qsizetype line, const std::vector<double> &edges, series::Extent &seen);
    QPen linePen(const QColor &colour, int look, double width) const;
    void zoom(double factor, double around);
    void pan(double by);
    void moveKeyCursor(int by);
    void chooseAtCursor();
    void letKeyCursorGo();
    std::optional<qint64> timeAt(double place) const;
    std::optional<double> placeOfTime(qint64 time) const;
    void showMoment();
    void showChosen();
    void showBand(std::optional<int> to); // from where the mouse was pressed
    void release(const QPoint &at);
    void tellPointer(const QPoint &at);
    void describe();

    QString m_title;
    std::optional<QSize> m_picture; // the size of what is drawn only to be saved, pixels; nothing: it is on the screen
    QList<CurveLine> m_lines;
    std::function<qsizetype(const QString &label)> m_legendPlaceOf;
    CurveLook m_look;
    std::optional<Range> m_range;
    Range m_whole = {0, 1};
    QCustomPlot *m_plot;
    QCPItemStraightLine *m_cursorLine;
    QCPItemStraightLine *m_momentLine;
    QCPItemRect *m_chosenBand; // what was chosen with Shift
    QCPItemRect *m_band; // what is being chosen by dragging
    QWidget *m_ring; // above all of it while it has the focus
    std::optional<qint64> m_moment;
    QList<QCPGraph *> m_graphs; // raw and smoothed of each line, then the marks of gaps
    QList<CurveMark> m_marks;
    QCPGraph *m_marksGraph = nullptr, *m_triesGraph = nullptr;
    QList<QCPGraph *> m_bands; // the lower and the upper edge of each line, where one has a band
    std::optional<QPoint> m_pointer; // over the lines, in pixels of what is drawn
    std::optional<double> m_told; // the place of the pointer
    std::optional<double> m_keyPlace; // of the cursor that the keys move
    std::optional<QPoint> m_pressed;
    Range m_pressedRange = {0, 1};
    bool m_dragged = false;
    bool m_tellsHint = true;
    enum class Dragging { Pans, Zooms, ChoosesTimes };
    Dragging m_dragging = Dragging::Pans;
    std::function<stepclock::Series()> m_clock;
    std::optional<Times> m_times;
    std::optional<Range> m_chosen;
    QString m_preferred;
    bool m_isStale = true;
    bool m_hasParts = false; // the lines go on by parts of a step
};

} // namespace trainyard
