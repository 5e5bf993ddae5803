// SPDX-License-Identifier: GPL-3.0-or-later
// The texts and actions of the view of files for a work folder on another host.
#include "widgets/common/emptystate.h"
#include "widgets/common/labels.h"
#include "widgets/common/segmentedcontrol.h"
#include "widgets/tasks/filesview.h"
#include "widgets/text/broughttexts.h"
#include "widgets/text/texts.h"

#include <QDateTime>
#include <QStackedLayout>
#include <QToolButton>
#include <QTreeWidget>

#include <algorithm>

namespace trainyard
{

bool FilesView::isOnHost() const
{
    return m_task && !m_hostLabel.isEmpty() && !m_task->logFolder.isEmpty() && m_which->currentIndex() == WorkRoot
        && !m_sharesWork;
}

bool FilesView::isShared() const { return m_sharesWork && m_which->currentIndex() == WorkRoot; }

void FilesView::updateActions()
{
    const bool isThere = isOnHost();
    m_bring->setVisible(isThere);
    m_bring->setEnabled(isThere && !m_list->selectedItems().isEmpty());
    m_openFolder->setVisible(!isThere);
    m_note->setText(m_hostLabel.isEmpty() ? QString()
            : isThere                     ? tr("What is on %1").arg(m_hostLabel)
            : isShared()                  ? tr("The folder that %1 shares with this computer").arg(m_hostLabel)
                                          : tr("Copies of what is on %1").arg(m_hostLabel));
}

void FilesView::setBrought(const QList<BroughtFiles> &brought)
{
    m_brought = brought;
    updateBrought();
}

// One line of what has come here of this task; what is the matter with it is in the tool tip, too.
void FilesView::updateBrought()
{
    const auto of = std::find_if(m_brought.cbegin(), m_brought.cend(), [this](const BroughtFiles &each) {
        return m_task && each.role == m_task->role && each.index == m_task->index;
    });
    m_broughtLine->setVisible(of != m_brought.cend());
    if (of != m_brought.cend()) {
        const QStringList problems = broughtProblems(*of);
        const QString text = tr("Results: %1").arg(broughtText(*of, QDateTime::currentMSecsSinceEpoch()));
        m_broughtLine->setText((QStringList{text} + problems).join(QStringLiteral("  ·  ")));
    }
}

void FilesView::setHostFiles(const TaskInfo &task, const Result<api::TaskFileList> &told)
{
    if (!isOnHost() || m_task->role != task.role || m_task->index != task.index || m_task->attempt != task.attempt) {
        return;
    }
    if (told && told->isHere) { // there is nothing to bring
        m_sharesWork = true;
        m_workFolder = told->work;
        look();
        return;
    }
    m_pages->setCurrentIndex(told ? 1 : 0);
    if (told) {
        setFiles(told->work, filesOnHost(*told));
    } else {
        m_empty->setText(errorText(told.error()));
    }
    updateActions();
}

// A folder is "out/", which stands for all that is in it.
void FilesView::bringSelected()
{
    QStringList globs;
    const QList<QTreeWidgetItem *> chosen = m_list->selectedItems();
    for (const QTreeWidgetItem *item : chosen) {
        const QString name = item->data(0, filePathRole).toString();
        if (!name.isEmpty()) {
            globs.append(name);
        }
    }
    if (isOnHost() && !globs.isEmpty()) {
        Q_EMIT bringRequested(*m_task, globs);
    }
}

} // namespace trainyard
