// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/momentsteps.h"

#include "widgets/plot/curveplot.h"

#include <QKeyEvent>

#include <algorithm>

namespace trainyard
{

MomentSteps::MomentSteps(QWidget *card) : QObject(card), m_card(card) { }

void MomentSteps::watch(CurvePlot *plot)
{
    plot->installEventFilter(this);
    connect(plot, &CurvePlot::momentChosen, this, [this, plot](const CurveLine &line, const series::Point &point) {
        m_plot = plot;
        m_label = line.label;
        m_point = point;
    });
}

// Several values may have one place: the one that was stepped to last is found by its index.
std::optional<std::size_t> MomentSteps::indexOn(const series::Series &series) const
{
    const auto isChosen = [&](std::size_t i) {
        const series::Point point = series.at(i);
        return point.x == m_point.x && point.time == m_point.time;
    };
    if (m_index < series.size() && isChosen(m_index)) {
        return m_index;
    }
    for (std::size_t i = series.xs().lowerBound(m_point.x); i < series.size() && series.xs()[i] == m_point.x; ++i) {
        if (isChosen(i)) {
            return i;
        }
    }
    return std::nullopt;
}

bool MomentSteps::step(int by)
{
    const QList<CurveLine> &lines = m_plot->lines();
    const auto found = std::find_if(
        lines.cbegin(), lines.cend(), [this](const CurveLine &line) { return line.label == m_label && line.series; });
    const std::optional<std::size_t> index = found == lines.cend() ? std::nullopt : indexOn(*found->series);
    if (!index) {
        return false; // the program has gone back and replaced it
    }
    const bool isLast = by < 0 ? *index == 0 : *index + 1 == found->series->size();
    if (isLast) {
        return true;
    }
    // The plot may have other lines when the signal returns.
    // NOLINTNEXTLINE(performance-unnecessary-copy-initialization)
    const CurveLine line = *found;
    m_index = by < 0 ? *index - 1 : *index + 1;
    const series::Point point = line.series->at(m_index);
    const double place = placeOf(line, point, m_plot->look());
    if (const auto [from, to] = m_plot->shownRange(); place < from || place > to) {
        const double move = place - (place < from ? from : to);
        m_plot->zoomTo(CurvePlot::Range{from + move, to + move});
    }
    Q_EMIT m_plot->momentChosen(line, point);
    return true;
}

bool MomentSteps::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() != QEvent::KeyPress || watched != m_plot || !m_card->isVisible()) {
        return false;
    }
    const auto *key = static_cast<QKeyEvent *>(event);
    const bool isArrow = key->key() == Qt::Key_Left || key->key() == Qt::Key_Right;
    return isArrow && (key->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier
        && step(key->key() == Qt::Key_Left ? -1 : 1);
}

} // namespace trainyard
