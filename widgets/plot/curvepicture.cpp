// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/curvepicture.h"

#include "engine/client/wholefile.h"
#include "widgets/common/tokens.h"
#include "widgets/plot/curveplot.h"

#include <QBuffer>
#include <QFile>
#include <QFontMetrics>
#include <QHash>
#include <QSvgGenerator>
#include <QTemporaryDir>
#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace trainyard
{
namespace
{

constexpr double pixelsPerMillimetre = 96 / 25.4;

// With less of its dashes a line looks like another one, or like a solid one.
int patternLength(const QPen &pen)
{
    const QList<qreal> dash = pen.style() == Qt::CustomDashLine ? pen.dashPattern() : QList<qreal>();
    return int(std::ceil(std::accumulate(dash.cbegin(), dash.cend(), 0.0) * pen.widthF()));
}

} // namespace

CurvePicture::CurvePicture(const CurvePlot &of, const QSizeF &millimetres)
    : m_drawn(std::make_unique<CurvePlot>(of.m_title))
{
    m_drawn->m_picture = (millimetres * pixelsPerMillimetre).toSize();
    m_drawn->setPalette(themePalette(Theme::Light));
    m_drawn->applyColours();
    m_drawn->m_plot->axisRect()->setAutoMargins(QCP::msAll);
    m_drawn->m_whole = of.m_whole;
    m_drawn->m_marks = of.m_marks;
    m_drawn->setLook(of.m_look);
    m_drawn->m_range = of.m_range;
    m_drawn->setLines(of.m_lines);
    m_drawn->m_legendPlaceOf = of.m_legendPlaceOf;
    m_drawn->drawNow();
    addTexts();
    addLegend();
}

CurvePicture::~CurvePicture() = default;

void CurvePicture::addTexts()
{
    QCustomPlot *plot = m_drawn->m_plot;
    auto *title = new QCPTextElement(plot, m_drawn->m_title, fonts::ui());
    title->setTextColor(colour(Colour::Text, m_drawn.get()));
    plot->plotLayout()->insertRow(0);
    plot->plotLayout()->addElement(0, 0, title);
    const CurveAlong along = m_drawn->m_look.along;
    plot->xAxis->setLabel(along == CurveAlong::Time ? CurvePlot::tr("Time")
            : along == CurveAlong::Epoch            ? CurvePlot::tr("Epoch")
                                                    : CurvePlot::tr("Step"));
    plot->xAxis->setLabelFont(fonts::tiny());
    plot->xAxis->setLabelColor(colour(Colour::Text, m_drawn.get()));
}

// Below the axis, in as many columns as the widest label lets stand side by side.
void CurvePicture::addLegend()
{
    const QList<CurveLine> &lines = m_drawn->m_lines;
    QSize &size = *m_drawn->m_picture;
    QList<qsizetype> drawn;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        if (lines.at(i).series && !lines.at(i).series->isEmpty()) {
            drawn.append(i);
        }
    }
    if (drawn.size() < 2) {
        return;
    }
    if (const auto &placeOf = m_drawn->m_legendPlaceOf) {
        QHash<qsizetype, qsizetype> places;
        for (const qsizetype i : std::as_const(drawn)) {
            places.insert(i, placeOf(lines.at(i).label));
        }
        std::stable_sort(drawn.begin(), drawn.end(),
            [&places](qsizetype a, qsizetype b) { return places.value(a) < places.value(b); });
    }
    constexpr int around = 12;
    const qsizetype shown = m_drawn->m_look.smoothing > 0 ? lines.size() : 0;
    const auto graphOf = [&](qsizetype line) { return m_drawn->m_graphs.at(shown + line); };
    int icon = 24;
    for (const qsizetype i : std::as_const(drawn)) {
        icon = std::max(icon, patternLength(graphOf(i)->pen()));
    }
    const QFontMetrics font(fonts::tiny());
    const int most = std::max(icon, size.width() - icon - 3 * around);
    QStringList labels;
    int widest = 1;
    for (const qsizetype i : std::as_const(drawn)) {
        const CurveLine &line = lines.at(i);
        labels.append(font.elidedText(line.title.isEmpty() ? line.label : line.title, Qt::ElideMiddle, most));
        widest = std::max(widest, font.horizontalAdvance(labels.constLast()));
    }
    const int columns = std::clamp((size.width() - around) / (widest + icon + 2 * around), 1, int(drawn.size()));
    QCustomPlot *plot = m_drawn->m_plot;
    QCPLegend *legend = plot->legend;
    legend->clearItems(); // the library puts every graph there
    legend->setFillOrder(QCPLayoutGrid::foColumnsFirst);
    legend->setWrap(columns);
    legend->setFont(fonts::tiny());
    legend->setTextColor(colour(Colour::Text, m_drawn.get()));
    legend->setIconSize(icon, font.ascent());
    legend->setBrush(Qt::NoBrush);
    legend->setBorderPen(Qt::NoPen);
    legend->setRowSpacing(1);
    for (qsizetype n = 0; n < drawn.size(); ++n) {
        QCPGraph *graph = graphOf(drawn.at(n));
        graph->setName(labels.at(n));
        graph->addToLegend(legend);
    }
    legend->setVisible(true);
    plot->plotLayout()->addElement(2, 0, legend);
    plot->plotLayout()->setRowStretchFactor(2, 0.001);
    const int rows = (int(drawn.size()) + columns - 1) / columns;
    size.rheight() += rows * (font.height() + 1) + around;
}

QByteArray CurvePicture::svg()
{
    QBuffer buffer;
    return buffer.open(QIODevice::WriteOnly) && paintSvg(&buffer) ? buffer.data() : QByteArray();
}

bool CurvePicture::paintSvg(QIODevice *device)
{
    const QSize size = *m_drawn->m_picture;
    QSvgGenerator generator;
    generator.setOutputDevice(device);
    generator.setSize(size);
    generator.setViewBox(QRect({0, 0}, size));
    generator.setTitle(m_drawn->m_title);
    QCPPainter painter;
    if (!painter.begin(&generator)) {
        return false;
    }
    painter.setMode(QCPPainter::pmVectorized);
    painter.setMode(QCPPainter::pmNoCaching);
    m_drawn->m_plot->toPainter(&painter, size.width(), size.height());
    return painter.end();
}

// It writes files only, and keeps to itself what is in the way.
QByteArray CurvePicture::byLibrary(bool isPdf)
{
    const QTemporaryDir folder;
    QFile file(folder.filePath(isPdf ? QStringLiteral("plot.pdf") : QStringLiteral("plot.png")));
    QCustomPlot *plot = m_drawn->m_plot;
    const int width = m_drawn->m_picture->width(), height = m_drawn->m_picture->height();
    const bool isWritten = folder.isValid()
        && (isPdf ? plot->savePdf(file.fileName(), width, height, QCP::epNoCosmetic, QString(), m_drawn->m_title)
                  : plot->savePng(file.fileName(), width, height, scale));
    return isWritten && file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

Result<void> CurvePicture::save(const QString &file)
{
    const bool isSvg = file.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive);
    const QByteArray bytes = isSvg ? svg() : byLibrary(file.endsWith(QLatin1String(".pdf"), Qt::CaseInsensitive));
    if (bytes.isEmpty()) {
        return fail(QStringLiteral("file.unwritable"),
            {{QStringLiteral("file"), file},
                {QStringLiteral("reason"), CurvePlot::tr("the picture could not be drawn")}});
    }
    return writeFile(file, bytes);
}

} // namespace trainyard
