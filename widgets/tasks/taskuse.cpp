// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/taskuse.h"

#include "widgets/tasks/tasksmodel.h"

#include <QEvent>
#include <QScrollBar>
#include <QTimer>
#include <QTreeView>

namespace trainyard
{
namespace
{
constexpr int gatherMs = 80; // while the user scrolls, nothing is read
} // namespace

TaskUse::TaskUse(QTreeView *view)
    : QObject(view), m_view(view), m_sparks(new TaskSparks(this)), m_timer(new QTimer(this))
{
    m_timer->setSingleShot(true);
    m_timer->setInterval(gatherMs);
    connect(m_timer, &QTimer::timeout, this, &TaskUse::look);
    connect(view->verticalScrollBar(), &QScrollBar::valueChanged, this, &TaskUse::lookSoon);
    connect(view, &QTreeView::expanded, this, &TaskUse::lookSoon);
    connect(view, &QTreeView::collapsed, this, &TaskUse::lookSoon);
    connect(m_sparks, &TaskSparks::changed, this, [this] {
        m_view->viewport()->update();
        if (!m_hasAny) {
            m_hasAny = true;
            Q_EMIT appeared();
        }
    });
    view->viewport()->installEventFilter(this);
}

void TaskUse::forget()
{
    m_hasAny = false;
    lookSoon();
}

void TaskUse::lookSoon()
{
    if (!m_timer->isActive()) {
        m_timer->start();
    }
}

bool TaskUse::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Show || event->type() == QEvent::Hide || event->type() == QEvent::Resize) {
        lookSoon();
    }
    return QObject::eventFilter(watched, event);
}

void TaskUse::look()
{
    QHash<QString, QString> folders;
    if (m_view->isVisible()) {
        const int height = m_view->viewport()->height();
        for (QModelIndex at = m_view->indexAt({0, 0}); at.isValid() && m_view->visualRect(at).top() < height;
             at = m_view->indexBelow(at)) {
            const QVariant task = at.siblingAtColumn(0).data(TasksModel::TaskRole);
            const QString folder = task.isValid() ? task.value<TaskInfo>().logFolder : QString();
            if (!folder.isEmpty()) {
                folders.insert(at.siblingAtColumn(0).data(TasksModel::KeyRole).toString(), folder);
            }
        }
    }
    m_sparks->watch(folders);
    if (!m_hasAny) {
        for (auto it = folders.cbegin(); it != folders.cend() && !m_hasAny; ++it) {
            m_hasAny = m_sparks->of(it.key()) != nullptr;
        }
        if (m_hasAny) {
            Q_EMIT appeared();
        }
    }
}

} // namespace trainyard
