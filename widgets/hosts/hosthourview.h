// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/hosthistory.h"
#include "engine/api/values.h"

#include <QWidget>

QT_BEGIN_NAMESPACE
class QGridLayout;
QT_END_NAMESPACE

namespace trainyard
{

// How much a host was used in the last hour: a small curve for the processor, the memory and each GPU. Hidden while
// nothing is known.
class HostHourView : public QWidget
{
    Q_OBJECT
public:
    explicit HostHourView(QWidget *parent = nullptr);
    void setHistory(const api::HostHistory &history, const QList<GpuInfo> &gpus);
    void clear();
    QStringList lines() const { return m_lines; } // as it is read: "Processor: 31 % on average, …"

private:
    QGridLayout *m_cells;
    QStringList m_lines;
};

} // namespace trainyard
