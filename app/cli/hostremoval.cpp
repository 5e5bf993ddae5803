// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/hostremoval.h"

#include "app/cli/console.h"
#include "app/cli/filesofhost.h"
#include "app/cli/useofhost.h"
#include "engine/api/valuejson.h"
#include "widgets/text/hostfilestexts.h"

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

int sayPending(Session &session, const Error &error, const QString &how)
{
    const int status = reportOfHost(session, error);
    if (api::mayBeForced(error)) {
        errorLine(tr("'%1' does it anyway.").arg(how));
    }
    return status;
}

// The host cannot be searched now, and after the removal it will not be.
QString unseenText(const HostInfo &host)
{
    return host.filesFolder.isEmpty()
        ? tr("%1 could not be asked what is there. If Trainyard has ever reached it, what was put there stays.")
              .arg(host.id)
        : tr("%1 could not be asked what is there. What Trainyard has put there stays; the files of jobs are in %2.")
              .arg(host.id, host.filesFolder);
}

// The engine refuses such a host as well, but only after everything there has been removed.
std::optional<Error> whyKept(Session &session, const QString &id)
{
    QStringList behind;
    const Result<QList<ClusterInfo>> targets = session.call<api::ListTargets>({});
    for (const ClusterInfo &target : targets.value_or(QList<ClusterInfo>())) {
        if (target.isNamed && target.login == id) {
            behind.append(target.id);
        }
    }
    return behind.isEmpty() ? std::nullopt : std::optional(api::isLoginNode(id, behind));
}

} // namespace

int runHostsClean(const HostsValues &values)
{
    Session session;
    if (const int status = connectForHosts(session, false); status != exitOk) {
        return status;
    }
    const QString &id = values.words.constFirst();
    QString removed;
    const Result<api::HostFiles> after = cleanHost(session, {id, values.all, values.force}, removed);
    if (!after) {
        return sayPending(session, after.error(), u"trainyardctl hosts clean --all --force "_s + id);
    }
    if (values.json) {
        outJson(QJsonDocument(valuejson::toValue(*after).toObject()));
        return exitOk;
    }
    outLine(removed.isEmpty() ? tr("There was nothing to remove on %1.").arg(id)
                              : tr("Removed from %1: %2.").arg(id, removed));
    if (hostFilesRows(*after).isEmpty()) {
        outLine(tr("Nothing of Trainyard is left there."));
    } else {
        outFiles(*after);
    }
    if (const QString why = values.all ? helperStaysText(*after) : QString(); !why.isEmpty()) {
        outLine(why);
    }
    return exitOk;
}

int runHostsRemove(const HostsValues &values)
{
    Session session;
    if (const int status = connectForHosts(session, false); status != exitOk) {
        return status;
    }
    const QString &id = values.words.constFirst();
    const QString again = u"trainyardctl hosts remove "_s + (values.clean ? u"--clean "_s : QString())
        + hostsLine().name(&HostsValues::force) + u' ' + id;
    QString removed, staying, unseen;
    std::optional<api::HostFiles> left;
    if (values.clean) {
        if (const std::optional<Error> why = values.force ? std::nullopt : whyKept(session, id)) {
            return sayPending(session, *why, again);
        }
        const Result<api::HostFiles> after = cleanHost(session, {id, true, values.force}, removed);
        if (!after) {
            return sayPending(session, after.error(), again);
        }
        left = *after;
        staying = stayingText(*after);
    } else if (const std::optional<HostInfo> host = knownHost(session, id)) {
        const std::optional<api::HostFiles> files = filesOf(session, *host);
        left = files;
        staying = files ? stayingText(*files) : QString();
        unseen = files || host->target.isEmpty() ? QString() : unseenText(*host);
    }
    if (const Result<bool> gone = session.call<api::RemoveHost>({id, values.force}); !gone) {
        return sayPending(session, gone.error(), again);
    }
    if (values.json) {
        outJson(QJsonDocument(QJsonObject{
            {u"host"_s, id}, {u"ok"_s, true}, {u"left"_s, left ? valuejson::toValue(*left) : QJsonValue()}}));
        return exitOk;
    }
    if (!removed.isEmpty()) {
        errorLine(tr("Removed from %1: %2.").arg(id, removed));
    }
    if (!staying.isEmpty()) {
        errorLine(tr("This stays on %1: %2.").arg(id, staying));
        if (!values.clean) {
            errorLine(tr("To remove that as well, add the host again and use 'trainyardctl hosts remove --clean %1'.")
                          .arg(id));
        }
    }
    if (!unseen.isEmpty()) {
        errorLine(unseen);
    }
    return exitOk;
}

} // namespace trainyard::cli
