// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "widgets/common/labels.h"

class QPushButton;

namespace trainyard
{

// Below the step at which the way to a host ends: what to look at, and the command that goes the same way by hand.
class HostCause final : public Ground
{
    Q_OBJECT
public:
    explicit HostCause(QWidget *parent = nullptr);
    void setHost(const HostInfo &host);
    bool isEmpty() const { return m_host.ssh.isEmpty(); } // then there is nothing to show

Q_SIGNALS:
    void shellRequested(const HostInfo &host);

private:
    HostInfo m_host;
    QLabel *m_advice;
    ElidedLabel *m_command;
    QPushButton *m_shell = nullptr;
    QString m_line; // that is shown and copied
};

} // namespace trainyard
