// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/series/view.h"
#include "widgets/common/labels.h"
#include "widgets/common/tokens.h"
#include "widgets/plot/curveplot.h"

#include <QCursor>
#include <QEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>
#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <utility>

// The actions of the mouse and the keys in a plot.
namespace trainyard
{
namespace
{
constexpr double zoomStep = 1.25;
constexpr int leastDrag = 4; // pixels, from which on it is not a click
} // namespace

void CurvePlot::zoom(double factor, double around)
{
    const auto [from, to] = shownRange();
    Range next{around + (from - around) * factor, around + (to - around) * factor};
    const double least = std::max(std::abs(around) * 1e-9, 1e-6);
    if (next.second - next.first < least) {
        return;
    }
    next.first = std::max(next.first, m_whole.first);
    next.second = std::min(next.second, m_whole.second);
    if (next.first <= m_whole.first && next.second >= m_whole.second) {
        Q_EMIT rangeChosen(std::nullopt);
    } else if (next.second > next.first) {
        Q_EMIT rangeChosen(next);
    }
}

void CurvePlot::zoomIn(const QPoint &at)
{
    constexpr double factor = 0.5; // one step of the wheel would hardly be seen
    const QRect inside = m_plot->axisRect()->rect();
    zoom(factor, m_plot->xAxis->pixelToCoord(std::clamp(m_plot->mapFrom(this, at).x(), inside.left(), inside.right())));
}

void CurvePlot::zoomOut()
{
    const auto [from, to] = shownRange();
    zoom(2, (from + to) / 2);
}

void CurvePlot::zoomTo(const std::optional<Range> &range)
{
    if (!range) {
        Q_EMIT rangeChosen(std::nullopt);
        return;
    }
    const Range next{std::max(range->first, m_whole.first), std::min(range->second, m_whole.second)};
    if (next.second > next.first) {
        Q_EMIT rangeChosen(next);
    }
}

void CurvePlot::pan(double by)
{
    if (!m_range) {
        return; // everything is in sight
    }
    const auto [from, to] = *m_range;
    by = std::clamp(by, m_whole.first - from, m_whole.second - to);
    Q_EMIT rangeChosen(Range{from + by, to + by});
}

bool CurvePlot::eventFilter(QObject *watched, QEvent *event)
{
    if (watched != m_plot) {
        return QWidget::eventFilter(watched, event);
    }
    const auto placeAt = [this](double pixel) { return m_plot->xAxis->pixelToCoord(pixel); };
    switch (event->type()) {
    case QEvent::Paint:
        if (m_isStale) { // it was scrolled into sight
            drawNow();
        }
        return false;
    case QEvent::Wheel: {
        auto *wheel = static_cast<QWheelEvent *>(event);
        if (!(wheel->modifiers() & Qt::ControlModifier)) {
            event->ignore(); // the page scrolls
            return true;
        }
        zoom(std::pow(zoomStep, -wheel->angleDelta().y() / 120.0), placeAt(wheel->position().x()));
        return true;
    }
    case QEvent::MouseButtonPress: {
        auto *mouse = static_cast<QMouseEvent *>(event);
        if (mouse->button() == Qt::LeftButton) {
            m_pressed = mouse->pos();
            m_pressedRange = shownRange();
            m_dragged = false;
            m_dragging = mouse->modifiers().testFlag(Qt::ShiftModifier) ? Dragging::ChoosesTimes
                : m_range                                               ? Dragging::Pans
                                                                        : Dragging::Zooms;
            setFocus(Qt::MouseFocusReason);
        } else if (mouse->button() == Qt::RightButton) {
            Q_EMIT menuRequested(mouse->globalPosition().toPoint());
        }
        return true;
    }
    case QEvent::MouseMove: {
        auto *mouse = static_cast<QMouseEvent *>(event);
        if (m_pressed && (mouse->buttons() & Qt::LeftButton)) {
            const int moved = mouse->pos().x() - m_pressed->x();
            m_pointer.reset(); // the lines follow it, not the other way round
            m_dragged = m_dragged || std::abs(moved) >= leastDrag;
            if (m_dragging == Dragging::ChoosesTimes || (m_dragging == Dragging::Zooms && m_dragged)) {
                showBand(mouse->pos().x());
            } else if (m_dragged && m_dragging == Dragging::Pans && m_range) {
                const double perPixel
                    = (m_pressedRange.second - m_pressedRange.first) / std::max(1, m_plot->axisRect()->width());
                pan(m_pressedRange.first - moved * perPixel - m_range->first);
            }
            return true;
        }
        tellPointer(mouse->pos());
        return true;
    }
    case QEvent::MouseButtonRelease: {
        auto *mouse = static_cast<QMouseEvent *>(event);
        if (m_pressed && mouse->button() == Qt::LeftButton) {
            release(mouse->pos());
            if (m_dragged) { // the values are those of where it began
                tellPointer(mouse->pos());
            }
        }
        m_pressed.reset();
        return true;
    }
    case QEvent::MouseButtonDblClick:
        Q_EMIT rangeChosen(std::nullopt);
        return true;
    case QEvent::ToolTip: {
        auto *help = static_cast<QHelpEvent *>(event);
        QToolTip::showText(help->globalPos(), plainTip(tipAt(help->pos())), m_plot);
        return true;
    }
    case QEvent::Leave:
        m_pointer.reset();
        m_told.reset();
        Q_EMIT cursorMoved(std::nullopt);
        return false;
    default:
        return false;
    }
}

void CurvePlot::tellPointer(const QPoint &at)
{
    m_keyPlace.reset();
    m_pointer = m_plot->axisRect()->rect().contains(at) ? std::optional(at) : std::nullopt;
    m_told = m_pointer ? std::optional(m_plot->xAxis->pixelToCoord(m_pointer->x())) : std::nullopt;
    Q_EMIT cursorMoved(m_told);
}

// What the mouse did since it was pressed is over.
void CurvePlot::release(const QPoint &at)
{
    const auto placeAt = [this](double pixel) { return m_plot->xAxis->pixelToCoord(pixel); };
    if (m_dragging == Dragging::Zooms && m_dragged) {
        showBand(std::nullopt);
        const auto [left, right] = std::minmax({m_pressed->x(), at.x()}); // of a list, as of two it has references
        if (right - left >= leastDrag) { // returning to the beginning cancels it
            zoomTo(Range{placeAt(left), placeAt(right)});
        }
        return;
    }
    if (m_dragging == Dragging::ChoosesTimes) {
        showBand(std::nullopt);
        const auto one = timeAt(placeAt(m_pressed->x())), other = timeAt(placeAt(at.x()));
        if (m_dragged && one && other) {
            const double from = placeAt(m_pressed->x()), to = placeAt(at.x());
            const Times times{std::min(*one, *other), std::max(*one, *other)};
            setChosen(times, Range{std::min(from, to), std::max(from, to)});
            Q_EMIT timesChosen(times.first, times.second);
        }
        return;
    }
    if (m_dragged || !m_plot->axisRect()->rect().contains(at)) {
        return;
    }
    // The line that is nearest to the pointer.
    const QPair<CurveLine, series::Point> *nearest = nullptr;
    double distance = qInf();
    const auto points = pointsAt(placeAt(at.x()));
    for (const auto &each : points) {
        const double away = std::isfinite(each.second.value)
            ? std::abs(m_plot->yAxis->coordToPixel(each.second.value) - at.y())
            : 1e6;
        // Where lines lie on each other, the one that was chosen is meant.
        constexpr double samePlace = 4; // pixels
        const bool isNearer
            = away < distance && (!nearest || nearest->first.label != m_preferred || away + samePlace < distance);
        if (isNearer || (each.first.label == m_preferred && away < distance + samePlace)) {
            distance = away;
            nearest = &each;
        }
    }
    if (nearest) {
        Q_EMIT momentChosen(nearest->first, nearest->second);
    }
}

QPoint CurvePlot::cursorPixel() const
{
    const auto points = m_keyPlace ? pointsAt(*m_keyPlace) : QList<QPair<CurveLine, series::Point>>();
    return points.isEmpty() ? mapFromGlobal(QCursor::pos()) : pixelOf(*m_keyPlace, points.constFirst().second.value);
}

// To the next value of the longest line, and at least a hundredth of what is shown: so a value is reached in few steps,
// and none is skipped if there are few.
void CurvePlot::moveKeyCursor(int by)
{
    const CurveLine *line = nullptr;
    for (const CurveLine &each : std::as_const(m_lines)) {
        if (each.series && each.series->size() > (line ? line->series->size() : 0)) {
            line = &each;
        }
    }
    if (!line) {
        return;
    }
    constexpr double steps = 100;
    const auto [from, to] = shownRange();
    const double start = m_keyPlace.value_or(m_told.value_or((from + to) / 2));
    const auto isAhead = [&](std::size_t i) { return (placeOf(*line, line->series->at(i), m_look) - start) * by > 0; };
    const auto isFar = [&, least = (to - from) / steps](std::size_t i) {
        return (placeOf(*line, line->series->at(i), m_look) - start) * by >= least;
    };
    const std::size_t size = line->series->size();
    std::optional<double> next;
    for (std::size_t k = 0; k < size; ++k) {
        const std::size_t i = by > 0 ? k : size - 1 - k;
        const double place = placeOf(*line, line->series->at(i), m_look);
        if (!isAhead(i) || place < from || place > to) {
            continue;
        }
        next = place;
        if (isFar(i)) {
            break;
        }
    }
    if (!next) {
        return;
    }
    if (!m_keyPlace) {
        Q_EMIT cursorMoved(std::nullopt); // what was dismissed of another cursor may be shown again
    }
    m_keyPlace = next;
    Q_EMIT cursorMoved(next);
}

void CurvePlot::chooseAtCursor()
{
    const auto [from, to] = shownRange();
    const auto points = pointsAt(m_keyPlace.value_or(m_told.value_or((from + to) / 2)));
    if (!points.isEmpty()) {
        const auto [line, point] = points.constFirst();
        m_keyPlace = placeOf(line, point, m_look);
        Q_EMIT momentChosen(line, point);
    }
}

void CurvePlot::letKeyCursorGo()
{
    if (std::exchange(m_keyPlace, std::nullopt)) {
        Q_EMIT cursorMoved(std::nullopt);
    }
}

void CurvePlot::keyPressEvent(QKeyEvent *event)
{
    const auto [from, to] = shownRange();
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoom(1 / zoomStep, (from + to) / 2);
        return;
    case Qt::Key_Minus:
        zoom(zoomStep, (from + to) / 2);
        return;
    case Qt::Key_0:
        Q_EMIT rangeChosen(std::nullopt);
        return;
    case Qt::Key_Left:
    case Qt::Key_Right: {
        const int by = event->key() == Qt::Key_Left ? -1 : 1;
        if (m_keyPlace || !m_range) {
            moveKeyCursor(by);
        } else {
            pan(by * (to - from) / 10);
        }
        return;
    }
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        chooseAtCursor();
        return;
    case Qt::Key_Escape:
        if (m_keyPlace) {
            letKeyCursorGo();
            return;
        }
        if (chosenRange()) {
            Q_EMIT chosenDropped();
            return;
        }
        break;
    case Qt::Key_Menu:
        Q_EMIT menuRequested(mapToGlobal(rect().center()));
        return;
    case Qt::Key_F10:
        if (event->modifiers() == Qt::ShiftModifier) {
            Q_EMIT menuRequested(mapToGlobal(rect().center()));
            return;
        }
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

} // namespace trainyard
