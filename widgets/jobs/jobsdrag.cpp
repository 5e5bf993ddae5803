// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/jobs/jobsdrag.h"

#include "widgets/common/yamldrag.h"
#include "widgets/jobs/jobsfilter.h"
#include "widgets/jobs/jobsmodel.h"

#include <QApplication>
#include <QDragMoveEvent>
#include <QDropEvent>
#include <QTreeView>

#include <utility>

namespace trainyard
{

JobsDrag::JobsDrag(QTreeView *view, JobsModel *model, JobsFilter *filter, QWidget *pane)
    : QObject(pane), m_view(view), m_model(model), m_filter(filter), m_pane(pane), m_line(new QWidget(view->viewport()))
{
    m_line->setAutoFillBackground(true);
    m_line->setBackgroundRole(QPalette::Highlight);
    m_line->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_line->hide();
}

void JobsDrag::press(const QString &uuid)
{
    m_pressed = uuid;
    if (!uuid.isEmpty()) {
        Q_EMIT yamlWanted(uuid); // it is here by the time a drag begins
    }
}

void JobsDrag::start() { start(std::exchange(m_pressed, {})); }

void JobsDrag::setYaml(const QString &uuid, const QByteArray &yaml)
{
    m_yamlJob = uuid;
    m_yaml = yaml;
    if (std::exchange(m_pending, {}) == uuid && QApplication::mouseButtons().testFlag(Qt::LeftButton)) {
        start(uuid);
    }
}

// Onto another waiting job or the head of its group; below the last one is the end of the queue.
bool JobsDrag::takes(const QPoint &at) const
{
    const QModelIndex index = m_view->indexAt(at);
    return !m_dragged.isEmpty() && index.data(JobsModel::GroupRole).toInt() == JobsModel::Waiting && index.isValid()
        && !index.parent().parent().isValid(); // the jobs of a sweep stand by their numbers
}

void JobsDrag::drop(const QPoint &at)
{
    const QString moved = std::exchange(m_dragged, {});
    const QModelIndex index = m_view->indexAt(at);
    if (moved.isEmpty() || !index.isValid()) {
        return;
    }
    QModelIndex before = index;
    if (index.data(JobsModel::IsGroupRole).toBool()) {
        before = m_filter->index(0, 0, index);
    } else if (at.y() > m_view->visualRect(index).center().y()) {
        before = index.sibling(index.row() + 1, 0); // not valid behind the last one
    }
    // Jobs of a sweep of which others run may be before the first row of those that wait.
    const QString other
        = before.parent() == index ? m_model->queueHead() : before.data(JobsModel::QueueRole).toString();
    if (other != moved) {
        Q_EMIT moveRequested(moved, other);
    }
}

std::optional<bool> JobsDrag::handle(QEvent *event)
{
    if (event->type() == QEvent::DragEnter || event->type() == QEvent::DragMove) {
        auto *drag = static_cast<QDragMoveEvent *>(event);
        const QPoint at = drag->position().toPoint();
        if (m_dragged.isEmpty()) {
            event->ignore(); // the window takes files
            return false;
        }
        const bool isTaken = takes(at);
        drag->setAccepted(isTaken);
        const QRect row = m_view->visualRect(m_view->indexAt(at));
        m_line->setGeometry(
            row.left() + 22, at.y() > row.center().y() ? row.bottom() - 1 : row.top(), row.width() - 33, 2);
        m_line->setVisible(isTaken);
        return true;
    }
    if (event->type() == QEvent::DragLeave || event->type() == QEvent::Drop) {
        m_line->hide();
        if (auto *dropped = event->type() == QEvent::Drop ? static_cast<QDropEvent *>(event) : nullptr;
            dropped && !m_dragged.isEmpty()) {
            dropped->setDropAction(Qt::CopyAction);
            dropped->accept();
            drop(dropped->position().toPoint());
            return true;
        }
        return false;
    }
    return std::nullopt;
}

void JobsDrag::start(const QString &uuid)
{
    const auto job = m_model->job(m_model->indexOf(uuid));
    if (!job) {
        return;
    }
    if (uuid != m_yamlJob) {
        m_pending = uuid; // the mouse was quicker than the answer
        return;
    }
    m_dragged = job->state == State::Waiting ? uuid : QString(); // within the list it changes the order
    dragYaml(m_pane, m_yaml, job->name + QStringLiteral(".pai.yaml"));
    m_dragged.clear();
}

} // namespace trainyard
