// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/useofhost.h"

#include "app/cli/console.h"
#include "app/cli/words.h"
#include "engine/api/reasons.h"
#include "widgets/text/hosttexts.h"

#include <QJsonDocument>
#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

void outHost(const HostInfo &host) { outJson(QJsonDocument(host.toJson())); }

void outLabels(const HostInfo &host)
{
    outLine(host.labels.isEmpty() ? tr("%1 has no labels.").arg(host.id) : host.labels.join(u' '));
}

void outHours(const HostInfo &host)
{
    if (host.hours.isEmpty()) {
        outLine(tr("New tasks start on %1 at any hour.").arg(host.id));
        return;
    }
    outLine(tr("Nothing new starts on %1 at these hours: %2.").arg(host.id, host.hours));
    if (const auto closed = reason::as<reason::WaitClosed>(host.hold, host.holdArgs)) {
        outLine(tr("It is closed to new tasks now, until %1.").arg(closed->until));
    }
}

void outAddress(const HostInfo &host)
{
    outLine(tr("Tasks on other hosts reach %1 by this address: %2.").arg(host.id, peerAddressText(host)));
}

// The change, and then what it makes of the host.
template <typename Show> int changeHost(Session &session, const api::HostChange &change, bool json, const Show &show)
{
    const Result<HostInfo> host = session.call<api::ChangeHost>(change);
    if (!host) {
        return reportOfHost(session, host.error());
    }
    if (json) {
        outHost(*host);
    } else {
        show(*host);
    }
    return exitOk;
}

template <typename Show> int showHost(Session &session, const QString &id, bool json, const Show &show)
{
    const std::optional<HostInfo> host = knownHost(session, id);
    if (!host) {
        return reportOfHost(session, {u"host.unknown"_s, {{u"host"_s, id}}});
    }
    if (json) {
        outHost(*host);
    } else {
        show(*host);
    }
    return exitOk;
}

// Clusters have a name of their own behind their kind, and people leave out the kind.
void offerClusters(Session &session, const QString &name)
{
    const QList<ClusterInfo> clusters = session.call<api::ListTargets>({}).value_or(QList<ClusterInfo>());
    for (const ClusterInfo &cluster : clusters) {
        if (cluster.id.section(u':', 1) == name) {
            errorLine(tr("%1 is a cluster: 'run --on %1' runs a job there, and 'targets check %1' looks at it.")
                          .arg(cluster.id));
        }
    }
}

} // namespace

std::optional<HostInfo> knownHost(Session &session, const QString &id)
{
    const QList<HostInfo> hosts = session.client().hosts();
    const auto it = std::find_if(hosts.cbegin(), hosts.cend(), [&id](const HostInfo &host) { return host.id == id; });
    return it == hosts.cend() ? std::nullopt : std::optional(*it);
}

int reportOfHost(Session &session, const Error &error)
{
    const int status = report(error);
    QStringList known;
    const QList<HostInfo> hosts = session.client().hosts();
    for (const HostInfo &host : hosts) {
        known.append(host.id);
    }
    if (error.code == "host.unknown"_L1 && !known.isEmpty()) {
        errorLine(tr("The hosts are: %1.").arg(known.join(u", "_s))
            + didYouMean(error.args.value("host"_L1).toString(), known));
        offerClusters(session, error.args.value("host"_L1).toString());
    }
    return status;
}

bool sayHowHostComesBack(const Error &error, qint64 number)
{
    const QString host = error.args.value("host"_L1).toString();
    if ((error.code != "host.unknown"_L1 && error.code != "refuse.host"_L1) || host.isEmpty()) {
        return false;
    }
    const QString back
        = tr("%1 was removed. 'trainyardctl hosts add ADDRESS --name %1' adds it again under the same name.").arg(host);
    errorLine(number == 0
            ? back
            : back + u' ' + tr("'trainyardctl run --again %1 --on HOST' runs the job on another host.").arg(number));
    return true;
}

QStringList labelsIn(const QStringList &words)
{
    static const QRegularExpression between(u"[\\s,;]+"_s);
    return words.join(u' ').split(between, Qt::SkipEmptyParts);
}

int showLabels(Session &session, const QString &id, bool json) { return showHost(session, id, json, outLabels); }

int changeLabels(Session &session, const api::HostChange &change, bool json)
{
    return changeHost(session, change, json, outLabels);
}

int drainHost(Session &session, const QString &id, bool on, bool json)
{
    return changeHost(session, {id, {}, {}, on, {}}, json, [](const HostInfo &host) {
        if (!host.drained) {
            outLine(tr("New tasks start on %1 again.").arg(host.id));
        } else if (host.tasks > 0) {
            outLine(
                tr("%1 is draining: nothing new starts there. Tasks that continue: %2.").arg(host.id).arg(host.tasks));
        } else {
            outLine(tr("%1 is drained: nothing new starts there.").arg(host.id));
        }
    });
}

int showHours(Session &session, const QString &id, bool json) { return showHost(session, id, json, outHours); }

int changeHours(Session &session, const QString &id, const QString &hours, bool json)
{
    return changeHost(session, {id, {}, {}, {}, hours}, json, outHours);
}

int showAddress(Session &session, const QString &id, bool json) { return showHost(session, id, json, outAddress); }

int changeAddress(Session &session, const QString &id, const QString &address, bool json)
{
    api::HostChange change;
    change.id = id;
    change.address = address;
    return changeHost(session, change, json, outAddress);
}

int releaseHost(Session &session, const api::HostToRelease &release, bool json)
{
    const Result<HostInfo> host = session.call<api::ReleaseHost>(release);
    if (!host) {
        return reportOfHost(session, host.error());
    }
    if (json) {
        outHost(*host);
    } else if (release.gpu >= 0) {
        outLine(tr("New tasks may have GPU %1 of %2 again.").arg(release.gpu).arg(host->id));
    } else {
        outLine(tr("New tasks start on %1 again.").arg(host->id));
    }
    return exitOk;
}

} // namespace trainyard::cli
