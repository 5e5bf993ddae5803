// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/clusters/kubebackend.h"

namespace trainyard
{

// The Kubernetes clusters of the settings.
class KubeKind : public ClusterKind
{
public:
    KubeKind(const QString &stateFolder, const Settings &settings, ExitRulesFile &exitRules)
        : m_stateFolder(stateFolder), m_settings(settings), m_exitRules(exitRules)
    {
    }
    QStringList targets(const Settings &of) const override;
    std::unique_ptr<ClusterBackend> make(const QString &target, const Settings &of) override;
    // Asks for the contexts of kubectl's configuration as it is now. Code: kubernetes.no-kubectl, kubernetes.contexts
    // {detail}.
    void askContexts(const std::function<void(const Result<QStringList> &)> &then);

private:
    QString m_stateFolder;
    const Settings &m_settings;
    ExitRulesFile &m_exitRules;
    KubeCommands m_commands;
};

} // namespace trainyard
