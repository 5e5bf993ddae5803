// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/code/datasnapshot.h"
#include "engine/launch/dataplan.h"
#include "engine/pool/agentfiles.h"
#include "engine/pool/agentsink.h"

namespace trainyard
{

// Makes sure that data is on a host: checks whether existing data of the host can be read, or brings a copy there
// through the connections to the agents of this computer and of the host. Contents that the host has are not sent
// again. Data for the nodes of a cluster is copied into a folder that they share, and may be used in place only if they
// are known to see it. Used once; deleted by its owner when it has ended, or at any time before.
class DataCopy : public QObject
{
    Q_OBJECT
public:
    using Snapshot = std::shared_ptr<const DataSnapshot>;
    // `take` is called for a snapshot of data that is to be copied, and again when it has changed while it was sent.
    struct Wanted {
        launch::DataWant data;
        qint64 limitBytes = 0; // of all copies on the host
        std::function<void()> take;
        QString cache = {}; // the folder that nodes share, absolute; empty: the host's own
        QString job = {}; // then: whose the data is
        QString engine = {}; // as its folder on hosts is called
    };
    DataCopy(AgentConnection *here, AgentConnection *there, Wanted wanted, QObject *parent = nullptr);
    void start();
    void setSnapshot(const Snapshot &snapshot); // the answer to `take`
    enum class Part { Keep, Drop };
    void cancel(Part part); // it reports nothing more; another copy continues a part that is kept

    const launch::DataWant &data() const { return m_wanted.data; }
    QString tree() const; // that the host is asked to keep; empty: none
    bool hasSnapshot() const { return m_snapshot != nullptr; }
    qint64 bytesDone() const { return m_doneBefore + (m_bringer ? m_bringer->bytesDone() : 0); }
    qint64 bytesWanted() const { return m_wantedBytes; } // 0: not known yet

Q_SIGNALS:
    void progressed();
    void done(const QString &place); // on the host
    // host.gone; data.host-failed {path, reason}, which passes; data.missing, data.changes {path}; data.unreadable,
    // data.unwritable {path, reason}; data.wrong-sum {path, sum, wanted}; data.too-big {bytes, limitBytes};
    // data.no-room {bytes}.
    void failed(const trainyard::Error &why);

private:
    void askForPlace(bool isCounted); // whether it may be used where it is
    void probe();
    void ask();
    void takeReply(const contract::DataReply &reply);
    void putTree(qint64 offset);
    void bring(const contract::DataReply &reply);
    void dropBringer(FileBringer::Part part);
    void restart();
    void finish(const QString &place);
    void fail(const Error &why);
    void request(const contract::Message &message, const std::function<void(const contract::Message &)> &answer,
        const std::string &payload = {});
    std::string root() const; // below which the copies are
    // The file of a content here.
    BringFile sourceOf(const QString &contentName) const;
    FileBringer::Read reading();

    const QPointer<AgentConnection> m_here, m_there; // null: the host was removed
    const Wanted m_wanted;
    Snapshot m_snapshot;
    QHash<QString, int> m_sources; // entries by the names of their contents
    std::unique_ptr<FileBringer> m_bringer;
    qint64 m_doneBefore = 0, m_wantedBytes = 0; // the first: by bringers before this one
    qint64 m_missingBytes = -1; // when it was last asked; less than 0: not yet
    int m_vainRounds = 0; // after which no less was missing
    int m_rounds = 0, m_snapshots = 0, m_busyAnswers = 0;
    bool m_isTreeSent = false; // of this snapshot
    bool m_isOver = false;
};

} // namespace trainyard
