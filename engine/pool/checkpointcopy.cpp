// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/checkpointcopy.h"

#include "engine/client/pathbytes.h"

#include <algorithm>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr qsizetype mostCheckpointFiles = 100'000;
constexpr qsizetype probedCheckpoints = 8;

// The messages to users when files cannot be copied.
Error checkpointError(const Error &why)
{
    if (why.code == "results.no-room"_L1) {
        return {u"checkpoints.no-room"_s, why.args};
    }
    if (why.code == "results.unreadable"_L1) {
        return {u"checkpoints.unreadable"_s, why.args};
    }
    if (why.code == "results.folder-unwritable"_L1) {
        return {u"checkpoints.unwritable"_s,
            {{u"path"_s, why.args.value("folder"_L1)}, {u"reason"_s, why.args.value("reason"_L1)}}};
    }
    if (why.code == "results.not-writable"_L1) {
        return {u"checkpoints.unwritable"_s, why.args};
    }
    return why;
}

} // namespace

CheckpointCopy::CheckpointCopy(const Place &from, const Place &to, qint64 limit, qint64 room, QObject *parent)
    : QObject(parent), m_from{from.agent, from.folder}, m_to{to.agent, to.folder}, m_limit(limit), m_room(room)
{
}

void CheckpointCopy::start()
{
    agentfiles::listAll(
        m_from.agent, m_from.folder, mostCheckpointFiles, this, [this](const Result<AgentFileList> &found) {
            if (m_isOver) {
                return;
            }
            if (!found && found.error().code == "results.no-folder"_L1) {
                m_isOver = true;
                Q_EMIT missed();
            } else if (!found) {
                m_isUnseen = agentfiles::isAway(found.error());
                fail(found.error());
            } else if (!found->isWhole) {
                fail({u"checkpoints.too-many"_s, {{u"most"_s, mostCheckpointFiles}}});
            } else if (!found->unreadable.isEmpty()) {
                fail({found->isUnreadableNow ? u"results.host-failed"_s : u"results.unreadable"_s,
                    {{u"path"_s, QString(m_from.folder + u'/' + found->unreadable)},
                        {u"reason"_s, found->unreadableWhy}}});
            } else if (found->files.isEmpty() && found->inner.isEmpty()) {
                finish(m_to.folder);
            } else {
                m_found = *found;
                probe();
            }
        });
}

void CheckpointCopy::cancel(Part part)
{
    m_isOver = true;
    if (m_bringer) {
        m_bringer->disconnect(this);
        m_bringer->cancel(part == Part::Drop ? FileBringer::Part::Drop : FileBringer::Part::Keep);
    }
}

void CheckpointCopy::finish(const QString &folder)
{
    m_isOver = true;
    Q_EMIT done(folder);
}

void CheckpointCopy::fail(const Error &why)
{
    if (m_isOver) {
        return;
    }
    cancel(Part::Keep);
    Q_EMIT failed(checkpointError(why));
}

// Whether both hosts have the same folder, by a shared file system. The newest files count, because computers that are
// copies of each other have the same old ones.
void CheckpointCopy::probe()
{
    QList<BringFile> files = m_found.files;
    const qsizetype count = std::min(probedCheckpoints, files.size());
    std::partial_sort(files.begin(), files.begin() + count, files.end(),
        [](const BringFile &a, const BringFile &b) { return a.changedNs > b.changedNs; });
    contract::Look look;
    look.paths.push_back(pathBytes(m_from.folder));
    for (qsizetype i = 0; i < count; ++i) {
        look.paths.push_back(pathBytes(m_from.folder + u'/' + files.at(i).path));
    }
    auto first = std::make_shared<std::optional<contract::Seen>>();
    const auto take = [this, first, self = QPointer<CheckpointCopy>(this)](const contract::Message &said) {
        if (!self || m_isOver) {
            return;
        }
        const auto *failure = std::get_if<contract::Failure>(&said);
        if (failure && failure->code == "host.gone") {
            fail({u"host.gone"_s, {}});
            return;
        }
        const auto *seen = std::get_if<contract::Seen>(&said);
        const contract::Seen here = seen ? *seen : contract::Seen();
        if (!*first) {
            *first = here;
            return;
        }
        const contract::Seen &other = **first;
        const bool isSeen = !here.inodes.empty()
            && std::none_of(here.inodes.begin(), here.inodes.end(), [](std::int64_t inode) { return inode == 0; });
        if (isSeen && here.inodes.size() > 1 && here.inodes == other.inodes && here.changedNs == other.changedNs) {
            finish(m_from.folder);
        } else {
            compare();
        }
    };
    for (const QPointer<AgentConnection> &agent : {m_from.agent, m_to.agent}) {
        if (!agent) {
            fail({u"host.gone"_s, {}});
            return;
        }
        agent->request(look, take);
        if (m_isOver) {
            return;
        }
    }
}

void CheckpointCopy::compare()
{
    agentfiles::listAll(m_to.agent, m_to.folder, mostCheckpointFiles, this, [this](const Result<AgentFileList> &found) {
        if (m_isOver) {
            return;
        }
        if (!found && found.error().code != "results.no-folder"_L1) {
            fail(found.error());
        } else {
            bring(found ? found->files : QList<BringFile>());
        }
    });
}

void CheckpointCopy::bring(const QList<BringFile> &here)
{
    const CheckpointPlan plan = checkpointPlan(m_found.files, m_found.inner, here);
    if (plan.bytes > m_limit) {
        fail({u"checkpoints.too-big"_s, {{u"bytes"_s, plan.bytes}, {u"limitBytes"_s, m_limit}}});
        return;
    }
    if (m_room >= 0 && plan.bytes > m_room) {
        fail({u"checkpoints.no-room"_s, {{u"folder"_s, m_to.folder}}});
        return;
    }
    m_links = plan.links;
    auto sink = std::make_unique<AgentSink>(
        m_to.agent, m_to.folder, [this](const BringFile &file, const BringSink::Answer<quint64> &answer) {
            agentfiles::sum(m_from.agent, m_from.folder, file, this, answer);
        });
    m_sink = sink.get();
    FileBringer::Wanted wanted;
    wanted.read = [this](const QString &path, qint64 offset, qint64 bytes, const FileBringer::Answer &answer) {
        agentfiles::read(m_from.agent, m_from.folder, path, offset, bytes, this, answer);
    };
    wanted.files = plan.files;
    wanted.spareBytes = m_limit - plan.bytes;
    m_bringer = std::make_unique<FileBringer>(std::move(sink), std::move(wanted));
    connect(m_bringer.get(), &FileBringer::progressed, this, &CheckpointCopy::progressed);
    connect(m_bringer.get(), &FileBringer::failed, this, [this](const Error &why) {
        if (why.code != "results.changes"_L1) { // that is being written by a task that runs, and is of no use yet
            m_isUnseen = agentfiles::isAway(why);
            fail(why);
        }
    });
    connect(m_bringer.get(), &FileBringer::ended, this, [this](const Error &why) {
        if (!why.code.isEmpty()) {
            m_isUnseen = agentfiles::isAway(why);
            fail(why);
            return;
        }
        for (const BringLink &link : std::as_const(m_links)) {
            m_sink->link(link.path, link.target); // goes before the launch
        }
        finish(m_to.folder);
    });
    m_bringer->start();
}

} // namespace trainyard
