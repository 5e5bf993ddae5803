// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <QStringList>

namespace trainyard
{

// A Kubernetes cluster as people name and set it, for all programs that read what was typed: the command line, the
// window, the engine. The names are those of checkTargetName() (slurmoptions.h).

// The value of kubernetes.NAME for kubectl's own defaults, because an empty setting would not exist.
constexpr QLatin1StringView noKubeOptions{"default"};

QString kubeTargetId(const QString &name); // "kubernetes:NAME", as jobs name it
QString kubeOptionsKey(const QString &name); // of the setting with the options
QString kubeQueueKey(const QString &name); // of the setting with the queue of Kueue

// The options of a line as people write them for kubectl: "--context=lab -n ml"; only those that say which cluster, as
// whom, and how long. Codes: kubernetes.option {option}, kubernetes.option-value {option}.
Result<QStringList> kubeOptions(const QString &line);
// The same options one by one, for callers that ask for them separately.
struct KubeOptionParts {
    QString context, namespaceName; // empty: what kubectl uses by itself
    QString more; // the others, as a line
    friend bool operator==(const KubeOptionParts &, const KubeOptionParts &) = default;
};
// If a line cannot be used, everything of it is in `more`.
KubeOptionParts kubeOptionParts(const QString &line);
// May be empty, which settings have as noKubeOptions.
QString kubeOptionLine(const KubeOptionParts &parts);
// Whether a text can be the name of an object of Kubernetes. Code: kubernetes.queue-name {name}.
Result<void> checkQueueName(const QString &name);

} // namespace trainyard
