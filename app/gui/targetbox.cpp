// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/targetbox.h"

#include "app/gui/guisettings.h"
#include "widgets/common/icons.h"
#include "widgets/text/clustertexts.h"

#include <QSignalBlocker>

#include <algorithm>
#include <utility>

namespace trainyard
{

TargetBox::TargetBox(GuiSettings *settings, QWidget *parent) : QComboBox(parent), m_settings(settings)
{
    setObjectName(QStringLiteral("target"));
    setAccessibleName(tr("Host to run on"));
    setToolTip(tr("Where Run puts the job"));
    setSizeAdjustPolicy(QComboBox::AdjustToContents);
    setFocusPolicy(Qt::TabFocus);
    connect(
        this, &QComboBox::activated, this, [this](int index) { m_settings->setTarget(itemData(index).toString()); });
    fill();
}

QString TargetBox::target() const { return currentData().toString(); }

// Hosts are measured all the time: the list is left alone while it is the same, as somebody may be choosing from it.
void TargetBox::setHosts(const QList<HostInfo> &hosts)
{
    m_hosts = hosts;
    fill();
}

void TargetBox::setClusters(const QList<ClusterInfo> &clusters)
{
    m_clusters = clusters;
    fill();
}

void TargetBox::showPopup()
{
    Q_EMIT aboutToShow();
    QComboBox::showPopup();
}

void TargetBox::fill()
{
    QList<std::pair<QString, QString>> targets; // id and words
    if (m_hosts.size() > 1) {
        targets.append({QStringLiteral("any"), tr("Any host")});
    }
    const QString local = QStringLiteral("local");
    bool hasLocal = false;
    for (const HostInfo &host : std::as_const(m_hosts)) {
        const bool isLocal = host.target.isEmpty();
        hasLocal = hasLocal || isLocal;
        targets.append({host.id, isLocal ? tr("This computer") : host.label});
    }
    if (!hasLocal) {
        targets.append({local, tr("This computer")});
    }
    if (m_clusters) {
        for (const ClusterInfo &cluster : std::as_const(*m_clusters)) {
            if (cluster.isNamed) {
                targets.append({cluster.id, tr("%1 (%2)").arg(cluster.name, clusterKindText(cluster.kind))});
            }
        }
    } else if (const QString chosen = m_settings->target(); chosen.contains(QLatin1Char(':'))) {
        const std::optional<ClusterPlace> place = clusterPlaceOf(chosen);
        targets.append({chosen, place ? tr("%1 (%2)").arg(place->cluster, clusterKindText(place->kind)) : chosen});
    }
    bool isSame = count() == targets.size();
    for (int i = 0; isSame && i < targets.size(); ++i) {
        isSame = itemData(i).toString() == targets.at(i).first && itemText(i) == targets.at(i).second;
    }
    if (isSame) {
        return;
    }
    const QSignalBlocker blocker(this);
    clear();
    for (const auto &[id, words] : std::as_const(targets)) {
        const QString picture = id == local ? QStringLiteral("computer")
            : clusterPlaceOf(id)            ? QStringLiteral("network")
                                            : QStringLiteral("host");
        addItem(icon(picture), words, id);
    }
    setCurrentIndex(std::max(0, findData(m_settings->target())));
}

} // namespace trainyard
