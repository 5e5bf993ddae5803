// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/hostcheck.h"

#include <utility>

namespace trainyard
{

HostCheck::HostCheck(std::function<std::unique_ptr<Transport>()> makeTransport)
{
    AgentConnection::Options options;
    options.makeTransport = std::move(makeTransport);
    options.isLocal = false;
    options.loginEnvironment = false; // the tasks have that of the connection in use
    options.sampleIntervalMs = 0;
    m_agent = std::make_unique<AgentConnection>(std::move(options));
    connect(m_agent.get(), &AgentConnection::progressed, this, &HostCheck::progressed);
    connect(m_agent.get(), &AgentConnection::stateChanged, this, &HostCheck::look);
}

HostCheck::~HostCheck()
{
    if (m_agent) {
        m_agent->disconnect(this);
    }
}

void HostCheck::start() { m_agent->start(); }

void HostCheck::look()
{
    if (m_agent->state() == HostState::Connecting) {
        return;
    }
    m_steps = m_agent->steps();
    m_error = m_agent->isOnline() ? Error() : m_agent->error();
    m_agent->disconnect(this);
    m_agent.release()->deleteLater(); // this is inside its signal
    Q_EMIT progressed();
}

StepState HostCheck::state() const
{
    return m_agent ? StepState::Running : m_error.code.isEmpty() ? StepState::Passed : StepState::Failed;
}

QList<HostStep> HostCheck::steps() const { return m_agent ? m_agent->steps() : m_steps; }

void HostCheck::setWaitsForPerson(bool waits)
{
    m_waitsForPerson = waits;
    if (m_agent) {
        m_agent->setWaitsForPerson(waits);
    }
}

} // namespace trainyard
