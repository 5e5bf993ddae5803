// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QHash>

#include <utility>

namespace trainyard
{

// The tasks of an attempt while they are read page by page. Updates that arrive meanwhile are newer than the pages that
// have arrived, and older than those that follow.
class TaskPages
{
public:
    void begin();
    bool isUnderWay() const { return m_isUnderWay; }
    qsizetype size() const { return m_tasks.size(); }
    void add(const QList<TaskInfo> &page);
    void apply(const QList<TaskInfo> &changed);
    QList<TaskInfo> take(); // the last page has come
    void fail() { take(); }

private:
    QList<TaskInfo> m_tasks;
    QHash<std::pair<QString, int>, qsizetype> m_places; // by role and index
    bool m_isUnderWay = false;
};

} // namespace trainyard
