// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plot/axisticks.h"

#include <qcustomplot.h>

#include <algorithm>

namespace trainyard
{

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

} // namespace trainyard
