// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/curveexport.h"

#include "engine/client/exportmark.h"
#include "engine/client/wholefile.h"
#include "model/base/csv.h"
#include "widgets/plot/trybegins.h"
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

bool goOnOverTries(const QList<CurveGroup> &groups)
{
    return std::any_of(groups.cbegin(), groups.cend(), [](const CurveGroup &group) {
        return std::any_of(
            group.lines.cbegin(), group.lines.cend(), [](const CurveLine &line) { return line.tries.size() > 1; });
    });
}

// Quotes a value for a table that is separated by this character.
QString headRow(CurveOwner owner, bool tellsTries, QChar separator)
{
    const QString whose = owner == CurveOwner::Run ? QStringLiteral("run") : QStringLiteral("task");
    QStringList names{
        QStringLiteral("metric"), whose, QStringLiteral("step"), QStringLiteral("time"), QStringLiteral("value")};
    if (tellsTries) {
        names += {QStringLiteral("attempt"), QStringLiteral("try")};
    }
    return names.join(separator);
}

// The last cells of a row; nothing is known of the tries of what a host measures.
QString tryCells(const CurveLine &line, const series::Point &point, QChar separator)
{
    const std::optional<TryBegin> of = tryAt(line.tries, point.time);
    return separator + (of ? QString::number(of->attempt + 1) : QString()) + separator
        + (of ? QString::number(of->number + 1) : QString());
}

} // namespace

QString curvesAsTable(const QList<CurveGroup> &groups, const CurveLook &look,
    const std::optional<std::pair<double, double>> &range, CurveOwner owner, qsizetype most)
{
    const bool tellsTries = goOnOverTries(groups);
    QString table = headRow(owner, tellsTries, u'\t') + u'\n';
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
                    + isoTimeWithMs(point.time) + u'\t' + exactNumber(point.value)
                    + (tellsTries ? tryCells(line, point, u'\t') : QString()) + u'\n';
                ++rows;
            }
        }
    }
    return table;
}

CurveExport::CurveExport(const QString &file, const QList<CurveGroup> &groups, CurveOwner owner, QObject *parent)
    : QObject(parent), m_file(file), m_groups(groups), m_owner(owner), m_tellsTries(goOnOverTries(groups)),
      m_timer(new QTimer(this))
{
    m_timer->setInterval(0);
    connect(m_timer, &QTimer::timeout, this, &CurveExport::step);
}

void CurveExport::start()
{
    if (!m_file.open(QIODevice::WriteOnly)
        || !writeAll(m_file, (headRow(m_owner, m_tellsTries, u',') + u',' + exportMark() + u'\n').toUtf8())) {
        end(m_file.errorString());
        return;
    }
    m_timer->start();
}

void CurveExport::cancel()
{
    if (m_timer->isActive()) { // else it has ended
        m_file.cancelWriting();
        end(tr("the curves were read again meanwhile. Save them again."));
    }
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
            + isoTimeWithMs(point.time) + u',' + exactNumber(point.value)
            + (m_tellsTries ? tryCells(line, point, u',') : QString()) + u',' + exportVersion() + u'\n';
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
