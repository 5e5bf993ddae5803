// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/heldsettings.h"

#include <algorithm>
#include <utility>

namespace trainyard::metrics
{

// {'batch': 32, 'epoch': 3, 'lr': 0.1} and {'steps': 20, 'sleep': 0.5} may be how a program was set up, and the steps
// how many there will be. Only a dictionary that comes again further on is a log; of one that never does, neither the
// values nor the steps count.
HeldSettings::Answer HeldSettings::take(const Record &record, const Place &own, std::uint64_t line)
{
    if (record.shape != Shape::Dict || !own.isOwn || record.pairs.empty() || record.secondsLeft
        || std::any_of(record.steps.begin(), record.steps.end(), [](const StepMark &mark) { return mark.total; })) {
        return {};
    }
    // "steps": 20 may be how many there will be; "step": 20 is one.
    const bool isPlural = std::all_of(record.steps.begin(), record.steps.end(),
        [](const StepMark &mark) { return mark.name.isPlural && !mark.name.isGlobal; });
    std::size_t settings = 0, metrics = 0;
    for (const Pair &pair : record.pairs) {
        const bool isOther = pair.kind == NameKind::Other || pair.kind == NameKind::Unknown;
        settings += pair.kind == NameKind::Setting ? 1U : 0U;
        metrics += pair.kind == NameKind::Setting || isOther ? 0U : 1U;
    }
    const bool maySetUp = metrics > 0 ? isPlural && settings > metrics : isPlural || settings > 0;
    if (!maySetUp) {
        return {};
    }
    std::string names;
    for (const Pair &pair : record.pairs) {
        names += pair.name + '\n';
    }
    constexpr std::size_t mostHeld = 64;
    const auto found = m_held.find(names);
    if (found == m_held.end()) {
        if (m_held.size() >= mostHeld) {
            return {};
        }
        m_held.emplace(std::move(names), Held{record, own, line, false});
        return {true, {}, {}, 0};
    }
    Held &held = found->second;
    if (held.isSeries) {
        return {};
    }
    const bool isLater = own.axis == held.at.axis && (own.step > held.at.step || own.epoch > held.at.epoch);
    if (!isLater) {
        return {true, {}, {}, 0};
    }
    held.isSeries = true;
    return {false, std::move(held.record), held.at, held.line};
}

} // namespace trainyard::metrics
