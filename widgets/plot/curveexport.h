// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plot/curveline.h"

#include <QList>
#include <QSaveFile>

#include <optional>

class QTimer;

namespace trainyard
{

// A metric of several tasks.
struct CurveGroup {
    QString name;
    QList<CurveLine> lines;
};

// Whose lines they are: the head of a column.
enum class CurveOwner { Task, Run };

// The points of the range (all without one) as a table with tabs, for other programs to paste; at most `most` rows.
QString curvesAsTable(const QList<CurveGroup> &groups, const CurveLook &look,
    const std::optional<std::pair<double, double>> &range, CurveOwner owner = CurveOwner::Task,
    qsizetype most = 100'000);

// Writes every point to a file of comma-separated values, a piece in each turn of the event loop. Deletes itself at the
// end; what was at the place of the file before stays until then.
class CurveExport : public QObject
{
    Q_OBJECT
public:
    CurveExport(const QString &file, const QList<CurveGroup> &groups, CurveOwner owner, QObject *parent);
    void start();
    void cancel(); // the series go away: ends it with an error

Q_SIGNALS:
    void finished(qsizetype points, const QString &error); // empty: it is written

private:
    void step();
    void end(const QString &error);

    QSaveFile m_file;
    QList<CurveGroup> m_groups;
    CurveOwner m_owner;
    bool m_tellsTries; // some curve goes on over several
    QTimer *m_timer;
    qsizetype m_group = 0, m_line = 0, m_points = 0;
    std::size_t m_next = 0;
};

} // namespace trainyard
