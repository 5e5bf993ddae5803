// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QWidget>

class QLabel;

namespace trainyard
{

class EmptyState;
class GpuTable;
class SegmentedControl;

// The GPUs of all hosts that are online, as they are now: all, those that are free, or those that others use.
class GpusNow : public QWidget
{
    Q_OBJECT
public:
    explicit GpusNow(QWidget *parent = nullptr);
    void setHosts(const QList<HostInfo> &hosts); // with labels that differ

Q_SIGNALS:
    void jobRequested(qint64 number);

private:
    void showTable();
    qsizetype m_hosts = 0; // that are online and have some
    QLabel *m_count;
    SegmentedControl *m_which;
    GpuTable *m_table;
    EmptyState *m_none;
};

} // namespace trainyard
