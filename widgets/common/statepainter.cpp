// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/statepainter.h"

#include "widgets/common/icons.h"

#include <QCoreApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>

namespace trainyard
{
namespace
{
class StateIconEngine final : public QIconEngine
{
public:
    explicit StateIconEngine(StateShape shape) : m_shape(shape) { }
    void paint(QPainter *painter, const QRect &rect, QIcon::Mode, QIcon::State) override
    {
        paintState(painter, m_shape, rect, colour(colourOf(m_shape), currentIconTheme()));
    }
    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return pixmap;
    }
    QIconEngine *clone() const override { return new StateIconEngine(m_shape); }

private:
    StateShape m_shape;
};
} // namespace

StateShape shapeOf(State state)
{
    switch (state) {
    case State::Waiting:
        return StateShape::Waiting;
    case State::Running:
        return StateShape::Running;
    case State::Stopping:
        return StateShape::Stopping;
    case State::Succeeded:
        return StateShape::Succeeded;
    case State::Failed:
        return StateShape::Failed;
    case State::Stopped:
        return StateShape::Stopped;
    case State::Unknown:
        return StateShape::Lost;
    }
    return StateShape::Lost;
}

StateShape shapeOf(const JobSummary &job)
{
    const bool isHalted = job.paused && (job.state == State::Waiting || job.state == State::Running);
    return isHalted ? StateShape::Paused : shapeOf(job.state);
}

StateShape shapeOf(const TaskInfo &task)
{
    return task.reason == QLatin1StringView("job.paused") ? StateShape::Paused : shapeOf(task.state);
}

Colour colourOf(StateShape shape)
{
    switch (shape) {
    case StateShape::Waiting:
        return Colour::Waiting;
    case StateShape::Running:
        return Colour::Running;
    case StateShape::Stopping:
        return Colour::Stopping;
    case StateShape::Succeeded:
        return Colour::Succeeded;
    case StateShape::Failed:
        return Colour::Failed;
    case StateShape::Stopped:
        return Colour::Stopped;
    case StateShape::Lost:
        return Colour::Lost;
    case StateShape::Paused:
        return Colour::Waiting;
    }
    return Colour::Text;
}

QString stateLabel(StateShape shape)
{
    const auto say = [](const char *text) { return QCoreApplication::translate("State", text); };
    switch (shape) {
    case StateShape::Waiting:
        return say(QT_TRANSLATE_NOOP("State", "Waiting"));
    case StateShape::Running:
        return say(QT_TRANSLATE_NOOP("State", "Running"));
    case StateShape::Stopping:
        return say(QT_TRANSLATE_NOOP("State", "Stopping"));
    case StateShape::Succeeded:
        return say(QT_TRANSLATE_NOOP("State", "Succeeded"));
    case StateShape::Failed:
        return say(QT_TRANSLATE_NOOP("State", "Failed"));
    case StateShape::Stopped:
        return say(QT_TRANSLATE_NOOP("State", "Stopped"));
    case StateShape::Lost:
        return say(QT_TRANSLATE_NOOP("State", "Lost"));
    case StateShape::Paused:
        return say(QT_TRANSLATE_NOOP("State", "Paused"));
    }
    return {};
}

void paintState(QPainter *painter, StateShape shape, const QRectF &rect, const QColor &colour)
{
    const qreal side = std::min(rect.width(), rect.height());
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->translate(rect.x() + (rect.width() - side) / 2, rect.y() + (rect.height() - side) / 2);
    painter->scale(side / 14, side / 14);
    QPen pen(colour, 2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
    painter->setBrush(Qt::NoBrush);
    switch (shape) {
    case StateShape::Waiting:
        pen.setWidthF(1.7);
        painter->setPen(pen);
        painter->drawEllipse(QPointF(7, 7), 4.6, 4.6);
        break;
    case StateShape::Running:
        pen.setWidthF(0.8);
        painter->setPen(pen);
        painter->setBrush(colour);
        painter->drawPolygon(QPolygonF({QPointF(3.6, 2), QPointF(3.6, 12), QPointF(12, 7)}));
        break;
    case StateShape::Stopping:
        pen.setWidthF(1.5);
        painter->setPen(pen);
        painter->drawRoundedRect(QRectF(2.8, 2.8, 8.4, 8.4), 0.8, 0.8);
        painter->fillRect(QRectF(2.8, 2.8, 4.2, 8.4), colour);
        break;
    case StateShape::Succeeded:
        painter->setPen(pen);
        painter->drawPolyline(QPolygonF({QPointF(2.2, 7.5), QPointF(5.5, 10.8), QPointF(11.8, 3.8)}));
        break;
    case StateShape::Failed:
        painter->setPen(pen);
        painter->drawLine(QPointF(3.2, 3.2), QPointF(10.8, 10.8));
        painter->drawLine(QPointF(10.8, 3.2), QPointF(3.2, 10.8));
        break;
    case StateShape::Stopped:
        painter->setPen(Qt::NoPen);
        painter->setBrush(colour);
        painter->drawRoundedRect(QRectF(2.6, 2.6, 8.8, 8.8), 0.8, 0.8);
        break;
    case StateShape::Lost:
        pen.setWidthF(1.8);
        pen.setCapStyle(Qt::FlatCap);
        painter->setPen(pen);
        for (const int from : {70, 250}) { // a ring alone, however broken, reads as something that is going on
            painter->drawArc(QRectF(2.3, 2.3, 9.4, 9.4), from * 16, 130 * 16);
        }
        painter->drawLine(QPointF(2.4, 11.6), QPointF(11.6, 2.4));
        break;
    case StateShape::Paused:
        painter->fillRect(QRectF(3.2, 2.6, 2.6, 8.8), colour);
        painter->fillRect(QRectF(8.2, 2.6, 2.6, 8.8), colour);
        break;
    }
    painter->restore();
}

void paintState(QPainter *painter, StateShape shape, const QRectF &rect, const QPalette &palette)
{
    paintState(painter, shape, rect, trainyard::colour(colourOf(shape), palette));
}

QIcon stateIcon(StateShape shape) { return QIcon(new StateIconEngine(shape)); }

} // namespace trainyard
