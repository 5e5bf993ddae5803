// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/clusters.h"
#include "engine/api/values.h"

#include <QComboBox>

#include <optional>

namespace trainyard
{

class GuiSettings;

// Where Run puts the job: any host, this computer, one of the others, a cluster. Remembers what was chosen.
class TargetBox : public QComboBox
{
    Q_OBJECT
public:
    explicit TargetBox(GuiSettings *settings, QWidget *parent = nullptr);
    void setHosts(const QList<HostInfo> &hosts);
    void setClusters(const QList<ClusterInfo> &clusters);
    QString target() const; // id of a host or a cluster, or "any"
    void showPopup() override;

Q_SIGNALS:
    void aboutToShow(); // its list: it may be old

private:
    void fill();

    GuiSettings *m_settings;
    QList<HostInfo> m_hosts;
    // Nothing: the engine has not told them yet. Until then the one that was chosen last is there, or a job would go
    // somewhere else.
    std::optional<QList<ClusterInfo>> m_clusters;
};

} // namespace trainyard
