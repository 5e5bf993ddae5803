// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/codeopener.h"

#include "engine/client/capturedenvironment.h"
#include "widgets/common/aside.h"
#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/log/logpane.h"
#include "widgets/tasks/taskspane.h"

#include <QDir>
#include <QFileInfo>
#include <QMenu>

namespace trainyard
{
namespace
{

// The file that a frame of the task names; empty: it is not here.
QString codeFile(const QString &named, const QString &logFolder)
{
    QString path = named;
    if (QDir::isRelativePath(path)) {
        const std::optional<CapturedEnvironment> found = CapturedEnvironment::read(logFolder);
        if (!found || found->workFolder.isEmpty()) {
            return {};
        }
        path = QDir(found->workFolder).filePath(path);
    }
    const QFileInfo info(QDir::cleanPath(path));
    return info.isFile() && info.isReadable() ? info.filePath() : QString();
}

} // namespace

CodeOpener::CodeOpener(TasksPane *tasks, LogPane *log, QObject *parent) : QObject(parent), m_tasks(tasks)
{
    connect(log->view(), &LogView::menuAboutToShow, this,
        [this, view = log->view()](QMenu *menu, qint64 line) { addTo(menu, view->lineText(line)); });
}

bool CodeOpener::isHere() const
{
    const std::optional<TaskInfo> task = m_tasks->currentTask();
    return task && (task->host.isEmpty() || task->host == QLatin1String("local")) && !task->logFolder.isEmpty();
}

void CodeOpener::addTo(QMenu *menu, const QString &text)
{
    const std::optional<CodePlace> place = isHere() ? codePlaceIn(text) : std::nullopt;
    if (place) {
        QAction *first = menu->actions().value(0);
        auto *action = new QAction(icon(QStringLiteral("document")),
            plainCaption(tr("Open %1 at line %2").arg(QFileInfo(place->file).fileName(), QString::number(place->line))),
            menu);
        connect(action, &QAction::triggered, this, [this, place] { open(place->file, place->line); });
        menu->insertAction(first, action);
        menu->insertSeparator(first);
    }
}

void CodeOpener::seek(const QString &file, int line)
{
    Sought sought;
    if (const std::optional<TaskInfo> task = m_tasks->currentTask(); task && isHere() && line > 0) {
        sought = {file, line, task->logFolder};
    }
    if (sought == m_sought) {
        return;
    }
    m_sought = sought;
    if (sought.file.isEmpty()) {
        Q_EMIT found({}, 0);
        return;
    }
    runAside(this, [this, sought]() -> std::function<void()> {
        const QString path = codeFile(sought.file, sought.logFolder);
        // The script of the commands is made from the job, and made again for the next run.
        const bool isOurs = path.startsWith(sought.logFolder + u'/');
        return [this, sought, isHere = !path.isEmpty() && !isOurs] {
            if (sought == m_sought) {
                Q_EMIT found(isHere ? sought.file : QString(), sought.line);
            }
        };
    });
}

void CodeOpener::open(const QString &file, int line)
{
    const std::optional<TaskInfo> task = m_tasks->currentTask();
    if (!isHere() || !task) {
        Q_EMIT problem(tr("The code is on the host where the task ran."));
        return;
    }
    runAside(this, [this, file, line, logs = task->logFolder]() -> std::function<void()> {
        const QString path = codeFile(file, logs);
        return [this, file, line, path] {
            if (path.isEmpty()) {
                Q_EMIT problem(tr("%1 is no longer on this computer, or never was.").arg(file));
            } else {
                Q_EMIT openRequested(path, line);
            }
        };
    });
}

} // namespace trainyard
