// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/hosts/lastchecks.h"

#include <algorithm>

namespace trainyard
{
namespace
{
bool hasResult(const HostStep &step) { return step.state != StepState::Waiting && step.state != StepState::Running; }
} // namespace

void LastChecks::setHosts(const QList<HostInfo> &hosts)
{
    QHash<QString, HostInfo> checked;
    for (const HostInfo &host : hosts) {
        const bool isUnderWay = host.state == HostState::Connecting || host.check == StepState::Running;
        checked.insert(host.id, isUnderWay ? m_checked.value(host.id) : host);
    }
    m_checked = checked;
}

HostInfo LastChecks::shown(const HostInfo &now) const
{
    const HostInfo last = m_checked.value(now.id);
    HostInfo shown = now;
    for (HostStep &step : shown.steps) {
        const auto same = std::find_if(last.steps.cbegin(), last.steps.cend(),
            [&step](const HostStep &each) { return each.id == step.id && hasResult(each); });
        if (same != last.steps.cend() && !hasResult(step)) {
            step = *same;
        }
    }
    // The reason why it was not online is shown until the check has succeeded.
    const auto told = std::find_if(last.steps.cbegin(), last.steps.cend(),
        [&now](const HostStep &step) { return step.state == StepState::Failed && step.code == now.error; });
    const auto isTold
        = [&told](const HostStep &step) { return step.id == told->id && step.state == StepState::Failed; };
    if (now.state == HostState::Connecting && told != last.steps.cend()
        && std::none_of(shown.steps.cbegin(), shown.steps.cend(), isTold)) {
        shown.error.clear();
    }
    if (shown.banner.isEmpty()) {
        shown.banner = last.banner;
    }
    return shown;
}

} // namespace trainyard
