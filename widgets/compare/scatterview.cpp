// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/scatterview.h"

#include "engine/api/compare/comparemetrics.h"
#include "engine/api/jobfacts.h"
#include "widgets/common/linesample.h"
#include "widgets/common/tokens.h"
#include "widgets/text/resulttexts.h"

#include <QMouseEvent>
#include <QPainter>
#include <QPolygonF>
#include <QSet>

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr int scatterLeft = 58, scatterRight = 16, scatterTop = 10, scatterBottom = 22;
constexpr qreal pointRadius = 4.5, pointReach = 10,
                plotInset = 0.06; // of the plot, so that no point stands on its edge
constexpr qreal mostLabelRoom = 120, leastLabelRoom = 44, labelDistance = 6;
constexpr qreal labelHeight = 20, labelGap = 12; // of the label of a marked point, from the middle of the point
constexpr int numbersMarked = 6;

// Points have no dash: of runs with the same colour, the first one has a disc, the next ones a square, a diamond and a
// triangle.
void drawPoint(QPainter *painter, const QPointF &at, int look)
{
    constexpr qreal side = pointRadius * 0.93, reach = pointRadius * 1.3; // all of about the same size
    switch (look < 0 ? 0 : look / seriesCount % 4) {
    case 1:
        painter->drawRect(QRectF(at - QPointF(side, side), QSizeF(2 * side, 2 * side)));
        break;
    case 2:
        painter->drawPolygon(
            QPolygonF{at - QPointF(0, reach), at + QPointF(reach, 0), at + QPointF(0, reach), at - QPointF(reach, 0)});
        break;
    case 3:
        painter->drawPolygon(QPolygonF{at - QPointF(0, reach), at + QPointF(reach, side), at + QPointF(-reach, side)});
        break;
    default:
        painter->drawEllipse(at, pointRadius, pointRadius);
    }
}
} // namespace

ScatterView::ScatterView(CompareRuns *runs, QWidget *parent) : QWidget(parent), m_runs(runs)
{
    setMouseTracking(true);
    setAccessibleName(tr("Results by a parameter"));
    connect(runs, &CompareRuns::reset, this, &ScatterView::update);
    connect(runs, &CompareRuns::valuesChanged, this, &ScatterView::update);
    connect(runs, &CompareRuns::drawnChanged, this, qOverload<>(&QWidget::update));
    connect(runs, &CompareRuns::brushChanged, this, qOverload<>(&QWidget::update));
    update();
}

void ScatterView::update()
{
    m_names.clear();
    m_values.clear();
    m_results.clear();
    for (const CompareFact &fact : m_runs->table().different) {
        if (fact.kind == CompareFact::Kind::Parameter) { // a seed as well: how far does it move the result?
            m_names.append(fact.name);
            m_values.append(fact.values);
            for (qsizetype run = 0; run < m_runs->runs().size(); ++run) {
                if (m_runs->isHidden(run)) {
                    m_values.last()[run] = QString(); // null: it has no place and stretches no axis
                }
            }
        }
    }
    for (qsizetype run = 0; run < m_runs->runs().size(); ++run) {
        const auto value = m_runs->isHidden(run) ? std::nullopt : m_runs->value(run);
        m_results.append(value ? QString::number(*value, 'g', QLocale::FloatingPointShortest) : QString());
    }
    m_fact = m_names.indexOf(m_wanted);
    if (m_fact < 0 && m_runs->mainParameter() >= 0) {
        m_fact = m_names.indexOf(m_runs->table().different.at(m_runs->mainParameter()).name);
    }
    if (m_fact < 0 && !m_names.isEmpty()) {
        m_fact = 0; // only seeds differ
    }
    const QList<CompareFact> &facts = m_runs->table().different;
    const bool isSeed = m_fact >= 0 && std::any_of(facts.cbegin(), facts.cend(), [this](const CompareFact &fact) {
        return fact.name == m_names.at(m_fact) && fact.isSeed();
    });
    m_across = ValueScale(m_fact < 0 ? QStringList() : m_values.at(m_fact),
        isSeed ? ValueScale::Numbers::Names : ValueScale::Numbers::Sizes);
    m_up = ValueScale(m_results, ValueScale::Numbers::Results);
    m_hovered = -1;
    QWidget::update();
    Q_EMIT updated();
}

void ScatterView::setParameter(const QString &name)
{
    m_wanted = name;
    update();
}

void ScatterView::setCurrent(qsizetype run)
{
    m_current = run;
    QWidget::update();
}

// Of a row of folded runs, the one that came furthest.
qsizetype ScatterView::marked() const
{
    if (!m_runs->isFolded() || m_current < 0) {
        return m_current;
    }
    const QList<QList<qsizetype>> &rows = m_runs->rows();
    const auto row
        = std::find_if(rows.cbegin(), rows.cend(), [this](const auto &each) { return each.contains(m_current); });
    if (row == rows.cend()) {
        return m_current;
    }
    const QList<qsizetype> order = m_runs->ranking();
    const auto first = std::find_if(order.cbegin(), order.cend(), [row](qsizetype run) { return row->contains(run); });
    return first == order.cend() ? m_current : *first;
}

QRectF ScatterView::plotArea(const QRect &area) const
{
    return QRectF(area).adjusted(scatterLeft, scatterTop, -scatterRight, -scatterBottom);
}

std::optional<QPointF> ScatterView::placeOf(qsizetype run, const QRectF &plot) const
{
    if (m_fact < 0 || run < 0 || run >= m_results.size()) {
        return std::nullopt;
    }
    const auto x = m_across.position(m_values.at(m_fact).at(run)), y = m_up.position(m_results.at(run));
    if (!x || !y) {
        return std::nullopt;
    }
    const auto inner = [](double part) { return plotInset + part * (1 - 2 * plotInset); };
    return QPointF(plot.left() + inner(*x) * plot.width(), plot.bottom() - inner(*y) * plot.height());
}

std::optional<QPointF> ScatterView::pointOf(qsizetype run) const { return placeOf(run, plotArea(rect())); }

bool ScatterView::lacksPoint(qsizetype run) const
{
    return !m_runs->isHidden(run) && m_fact >= 0 && !m_up.position(m_results.at(run));
}

qsizetype ScatterView::withoutPoint() const
{
    qsizetype count = 0;
    for (qsizetype run = 0; run < m_results.size(); ++run) {
        count += lacksPoint(run) ? 1 : 0;
    }
    return count;
}

// A run whose result is not a number has one.
qsizetype ScatterView::withoutPointYet() const
{
    qsizetype count = 0;
    for (qsizetype run = 0; run < m_results.size(); ++run) {
        const JobSummary &job = m_runs->runs().at(run).job;
        const bool hasNone = m_runs->metric().isEmpty()
            || (!m_runs->value(run) && !compareValue(job, m_runs->metric(), m_runs->better()).isBroken);
        count += lacksPoint(run) && hasNone && isUnderway(job) ? 1 : 0;
    }
    return count;
}

QList<qsizetype> ScatterView::withoutParameter() const
{
    QList<qsizetype> runs;
    for (qsizetype run = 0; run < m_results.size(); ++run) {
        if (m_fact >= 0 && m_up.position(m_results.at(run)) && !m_across.position(m_values.at(m_fact).at(run))) {
            runs.append(run);
        }
    }
    return runs;
}

QList<ScatterView::AxisLabel> ScatterView::axisLabels(const QRectF &plot) const
{
    QList<AxisLabel> labels;
    if (m_across.kind() != ValueScale::Kind::Words) {
        return numberLabels(plot);
    }
    const auto all = m_across.ticks(std::numeric_limits<int>::max());
    const qreal gap = plot.width() * (1 - 2 * plotInset) / qreal(std::max<qsizetype>(1, all.size() - 1));
    const auto every = std::max<qsizetype>(1, qsizetype(std::ceil(leastLabelRoom / std::max<qreal>(1, gap))));
    const qsizetype best = m_runs->best();
    qsizetype first = 0; // so that the value of the best run is among those that are named
    if (m_fact >= 0 && best >= 0) {
        if (const auto place = m_across.position(m_values.at(m_fact).value(best))) {
            const auto isThere = [wanted = *place](const auto &tick) { return tick.first == wanted; };
            const auto at = std::find_if(all.cbegin(), all.cend(), isThere);
            first = at == all.cend() ? 0 : (at - all.cbegin()) % every;
        }
    }
    for (qsizetype i = first; i < all.size(); i += every) {
        labels.append({all.at(i).first, all.at(i).second, std::min(mostLabelRoom, gap * qreal(every) - labelDistance)});
    }
    return labels;
}

// Each number has its line; those without room for their text are read by their neighbours. That of the best run has
// the first choice.
QList<ScatterView::AxisLabel> ScatterView::numberLabels(const QRectF &plot) const
{
    QList<AxisLabel> labels;
    for (const auto &[place, text] : m_across.ticks(numbersMarked)) {
        labels.append({place, text, mostLabelRoom});
    }
    const qsizetype best = m_runs->best();
    const auto wanted = m_fact >= 0 && best >= 0 ? m_across.position(m_values.at(m_fact).value(best)) : std::nullopt;
    QList<qsizetype> order;
    for (qsizetype i = 0; i < labels.size(); ++i) {
        order.append(i);
    }
    std::stable_partition(
        order.begin(), order.end(), [&](qsizetype i) { return wanted && labels.at(i).place == *wanted; });
    const QFontMetricsF metrics(fonts::tiny());
    QList<std::pair<qreal, qreal>> taken;
    for (const qsizetype i : std::as_const(order)) {
        const qreal half = (metrics.horizontalAdvance(labels.at(i).text) + labelDistance) / 2;
        const qreal middle = labels.at(i).place * (1 - 2 * plotInset) * plot.width();
        const bool hasRoom = std::none_of(taken.cbegin(), taken.cend(),
            [&](const auto &each) { return middle - half < each.second && middle + half > each.first; });
        if (hasRoom) {
            taken.append({middle - half, middle + half});
        } else {
            labels[i].text.clear();
        }
    }
    return labels;
}

// What stands for the part of an axis that is not drawn to scale: its only value, or where its values begin.
QString ScatterView::beyondText(const ValueScale &scale, const QStringList &values, bool isHigh)
{
    QSet<QString> texts;
    std::optional<double> nearest;
    QString text;
    for (const QString &value : values) {
        const auto place = scale.isBeyond(value) ? scale.position(value) : std::nullopt;
        bool isNumber = false;
        const double number = value.toDouble(&isNumber);
        if (!place || !isNumber || (*place > 1) != isHigh) {
            continue;
        }
        texts.insert(value);
        if (!nearest || (isHigh ? number < *nearest : number > *nearest)) {
            nearest = number;
            text = metricNumber(number);
        }
    }
    return texts.size() < 2 ? text : isHigh ? QString(u"\u2265 "_s + text) : QString(u"\u2264 "_s + text);
}

QStringList ScatterView::beyondTexts() const
{
    QStringList texts;
    for (const bool isHigh : {false, true}) {
        texts.append(m_fact < 0 ? QString() : beyondText(m_across, m_values.at(m_fact), isHigh));
        texts.append(beyondText(m_up, m_results, isHigh));
    }
    texts.removeAll(QString());
    return texts;
}

// A dashed line ends the part that is drawn to scale.
void ScatterView::paintBeyond(QPainter *painter, const QRectF &plot, const QRect &area, const QPalette &ink) const
{
    constexpr double border = ValueScale::beyond / 2;
    const auto inner = [](double part) { return plotInset + part * (1 - 2 * plotInset); };
    QPen line(colour(Colour::Muted, ink), 1, Qt::DashLine);
    for (const bool isHigh : {false, true}) {
        const double at = isHigh ? 1 + border : -border, end = isHigh ? 1 + ValueScale::beyond : -ValueScale::beyond;
        if (const QString text = beyondText(m_up, m_results, isHigh); !text.isEmpty()) {
            const qreal y = std::round(plot.bottom() - inner(at) * plot.height()) + 0.5;
            painter->setPen(line);
            painter->drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
            const qreal middle = plot.bottom() - inner(end) * plot.height();
            painter->drawText(
                QRectF(area.left(), middle - 8, scatterLeft - 8, 16), Qt::AlignRight | Qt::AlignVCenter, text);
        }
        const QString text = m_fact < 0 ? QString() : beyondText(m_across, m_values.at(m_fact), isHigh);
        if (!text.isEmpty()) {
            const qreal x = std::round(plot.left() + inner(at) * plot.width()) + 0.5;
            painter->setPen(line);
            painter->drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
            const qreal middle = plot.left() + inner(end) * plot.width();
            const qreal width = painter->fontMetrics().horizontalAdvance(text) + 2;
            const qreal left = std::clamp(middle - width / 2, qreal(area.left()), area.right() + 1 - width);
            painter->drawText(QRectF(left, plot.bottom() + 4, width, 16), Qt::AlignCenter, text);
        }
    }
}

QStringList ScatterView::axisTexts() const
{
    QStringList texts;
    const QList<AxisLabel> labels = axisLabels(plotArea(rect()));
    for (const AxisLabel &label : labels) {
        texts.append(label.text);
    }
    texts.removeAll(QString());
    return texts;
}

QString ScatterView::labelText(qsizetype run) const
{
    return tr("%1, %2").arg(m_runs->label(run), metricNumber(m_runs->value(run).value_or(0)));
}

QRectF ScatterView::labelPlace(qsizetype run, qreal width, const QRect &area) const
{
    const QRectF plot = plotArea(area);
    const auto at = placeOf(run, plot);
    if (!at) {
        return {};
    }
    const QSizeF size(width + 2, labelHeight);
    const qreal rightmost = std::max<qreal>(area.left(), area.right() + 1 - size.width());
    const qreal across = std::clamp(at->x() - size.width() / 2, std::min(plot.left(), rightmost), rightmost);
    QRectF best;
    qreal least = std::numeric_limits<qreal>::max();
    for (const QPointF &corner : {QPointF(at->x() + labelGap, at->y() - labelHeight / 2),
             QPointF(at->x() - labelGap - width, at->y() - labelHeight / 2),
             QPointF(across, at->y() - labelGap - labelHeight), QPointF(across, at->y() + labelGap)}) {
        const QRectF label(corner, size), inside = label & QRectF(area);
        // A label that is cut is worse than one over a number of an axis, and that is worse than a point below it.
        constexpr qreal ofOutside = 1000, ofNumber = 10;
        qreal cost = inside.width() * inside.height() < label.width() * label.height() - 1 ? ofOutside : 0;
        cost += label.left() < plot.left() || label.bottom() > plot.bottom() + 4 ? ofNumber : 0;
        const QRectF reach = label.adjusted(-pointRadius, -pointRadius, pointRadius, pointRadius);
        for (qsizetype other = 0; other < m_results.size(); ++other) {
            const auto place = other != run && m_runs->passes(other) ? placeOf(other, plot) : std::nullopt;
            cost += place && reach.contains(*place) ? 1 : 0;
        }
        if (cost < least) {
            least = cost;
            best = label;
        }
    }
    return best;
}

QRectF ScatterView::labelOf(qsizetype run) const
{
    return labelPlace(run, QFontMetrics(fonts::small()).horizontalAdvance(labelText(run)), rect());
}

void ScatterView::paintOn(QPainter *painter, const QRect &area, const QPalette &ink) const
{
    painter->setRenderHint(QPainter::Antialiasing);
    painter->fillRect(area, colour(Colour::Surface, ink));
    const QRectF plot = plotArea(area);
    const QPen grid(colour(Colour::Border, ink), 1);
    painter->setFont(fonts::tiny());
    const auto inner = [](double part) { return plotInset + part * (1 - 2 * plotInset); };
    for (const auto &[place, text] : m_up.ticks(5)) {
        const qreal y = std::round(plot.bottom() - inner(place) * plot.height()) + 0.5;
        painter->setPen(grid);
        painter->drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        painter->setPen(colour(Colour::Muted, ink));
        painter->drawText(QRectF(area.left(), y - 8, scatterLeft - 8, 16), Qt::AlignRight | Qt::AlignVCenter, text);
    }
    const QList<AxisLabel> labels = axisLabels(plot);
    for (const auto &[place, text, room] : labels) {
        const qreal x = std::round(plot.left() + inner(place) * plot.width()) + 0.5;
        const qreal half = std::min({room / 2, x - area.left(), area.right() - x});
        painter->setPen(grid);
        painter->drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
        painter->setPen(colour(Colour::Muted, ink));
        painter->drawText(QRectF(x - half, plot.bottom() + 4, 2 * half, 16), Qt::AlignHCenter | Qt::AlignVCenter,
            painter->fontMetrics().elidedText(text, Qt::ElideMiddle, int(2 * half)));
    }
    paintBeyond(painter, plot, area, ink);
    // Drawn runs lie over the others.
    for (const bool isDrawn : {false, true}) {
        for (qsizetype run = 0; run < m_results.size(); ++run) {
            const auto at = placeOf(run, plot);
            if (at && (m_runs->look(run) >= 0) == isDrawn && m_runs->passes(run)) {
                paintRun(painter, run, *at, ink);
            }
        }
    }
}

void ScatterView::paintRun(QPainter *painter, qsizetype run, const QPointF &at, const QPalette &ink) const
{
    const int look = m_runs->look(run);
    const QColor of = lookColour(look, ink);
    const bool isOver = !isUnderway(m_runs->runs().at(run).job);
    painter->setPen(QPen(of, 1.5));
    painter->setBrush(isOver ? QBrush(of) : QBrush(colour(Colour::Surface, ink)));
    drawPoint(painter, at, look);
}

void ScatterView::paintMarks(QPainter *painter) const
{
    const QRectF plot = plotArea(rect());
    // The words of the point under the pointer would stand over those of the marked one.
    const bool isOther = m_hovered >= 0 && m_runs->passes(m_hovered) && placeOf(m_hovered, plot);
    const qsizetype current = marked(), named = isOther ? m_hovered : current;
    for (const qsizetype run : {current, m_hovered}) {
        const auto at = placeOf(run, plot);
        if (!at || !m_runs->passes(run)) {
            continue;
        }
        paintRun(painter, run, *at, palette()); // others may lie over it
        painter->setPen(QPen(colour(Colour::Text, this), 1.5));
        painter->setBrush(Qt::NoBrush);
        painter->drawEllipse(*at, pointRadius + 3, pointRadius + 3);
        if (run != named) {
            continue;
        }
        painter->setFont(fonts::small());
        const QString text = labelText(run);
        painter->drawText(
            labelPlace(run, painter->fontMetrics().horizontalAdvance(text), rect()), Qt::AlignVCenter, text);
    }
}

void ScatterView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), colour(Colour::Surface, this));
    if (m_fact < 0) {
        painter.setPen(colour(Colour::Muted, this));
        painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, tr("No parameter differs between the runs."));
        return;
    }
    paintOn(&painter, rect(), palette());
    paintMarks(&painter);
}

qsizetype ScatterView::runAt(const QPointF &at) const
{
    qsizetype best = -1;
    qreal distance = pointReach;
    for (qsizetype run = 0; run < m_results.size(); ++run) {
        const auto place = m_runs->passes(run) ? pointOf(run) : std::nullopt;
        if (place && (*place - at).manhattanLength() < distance) {
            distance = (*place - at).manhattanLength();
            best = run;
        }
    }
    return best;
}

void ScatterView::mousePressEvent(QMouseEvent *event)
{
    if (const qsizetype run = runAt(event->position()); run >= 0 && event->button() == Qt::LeftButton) {
        Q_EMIT chosen(run);
    }
}

void ScatterView::mouseMoveEvent(QMouseEvent *event)
{
    if (const qsizetype run = runAt(event->position()); run != m_hovered) {
        m_hovered = run;
        QWidget::update();
    }
}

} // namespace trainyard
