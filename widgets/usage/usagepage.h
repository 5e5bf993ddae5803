// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/usage.h"

#include <QHash>
#include <QWidget>

class QGridLayout;
class QLabel;
class QScrollArea;

namespace trainyard
{

class EmptyState;
class SegmentedControl;
class UsageTimeline;

// Whose the GPUs were over days: the timeline, and below it the hours of each user, group or name. Knows no engine: it
// asks for what it shows by a signal.
class UsagePage : public QWidget
{
    Q_OBJECT
public:
    explicit UsagePage(QWidget *parent = nullptr);
    void refresh(qint64 now); // asks
    void setUsage(const UsageReply &usage, qint64 from, qint64 to); // the answer
    void setTrouble(const QString &sentence); // why there is none
    void setHosts(const QList<HostInfo> &hosts); // their labels are shown
    UsageTimeline *timeline() const { return m_timeline; }
    void focusContent(); // the timeline; while there is none, the choice of days

Q_SIGNALS:
    void usageWanted(qint64 from, qint64 to); // answer with setUsage()
    void jobRequested(const QString &uuid);

private:
    UsageBy by() const;
    void showTotals();

    SegmentedControl *m_days;
    SegmentedControl *m_by;
    UsageTimeline *m_timeline;
    QWidget *m_body;
    QWidget *m_totals;
    QLabel *m_note;
    EmptyState *m_empty;
    UsageReply m_usage;
    qint64 m_from = 0, m_to = 0;
};

} // namespace trainyard
