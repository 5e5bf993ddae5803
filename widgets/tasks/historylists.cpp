// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/historylists.h"

#include "engine/api/jobfacts.h"
#include "engine/api/tasklabel.h"
#include "widgets/common/celldelegate.h"
#include "widgets/common/clocktext.h"
#include "widgets/common/labels.h"
#include "widgets/common/statepainter.h"
#include "widgets/common/tablelook.h"
#include "widgets/tasks/tasksmodel.h"
#include "widgets/text/exittexts.h"
#include "widgets/text/formats.h"
#include "widgets/text/hosttexts.h"
#include "widgets/text/texts.h"
#include "widgets/text/waittexts.h"

#include <QDateTime>
#include <QHeaderView>
#include <QScopedValueRollback>

#include <algorithm>
#include <array>

namespace trainyard
{
namespace
{
constexpr int numberRole = Qt::UserRole;
constexpr int stateColumn = 1;
constexpr int attemptTookColumn = 3;
constexpr int tookColumn = 4;
constexpr int widestHistoryColumn = 200;

QString endedBy(const AttemptInfo &attempt)
{
    if (attempt.triggerRule.isEmpty()) { // none of its tasks
        const int code = attempt.exitCode.value_or(0);
        return code == 0                ? QString()
            : code == exitStoppedByUser ? AttemptList::tr("Stopped by a user")
                                        : exitPhrase(code);
    }
    if (attempt.triggerIndex < 0) {
        return attempt.triggerRule == QLatin1String("minFailed")     ? AttemptList::tr("Failure limit reached")
            : attempt.triggerRule == QLatin1String("minSucceeded")   ? AttemptList::tr("Success limit reached")
            : attempt.triggerRule == QLatin1String("completedTasks") ? AttemptList::tr("Completion limit reached")
            : attempt.triggerRule == QLatin1String("startFailed")    ? AttemptList::tr("A task could not be started")
                                                                     : AttemptList::tr("All tasks have finished");
    }
    const QString text = attempt.triggerRule == QLatin1String("minFailed")
        ? AttemptList::tr("Failure limit reached by %1")
        : attempt.triggerRule == QLatin1String("minSucceeded")   ? AttemptList::tr("Success limit reached by %1")
        : attempt.triggerRule == QLatin1String("completedTasks") ? AttemptList::tr("Completion limit reached by %1")
        : attempt.triggerRule == QLatin1String("startFailed")
        ? AttemptList::tr("%1 could not be started")
        : AttemptList::tr("All tasks have finished, %1 as the last");
    return text.arg(taskLabel(attempt.triggerRole, attempt.triggerIndex));
}

// The words for a code are in the last column.
QString exitOf(const AttemptInfo &attempt)
{
    if (!attempt.exitCode) {
        return {};
    }
    const int code = *attempt.exitCode;
    if (exitPhrase(code).isEmpty() && attempt.triggerRawExit) {
        return exitWords(code, attempt.triggerRawExit);
    }
    return isOtherStatus(code, attempt.triggerRawExit)
        ? QStringLiteral("%1 (%2)").arg(exitNumber(*attempt.triggerRawExit), exitNumber(code))
        : exitNumber(code);
}

// One that ended without a start was opened only to be stopped, between two others.
QString attemptState(const AttemptInfo &attempt)
{
    const bool began = attempt.launched || !attempt.created || !isFinal(attempt.state);
    return began ? stateText(attempt.state) : AttemptList::tr("%1, not started").arg(stateText(attempt.state));
}

// A waiting job has not started although there is an attempt: an older engine only reports when that was made.
std::optional<qint64> startOf(const AttemptInfo &attempt)
{
    return attempt.created && !attempt.launched ? std::nullopt : attempt.started;
}

QString tookText(const TaskInfo &task, const QList<PauseSpan> &pauses, qint64 now)
{
    return task.tryLaunched ? clockText(ranMsIn(pauses, *task.tryLaunched, clockEnd(task, now))) : QString();
}

} // namespace

HistoryList::HistoryList(const QString &name, const QStringList &heads)
{
    setAccessibleName(name);
    setTableLook(this);
    setHeaderLabels(heads);
    header()->setStretchLastSection(true);
    header()->resizeSection(stateColumn, 128);
    connect(this, &QTreeWidget::currentItemChanged, this, [this](const QTreeWidgetItem *item) {
        if (item && !m_setting) {
            Q_EMIT chosen(item->data(0, numberRole).toInt());
        }
    });
}

void HistoryList::setShown(int number)
{
    const QScopedValueRollback setting(m_setting, true);
    for (int row = 0; row < topLevelItemCount(); ++row) {
        if (topLevelItem(row)->data(0, numberRole).toInt() == number) {
            setCurrentItem(topLevelItem(row));
            return;
        }
    }
    setCurrentItem(nullptr);
}

void HistoryList::setRowCount(int count)
{
    const QScopedValueRollback setting(m_setting, true);
    while (topLevelItemCount() > count) {
        delete takeTopLevelItem(topLevelItemCount() - 1);
    }
    while (topLevelItemCount() < count) {
        addTopLevelItem(new QTreeWidgetItem);
    }
}

void HistoryList::setRow(int row, int number, const QStringList &texts, trainyard::State state)
{
    QTreeWidgetItem *item = topLevelItem(row);
    item->setData(0, numberRole, number);
    for (int column = 0; column < texts.size(); ++column) {
        item->setText(column, texts.at(column));
    }
    item->setIcon(stateColumn, stateIcon(shapeOf(state)));
    item->setData(stateColumn, CellDelegate::stateRole, int(shapeOf(state)));
    item->setToolTip(int(texts.size()) - 1, plainTip(texts.constLast()));
}

// Wider only: a column that the user has widened stays so. Fractions of a pixel count when text is elided.
void HistoryList::fitColumns()
{
    for (int column = 0; column < columnCount() - 1; ++column) {
        const int words = std::min(sizeHintForColumn(column) + 2, widestHistoryColumn);
        header()->resizeSection(column, std::max(header()->sectionSize(column), words));
    }
}

AttemptList::AttemptList()
    : HistoryList(tr("Attempts"), {tr("Attempt"), tr("State"), tr("Started"), tr("Took"), tr("Exit"), tr("Ended by")})
{
    setObjectName(QStringLiteral("attemptList"));
    setNumberColumns(this, {attemptTookColumn});
    // The column with the reason of the end is visible on a small screen, too; the others are as wide as their words.
    const std::array widths{72, 112, 84, 64, 64};
    for (size_t i = 0; i < widths.size(); ++i) {
        header()->resizeSection(int(i), widths.at(i));
    }
    headerItem()->setToolTip(0, plainTip(meaning()));
}

QString AttemptList::meaning()
{
    return tr("An attempt is one run of the whole job; each retry of the job starts another.");
}

void AttemptList::setAttempts(const QList<AttemptInfo> &attempts)
{
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    setRowCount(int(attempts.size()));
    for (int row = 0; row < attempts.size(); ++row) {
        const AttemptInfo &attempt = attempts.at(row);
        const std::optional<qint64> start = startOf(attempt);
        setRow(row, attempt.index,
            {QString::number(attempt.index + 1), attemptState(attempt), start ? formatTime(*start, now) : QString(),
                start && attempt.completed ? clockText(ranMsIn(pauses(), *start, *attempt.completed)) : QString(),
                exitOf(attempt), endedBy(attempt)},
            attempt.state);
    }
    fitColumns();
}

TryList::TryList()
    : HistoryList(tr("Tries of the chosen task"),
        {tr("Try"), tr("State"), tr("Host"), tr("Started"), tr("Took"), tr("Exit"), tr("Why")})
{
    setObjectName(QStringLiteral("tryList"));
    setNumberColumns(this, {tookColumn});
    headerItem()->setToolTip(0, plainTip(meaning({})));
    // So that the reason is in sight on a small screen too.
    const std::array widths{52, 112, 88, 84, 64, 148};
    for (size_t i = 0; i < widths.size(); ++i) {
        header()->resizeSection(int(i), widths.at(i));
    }
}

QString TryList::meaning(const QString &task)
{
    return task.isEmpty()
        ? tr("A try is one run of a task; one that is retried by itself has several in an attempt.")
        : tr("A try is one run of a task, here %1; one that is retried by itself has several in an attempt.").arg(task);
}

void TryList::setTries(
    const QList<TaskInfo> &tries, const QHash<QString, QString> &hostLabels, std::optional<int> attemptExit, qint64 now)
{
    m_tries = tries;
    setRowCount(int(tries.size()));
    for (int row = 0; row < tries.size(); ++row) {
        const TaskInfo &task = tries.at(row);
        setRow(row, task.tries,
            {QString::number(task.tries + 1), stateText(task.state),
                task.host.isEmpty() ? QStringLiteral("–") : hostLabel(task.host, hostLabels),
                task.tryLaunched ? formatTime(*task.tryLaunched, now) : QString(), tookText(task, pauses(), now),
                TasksModel::exitText(task, attemptExit), TasksModel::whyText(task, hostLabels)},
            task.state);
    }
    fitColumns();
}

void TryList::tick(qint64 now)
{
    for (int row = 0; row < m_tries.size(); ++row) {
        if (m_tries.at(row).tryLaunched && !m_tries.at(row).completed) {
            topLevelItem(row)->setText(tookColumn, tookText(m_tries.at(row), pauses(), now));
        }
    }
}

} // namespace trainyard
