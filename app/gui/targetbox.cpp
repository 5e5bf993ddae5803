// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/targetbox.h"

#include "app/gui/guisettings.h"
#include "engine/api/formertarget.h"
#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/text/clustertexts.h"
#include "widgets/text/hosttexts.h"

#include <QSignalBlocker>

#include <algorithm>
#include <utility>

namespace trainyard
{

namespace
{

const QString localId = QStringLiteral("local"), anyId = QStringLiteral("any");
const QString runId = QStringLiteral("-"); // of the target of a run, which cannot be chosen
constexpr int mostWidths = 22; // of letters: what has this width, or more, is cut
constexpr int nameRole = Qt::UserRole + 1; // of a target, without its state

QString targetPicture(const QString &id)
{
    return id == localId     ? QStringLiteral("computer")
        : clusterPlaceOf(id) ? QStringLiteral("network")
                             : QStringLiteral("host");
}

} // namespace

TargetBox::TargetBox(GuiSettings *settings, QWidget *parent) : QComboBox(parent), m_settings(settings)
{
    setObjectName(QStringLiteral("target"));
    setAccessibleName(tr("Host to run on"));
    setRun(nullptr);
    setSizeAdjustPolicy(QComboBox::AdjustToContents);
    setFocusPolicy(Qt::TabFocus);
    connect(this, &QComboBox::activated, this, [this](int index) {
        m_wanted = itemData(index).toString();
        if (!isAwayTarget(m_wanted)) {
            m_settings->setTarget(m_wanted);
        }
        Q_EMIT chosen(m_wanted);
    });
    m_wanted = usual();
    fill();
}

QString TargetBox::usual() const
{
    const QString kept = m_settings->target(); // earlier versions kept another machine, too
    return isAwayTarget(kept) ? localId : kept.isEmpty() ? anyId : kept;
}

QString TargetBox::resolved(const QString &id) const
{
    const QString kept = usual();
    return findData(id) >= 0 ? id : findData(kept) >= 0 ? kept : localId;
}

QString TargetBox::awayLabel(const QString &id) const
{
    const QString at = resolved(id);
    return isAwayTarget(at) ? fontMetrics().elidedText(itemData(findData(at), nameRole).toString(), Qt::ElideMiddle,
               mostWidths * fontMetrics().averageCharWidth())
                            : QString();
}

void TargetBox::setTarget(const QString &id)
{
    const QString wanted = id.isEmpty() ? usual() : id;
    if (wanted != m_wanted) {
        m_wanted = wanted;
        fill();
    }
}

void TargetBox::setRun(const JobSummary *run, const QString &wanted)
{
    QString place, picture;
    QString tip = tr("Where Run puts the job");
    if (run) {
        const QString hosts = jobHostsText(*run, hostLabels(m_hosts));
        const QString id = run->hosts.isEmpty() ? wanted : run->hosts.constFirst();
        place = run->id == 0 || id.isEmpty() ? QStringLiteral("…") // the engine has not reported it
            : !hosts.isEmpty()               ? hosts
            : id == anyId                    ? tr("Any host")
            : id == localId                  ? tr("This computer")
                                             : hostLabel(id, hostLabels(m_hosts));
        picture = targetPicture(id == localId && run->hosts.size() > 1 ? anyId : id); // others beside this one
        tip = hosts.isEmpty()
            ? tr("The tab in front is the page of a run. Its tasks have no host yet. Run again runs its job where this "
                 "run is to run: %1.")
                  .arg(place)
            : tr("The tab in front is the page of a run. Its tasks are or were on: %1. Run again runs its job where "
                 "this run was to run.")
                  .arg(hosts);
    }
    setEnabled(!run);
    setToolTip(plainTip(tip));
    if (place != m_placeOfRun || picture != m_pictureOfRun) {
        m_placeOfRun = place;
        m_pictureOfRun = picture;
        fill();
    }
}

QString TargetBox::target() const { return m_placeOfRun.isEmpty() ? currentData().toString() : resolved(m_wanted); }

// Hosts are measured all the time: the list is left alone while it is the same, as the user may be choosing from it.
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
    struct Target {
        QString id, words;
        QString name = words; // without its state
    };
    QList<Target> targets;
    if (m_hosts.size() > 1) {
        targets.append({anyId, tr("Any host")});
    }
    bool hasLocal = false;
    for (const HostInfo &host : std::as_const(m_hosts)) {
        const bool isLocal = host.target.isEmpty();
        hasLocal = hasLocal || isLocal;
        const QString name = isLocal ? tr("This computer") : host.label;
        // Jobs may be sent there all the same: they wait for it.
        targets.append({host.id,
            host.state == HostState::Offline || host.state == HostState::Failed || host.state == HostState::NeedsLogin
                ? tr("%1 – %2").arg(name, hostStateWord(host))
                : name,
            name});
    }
    if (!hasLocal) {
        targets.append({localId, tr("This computer")});
    }
    if (m_clusters) {
        for (const ClusterInfo &cluster : std::as_const(*m_clusters)) {
            if (cluster.isNamed) {
                targets.append({cluster.id, clusterTitle(cluster.name, cluster.kind)});
            }
        }
    }
    // Until the engine has reported it, it stays in the list, because a job would otherwise go to another target.
    const bool isCluster = m_wanted.contains(QLatin1Char(':'));
    if (isAwayTarget(m_wanted) && (isCluster ? !m_clusters : m_hosts.isEmpty())) {
        const std::optional<ClusterPlace> place = clusterPlaceOf(m_wanted);
        targets.append({m_wanted, place ? clusterTitle(place->cluster, place->kind) : m_wanted});
    }
    if (!m_placeOfRun.isEmpty()) {
        targets.append({runId,
            fontMetrics().elidedText(m_placeOfRun, Qt::ElideMiddle, mostWidths * fontMetrics().averageCharWidth())});
    }
    bool isSame = count() == targets.size();
    for (int i = 0; isSame && i < targets.size(); ++i) {
        isSame = itemData(i).toString() == targets.at(i).id;
    }
    for (int i = 0; isSame && i < targets.size(); ++i) {
        if (itemText(i) != targets.at(i).words) { // a host comes and goes while its list may be open
            setItemText(i, targets.at(i).words);
        }
        setItemData(i, targets.at(i).name, nameRole);
        if (targets.at(i).id == runId) { // another run
            setItemIcon(i, icon(m_pictureOfRun));
        }
    }
    if (!isSame) {
        const QSignalBlocker blocker(this);
        clear();
        for (const Target &each : std::as_const(targets)) {
            addItem(icon(each.id == runId ? m_pictureOfRun : targetPicture(each.id)), each.words, each.id);
            setItemData(count() - 1, each.name, nameRole);
        }
    }
    setCurrentIndex(std::max(0, findData(m_placeOfRun.isEmpty() ? resolved(m_wanted) : runId)));
}

} // namespace trainyard
