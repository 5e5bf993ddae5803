// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/hosthistory.h"

#include <algorithm>

namespace trainyard
{

void HostHistory::Average::add(double percent)
{
    if (percent >= 0) { // below zero: not known
        sum += std::min(percent, 100.0);
        ++count;
    }
}

void HostHistory::note(const contract::Sample &sample, qint64 steadyMs)
{
    const qint64 number = steadyMs / stepMs;
    if (m_steps.empty() || m_steps.back().number < number) {
        m_steps.emplace_back().number = number;
        while (m_steps.front().number <= number - steps) {
            m_steps.pop_front();
        }
    }
    Step &step = m_steps.back();
    step.cpu.add(sample.cpuPercent);
    if (sample.memoryMiB > 0) {
        step.memory.add(100.0 * double(sample.memoryUsedMiB) / double(sample.memoryMiB));
    }
    for (const contract::Gpu &gpu : sample.gpus) {
        step.gpus[QString::fromStdString(gpu.uuid)].add(gpu.utilPercent);
    }
}

api::HostHistory HostHistory::told(const QString &host, qint64 steadyMs) const
{
    api::HostHistory told;
    told.host = host;
    told.stepSeconds = int(stepMs / 1000);
    const QList<double> unknown(steps, -1);
    told.cpu = told.memory = unknown;
    QMap<QString, QList<double>> gpus; // in one order, whatever the hash says
    const qint64 oldest = steadyMs / stepMs - steps + 1;
    for (const Step &step : m_steps) {
        const qint64 at = step.number - oldest;
        if (at < 0 || at >= steps) {
            continue;
        }
        told.cpu[at] = step.cpu.value();
        told.memory[at] = step.memory.value();
        for (auto it = step.gpus.cbegin(); it != step.gpus.cend(); ++it) {
            QList<double> &use = gpus[it.key()];
            if (use.isEmpty()) {
                use = unknown;
            }
            use[at] = it->value();
        }
    }
    for (auto it = gpus.cbegin(); it != gpus.cend(); ++it) {
        told.gpus.append({it.key(), it.value()});
    }
    return told;
}

} // namespace trainyard
