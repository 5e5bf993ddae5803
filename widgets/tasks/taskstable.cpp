// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/taskstable.h"

#include "engine/api/tasklabel.h"
#include "model/base/csv.h"
#include "widgets/tasks/tasksmodel.h"
#include "widgets/text/formats.h"
#include "widgets/text/hosttexts.h"
#include "widgets/text/texts.h"

namespace trainyard
{
namespace
{

constexpr double msPerSecond = 1000;

QString cellText(const QString &text, TableKind kind)
{
    return kind == TableKind::Tabs ? tabCell(text) : csvCell(text);
}

QString timeOr(const std::optional<qint64> &ms) { return ms ? isoTimeWithMs(*ms) : QString(); }

template <typename Number> QString numberOr(const std::optional<Number> &number)
{
    return number ? QString::number(*number) : QString();
}

} // namespace

QString tasksAsText(const QList<TaskInfo> &tasks, const QHash<QString, QString> &hostLabels,
    std::optional<int> attemptExit, TableKind kind)
{
    const QString mark = kind == TableKind::Tabs ? QStringLiteral("\t") : QStringLiteral(",");
    QStringList lines{QStringList{QStringLiteral("task"), QStringLiteral("state"), QStringLiteral("host"),
        QStringLiteral("gpus"), QStringLiteral("exit_code"), QStringLiteral("exit"), QStringLiteral("tries"),
        QStringLiteral("started"), QStringLiteral("ended"), QStringLiteral("seconds"), QStringLiteral("progress"),
        QStringLiteral("peak_memory_mib"), QStringLiteral("cpu_seconds"), QStringLiteral("gpu_percent"),
        QStringLiteral("log_folder"), QStringLiteral("why")}
                          .join(mark)};
    for (const TaskInfo &task : tasks) {
        QStringList gpus;
        for (const int gpu : task.gpus) {
            gpus.append(QString::number(gpu));
        }
        const bool isOver = task.launched && task.completed;
        const QStringList cells{taskLabel(task), stateText(task.state), hostLabel(task.host, hostLabels),
            gpus.join(QLatin1Char(' ')), numberOr(task.exitCode), TasksModel::exitText(task, attemptExit),
            QString::number(task.tries + 1), timeOr(task.launched), timeOr(task.completed),
            isOver ? QString::number(double(*task.completed - *task.launched) / msPerSecond) : QString(),
            numberOr(task.progress), numberOr(task.usage.peakMemoryMiB),
            task.usage.cpuMs ? QString::number(double(*task.usage.cpuMs) / msPerSecond) : QString(),
            numberOr(task.usage.gpuPercent), task.logFolder, TasksModel::whyText(task, hostLabels)};
        QStringList texts;
        for (const QString &cell : cells) {
            texts.append(cellText(cell, kind));
        }
        lines.append(texts.join(mark));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

} // namespace trainyard
