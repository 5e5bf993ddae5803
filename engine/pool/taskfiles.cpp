// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/taskfiles.h"

#include "engine/pool/agentfiles.h"

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{
constexpr qsizetype mostListed = 20000; // in one answer
}

Result<AgentConnection *> TaskFiles::agentOf(const TaskFolder &place) const
{
    const PoolHost *host = m_hosts.find(place.host);
    if (!host) {
        return fail(u"host.unknown"_s, {{u"host"_s, place.host}});
    }
    if (!host->agent || !host->agent->isOnline()) {
        return fail(u"host.files-away"_s, {{u"host"_s, host->id}});
    }
    return host->agent.get();
}

void TaskFiles::list(const TaskFolder &place, const api::FilesWanted &wanted, QObject *context,
    const Answer<api::TaskFileList> &answer) const
{
    const Result<AgentConnection *> agent = agentOf(place);
    if (!agent) {
        answer(tl::unexpected<Error>(agent.error()));
        return;
    }
    const auto ask = wanted.madeOnly ? agentfiles::listMade : agentfiles::list;
    ask(*agent, place.work, wanted.globs, mostListed, context, [place, answer](const Result<AgentFileList> &found) {
        if (!found) {
            answer(tl::unexpected<Error>(found.error()));
            return;
        }
        api::TaskFileList told;
        told.host = place.host;
        told.work = place.work;
        told.isHere = place.isHere;
        told.isWhole = found->isWhole;
        told.links = found->links;
        told.others = found->others;
        told.oddNames = found->oddNames;
        told.sent = found->sent;
        told.unreadable = found->unreadable;
        told.unreadableWhy = found->unreadableWhy;
        for (const BringFile &file : found->files) {
            told.files.append({file.path, file.bytes, file.changedNs, file.isExecutable});
        }
        answer(told);
    });
}

void TaskFiles::read(const TaskFolder &place, const api::PieceWanted &wanted, QObject *context,
    const Answer<api::FilePiece> &answer) const
{
    const Result<AgentConnection *> agent = agentOf(place);
    if (!agent) {
        answer(tl::unexpected<Error>(agent.error()));
        return;
    }
    agentfiles::read(*agent, place.work, wanted.path, wanted.offset, wanted.bytes, context,
        [answer](const Result<BringPiece> &piece) {
            if (piece) {
                answer(api::FilePiece{QString::fromLatin1(piece->bytes.toBase64()), piece->size, piece->changedNs});
            } else {
                answer(tl::unexpected<Error>(piece.error()));
            }
        });
}

} // namespace trainyard
