// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plot/curveexport.h"

class QWidget;

namespace trainyard
{

class CurvePlot;
class CurveStore;
class InfoBar;

// Asks where curves are to be saved, and saves them. What could not be written is said in the bar.
class CurveSaving : public QObject
{
    Q_OBJECT
public:
    CurveSaving(QWidget *window, InfoBar *bar); // `window`: its parent, and that of the questions
    void savePicture(CurvePlot *plot);
    void saveValues(const QList<CurveGroup> &groups, const CurveStore *store); // which they belong to

private:
    void sayUnwritten(const QString &file, const QString &error);
    QWidget *m_window;
    InfoBar *m_bar;
};

} // namespace trainyard
