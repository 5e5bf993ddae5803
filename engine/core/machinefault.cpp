// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/machinefault.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::core
{
namespace
{

constexpr int codeGpuGone = -1205;
constexpr int codeGpuMemory = 223;

// Whether the kernel's line about a GPU is an Xid error that programs do not make themselves.
bool isXidOfDevice(const QString &evidence)
{
    static const QStringList ofPrograms{u"13"_s, u"31"_s, u"43"_s, u"45"_s};
    static const QRegularExpression pattern(u"NVRM: Xid \\([^)]*\\): (\\d+)"_s);
    const QRegularExpressionMatch match = pattern.match(evidence);
    return match.hasMatch() && !ofPrograms.contains(match.captured(1));
}

} // namespace

std::optional<MachineFault> machineFault(const TryResult &result, bool wasStarted)
{
    // Failures of the helper or the container program that do not depend on the job.
    static const QStringList ofHosts{u"launch.keeper-died"_s, u"launch.container-service"_s, u"launch.container-gpu"_s,
        u"launch.runtime-missing"_s, u"launch.gpu-lock-failed"_s, u"launch.no-memory-folder"_s,
        u"launch.folder-unwritable"_s};
    if (!wasStarted) {
        return ofHosts.contains(result.reason) ? std::optional(MachineFault{false, result.reason}) : std::nullopt;
    }
    if (result.code == codeGpuGone) {
        return MachineFault{true, u"gpu-lost"_s};
    }
    if (result.code == codeGpuMemory || result.reason == "exit.gpu-ecc"_L1) {
        return MachineFault{true, u"gpu-memory"_s};
    }
    const bool isXid = result.code != 0 && result.reasonArgs.value("finding"_L1).toString() == "xid"_L1
        && isXidOfDevice(result.reasonArgs.value("evidence"_L1).toString());
    return isXid ? std::optional(MachineFault{true, u"gpu-xid"_s}) : std::nullopt;
}

std::vector<FaultRows::Found> FaultRows::note(const End &end, int limit)
{
    if (end.wasStarted) {
        m_rows.erase({end.host, QString()});
    }
    for (const QString &gpu : end.succeeded ? end.gpus : QStringList()) {
        m_rows.erase({end.host, gpu});
    }
    if (!end.fault) {
        return {};
    }
    QStringList blamed{QString()};
    if (end.fault->isOfGpu) {
        // With several GPUs, it is not known which one it was unless its driver says so.
        blamed = end.faultyGpus;
        blamed.removeIf([&end](const QString &gpu) { return !end.gpus.contains(gpu); });
        blamed = blamed.isEmpty() && end.gpus.size() == 1 ? end.gpus : blamed;
    }
    std::vector<Found> found;
    for (const QString &gpu : std::as_const(blamed)) {
        Row &row = m_rows[{end.host, gpu}];
        if (row.kind != end.fault->kind) {
            row = {end.fault->kind, {}};
        }
        if (const qint64 since = row.failures.isEmpty() ? m_gapMs : end.failure.at - row.failures.constLast().at;
            since >= 0 && since < m_gapMs) {
            continue;
        }
        row.failures.append(end.failure);
        if (limit > 0 && row.failures.size() >= limit) {
            found.push_back({gpu, row.kind, row.failures});
            m_rows.erase({end.host, gpu});
        }
    }
    return found;
}

void FaultRows::forget(const QString &host, const QString &gpu) { m_rows.erase({host, gpu}); }

} // namespace trainyard::core
