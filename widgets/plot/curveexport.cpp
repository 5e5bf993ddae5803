// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/curveexport.h"

#include "engine/client/exportmark.h"
#include "engine/client/wholefile.h"
#include "model/base/csv.h"
#include "widgets/text/formats.h"

#include <QTimer>

#include <algorithm>
#include <cmath>

namespace trainyard
{
namespace
{

// The shortest digits that give the number back; as Python reads those that are none.
QString exactNumber(double value)
{
    if (std::isnan(value)) {
        return QStringLiteral("NaN");
    }
    if (std::isinf(value)) {
        return value > 0 ? QStringLiteral("Infinity") : QStringLiteral("-Infinity");
    }
    return QString::number(value, 'g', QLocale::FloatingPointShortest);
}

QString stepText(const CurveLine &line, const series::Point &point)
{
    return line.hasSteps ? exactNumber(point.x) : QString();
}

// The head of a table whose columns are parted by `separator`.
QString headRow(CurveOwner owner, QChar separator)
{
    const QString whose = owner == CurveOwner::Run ? QStringLiteral("run") : QStringLiteral("task");
    const QStringList names{
        QStringLiteral("metric"), whose, QStringLiteral("step"), QStringLiteral("time"), QStringLiteral("value")};
    return names.join(separator);
}

} // namespace

QString curvesAsTable(const QList<CurveGroup> &groups, const CurveLook &look,
    const std::optional<std::pair<double, double>> &range, CurveOwner owner, qsizetype most)
{
    QString table = headRow(owner, u'\t') + u'\n';
    qsizetype rows = 0;
    for (const CurveGroup &group : groups) {
        for (const CurveLine &line : group.lines) {
            for (std::size_t i = 0; line.series && i < line.series->size() && rows < most; ++i) {
                const series::Point point = line.series->at(i);
                const double place = placeOf(line, point, look);
                if (range && (place < range->first || place > range->second)) {
                    continue;
                }
                table += tabCell(group.name) + u'\t' + tabCell(line.label) + u'\t' + stepText(line, point) + u'\t'
                    + isoTimeWithMs(point.time) + u'\t' + exactNumber(point.value) + u'\n';
                ++rows;
            }
        }
    }
    return table;
}

CurveExport::CurveExport(const QString &file, const QList<CurveGroup> &groups, CurveOwner owner, QObject *parent)
    : QObject(parent), m_file(file), m_groups(groups), m_owner(owner), m_timer(new QTimer(this))
{
    m_timer->setInterval(0);
    connect(m_timer, &QTimer::timeout, this, &CurveExport::step);
}

void CurveExport::start()
{
    if (!m_file.open(QIODevice::WriteOnly)
        || !writeAll(m_file, (headRow(m_owner, u',') + u',' + exportMark() + u'\n').toUtf8())) {
        end(m_file.errorString());
        return;
    }
    m_timer->start();
}

void CurveExport::cancel()
{
    m_file.cancelWriting();
    m_timer->stop();
    deleteLater();
}

void CurveExport::step()
{
    constexpr int pointsAtOnce = 20'000;
    for (int done = 0; done < pointsAtOnce;) {
        if (m_group == m_groups.size()) {
            end(commitWhole(m_file).value_or(QString()));
            return;
        }
        const CurveGroup &group = m_groups.at(m_group);
        if (m_line == group.lines.size()) {
            ++m_group;
            m_line = 0;
            continue;
        }
        const CurveLine &line = group.lines.at(m_line);
        if (!line.series || m_next >= line.series->size()) {
            ++m_line;
            m_next = 0;
            continue;
        }
        const series::Point point = line.series->at(m_next++);
        const QString row = csvCell(group.name) + u',' + csvCell(line.label) + u',' + stepText(line, point) + u','
            + isoTimeWithMs(point.time) + u',' + exactNumber(point.value) + u',' + exportVersion() + u'\n';
        if (!writeAll(m_file, row.toUtf8())) {
            end(m_file.errorString());
            return;
        }
        ++m_points;
        ++done;
    }
}

void CurveExport::end(const QString &error)
{
    m_timer->stop();
    Q_EMIT finished(m_points, error);
    deleteLater();
}

} // namespace trainyard
