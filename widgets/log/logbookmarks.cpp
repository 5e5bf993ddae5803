// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/logbookmarks.h"

#include "widgets/log/logview.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <utility>

namespace trainyard
{
namespace
{
constexpr qsizetype keptCharacters = 120; // of a line
constexpr qint64 mostOfOneTime = 2000; // lines
constexpr qsizetype mostLogs = 50;
} // namespace

LogBookmarks::LogBookmarks(LogView *view, QObject *parent) : QObject(parent), m_view(view)
{
    connect(view, &LogView::sizeChanged, this, &LogBookmarks::find);
}

void LogBookmarks::setLog(const QString &key)
{
    if (key == m_key) {
        return;
    }
    if (!m_marks.isEmpty()) {
        m_others.insert(m_key, m_marks);
    }
    m_key = key;
    m_marks = m_others.take(key);
    for (Mark &mark : m_marks) {
        mark.line = -1;
        mark.isMissing = false;
    }
    find();
    tell();
}

// Where those stand that were not found yet, or elsewhere by now.
void LogBookmarks::find()
{
    bool isOther = false;
    const qint64 count = m_view->lineCount();
    for (Mark &mark : m_marks) {
        const auto isIt = [&](qint64 line) { return m_view->lineText(line).left(keptCharacters) == mark.text; };
        if (mark.line >= 0 && mark.line < count && isIt(mark.line)) {
            continue;
        }
        if (mark.isMissing && count > 0) {
            continue;
        }
        const qint64 before = std::exchange(mark.line, -1);
        qint64 line = mark.time >= 0 ? m_view->lineAtTime(mark.time) : before;
        for (const qint64 end = std::min(count, line + mostOfOneTime); line >= 0 && line < end; ++line) {
            if (mark.time >= 0 && m_view->timeOf(line).value_or(0) > mark.time) {
                break;
            }
            if (isIt(line)) {
                mark.line = line;
                break;
            }
        }
        mark.isMissing = mark.line < 0 && line >= 0 && count > 0;
        isOther = isOther || mark.line != before;
    }
    if (isOther) {
        tell();
    }
}

QList<qint64> LogBookmarks::lines() const
{
    QList<qint64> all;
    for (const Mark &mark : m_marks) {
        if (mark.line >= 0) {
            all.append(mark.line);
        }
    }
    std::sort(all.begin(), all.end());
    return all;
}

void LogBookmarks::tell()
{
    const QList<qint64> all = lines();
    m_view->setMarkedLines({all.cbegin(), all.cend()});
    Q_EMIT changed();
}

void LogBookmarks::toggle() { toggleAt(m_view->currentLine().value_or(m_view->topLine())); }

bool LogBookmarks::isMarked(qint64 line) const
{
    return std::any_of(m_marks.cbegin(), m_marks.cend(), [line](const Mark &mark) { return mark.line == line; });
}

void LogBookmarks::toggleAt(qint64 line)
{
    if (line < 0 || line >= m_view->lineCount()) {
        return;
    }
    if (m_marks.removeIf([line](const Mark &mark) { return mark.line == line; }) == 0 && m_marks.size() < mostOfALog) {
        m_marks.append({m_view->timeOf(line).value_or(-1), m_view->lineText(line).left(keptCharacters), line});
        std::stable_sort(
            m_marks.begin(), m_marks.end(), [](const Mark &one, const Mark &other) { return one.time < other.time; });
    }
    tell();
}

bool LogBookmarks::next()
{
    const QList<qint64> all = lines();
    if (all.isEmpty()) {
        return false;
    }
    const auto after = std::upper_bound(all.cbegin(), all.cend(), m_view->currentLine().value_or(-1));
    m_view->markLine(after == all.cend() ? all.constFirst() : *after);
    return true;
}

bool LogBookmarks::previous()
{
    const QList<qint64> all = lines();
    if (all.isEmpty()) {
        return false;
    }
    const auto from = std::lower_bound(all.cbegin(), all.cend(), m_view->currentLine().value_or(m_view->lineCount()));
    m_view->markLine(from == all.cbegin() ? all.constLast() : *(from - 1));
    return true;
}

QByteArray LogBookmarks::save() const
{
    QMap<QString, QList<Mark>> logs = m_others;
    if (!m_marks.isEmpty()) {
        logs.insert(m_key, m_marks);
    }
    QJsonObject all;
    for (auto log = logs.cbegin(); log != logs.cend() && all.size() < mostLogs; ++log) {
        QJsonArray marks;
        for (const Mark &mark : log.value()) {
            marks.append(QJsonObject{{QStringLiteral("time"), mark.time}, {QStringLiteral("text"), mark.text}});
        }
        all.insert(log.key(), marks);
    }
    return all.isEmpty() ? QByteArray() : QJsonDocument(all).toJson(QJsonDocument::Compact);
}

void LogBookmarks::restore(const QByteArray &saved)
{
    const QJsonObject all = QJsonDocument::fromJson(saved).object();
    for (auto log = all.constBegin(); log != all.constEnd(); ++log) {
        QList<Mark> marks;
        for (const QJsonValue &value : log.value().toArray()) {
            const QJsonObject mark = value.toObject();
            marks.append(
                {mark.value(QLatin1String("time")).toInteger(-1), mark.value(QLatin1String("text")).toString()});
        }
        marks.resize(std::min(marks.size(), mostOfALog));
        if (log.key() == m_key) {
            m_marks = marks;
        } else {
            m_others.insert(log.key(), marks);
        }
    }
    find();
}

} // namespace trainyard
