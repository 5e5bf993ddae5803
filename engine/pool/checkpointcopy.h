// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/pool/agentfiles.h"
#include "engine/pool/agentsink.h"

namespace trainyard
{

// Brings the checkpoints of a job from the folder on one host to the one on another, through the connections to their
// agents; either may be this computer. Used once; deleted by its owner when it has ended, or at any time before.
class CheckpointCopy : public QObject
{
    Q_OBJECT
public:
    struct Place {
        AgentConnection *agent = nullptr;
        QString folder;
    };
    // `limit`: the bytes that may be sent; `room`: what is free there, less than 0: not known.
    CheckpointCopy(const Place &from, const Place &to, qint64 limit, qint64 room, QObject *parent = nullptr);
    void start();
    enum class Part { Keep, Drop };
    void cancel(Part part); // it reports nothing more; another copy continues a part that is kept

    // The copy failed because the host that has them does not see them; its file system may not be mounted.
    bool isUnseen() const { return m_isUnseen; }
    qint64 bytesDone() const { return m_bringer ? m_bringer->bytesDone() : 0; }
    qint64 bytesWanted() const { return m_bringer ? m_bringer->bytesWanted() : 0; } // 0: not known yet

Q_SIGNALS:
    void progressed();
    // `folder`: where they are now; on a shared file system, where they were.
    void done(const QString &folder);
    void missed(); // their folder is no longer there
    // host.gone: one of the hosts is; results.host-failed, which passes; checkpoints.too-many {most},
    // checkpoints.too-big {bytes, limitBytes}, checkpoints.no-room {folder}, checkpoints.unreadable {path, reason},
    // checkpoints.unwritable {path, reason}.
    void failed(const trainyard::Error &why);

private:
    void probe();
    void compare();
    void bring(const QList<BringFile> &here);
    void finish(const QString &folder);
    void fail(const Error &why);

    struct End {
        QPointer<AgentConnection> agent;
        QString folder;
    };
    const End m_from, m_to;
    const qint64 m_limit, m_room;
    AgentFileList m_found;
    QList<BringLink> m_links;
    AgentSink *m_sink = nullptr; // the bringer's
    std::unique_ptr<FileBringer> m_bringer;
    bool m_isOver = false, m_isUnseen = false;
};

} // namespace trainyard
