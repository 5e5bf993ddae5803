// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/curveplot.h"

#include "widgets/common/labels.h"
#include "widgets/common/tokens.h"
#include "widgets/plot/curvepicture.h"
#include "widgets/plot/exactticker.h"
#include "widgets/plot/slicedgraph.h"

#include <QEvent>
#include <QPainter>
#include <QVBoxLayout>
#include <qcustomplot.h>

#include <algorithm>

namespace trainyard
{
namespace
{

constexpr double bandOpacity = 0.15;
constexpr int ticksAlong = 5, ticksOfValues = 4; // about
constexpr double pictureGrid = 0.5;

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

CurvePlot::CurvePlot(const QString &title, QWidget *parent)
    : QWidget(parent), m_title(title), m_plot(new QCustomPlot(this)), m_cursorLine(nullptr), m_momentLine(nullptr),
      m_chosenBand(nullptr), m_band(nullptr), m_ring(new FocusRing(this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_plot);
    setFocusPolicy(Qt::StrongFocus);
    m_plot->setFocusPolicy(Qt::NoFocus);
    m_plot->setNoAntialiasingOnDrag(true);
    m_plot->setMouseTracking(true);
    m_plot->installEventFilter(this);
    // This happens later: receivers read all plots, some of which may still have their old lines.
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
    for (QCPItemRect **band : {&m_chosenBand, &m_band}) {
        *band = new QCPItemRect(m_plot);
        (*band)->setLayer(QStringLiteral("cursor"));
        (*band)->setVisible(false);
    }
    m_plot->axisRect()->setAutoMargins(QCP::msBottom | QCP::msTop | QCP::msRight);
    m_plot->axisRect()->setMinimumMargins({0, metrics::space2, metrics::space3, 0});
    m_plot->axisRect()->setMargins({metrics::labelColumn / 2 + metrics::space3, metrics::space2, metrics::space3, 0});
    applyColours();
    applyTicks();
}

CurvePlot::~CurvePlot() = default;

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
    for (QCPItemRect *band : {m_chosenBand, m_band}) {
        band->setPen(QPen(accent, 0));
        band->setBrush(withAlpha(accent, bandOpacity));
    }
}

void CurvePlot::applyTicks()
{
    if (m_look.along == CurveAlong::Time) {
        const QSharedPointer<QCPAxisTickerTime> ticker(new QCPAxisTickerTime);
        const Range shown = shownRange();
        constexpr double hour = 3600;
        ticker->setFieldWidth(QCPAxisTickerTime::tuHours, 1);
        ticker->setFieldWidth(QCPAxisTickerTime::tuMinutes, shown.second < hour ? 1 : 2); // as clockText() has them
        ticker->setTimeFormat(shown.second < hour ? QStringLiteral("%m:%s") : QStringLiteral("%h:%m:%s"));
        m_plot->xAxis->setTicker(ticker);
    } else {
        const bool hasParts = m_look.along == CurveAlong::Epoch || m_hasParts;
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
    m_triesGraph = m_plot->addGraph();
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

void CurvePlot::lookForParts()
{
    const bool hasParts
        = std::any_of(m_lines.cbegin(), m_lines.cend(), [](const CurveLine &line) { return goesByParts(line); });
    if (hasParts != m_hasParts) {
        m_hasParts = hasParts;
        applyTicks();
    }
}

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

void CurvePlot::followPointer()
{
    const std::optional<double> place
        = m_pointer ? std::optional(m_plot->xAxis->pixelToCoord(m_pointer->x())) : std::nullopt;
    if (place != m_told) {
        m_told = place;
        Q_EMIT cursorMoved(place);
    }
}

// Users of a screen reader get the last values of the lines.
void CurvePlot::describe()
{
    QStringList lasts;
    for (const CurveLine &line : m_lines) {
        if (const auto last = line.series ? line.series->last() : std::nullopt) {
            lasts.append(tr("%1: %2").arg(line.label, QString::number(last->value, 'g', 5)));
        }
    }
    setAccessibleName(m_title);
    QStringList all{lasts.join(QStringLiteral(", "))};
    for (const auto &[place, text] : placesOfTries()) {
        all.append(text);
    }
    setAccessibleDescription(all.join(QStringLiteral(". ")));
}

QByteArray CurvePlot::svg(const QSizeF &millimetres) const { return CurvePicture(*this, millimetres).svg(); }

Result<void> CurvePlot::save(const QString &file, const QSizeF &millimetres) const
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
    if (event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason) {
        letKeyCursorGo();
    }
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
