// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/housekeeping.h"

#include "engine/backend/activejob.h"
#include "engine/pool/hostanswer.h"

#include <QPointer>

namespace trainyard
{

using namespace Qt::StringLiterals;

Result<PoolHost *> Housekeeping::reachable(const QString &id) const
{
    PoolHost *host = m_hosts.find(id);
    if (!host) {
        return fail(u"host.unknown"_s, {{u"host"_s, id}});
    }
    if (host->isLocal()) {
        return fail(u"host.only-ssh"_s, {{u"host"_s, id}});
    }
    if (!host->agent->isOnline()) {
        return fail(u"host.not-connected"_s, {{u"host"_s, host->id}});
    }
    return host;
}

void Housekeeping::ask(const QString &id, bool tidies, bool leaves, QObject *context, const Found &then) const
{
    const Result<PoolHost *> host = reachable(id);
    if (!host) {
        then(tl::unexpected<Error>(host.error()));
        return;
    }
    (*host)->agent->request(contract::LookThrough{m_folders.epoch().toStdString(), tidies, leaves},
        [id, then, here = QPointer<QObject>(context)](const contract::Message &said) {
            if (!here) {
                return;
            }
            if (const auto *found = std::get_if<contract::Belongings>(&said)) {
                then(*found);
                return;
            }
            then(tl::unexpected<Error>(untoldBy(id, said)));
        });
}

api::HostFiles Housekeeping::told(const QString &id, const contract::Belongings &found, const IsListed &isListed) const
{
    api::HostFiles files;
    files.host = id;
    files.programFolder = QString::fromStdString(found.programFolder);
    if (const PoolHost *host = m_hosts.find(id)) {
        files.jobsFolder = m_folders.on(*host, m_folders.local().runs());
    }
    for (std::size_t i = 0; i < found.jobs.size() && i < found.jobBytes.size(); ++i) {
        const bool isOfList = isListed(QString::fromStdString(found.jobs[i]));
        ++(isOfList ? files.jobs : files.leftJobs);
        (isOfList ? files.jobBytes : files.leftBytes) += found.jobBytes[i];
    }
    files.otherJobs = static_cast<int>(found.otherJobs);
    files.otherBytes = found.otherBytes;
    files.codeBytes = found.codeBytes;
    files.dataBytes = found.dataBytes;
    files.programs = static_cast<int>(found.programs);
    files.programBytes = found.programBytes;
    files.processes = static_cast<int>(found.processes);
    files.processBytes = found.processKiB * 1024;
    files.isWhole = found.isWhole;
    files.sharedCodeBytes = found.sharedCodeBytes;
    files.sharedDataBytes = found.sharedDataBytes;
    files.clusterFolder = QString::fromStdString(found.clusterFolder);
    files.clusterBytes = found.clusterBytes;
    return files;
}

void Housekeeping::look(const QString &id, const IsListed &isListed, QObject *context, const Answer &answer) const
{
    ask(id, false, false, context, [this, id, isListed, answer](const Result<contract::Belongings> &found) {
        answer(found ? Result<api::HostFiles>(told(id, *found, isListed)) : tl::unexpected<Error>(found.error()));
    });
}

void Housekeeping::clean(
    const QString &id, bool everything, const IsListed &isListed, QObject *context, const Answer &answer) const
{
    ask(id, false, false, context,
        [this, id, everything, isListed, answer, here = QPointer<QObject>(context)](
            const Result<contract::Belongings> &found) {
            const Result<PoolHost *> host = found ? reachable(id) : tl::unexpected<Error>(found.error());
            if (!host) {
                answer(tl::unexpected<Error>(host.error()));
                return;
            }
            for (const std::string &name : found->jobs) {
                const QString job = QString::fromStdString(name);
                // The one of a job that still runs, or is to be retried, stays in any case.
                if (m_jobs.find(job) || (!everything && isListed(job))) {
                    continue;
                }
                // Each request is done before the next one: when the answer to the last one comes, all are.
                (*host)->agent->request(
                    contract::Remove{m_folders.on(**host, m_folders.local().ofJob(job)).toStdString()});
            }
            if (everything) {
                m_own.forget(id); // it goes when it is empty
            }
            ask(id, true, everything, here, [this, id, isListed, answer](const Result<contract::Belongings> &left) {
                answer(left ? Result<api::HostFiles>(told(id, *left, isListed)) : tl::unexpected<Error>(left.error()));
            });
        });
}

} // namespace trainyard
