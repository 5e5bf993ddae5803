// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "widgets/common/wordsfilter.h"

#include <QHash>
#include <QVariant>

namespace trainyard
{

// By what a task is sorted in a column of TasksModel: a number or a text. `now` is for running times.
QVariant taskSortKey(
    const TaskInfo &task, int column, const QHash<QString, QString> &hostLabels, std::optional<qint64> ranMs);

// The tasks that have all the words that were typed, in the order of a column within each role. Roles stay in the order
// of the job.
class TasksFilter : public WordsFilter
{
    Q_OBJECT
public:
    explicit TasksFilter(QObject *parent = nullptr);

protected:
    bool lessThan(const QModelIndex &left, const QModelIndex &right) const override;
};

} // namespace trainyard
