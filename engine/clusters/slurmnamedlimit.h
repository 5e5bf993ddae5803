// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace trainyard::slurm
{

// Which limit a word of Slurm names, as QOSMaxGRESPerUser does.
struct NamedLimit {
    enum class Holder { Qos, Account } holder = Holder::Qos;
    enum class Span { Group, User, Account, Job, Node } span = Span::Group;
    // What is counted: cpu, mem, node, billing, gres (any), or jobs, submit, time.
    QString what;
    bool isMinutes = false; // of that, and not how many at a time
    bool isRunning = false; // only the minutes that running jobs have left
    friend bool operator==(const NamedLimit &, const NamedLimit &) = default;
};
// `words` may have others behind it: "QOSMaxJobsPerUserLimit: Batch job ...". Nothing: it names none with a number.
std::optional<NamedLimit> limitNamedBy(const QString &words);

} // namespace trainyard::slurm
