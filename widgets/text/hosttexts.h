// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QHash>

namespace trainyard
{

// The displayed name for the id of a task's or job's host: the label of a known host, "n1 (lab)" for a node of a
// cluster, "lab" for a cluster that does not report the node, otherwise the id.
QString hostLabel(const QString &id, const QHash<QString, QString> &labels = {});
QHash<QString, QString> hostLabels(const QList<HostInfo> &hosts); // by their ids
// "This computer, lab1": the hosts that the newest attempt of a job uses or used; empty: none yet.
QString jobHostsText(const JobSummary &job, const QHash<QString, QString> &labels = {});
QString hostStateWord(const HostInfo &host); // "needs you to log in"
QString hostStateAndUse(const HostInfo &host); // the same with what keeps new tasks from it: "online, draining"
// The same with when it was last seen, and with what keeps new tasks from it: "online, draining".
QString hostStateText(const HostInfo &host);
// "GPU 1 has been in quarantine since 14:02: 3 tasks in a row failed there. The GPU was lost: #3 main/0 at 13:50, ..."
QString quarantineText(const Quarantine &quarantine);
QString lockedKeyText(const QString &file); // of a key whose pass phrase was wrong: why something else is asked for
QString hostJobsText(const HostInfo &host); // "#44 cifar10 (2 tasks), #45 bert (1 task)"; empty: there are none
QString stepName(const QString &id); // "Log in"
// The findings of a step, or what is wrong and what to do; empty while nothing is known.
QString stepText(const HostStep &step);
QString stepTime(const HostStep &step); // "18 ms", or empty when it was not measured
// Whether what is wrong with the host is what one of its steps says.
bool isSaidByAStep(const HostInfo &host);
// The problem that a check of a connected host has found; empty: none, or there was no check.
QString checkText(const HostInfo &host);
// "chosen from 10.1.2.3 (eth0)": by which address tasks on other hosts reach it.
QString peerAddressText(const HostInfo &host);
// All that is known of a host as plain text, for its administrator, without values of the user's environment.
QString hostReport(const HostInfo &host);

} // namespace trainyard
