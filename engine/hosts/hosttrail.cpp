// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/hosts/hosttrail.h"

#include "engine/api/hoststeps.h"

#include <algorithm>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

QString stepOf(const QString &code)
{
    struct Place {
        QLatin1StringView code;
        const QString &step;
    };
    static const Place places[] = {
        {"host.name-unknown"_L1, hoststep::resolve},
        {"host.ssh-config"_L1, hoststep::resolve},
        {"host.ssh-missing"_L1, hoststep::resolve},
        {"host.unreachable"_L1, hoststep::connect},
        {"host.key-unknown"_L1, hoststep::key},
        {"host.key-changed"_L1, hoststep::key},
        {"host.needs-login"_L1, hoststep::login},
        {"host.needs-login.key"_L1, hoststep::login},
        {"host.needs-login.password"_L1, hoststep::login},
        {"host.needs-login.locked"_L1, hoststep::login},
        {"host.needs-login.locked-wrong"_L1, hoststep::login},
        {"host.closed-at-login"_L1, hoststep::login},
        {"host.security-key-absent"_L1, hoststep::login},
        {"host.security-key-agent"_L1, hoststep::login},
        {"host.security-key-failed"_L1, hoststep::login},
        {"host.security-key-pin"_L1, hoststep::login},
        {"host.shell-failed"_L1, hoststep::shell},
        {"host.shell-silent"_L1, hoststep::shell},
        {"host.shell-waits"_L1, hoststep::shell},
        {"host.shell-hangs"_L1, hoststep::shell},
        {"host.agent-none"_L1, hoststep::folder},
        {"host.agent-does-not-run"_L1, hoststep::folder},
        {"host.agent-cannot-run"_L1, hoststep::folder},
        {"host.agent-no-room"_L1, hoststep::folder},
        {"host.agent-not-written"_L1, hoststep::folder},
        {"host.agent-gone"_L1, hoststep::agent},
        {"host.agent-version"_L1, hoststep::agent},
        {"host.agent-not-started"_L1, hoststep::agent},
        {"host.no-inventory"_L1, hoststep::agent},
        {"host.bad-frame"_L1, hoststep::agent},
    };
    const auto *place
        = std::find_if(std::begin(places), std::end(places), [&code](const Place &one) { return code == one.code; });
    return place == std::end(places) ? QString() : place->step;
}

} // namespace

void HostTrail::begin(qint64 now)
{
    m_since = now;
    m_steps.clear();
    const QStringList ids = hoststep::ofConnection(m_isLocal);
    for (const QString &id : ids) {
        m_steps.append({id, StepState::Waiting, {}, {}, -1});
    }
    m_steps.first().state = StepState::Running;
}

void HostTrail::pass(const QString &id, const QJsonObject &facts, qint64 now)
{
    const auto step = std::find_if(m_steps.begin(), m_steps.end(), [&id](const HostStep &one) { return one.id == id; });
    if (step == m_steps.end()) {
        return;
    }
    step->args = facts;
    if (step->state == StepState::Passed) {
        return;
    }
    for (auto before = m_steps.begin(); before != step; ++before) {
        before->state = StepState::Passed;
    }
    step->state = StepState::Passed;
    step->ms = now - m_since;
    m_since = now;
    if (const auto next = std::next(step); next != m_steps.end()) {
        next->state = StepState::Running;
    }
}

void HostTrail::advance(const QString &id, const QJsonObject &facts)
{
    const auto step = std::find_if(m_steps.begin(), m_steps.end(), [&id](const HostStep &one) { return one.id == id; });
    if (step != m_steps.end() && step->state != StepState::Passed) {
        step->state = StepState::Running;
        step->args = facts;
    }
}

void HostTrail::fail(const Error &why, qint64 now)
{
    const QString id = stepOf(why.code);
    const auto isIt
        = [&id](const HostStep &one) { return id.isEmpty() ? one.state == StepState::Running : one.id == id; };
    const auto last = std::find_if(m_steps.rbegin(), m_steps.rend(), isIt);
    if (last == m_steps.rend()) {
        return;
    }
    const auto step = std::prev(last.base());
    // A step that a jump host has passed is still open for the host behind it.
    for (auto after = step; after != m_steps.end(); ++after) {
        *after = {after->id, StepState::Waiting, {}, {}, -1};
    }
    for (auto before = m_steps.begin(); before != step; ++before) {
        before->state = StepState::Passed;
    }
    *step = {step->id, StepState::Failed, why.code, why.args, now - m_since};
    m_since = now;
}

} // namespace trainyard
