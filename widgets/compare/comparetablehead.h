// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/labels.h"

class QCheckBox;
class QComboBox;
class QToolButton;

namespace trainyard
{

class CompareRuns;

// The head of the table of a comparison: how many runs it has, whether those that differ only in a seed are one row,
// and by which metric they are ranked.
class CompareTableHead : public Ground
{
    Q_OBJECT
public:
    explicit CompareTableHead(CompareRuns *runs);
    void setCount(const QString &text);
    void refresh(); // after the runs, or how they are ranked, have changed

private:
    CompareRuns *m_runs;
    ElidedLabel *m_count;
    QComboBox *m_metric;
    QToolButton *m_better;
    QCheckBox *m_fold;
};

} // namespace trainyard
