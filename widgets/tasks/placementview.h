// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QHash>
#include <QWidget>

class QVBoxLayout;

namespace trainyard
{

/**
 * The hosts that a plan uses, each with a box for every GPU: the planned task, the job or program that has it, or
 * "free". Tasks without a GPU share a box per role. A click on a box asks for its task.
 */
class PlacementView : public QWidget
{
    Q_OBJECT
public:
    explicit PlacementView(QWidget *parent = nullptr);
    /** `hosts` may lack hosts of the plan: of those only the GPUs in use are known. `labels` names hosts to people. */
    void setPlan(const PlanReply &plan, const QList<HostInfo> &hosts, const QHash<QString, QString> &labels);
    void setCurrent(int task); // its number in the plan: its box is filled

    /** For tests: host and boxes of each row, "ws: w 0, free". */
    QStringList rows() const;

Q_SIGNALS:
    void taskClicked(int task);

private:
    QVBoxLayout *m_rows;
};

} // namespace trainyard
