// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/wordsfilter.h"

namespace trainyard
{

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
