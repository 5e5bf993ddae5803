// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plot/cursorcard.h"
#include "widgets/plot/curveband.h"
#include "widgets/plot/curveline.h"

#include <QStringList>
#include <QWidget>

#include <memory>
#include <optional>

namespace trainyard
{

class CurvePlot;
class ElidedLabel;

QString curveNumber(double value); // four digits; words for what is not a number

// The plot of one metric below its name.
class CurvePanel : public QWidget
{
    Q_OBJECT
public:
    explicit CurvePanel(const QString &name);
    const QString &name() const { return m_name; }
    CurvePlot *plot() const { return m_plot; }
    // `asOne`: their mean, with a band from the lowest to the highest. The series have to live until the next call.
    void setLines(const QList<CurveLine> &lines, bool asOne, CurveAlong along);
    QList<CursorCard::Row> rowsAt(double place) const; // the values of its lines, for a card
    void say(const QString &sentence); // beside the name; empty: nothing
    // Beside the name, as many of the values as have room there: those at the place, or the last ones.
    void sayValues(CurveAlong along, std::optional<double> place);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void fitValues();

    QString m_name;
    ElidedLabel *m_note;
    QStringList m_said; // values; empty: it is a sentence, or nothing
    CurvePlot *m_plot;
    CurveBand m_band; // the plot holds on to it
};

} // namespace trainyard
