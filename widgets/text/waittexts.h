// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QJsonObject>
#include <QStringList>

namespace trainyard
{

struct JobSummary;

// Why a job waits, beyond the sentence of its reason: a line for each host, and what would make it run.
QStringList waitDetails(const QString &code, const QJsonObject &args);

// It is on a cluster that gives no information until the user acts: enters a token, or the former address.
bool isUnfollowed(const JobSummary &job);
// It is being stopped on a cluster or host that does not answer, and it can be given up.
bool isUnheardStop(const JobSummary &job);

// The arguments of a reason with the labels of the hosts, which `labels` gives by the id of the host.
QJsonObject withHostLabels(const QJsonObject &args, const QHash<QString, QString> &labels);

} // namespace trainyard
