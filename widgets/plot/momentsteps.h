// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/series/series.h"

#include <QObject>
#include <QPointer>
#include <QString>

#include <cstddef>
#include <optional>

namespace trainyard
{

class CurvePlot;

// The arrow keys in a plot that was clicked: while the card of the moment is shown, Left and Right choose the value
// before and after it on the same line, as a click there would. A value out of sight is moved to.
class MomentSteps : public QObject
{
    Q_OBJECT
public:
    explicit MomentSteps(QWidget *card); // which has it
    void watch(CurvePlot *plot);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    std::optional<std::size_t> indexOn(const series::Series &series) const;
    bool step(int by);
    QWidget *m_card;
    QPointer<CurvePlot> m_plot; // in which the moment was chosen
    QString m_label; // of its line
    series::Point m_point;
    std::size_t m_index = 0; // as far as it is known
};

} // namespace trainyard
