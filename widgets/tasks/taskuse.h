// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plot/tasksparks.h"

class QTimer;
class QTreeView;

namespace trainyard
{

// How busy the tasks in sight are, for the column "Use" of their table. Rows that are scrolled out of sight are not
// read, and none while the table is hidden: ten thousand tasks cost as much as a screen of them.
class TaskUse : public QObject
{
    Q_OBJECT
public:
    // The model of the view has TasksModel's roles.
    explicit TaskUse(QTreeView *view);
    const TaskSparks::Spark *of(const QString &key) const { return m_sparks->of(key); }
    bool hasAny() const { return m_hasAny; } // something was measured, of a task that was in sight
    void forget(); // other tasks are shown
    void lookSoon(); // rows came, went or moved

Q_SIGNALS:
    void appeared(); // hasAny() is true now

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void look();
    QTreeView *m_view;
    TaskSparks *m_sparks;
    QTimer *m_timer;
    bool m_hasAny = false;
};

} // namespace trainyard
