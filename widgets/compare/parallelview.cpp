// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/parallelview.h"

#include "widgets/common/linesample.h"
#include "widgets/common/stylepaint.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace trainyard
{
namespace
{
constexpr int topEdge = 68, bottomEdge = 40, sideEdge = 56;
constexpr qreal axisReach = 14, lineReach = 5;
constexpr double labelGround = 0.92;
constexpr qsizetype mostParallelAxes = 10;
constexpr int axisBrushWidth = 12;
} // namespace

ParallelView::ParallelView(CompareRuns *runs, QWidget *parent) : QWidget(parent), m_runs(runs)
{
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Parallel coordinates"));
    connect(runs, &CompareRuns::reset, this, &ParallelView::rebuild);
    connect(runs, &CompareRuns::valuesChanged, this, &ParallelView::rebuild);
    connect(runs, &CompareRuns::drawnChanged, this, &ParallelView::forgetPicture);
    connect(runs, &CompareRuns::brushChanged, this, &ParallelView::forgetPicture);
    rebuild();
}

void ParallelView::forgetPicture()
{
    m_lines = {};
    update();
}

void ParallelView::rebuild()
{
    const QList<Axis> before = m_axes;
    const QString pressed = m_pressedAxis >= 0 ? before.at(m_pressedAxis).name : QString();
    m_axes.clear();
    m_seeds.clear();
    const auto add = [&](const QString &name, QStringList values, ValueScale::Numbers what) {
        for (qsizetype run = 0; run < values.size(); ++run) {
            if (m_runs->isHidden(run)) {
                values[run] = QString(); // null: it has no place and stretches no axis
            }
        }
        Axis axis{name, ValueScale(values, what), {}, {}};
        for (const QString &value : values) {
            axis.positions.append(axis.scale.position(value));
        }
        const auto known
            = std::find_if(before.cbegin(), before.cend(), [&name](const Axis &each) { return each.name == name; });
        if (known != before.cend()) {
            axis.brush = known->brush;
        }
        m_axes.append(axis);
    };
    for (const CompareFact &fact : m_runs->table().different) {
        if (fact.isSeed()) {
            m_seeds.append(fact.name);
        } else if (fact.kind == CompareFact::Kind::Parameter && m_axes.size() < mostParallelAxes) {
            add(fact.name, fact.values, ValueScale::Numbers::Sizes);
        }
    }
    if (!m_runs->metric().isEmpty()) {
        QStringList values;
        for (qsizetype run = 0; run < m_runs->runs().size(); ++run) {
            const auto value = m_runs->value(run);
            values.append(value ? QString::number(*value, 'g', QLocale::FloatingPointShortest) : QString());
        }
        add(m_runs->metric(), values, ValueScale::Numbers::Results);
    }
    // Runs that come while the user drags may take the axis away, or give it another place.
    const auto held
        = std::find_if(m_axes.cbegin(), m_axes.cend(), [&pressed](const Axis &axis) { return axis.name == pressed; });
    m_pressedAxis = m_pressedAxis < 0 || held == m_axes.cend() ? -1 : held - m_axes.cbegin();
    applyBrushes();
    forgetPicture();
    Q_EMIT updated();
}

void ParallelView::setBestOnly(int count)
{
    m_bestOnly = count;
    applyBrushes();
}

void ParallelView::setCurrent(qsizetype run)
{
    m_current = run;
    update();
}

void ParallelView::clearBrushes()
{
    for (Axis &axis : m_axes) {
        axis.brush.reset();
    }
    applyBrushes();
}

void ParallelView::brush(qsizetype axis, double from, double to)
{
    m_axes[axis].brush = std::minmax(from, to);
    applyBrushes();
}

void ParallelView::applyBrushes()
{
    const bool isBrushed
        = std::any_of(m_axes.cbegin(), m_axes.cend(), [](const Axis &axis) { return axis.brush.has_value(); });
    if (!isBrushed && m_bestOnly == 0) {
        m_runs->setBrush(std::nullopt);
        return;
    }
    QSet<qsizetype> passing;
    qsizetype rank = 0;
    for (const qsizetype run : m_runs->ranking()) {
        const bool isBest = m_bestOnly == 0 || (rank++ < m_bestOnly && m_runs->value(run));
        const bool isInside = std::all_of(m_axes.cbegin(), m_axes.cend(), [run](const Axis &axis) {
            const auto &place = axis.positions.at(run);
            return !axis.brush || (place && *place >= axis.brush->first && *place <= axis.brush->second);
        });
        if (isBest && isInside) {
            passing.insert(run);
        }
    }
    m_runs->setBrush(passing);
}

qreal ParallelView::xOf(qsizetype axis) const
{
    const qreal room = width() - 2 * sideEdge;
    return m_axes.size() < 2 ? width() / 2.0 : sideEdge + room * qreal(axis) / qreal(m_axes.size() - 1);
}

qreal ParallelView::yOf(double position) const
{
    const qreal bottom = height() - bottomEdge;
    return bottom - position * (bottom - topEdge);
}

double ParallelView::positionAt(qreal y) const
{
    return (height() - bottomEdge - y) / std::max(1, height() - bottomEdge - topEdge);
}

QRect ParallelView::axisRect(qsizetype axis) const
{
    return QRect(
        int(xOf(axis)) - axisBrushWidth / 2, topEdge, axisBrushWidth, std::max(1, height() - bottomEdge - topEdge));
}

// Left of the axis, and no further than to the one before it. Words behind the last axis would have no room there.
QRectF ParallelView::labelRect(qsizetype axis, double position) const
{
    constexpr qreal beside = 6, edge = 2, height = 16;
    const qreal x = std::round(xOf(axis)) + 0.5, y = yOf(position) - height / 2;
    const qreal most = sideEdge - beside - edge;
    if (axis > 0 && axis + 1 == m_axes.size()) {
        return {x + beside, y, most, height};
    }
    const qreal width = axis == 0 ? most : std::clamp(x - xOf(axis - 1) - 2 * beside, 0.0, most);
    return {x - beside - width, y, width, height};
}

qsizetype ParallelView::axisAt(qreal x) const
{
    for (qsizetype axis = 0; axis < m_axes.size(); ++axis) {
        if (std::abs(xOf(axis) - x) <= axisReach) {
            return axis;
        }
    }
    return -1;
}

// Over the axes on which it has a value.
QPolygonF ParallelView::lineOf(qsizetype run) const
{
    QPolygonF line;
    for (qsizetype axis = 0; axis < m_axes.size(); ++axis) {
        if (const auto &place = m_axes.at(axis).positions.at(run)) {
            line.append(QPointF(xOf(axis), yOf(*place)));
        }
    }
    return line;
}

qsizetype ParallelView::runAt(const QPointF &at) const
{
    qsizetype best = -1;
    qreal distance = lineReach;
    for (qsizetype run = 0; run < m_runs->runs().size(); ++run) {
        const QPolygonF line = m_runs->passes(run) ? lineOf(run) : QPolygonF();
        for (qsizetype i = 1; i < line.size(); ++i) {
            const QPointF &from = line.at(i - 1), &to = line.at(i);
            if (at.x() >= from.x() && at.x() <= to.x()) {
                const qreal y = from.y() + (to.y() - from.y()) * (at.x() - from.x()) / (to.x() - from.x());
                if (std::abs(y - at.y()) < distance) {
                    distance = std::abs(y - at.y());
                    best = run;
                }
            }
        }
    }
    return best;
}

void ParallelView::paintLines(QPainter *painter, const QPalette &ink) const
{
    constexpr double faint = 0.12;
    const qsizetype count = m_runs->runs().size();
    constexpr qsizetype few = 60;
    const double strength = count <= few ? 0.75 : 0.4;
    // Runs that pass the brushes are drawn over the others, and runs that are drawn in the plots over all.
    for (int layer = 0; layer < 3; ++layer) {
        for (qsizetype run = 0; run < count; ++run) {
            const bool passes = m_runs->passes(run);
            const int look = m_runs->look(run);
            const int own = !passes ? 0 : look < 0 ? 1 : 2;
            if (own != layer) {
                continue;
            }
            const QColor of = lookColour(own == 2 ? look : -1, ink);
            painter->setPen(QPen(withAlpha(of, own == 0 ? faint : own == 1 ? strength : 1), own == 2 ? 1.8 : 1));
            const QPolygonF line = lineOf(run);
            if (line.size() == 1) {
                painter->drawEllipse(line.first(), 2, 2);
            } else {
                painter->drawPolyline(line);
            }
        }
    }
}

void ParallelView::paintAxes(QPainter *painter, const QPalette &ink) const
{
    for (qsizetype i = 0; i < m_axes.size(); ++i) {
        const Axis &axis = m_axes.at(i);
        const qreal x = std::round(xOf(i)) + 0.5;
        painter->setPen(QPen(colour(Colour::Edge, ink), 1));
        painter->drawLine(QPointF(x, topEdge), QPointF(x, height() - bottomEdge));
        if (axis.brush) {
            const QRectF box(x - axisBrushWidth / 2.0, yOf(axis.brush->second), axisBrushWidth,
                yOf(axis.brush->first) - yOf(axis.brush->second));
            painter->setPen(QPen(colour(Colour::Accent, ink), 1));
            painter->setBrush(withAlpha(colour(Colour::Accent, ink), 0.2));
            painter->drawRect(box);
            painter->setBrush(Qt::NoBrush);
        }
        const qreal room = m_axes.size() < 2 ? width() : (width() - 2.0 * sideEdge) / qreal(m_axes.size() - 1);
        painter->setFont(fonts::semibold());
        painter->setPen(colour(Colour::Text, ink));
        painter->drawText(QRectF(x - room / 2, 8, room, 20), Qt::AlignCenter,
            painter->fontMetrics().elidedText(axis.name, Qt::ElideMiddle, int(std::max<qreal>(40, room - 10))));
        painter->setFont(fonts::tiny());
        painter->setPen(colour(Colour::Muted, ink));
        const bool isLast = i + 1 == m_axes.size() && i > 0;
        for (const auto &[place, text] : axis.scale.ticksWithEnds(6)) {
            const QRectF at = labelRect(i, place);
            const QFontMetrics metrics = painter->fontMetrics();
            const QString fitting = fittingNumber(
                text, [&](const QString &each) { return metrics.horizontalAdvance(each) <= at.width(); });
            const QString shown = metrics.elidedText(fitting, Qt::ElideRight, int(at.width()));
            const int side = int(isLast ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter;
            // Lines run behind the words, and end beside all of them.
            constexpr int around = 2;
            const QRectF words = painter->boundingRect(at, side, shown).adjusted(-around, 0, around, 0);
            painter->fillRect(words, withAlpha(colour(Colour::Surface, ink), labelGround));
            painter->drawText(at, side, shown);
        }
    }
}

void ParallelView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    if (m_axes.size() < 2) {
        painter.fillRect(rect(), colour(Colour::Surface, this));
        painter.setPen(colour(Colour::Muted, this));
        painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap,
            tr("Parallel coordinates need a parameter, other than a seed, that differs between the runs, and a "
               "result."));
        return;
    }
    if (m_lines.isNull()) {
        m_lines = QPixmap(size() * devicePixelRatio());
        m_lines.setDevicePixelRatio(devicePixelRatio());
        m_lines.fill(colour(Colour::Surface, this));
        QPainter lines(&m_lines);
        lines.setRenderHint(QPainter::Antialiasing);
        paintLines(&lines, palette());
    }
    painter.drawPixmap(0, 0, m_lines);
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_current >= 0 && m_current < m_runs->runs().size() && m_runs->passes(m_current)) {
        painter.setPen(QPen(colour(Colour::Text, this), 2.5));
        painter.drawPolyline(lineOf(m_current));
    }
    paintAxes(&painter, palette());
    if (hasFocus()) {
        stylepaint::focusRing(
            &painter, rect().adjusted(1, 1, -1, -1), metrics::smallRadius, colour(Colour::Accent, this));
    }
}

void ParallelView::paintOn(QPainter *painter, const QPalette &ink) const
{
    painter->setRenderHint(QPainter::Antialiasing);
    painter->fillRect(rect(), colour(Colour::Surface, ink));
    paintLines(painter, ink);
    paintAxes(painter, ink);
}

void ParallelView::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    forgetPicture();
}

void ParallelView::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        forgetPicture();
    }
}

void ParallelView::mousePressEvent(QMouseEvent *event)
{
    m_pressed = event->position();
    m_pressedAxis = event->button() == Qt::LeftButton ? axisAt(m_pressed.x()) : -1;
    if (m_pressedAxis < 0 && event->button() == Qt::LeftButton) {
        if (const qsizetype run = runAt(m_pressed); run >= 0) {
            Q_EMIT chosen(run);
        }
    }
}

void ParallelView::mouseMoveEvent(QMouseEvent *event)
{
    constexpr qreal least = 3;
    if (m_pressedAxis >= 0 && std::abs(event->position().y() - m_pressed.y()) >= least) {
        brush(m_pressedAxis, positionAt(m_pressed.y()), positionAt(event->position().y()));
        update();
    }
}

void ParallelView::mouseReleaseEvent(QMouseEvent *event)
{
    const qsizetype axis = std::exchange(m_pressedAxis, -1);
    if (axis >= 0 && event->position() == m_pressed) {
        m_axes[axis].brush.reset();
        applyBrushes();
        update();
    }
}

void ParallelView::mouseDoubleClickEvent(QMouseEvent *)
{
    clearBrushes();
    update();
}

void ParallelView::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape) {
        clearBrushes();
        update();
    } else {
        QWidget::keyPressEvent(event);
    }
}

} // namespace trainyard
