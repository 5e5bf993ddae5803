// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/clusters.h"
#include "engine/api/values.h"

#include <QComboBox>

#include <optional>

namespace trainyard
{

class GuiSettings;

// Where Run puts the job of the document in front: any host, this computer, one of the others, a cluster. Another
// machine is chosen for one document, so that no other one goes there unseen; whether new ones begin with any host or
// with this computer is remembered.
class TargetBox : public QComboBox
{
    Q_OBJECT
public:
    explicit TargetBox(GuiSettings *settings, QWidget *parent = nullptr);
    void setHosts(const QList<HostInfo> &hosts);
    void setClusters(const QList<ClusterInfo> &clusters);
    QString target() const; // that is chosen: id of a host or a cluster, or "any"
    void setTarget(const QString &id); // empty: the usual one
    // The page in front is that of a run: its place is shown, and nothing is chosen. Nullptr: of something else.
    // `wanted` is where the run was to run, as formerTarget() has it: that is shown until it is somewhere.
    void setRun(const JobSummary *run, const QString &wanted = {});
    QString usual() const; // of a new document: "any" or "local"
    // The label of another machine or a cluster, cut to the width of a button; empty for any host and for this
    // computer.
    QString awayLabel(const QString &id) const;
    QString resolved(const QString &id) const; // what it comes to now: a host may be gone
    void showPopup() override;

Q_SIGNALS:
    void chosen(const QString &id); // by the user
    void aboutToShow(); // its list: it may be old

private:
    void fill();

    GuiSettings *m_settings;
    QString m_placeOfRun, m_pictureOfRun; // empty: what is chosen is shown
    QString m_wanted;
    QList<HostInfo> m_hosts;
    // Nothing: the engine has not reported them yet. Until then the last choice is kept, because a job would otherwise
    // go to another target.
    std::optional<QList<ClusterInfo>> m_clusters;
};

} // namespace trainyard
