// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plot/curveplot.h"

namespace trainyard
{

class ElidedLabel;

// The plot of one metric of the compared runs, below its name. Figures of a machine have no step or epoch: they are
// drawn by time whatever the axis of the others is, which a note beside their name says.
class ComparePanel : public QWidget
{
    Q_OBJECT
public:
    explicit ComparePanel(const QString &metric);
    const QString &metricName() const { return m_metric; }
    CurvePlot *plot() const { return m_plot; }
    void setLook(const CurveLook &look, bool isFigure); // as all plots of the page have it
    const CurveLook &look() const { return m_look; } // as this one has it
    CurveAlong along() const { return m_look.along; }
    void setLines(const QList<CurveLine> &lines);
    void setReading(bool on); // lines may come at once

private:
    void updateNote();

    QString m_metric;
    ElidedLabel *m_note;
    CurvePlot *m_plot;
    CurveLook m_look;
    bool m_isReading = false;
    bool m_isOtherAxis = false; // than the page has
};

} // namespace trainyard
