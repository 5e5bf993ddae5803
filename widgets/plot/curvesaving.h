// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plot/curveexport.h"

#include <functional>

class QWidget;

namespace trainyard
{

class CurvePlot;
class InfoBar;

// Asks where curves are to be saved, and saves them.
class CurveSaving : public QObject
{
    Q_OBJECT
public:
    explicit CurveSaving(QWidget *window); // its parent, and that of the questions
    CurveSaving(QWidget *window, InfoBar *bar); // where it says what was written, and what could not be
    void savePicture(CurvePlot *plot);
    // The suggested name for the file of values. Without it, the dialog would offer to replace a program's own
    // metrics.csv.
    void setRun(const QString &name, qint64 number);
    // `groups` are asked for when the file is chosen.
    void saveValues(const std::function<QList<CurveGroup>()> &groups, CurveOwner owner = CurveOwner::Task);
    void releaseSeries(); // of the series, which go away

Q_SIGNALS:
    void saved(const QString &file);
    void failed(const QString &sentence);
    void leaving(); // the series

private:
    void write(const QString &file, const QList<CurveGroup> &groups, CurveOwner owner);
    QWidget *m_window;
    QString m_valuesName = QStringLiteral("curves.csv");
};

} // namespace trainyard
