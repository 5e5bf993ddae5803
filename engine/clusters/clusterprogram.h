// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QProcessEnvironment>
#include <QStringList>

#include <functional>
#include <optional>

class QObject;

namespace trainyard
{

// One call of a program of a cluster on this computer. It runs in its own process without a shell, for a limited time,
// and its answer has a limited length.
struct ClusterProgram {
    QString program;
    QStringList arguments;
    QByteArray input = {};
    std::optional<QProcessEnvironment> environment = {}; // nothing: ours
};

struct ClusterProgramEnd {
    enum class Kind { Done, Missing, TimedOut, TooLong } kind = Kind::Done; // Missing: the program is not there
    int status = -1; // -1: it did not exit by itself
    QByteArray out = {}, errors = {}; // of the errors, the end
};

// `then` is called later, once, and not at all when `owner` is gone.
void runClusterProgram(
    QObject *owner, const ClusterProgram &wanted, const std::function<void(const ClusterProgramEnd &end)> &then);

inline constexpr int clusterAnswerMs = 60'000; // a busy controller is slow

} // namespace trainyard
