// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/curvepanel.h"

#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/plot/curveplot.h"

#include <QHBoxLayout>
#include <QLabel>

#include <cmath>

namespace trainyard
{

namespace
{

// The band may end where the line goes on.
std::optional<series::Point> edgeAt(const series::Series *edge, double x)
{
    const std::optional<series::Point> nearest = edge ? edge->nearest(x) : std::nullopt;
    return nearest && nearest->x == x ? nearest : std::nullopt;
}

} // namespace

QString curveNumber(double value)
{
    return std::isfinite(value) ? QString::number(value, 'g', 4)
        : std::isnan(value)     ? QStringLiteral("NaN")
        : value > 0             ? QStringLiteral("∞")
                                : QStringLiteral("−∞");
}

CurvePanel::CurvePanel(const QString &name) : m_name(name), m_note(new ElidedLabel), m_plot(new CurvePlot(name))
{
    QLabel *title = plainLabel(name);
    title->setFont(fonts::semibold());
    m_note->setColour(Colour::Muted);
    m_note->setElideMode(Qt::ElideRight);
    auto *row = new QHBoxLayout;
    row->setSpacing(metrics::space3);
    row->addWidget(title);
    row->addWidget(m_note, 1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(row);
    layout->addWidget(m_plot, 1);
}

void CurvePanel::setLines(const QList<CurveLine> &lines, bool asOne, CurveAlong along)
{
    if (!asOne || lines.size() < 2) {
        m_plot->setLines(lines);
        m_band = {};
        return;
    }
    std::vector<BandMember> members;
    for (const CurveLine &line : lines) {
        if (!line.series->isEmpty()) {
            members.push_back({line.series, 0});
        }
    }
    m_plot->setLines({});
    m_band = bandOf(members, along == CurveAlong::Time);
    m_plot->setLines({{tr("mean of %n task(s)", nullptr, int(members.size())), 0, &m_band.mean,
        lines.constFirst().hasSteps, std::nullopt, &m_band.low, &m_band.high}});
}

QList<CursorCard::Row> CurvePanel::rowsAt(double place) const
{
    QList<CursorCard::Row> rows;
    const auto points = m_plot->pointsAt(place);
    for (const auto &[line, point] : points) {
        const auto low = edgeAt(line.low, point.x), high = edgeAt(line.high, point.x);
        rows.append({line.look, line.label,
            low && high ? tr("%1 to %2").arg(curveNumber(low->value), curveNumber(high->value)) : QString(),
            curveNumber(point.value), placeOf(line, point, m_plot->look()),
            placeOf(line, line.series->at(line.series->size() - 1), m_plot->look())});
    }
    return rows;
}

void CurvePanel::say(const QString &sentence)
{
    m_said.clear();
    m_note->setText(sentence);
}

void CurvePanel::sayValues(CurveAlong along, std::optional<double> place)
{
    m_said.clear();
    if (place) {
        const QList<CursorCard::Row> rows = CursorCard::rowsFor(along, *place, rowsAt(*place));
        for (const CursorCard::Row &row : rows) {
            m_said.append(row.detail.isEmpty() ? row.value : tr("%1 (%2)").arg(row.value, row.detail));
        }
    } else {
        for (const CurveLine &line : m_plot->lines()) {
            if (const auto last = line.series ? line.series->last() : std::nullopt) {
                m_said.append(curveNumber(last->value));
            }
        }
    }
    fitValues();
}

// Whole values only: what is left of a number that is cut looks like another number.
void CurvePanel::fitValues()
{
    const QFontMetrics sizes = m_note->fontMetrics();
    qsizetype count = m_said.size();
    const auto textOf = [&] {
        const QString some = m_said.first(count).join(QStringLiteral(", "));
        return count == m_said.size() ? some : count > 0 ? some + QStringLiteral(", …") : QString();
    };
    while (count > 0 && sizes.horizontalAdvance(textOf()) > m_note->width()) {
        --count;
    }
    m_note->setText(textOf());
}

void CurvePanel::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    if (!m_said.isEmpty()) {
        fitValues();
    }
}

} // namespace trainyard
