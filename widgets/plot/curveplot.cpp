// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/curveplot.h"

#include "engine/series/smoothing.h"
#include "engine/series/view.h"
#include "widgets/common/labels.h"
#include "widgets/common/tokens.h"
#include "widgets/plot/axisticks.h"
#include "widgets/plot/curvepicture.h"
#include "widgets/plot/lineslices.h"

#include <QEvent>
#include <QPainter>
#include <QVBoxLayout>
#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace trainyard
{
namespace
{

constexpr double rawOpacity = 0.3; // of the line that is smoothed
constexpr double lineWidth = 1.5, rawWidth = 1; // pixels
constexpr double dashScale = 2; // so that noise leaves the gaps open
constexpr double bandOpacity = 0.15;
constexpr double discRadius = 4; // pixels, with its edge
constexpr int ticksAlong = 5, ticksOfValues = 4; // about
constexpr double pictureLine = 1.5, pictureGrid = 0.5;

// Ticks and labels as axisTicks() and axisLabel() have them: the library's own ones are rounded to a fixed precision.
class ExactTicker : public QCPAxisTicker
{
public:
    ExactTicker(AxisNumbers numbers, int count) : m_numbers(numbers), m_count(count) { }

protected:
    QVector<double> createTickVector(double, const QCPRange &range) override
    {
        const QVector<double> ticks = axisTicks(range.lower, range.upper, m_count, m_numbers);
        m_step = qInf();
        for (qsizetype i = 1; i < ticks.size(); ++i) {
            m_step = std::min(m_step, ticks.at(i) - ticks.at(i - 1));
        }
        return ticks;
    }
    QString getTickLabel(double tick, const QLocale &, QChar, int) override { return axisLabel(tick, m_step); }

private:
    AxisNumbers m_numbers;
    int m_count;
    double m_step = 1;
};

// A line wider than a pixel in pieces, with dashes that go on from one to the next.
class SlicedGraph final : public QCPGraph
{
public:
    explicit SlicedGraph(QCustomPlot *plot) : QCPGraph(plot->xAxis, plot->yAxis) { }

protected:
    void drawLinePlot(QCPPainter *painter, const QVector<QPointF> &lines) const override
    {
        const QPen whole = painter->pen();
        if (whole.widthF() <= rawWidth || whole.style() == Qt::NoPen
            || painter->modes().testFlag(QCPPainter::pmVectorized)) {
            QCPGraph::drawLinePlot(painter, lines);
            return;
        }
        applyDefaultAntialiasingHint(painter);
        const QList<qreal> dash = whole.style() == Qt::CustomDashLine ? whole.dashPattern() : QList<qreal>();
        for (const LineSlice &slice : lineSlices(lines)) {
            if (!dash.isEmpty()) {
                QPen pen = whole;
                QList<qreal> stretched = dash;
                for (qreal &part : stretched) {
                    part *= slice.stretch;
                }
                pen.setDashPattern(stretched);
                pen.setDashOffset(slice.along * slice.stretch / whole.widthF());
                painter->setPen(pen);
            }
            painter->drawPolyline(lines.constData() + slice.first, int(slice.count));
        }
        painter->setPen(whole);
    }
};

// Nothing but a border, which lets the mouse through.
class FocusRing final : public QWidget
{
public:
    explicit FocusRing(QWidget *parent) : QWidget(parent)
    {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        hide();
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(colour(Colour::Accent, this), 1));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), metrics::radius, metrics::radius);
    }
};

} // namespace

bool CurvePlot::isShownOn(double value, bool isLog) { return std::isfinite(value) && (!isLog || value > 0); }

CurvePlot::CurvePlot(const QString &title, QWidget *parent)
    : QWidget(parent), m_title(title), m_plot(new QCustomPlot(this)), m_cursorLine(nullptr), m_momentLine(nullptr),
      m_band(nullptr), m_ring(new FocusRing(this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_plot);
    setFocusPolicy(Qt::StrongFocus);
    m_plot->setFocusPolicy(Qt::NoFocus);
    m_plot->setNoAntialiasingOnDrag(true);
    m_plot->setMouseTracking(true);
    m_plot->installEventFilter(this);
    // Later: who hears of it looks at all plots, of which some may still have their old lines.
    connect(m_plot, &QCustomPlot::afterReplot, this, &CurvePlot::followPointer, Qt::QueuedConnection);
    m_plot->addLayer(QStringLiteral("cursor"), m_plot->layer(QStringLiteral("main")), QCustomPlot::limAbove);
    // The cursor moves without a look at the lines.
    m_plot->layer(QStringLiteral("cursor"))->setMode(QCPLayer::lmBuffered);
    m_cursorLine = new QCPItemStraightLine(m_plot);
    m_cursorLine->setLayer(QStringLiteral("cursor"));
    m_cursorLine->setVisible(false);
    m_momentLine = new QCPItemStraightLine(m_plot);
    m_momentLine->setLayer(QStringLiteral("cursor"));
    m_momentLine->setVisible(false);
    m_band = new QCPItemRect(m_plot);
    m_band->setLayer(QStringLiteral("cursor"));
    m_band->setVisible(false);
    m_plot->axisRect()->setAutoMargins(QCP::msBottom | QCP::msTop | QCP::msRight);
    m_plot->axisRect()->setMinimumMargins({0, metrics::space2, metrics::space3, 0});
    m_plot->axisRect()->setMargins({metrics::labelColumn / 2 + metrics::space3, metrics::space2, metrics::space3, 0});
    applyColours();
    applyTicks();
}

CurvePlot::~CurvePlot() = default;

// A line of a picture grows with it.
QPen CurvePlot::linePen(const QColor &colour, int look, double width) const
{
    QPen pen(colour, m_picture ? std::max(width, pictureLine) : width);
    pen.setCosmetic(!m_picture && width <= rawWidth); // the fast one, of a device pixel
    if (QList<qreal> dash = lookDash(look); !dash.isEmpty()) {
        for (qreal &part : dash) {
            part *= dashScale;
        }
        pen.setCapStyle(Qt::FlatCap); // others reach into the gaps
        pen.setDashPattern(dash);
    }
    return pen;
}

void CurvePlot::applyColours()
{
    const QColor ground = colour(Colour::Surface, this), text = colour(Colour::Muted, this);
    const QPen border(colour(Colour::Border, this), m_picture ? pictureGrid : 0);
    m_plot->setBackground(ground);
    for (QCPAxis *axis : {m_plot->xAxis, m_plot->yAxis}) {
        axis->setBasePen(border);
        axis->setTickPen(Qt::NoPen);
        axis->setSubTickPen(Qt::NoPen);
        axis->setTickLabelColor(text);
        axis->setTickLabelFont(fonts::tiny());
        axis->grid()->setPen(border);
        axis->grid()->setZeroLinePen(border);
    }
    m_cursorLine->setPen(QPen(colour(Colour::Mark, this), 0));
    m_momentLine->setPen(QPen(colour(Colour::CurrentHit, this), 1.5));
    const QColor accent = colour(Colour::Accent, this);
    m_band->setPen(QPen(accent, 0));
    m_band->setBrush(withAlpha(accent, bandOpacity));
}

void CurvePlot::applyTicks()
{
    if (m_look.along == CurveAlong::Time) {
        const QSharedPointer<QCPAxisTickerTime> ticker(new QCPAxisTickerTime);
        const Range shown = shownRange();
        constexpr double hour = 3600;
        ticker->setTimeFormat(shown.second < hour ? QStringLiteral("%m:%s") : QStringLiteral("%h:%m:%s"));
        m_plot->xAxis->setTicker(ticker);
    } else {
        const bool hasParts = m_look.along == CurveAlong::Epoch;
        m_plot->xAxis->setTicker(QSharedPointer<QCPAxisTicker>(
            new ExactTicker(hasParts ? AxisNumbers::WholeFromAfar : AxisNumbers::Whole, ticksAlong)));
    }
    m_plot->yAxis->setScaleType(m_look.isLog ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    m_plot->yAxis->setTicker(QSharedPointer<QCPAxisTicker>(
        new ExactTicker(m_look.isLog ? AxisNumbers::Log : AxisNumbers::Any, ticksOfValues)));
    m_plot->yAxis->setNumberFormat(QStringLiteral("gb")); // powers of ten as such
}

void CurvePlot::setLines(const QList<CurveLine> &lines)
{
    m_lines = lines;
    m_plot->clearGraphs();
    m_graphs.clear();
    m_bands.clear();
    if (std::any_of(lines.cbegin(), lines.cend(), [](const CurveLine &line) { return line.low && line.high; })) {
        for (qsizetype i = 0; i < 2 * lines.size(); ++i) { // below the lines
            m_bands.append(m_plot->addGraph());
            m_bands.constLast()->setAdaptiveSampling(false);
            m_bands.constLast()->setPen(Qt::NoPen);
        }
    }
    // The raw ones lie under all smoothed ones.
    for (int kind = 0; kind < 3; ++kind) {
        for (qsizetype i = 0; i < lines.size(); ++i) {
            QCPGraph *graph = new SlicedGraph(m_plot); // which has it
            graph->setAdaptiveSampling(false); // it gets no more than two points for each column
            m_graphs.append(graph);
        }
    }
    m_marksGraph = m_plot->addGraph();
    draw();
}

void CurvePlot::setLook(const CurveLook &look)
{
    const bool otherAxis = look.along != m_look.along;
    m_look = look;
    if (otherAxis) {
        m_range.reset();
        m_chosen.reset();
    }
    applyTicks();
    draw();
}

void CurvePlot::setRange(const std::optional<Range> &range)
{
    m_range = range;
    draw();
}

void CurvePlot::setWhole(const Range &range)
{
    if (range != m_whole) {
        m_whole = range;
        if (!m_range) {
            draw();
        }
    }
}

void CurvePlot::refresh() { draw(); }

CurvePlot::Range CurvePlot::shownRange() const { return m_range.value_or(m_whole); }

std::optional<CurvePlot::Range> CurvePlot::extent() const
{
    std::optional<Range> all;
    for (const CurveLine &line : m_lines) {
        if (!line.series || line.series->isEmpty()) {
            continue;
        }
        const series::Point first = line.series->at(0), last = line.series->at(line.series->size() - 1);
        double from = placeOf(line, first, m_look), to = placeOf(line, last, m_look);
        if (m_look.along == CurveAlong::Time) { // the clock may have been set back
            const series::RisingColumn &times = line.series->risingTimes();
            const double start = double(line.start.value_or(m_look.start));
            from = (times[0] - start) / 1000;
            to = (times[times.size() - 1] - start) / 1000;
        }
        all = all ? Range{std::min(all->first, from), std::max(all->second, to)} : Range{from, to};
    }
    return all;
}

// Hands the library what is in sight: at most two points for each column of pixels and line.
void CurvePlot::draw()
{
    m_isStale = m_plot->visibleRegion().isEmpty(); // it covers this one
    if (!m_isStale) {
        drawNow();
    }
}

void CurvePlot::drawNow()
{
    m_isStale = false;
    auto [from, to] = shownRange();
    if (!(to > from)) {
        from -= 0.5;
        to = from + 1;
    }
    m_plot->xAxis->setRange(from, to);
    if (m_look.along == CurveAlong::Time) {
        applyTicks(); // hours are told when there are any
    }
    const auto columns = static_cast<std::size_t>(
        m_picture ? m_picture->width() * CurvePicture::scale : std::max(16, m_plot->axisRect()->width()));
    const bool alongTime = m_look.along == CurveAlong::Time;
    series::Extent seen;
    const qsizetype count = m_lines.size();
    QList<QVector<double>> gaps(count);
    for (qsizetype i = 0; i < count; ++i) {
        const CurveLine &line = m_lines.at(i);
        const double start = double(line.start.value_or(m_look.start));
        const auto edgeOf = [&](double place) { return alongTime ? place * 1000 + start : place; };
        const auto placeAt = [&](double x) { return alongTime ? (x - start) / 1000 : x; };
        const std::vector<double> edges = series::evenEdges(edgeOf(from), edgeOf(to), columns);
        drawBand(i, edges, seen);
        QCPGraph *raw = m_graphs.at(i), *smooth = m_graphs.at(count + i);
        const QColor full = colour(lookColour(line.look), this);
        const bool smooths = m_look.smoothing > 0;
        QVector<double> xs, ys;
        series::View view;
        if (line.series && !line.series->isEmpty()) {
            view = series::viewOf(*line.series, edges, alongTime ? series::Along::Time : series::Along::X);
            const auto add = [&](const series::Point &point) {
                xs.append(placeOf(line, point, m_look));
                ys.append(isShownOn(point.value, m_look.isLog) ? point.value : qQNaN());
            };
            if (view.before) {
                add(*view.before);
            }
            for (const series::Vertex &vertex : series::lineOf(view)) {
                xs.append(placeAt(vertex.x));
                ys.append(isShownOn(vertex.y, m_look.isLog) ? vertex.y : qQNaN());
                if (isShownOn(vertex.y, m_look.isLog)) {
                    seen.add(vertex.y);
                }
            }
            if (view.after) {
                add(*view.after);
            }
            for (const series::Column &column : view.columns) {
                if (column.count() > 0 && column.extent.hasGap) {
                    gaps[i].append(placeAt(column.firstX));
                }
            }
        }
        raw->setPen(
            smooths ? linePen(withAlpha(full, rawOpacity), line.look, rawWidth) : linePen(full, line.look, lineWidth));
        raw->setData(xs, ys, true);
        // A single value is no line.
        raw->setScatterStyle(xs.size() == 1 ? QCPScatterStyle(QCPScatterStyle::ssDisc, full, full, 5)
                                            : QCPScatterStyle(QCPScatterStyle::ssNone));
        QVector<double> smoothXs, smoothYs;
        if (smooths && line.series) {
            for (const series::Smoothed &each : series::smoothedView(*line.series, view, m_look.smoothing)) {
                smoothXs.append(placeAt(each.x));
                smoothYs.append(isShownOn(each.value, m_look.isLog) ? each.value : qQNaN());
            }
        }
        smooth->setPen(linePen(full, line.look, lineWidth));
        smooth->setData(smoothXs, smoothYs, true);
    }
    double low = seen.min, high = seen.max;
    if (!seen.hasFinite()) {
        low = m_look.isLog ? 0.1 : 0;
        high = 1;
    }
    // A disc at an end of the axis is not cut in half.
    const bool hasDisc = std::any_of(
        m_graphs.cbegin(), m_graphs.cbegin() + count, [](const QCPGraph *graph) { return graph->dataCount() == 1; });
    if (hasDisc) {
        const double margin = (to - from) * discRadius / std::max(16, m_plot->axisRect()->width());
        m_plot->xAxis->setRange(from - margin, to + margin);
    }
    const auto [lower, upper] = valueRange(low, high, m_look.isLog);
    m_plot->yAxis->setRange(lower, upper);
    // Values that are no numbers have no height: their marks stand at the lower edge.
    const double bottom = m_plot->yAxis->range().lower
        + (m_look.isLog ? 0 : (m_plot->yAxis->range().upper - m_plot->yAxis->range().lower) * 0.03);
    for (qsizetype i = 0; i < count; ++i) {
        QCPGraph *marks = m_graphs.at(2 * count + i);
        const QPen pen(colour(Colour::Failed, this), 1.5);
        marks->setLineStyle(QCPGraph::lsNone);
        marks->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCross, pen, Qt::NoBrush, 7));
        marks->setData(gaps.at(i), QVector<double>(gaps.at(i).size(), bottom), true);
    }
    drawMarks();
    describe();
    showMoment();
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void CurvePlot::followPointer()
{
    const std::optional<double> place
        = m_pointer ? std::optional(m_plot->xAxis->pixelToCoord(m_pointer->x())) : std::nullopt;
    if (place != m_told) {
        m_told = place;
        Q_EMIT cursorMoved(place);
    }
}

// Between its edges, in the colour of the line.
void CurvePlot::drawBand(qsizetype index, const std::vector<double> &edges, series::Extent &seen)
{
    if (m_bands.isEmpty()) {
        return;
    }
    const CurveLine &line = m_lines.at(index);
    const bool alongTime = m_look.along == CurveAlong::Time;
    const double start = double(line.start.value_or(m_look.start));
    QCPGraph *const graphs[] = {m_bands.at(2 * index), m_bands.at(2 * index + 1)};
    const series::Series *const both[] = {line.low, line.high};
    for (int side = 0; side < 2; ++side) {
        QVector<double> xs, ys;
        if (line.low && line.high) {
            const series::View view
                = series::viewOf(*both[side], edges, alongTime ? series::Along::Time : series::Along::X);
            // The outermost value of each column: an edge that went up and down within one would leave the band pale.
            for (const series::Column &column : view.columns) {
                if (column.count() == 0) {
                    continue;
                }
                const double y = side == 0 ? column.extent.min : column.extent.max;
                const bool isShown = column.extent.hasFinite() && isShownOn(y, m_look.isLog);
                for (const double x : {column.firstX, column.lastX}) {
                    xs.append(alongTime ? (x - start) / 1000 : x);
                    ys.append(isShown ? y : qQNaN());
                }
                if (isShown) {
                    seen.add(y);
                }
            }
        }
        graphs[side]->setData(xs, ys, true);
    }
    constexpr double spreadOpacity = 0.16;
    graphs[1]->setBrush(withAlpha(colour(lookColour(line.look), this), spreadOpacity));
    graphs[1]->setChannelFillGraph(graphs[0]);
}

// Who cannot see the lines hears what they end with.
void CurvePlot::describe()
{
    QStringList lasts;
    for (const CurveLine &line : m_lines) {
        if (const auto last = line.series ? line.series->last() : std::nullopt) {
            lasts.append(tr("%1: %2").arg(line.label, QString::number(last->value, 'g', 5)));
        }
    }
    setAccessibleName(m_title);
    setAccessibleDescription(lasts.join(QStringLiteral(", ")));
}

QByteArray CurvePlot::svg(const QSizeF &millimetres) const { return CurvePicture(*this, millimetres).svg(); }

bool CurvePlot::save(const QString &file, const QSizeF &millimetres) const
{
    return CurvePicture(*this, millimetres).save(file);
}

QString CurvePlot::tipAt(const QPoint &at) const
{
    const QString mark = markAt(at);
    if (!mark.isEmpty() || !m_tellsHint || at.y() <= m_plot->axisRect()->rect().bottom()) {
        return mark;
    }
    return m_range ? tr("Drag to move along, and double-click to show everything. The context menu has more.")
                   : tr("Drag over a part to zoom in on it, or turn the wheel with Ctrl. The context menu has more.");
}

void CurvePlot::focusInEvent(QFocusEvent *event)
{
    QWidget::focusInEvent(event);
    m_ring->raise();
    m_ring->show();
}

void CurvePlot::focusOutEvent(QFocusEvent *event)
{
    QWidget::focusOutEvent(event);
    m_ring->setVisible(event->reason() == Qt::PopupFocusReason); // its own menu
}

void CurvePlot::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    m_ring->setGeometry(rect());
    draw();
}

void CurvePlot::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        applyColours();
        draw();
    }
}

} // namespace trainyard
