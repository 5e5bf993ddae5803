// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plot/curveband.h"
#include "widgets/plot/curveline.h"

#include <QWidget>

#include <memory>

namespace trainyard
{

class CurvePlot;
class ElidedLabel;

QString curveNumber(double value); // four digits; words for what is no number

// The plot of one metric below its name and its values.
class CurvePanel : public QWidget
{
    Q_OBJECT
public:
    explicit CurvePanel(const QString &name);
    const QString &name() const { return m_name; }
    CurvePlot *plot() const { return m_plot; }
    // `asOne`: their mean, with a band from the lowest to the highest. The series have to live until the next call.
    void setLines(const QList<CurveLine> &lines, bool asOne, CurveAlong along);
    // Those at the cursor; without one the last ones.
    void showValues(std::optional<double> cursor, CurveAlong along, bool namesTasks);
    void say(const QString &sentence); // in the place of values

private:
    QString m_name;
    ElidedLabel *m_values;
    CurvePlot *m_plot;
    CurveBand m_band; // the plot holds on to it
};

} // namespace trainyard
