// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/runstory.h"

#include <QDateTime>
#include <QLocale>

namespace trainyard
{

void RunTries::put(const TaskInfo &task)
{
    const auto found = m_places.constFind(keyOf(task));
    if (found != m_places.constEnd()) {
        m_tries[*found] = task;
    } else {
        m_places.insert(keyOf(task), m_tries.size());
        m_tries.append(task);
    }
}

void RunTries::setAttempt(int attempt, const QList<TaskInfo> &tries)
{
    QList<TaskInfo> all;
    for (const TaskInfo &one : std::as_const(m_tries)) {
        if (one.attempt != attempt) {
            all.append(one);
        }
    }
    m_tries.clear();
    m_places.clear();
    for (const TaskInfo &one : std::as_const(all)) {
        put(one);
    }
    for (const TaskInfo &one : tries) {
        put(one);
    }
    m_whole.insert(attempt);
}

bool RunTries::apply(const QList<TaskInfo> &changed)
{
    bool lacks = false;
    for (const TaskInfo &one : changed) {
        put(one);
        if (one.tries > 0) {
            Key before = keyOf(one);
            --before.number;
            const auto found = m_places.constFind(before);
            lacks = lacks || found == m_places.constEnd() || !isFinal(m_tries.at(*found).state);
        }
    }
    return lacks;
}

std::optional<qint64> commandsBegan(QByteArrayView runtimeLog)
{
    const qsizetype mark = runtimeLog.indexOf("USER COMMAND START");
    if (mark < 0) {
        return std::nullopt;
    }
    const qsizetype line = runtimeLog.first(mark).lastIndexOf('\n') + 1;
    const qsizetype begin = runtimeLog.indexOf('[', line);
    const qsizetype end = runtimeLog.indexOf(']', line);
    if (begin < 0 || end < begin || end > mark) {
        return std::nullopt;
    }
    QString text = QString::fromLatin1(runtimeLog.sliced(begin + 1, end - begin - 1)).simplified();
    text.remove(QLatin1String(" UTC"));
    QDateTime time = QLocale::c().toDateTime(text, QStringLiteral("ddd MMM d HH:mm:ss yyyy"));
    time.setTimeSpec(Qt::UTC);
    return time.isValid() ? std::optional(time.toMSecsSinceEpoch()) : std::nullopt;
}

} // namespace trainyard
