// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "engine/core/jobstate.h"

#include <map>

namespace trainyard::core
{

// Recognizes ends of tries that point to the machine and not to the program.
struct MachineFault {
    bool isOfGpu = false; // otherwise of the host
    QString kind; // "gpu-lost", "gpu-memory", "gpu-xid", or the code of what kept it from being started
    friend bool operator==(const MachineFault &, const MachineFault &) = default;
};
// Nothing: it succeeded, or its program or its job is to blame, or it is not known.
std::optional<MachineFault> machineFault(const TryResult &result, bool wasStarted);

// Counts tries that failed one after the other and in the same way on a host or on a GPU of it. Pure.
class FaultRows
{
public:
    // Failures in the same minute have one cause, which may be over in the next: tries that begin together, or the
    // retries of a task while its container service restarts, must not exclude a host permanently.
    static constexpr qint64 usualGapMs = 60'000;
    explicit FaultRows(qint64 gapMs = usualGapMs) : m_gapMs(gapMs) { }

    struct End {
        QString host;
        QStringList gpus; // of the try, by UUID
        QStringList faultyGpus; // of these the ones that their driver complains of, where that is known
        bool wasStarted = true, succeeded = false;
        std::optional<MachineFault> fault;
        MachineFailure failure; // what is kept of it as evidence
    };
    struct Found {
        QString gpu; // empty: the host
        QString kind;
        QList<MachineFailure> failures;
    };
    // What has failed this often now. A try that was started shows that the host starts tasks, and one that succeeded
    // shows that its GPUs work; an error of a program says nothing about the GPUs.
    std::vector<Found> note(const End &end, int limit);
    void forget(const QString &host, const QString &gpu); // they start over

private:
    struct Row {
        QString kind;
        QList<MachineFailure> failures;
    };
    qint64 m_gapMs; // after a failure, in which others of its kind are not counted
    std::map<std::pair<QString, QString>, Row> m_rows; // by host and GPU
};

} // namespace trainyard::core
