// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/hosts/agentconnection.h"

#include <functional>
#include <memory>

namespace trainyard
{

// Whether a host that is connected could be connected to now: a second connection is made, up to the answer of its
// helper, and closed. The connection in use stays as it is, whatever this finds.
class HostCheck : public QObject
{
    Q_OBJECT
public:
    explicit HostCheck(std::function<std::unique_ptr<Transport>()> makeTransport);
    ~HostCheck() override;
    void start();
    StepState state() const; // Running, Passed or Failed
    const Error &error() const { return m_error; } // why it has failed
    QList<HostStep> steps() const; // of this connection
    void setWaitsForPerson(bool waits); // as AgentConnection
    bool waitsForPerson() const { return m_waitsForPerson; }

Q_SIGNALS:
    void progressed(); // or over

private:
    void look();

    std::unique_ptr<AgentConnection> m_agent; // until it is over
    QList<HostStep> m_steps; // since then
    Error m_error;
    bool m_waitsForPerson = false;
};

} // namespace trainyard
