// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plot/curveexport.h"

#include <functional>

class QWidget;

namespace trainyard
{

class CurvePlot;
class CurveStore;
class InfoBar;

// Asks where curves are to be saved, and saves them. What was written and what could not be is said in the bar.
class CurveSaving : public QObject
{
    Q_OBJECT
public:
    CurveSaving(QWidget *window, InfoBar *bar); // `window`: its parent, and that of the questions
    void savePicture(CurvePlot *plot);
    // What is suggested for the file of values. Without it, a program's own metrics.csv would be offered to be
    // replaced.
    void setRun(const QString &name, qint64 number);
    // `groups` are asked for when the file is chosen; they belong to `store`, which lives as long as this.
    void saveValues(const std::function<QList<CurveGroup>()> &groups, const CurveStore *store);

private:
    void write(const QString &file, const QList<CurveGroup> &groups, const CurveStore *store);
    void sayUnwritten(const QString &file, const QString &error);
    QWidget *m_window;
    InfoBar *m_bar;
    QString m_valuesName = QStringLiteral("curves.csv");
};

} // namespace trainyard
