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

QString curveNumber(double value)
{
    return std::isfinite(value) ? QString::number(value, 'g', 4)
        : std::isnan(value)     ? QStringLiteral("NaN")
        : value > 0             ? QStringLiteral("∞")
                                : QStringLiteral("−∞");
}

CurvePanel::CurvePanel(const QString &name) : m_name(name), m_values(new ElidedLabel), m_plot(new CurvePlot(name))
{
    QLabel *title = plainLabel(name);
    title->setFont(fonts::semibold());
    m_values->setColour(Colour::Muted);
    m_values->setElideMode(Qt::ElideRight);
    auto *row = new QHBoxLayout;
    row->setSpacing(metrics::space3);
    row->addWidget(title);
    row->addWidget(m_values, 1);
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

void CurvePanel::showValues(std::optional<double> cursor, CurveAlong along, bool namesTasks)
{
    QStringList parts;
    std::optional<double> place;
    const auto add = [&](const CurveLine &line, const series::Point &point) {
        const QString value = curveNumber(point.value);
        const auto low = line.low ? line.low->nearest(point.x) : std::nullopt;
        const auto high = line.high ? line.high->nearest(point.x) : std::nullopt;
        parts.append(low && high ? tr("%1 (%2 to %3)").arg(value, curveNumber(low->value), curveNumber(high->value))
                : namesTasks     ? tr("%1 %2").arg(line.label, value)
                                 : value);
        if (line.hasSteps && !(line.low && along == CurveAlong::Time)) {
            place = place.value_or(point.x);
        }
    };
    if (cursor) {
        for (const auto &[line, point] : m_plot->pointsAt(*cursor)) {
            add(line, point);
        }
    } else {
        for (const CurveLine &line : m_plot->lines()) {
            if (const auto last = line.series ? line.series->last() : std::nullopt) {
                add(line, *last);
            }
        }
    }
    QString text = parts.join(QStringLiteral("   "));
    if (place && cursor) {
        text += QStringLiteral("   ")
            + (along == CurveAlong::Epoch ? tr("after %1 epochs").arg(QString::number(*place, 'f', 2))
                                          : tr("at step %1").arg(QString::number(*place, 'g', 12)));
    }
    m_values->setText(text);
}

void CurvePanel::say(const QString &sentence) { m_values->setText(sentence); }

} // namespace trainyard
