// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/clusters/openpaibackend.h"

namespace trainyard
{

// The OpenPAI clusters of the settings.
class OpenPaiKind : public ClusterKind
{
public:
    OpenPaiKind(const QString &stateFolder, const Settings &settings) : m_stateFolder(stateFolder), m_settings(settings)
    {
    }
    QStringList targets(const Settings &of) const override;
    std::unique_ptr<ClusterBackend> make(const QString &target, const Settings &of) override;

private:
    QString m_stateFolder;
    const Settings &m_settings;
};

} // namespace trainyard
