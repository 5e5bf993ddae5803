// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QWidget>

class QLabel;

namespace trainyard
{

// The jobs that have tasks on a host, as links. Hidden while there are none.
class HostJobsView : public QWidget
{
    Q_OBJECT
public:
    explicit HostJobsView(QWidget *parent = nullptr);
    void setHost(const HostInfo &host);

Q_SIGNALS:
    void jobRequested(qint64 number);

private:
    QLabel *m_jobs;
};

} // namespace trainyard
