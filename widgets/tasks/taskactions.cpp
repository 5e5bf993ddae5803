// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/taskactions.h"

#include "engine/api/tasklabel.h"
#include "engine/client/wholefile.h"
#include "widgets/common/filedialog.h"
#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/tasks/tasksmodel.h"
#include "widgets/tasks/taskstable.h"
#include "widgets/text/hosttexts.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QSaveFile>
#include <QToolButton>

namespace trainyard
{
namespace
{

constexpr qsizetype mostOpened = 8; // logs at a time, each in a window of another program

QStringList logsIn(const QStringList &folders)
{
    QStringList logs;
    for (const QString &folder : folders) {
        logs.append(folder + QStringLiteral("/output.log"));
    }
    return logs;
}

} // namespace

TaskActions::TaskActions(TasksModel *model, std::function<QList<TaskInfo>()> chosen, QWidget *parent)
    : QObject(parent), m_model(model), m_chosen(std::move(chosen))
{
}

QToolButton *TaskActions::makeButton()
{
    auto *more = new QToolButton;
    more->setObjectName(QStringLiteral("tasksMore"));
    more->setIcon(icon(QStringLiteral("more")));
    more->setIconSize({metrics::rowIcon, metrics::rowIcon});
    more->setAutoRaise(true);
    more->setPopupMode(QToolButton::InstantPopup);
    more->setToolTip(tr("What can be done with the chosen tasks"));
    more->setAccessibleName(tr("Chosen tasks"));
    auto *menu = new QMenu(more);
    menu->setToolTipsVisible(true);
    more->setMenu(menu);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] {
        menu->clear();
        fill(menu, m_chosen());
    });
    return more;
}

void TaskActions::fill(QMenu *menu, const QList<TaskInfo> &tasks)
{
    QStringList names, folders;
    for (const TaskInfo &task : tasks) {
        names.append(taskLabel(task));
        if (!task.logFolder.isEmpty()) {
            folders.append(task.logFolder);
        }
    }
    const QString noTask = tr("No task is chosen.");
    const QString noLog = tasks.isEmpty() ? noTask : tr("The task has not written a log.");
    QAction *terminal = menu->addAction(icon(QStringLiteral("terminal")), tr("Open a terminal there"), this,
        [this, tasks] { Q_EMIT terminalRequested(tasks.constFirst()); });
    enableOr(terminal, tasks.size() == 1 && !tasks.constFirst().host.isEmpty(),
        tasks.size() > 1      ? tr("Choose a single task.")
            : tasks.isEmpty() ? noTask
                              : tr("The task has no host yet."));
    QStringList hosts;
    for (const TaskInfo &task : tasks) {
        if (!task.host.isEmpty() && !hosts.contains(task.host)) {
            hosts.append(task.host);
        }
    }
    const QString only = hosts.value(0);
    QAction *host = menu->addAction(icon(QStringLiteral("host")),
        hosts.size() == 1 ? tr("Show %1 on the page Hosts").arg(hostLabel(only, m_model->hostLabels()))
                          : tr("Show its host"),
        this, [this, only] { Q_EMIT hostRequested(only); });
    enableOr(host, hosts.size() == 1,
        hosts.size() > 1      ? tr("Choose tasks of a single host.")
            : tasks.isEmpty() ? noTask
                              : tr("The task has no host yet."));
    QAction *open = menu->addAction(icon(QStringLiteral("external")),
        tr("Open %n log(s) in the editor", nullptr, int(folders.size())), this, [this, folders] {
            const QStringList logs = logsIn(folders);
            for (const QString &log : logs) {
                Q_EMIT openRequested(log);
            }
        });
    enableOr(open, !folders.isEmpty() && folders.size() <= mostOpened,
        folders.isEmpty() ? noLog : tr("At most %1 logs are opened at a time.").arg(mostOpened));
    QAction *again
        = menu->addAction(icon(QStringLiteral("restart")), tr("Retry %n chosen task(s)", nullptr, int(names.size())),
            this, [this, names] { Q_EMIT retryRequested(names); });
    enableOr(again, m_retryBlocker.isEmpty() && !names.isEmpty(), names.isEmpty() ? noTask : m_retryBlocker);
    menu->addSeparator();
    QAction *table = menu->addAction(icon(QStringLiteral("copy")),
        tr("Copy %n task(s) as a table", nullptr, int(tasks.size())), this, [this, tasks] {
            QGuiApplication::clipboard()->setText(
                tasksAsText(tasks, m_model->hostLabels(), m_model->attemptExit(), TableKind::Tabs));
        });
    enableOr(table, !tasks.isEmpty(), noTask);
    QAction *path = menu->addAction(icon(QStringLiteral("copy")), tr("Copy log path"), this,
        [folders] { QGuiApplication::clipboard()->setText(logsIn(folders).join(QLatin1Char('\n'))); });
    enableOr(path, !folders.isEmpty(), noLog);
    QAction *all
        = menu->addAction(icon(QStringLiteral("table")), tr("Save all tasks as CSV…"), this, &TaskActions::save);
    enableOr(all, m_model->taskCount() > 0, tr("There are no tasks yet."));
}

void TaskActions::copy()
{
    const QList<TaskInfo> tasks = m_chosen();
    if (!tasks.isEmpty()) {
        QGuiApplication::clipboard()->setText(
            tasksAsText(tasks, m_model->hostLabels(), m_model->attemptExit(), TableKind::Tabs));
    }
}

void TaskActions::save()
{
    askWhereToSave(qobject_cast<QWidget *>(parent()), tr("Save the tasks"), QStringLiteral("tasks.csv"), savedTables(),
        this, [this](const QString &name) { write(name); });
}

void TaskActions::write(const QString &name)
{
    QSaveFile file(name);
    std::optional<QString> error;
    if (file.open(QIODevice::WriteOnly)) {
        error = writeWhole(file,
            tasksAsText(m_model->tasks(), m_model->hostLabels(), m_model->attemptExit(), TableKind::Commas).toUtf8());
    } else {
        error = file.errorString();
    }
    if (error) {
        Q_EMIT problem(tr("%1 could not be written: %2").arg(name, *error));
    } else {
        Q_EMIT saved(name);
    }
}

} // namespace trainyard
