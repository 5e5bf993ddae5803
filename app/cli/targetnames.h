// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

// The names of clusters on the command line.
namespace trainyard::cli
{

// "lab" of "slurm:lab", "openpai:lab" or "lab".
QString clusterNameIn(const QString &word);
bool isOpenPai(const QString &word);
// "lab" of "kubernetes:lab"; nothing if it is not a Kubernetes cluster.
std::optional<QString> kubeNameIn(const QString &word);
// As jobs name it; without its kind it is one of Slurm.
QString targetIdOf(const QString &word);

} // namespace trainyard::cli
