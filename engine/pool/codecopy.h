// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/code/codesnapshot.h"
#include "engine/hosts/agentconnection.h"

#include <QElapsedTimer>
#include <QIODevice>
#include <QObject>
#include <QPointer>

#include <deque>
#include <functional>
#include <memory>

namespace trainyard
{

// Brings a snapshot of a work folder to one host, through the connection to its agent: no other login is needed, and
// nothing has to be installed there. Contents that the host has are not sent again, and a large one is continued where
// a copy before was cut. Used once; deleted by its owner when it has ended, or at any time before. Large because small
// contents and the parts of large ones go through the same window of pieces.
class CodeCopy : public QObject
{
    Q_OBJECT
public:
    using Snapshot = std::shared_ptr<const CodeSnapshot>;
    // `folder` is the one to be made, below the state folder of the agent; empty: only the contents go there. `take` is
    // called for a snapshot when the host does not have the folder yet, and again when files have changed while they
    // were sent (`isNew`).
    struct Wanted {
        QString folder, stateFolder;
        std::function<void(bool isNew)> take;
        QString engine = {}; // as its folder on hosts is called
    };
    CodeCopy(AgentConnection &agent, Wanted wanted, QObject *parent = nullptr);
    void start();
    void setSnapshot(const Snapshot &snapshot); // the answer to `take`
    // Where these files of `folder` are there by a shared file system, nothing is copied, and done() says so; otherwise
    // `isElsewhere` is called, and nothing else happens.
    void lookForShared(const QStringList &paths, const QString &folder, const std::function<void()> &isElsewhere);
    void cancel() { m_isOver = true; } // it reports nothing more

    // The failure is temporary and not one of the copy: the host had no process or memory to spare or was too slow, or
    // its folder cannot be seen.
    enum class Passing { No, Busy, Away };
    Passing passing() const { return m_passing; }

    qint64 bytesSent() const { return m_sent; }
    qint64 bytesDone() const { return m_sent + m_found; } // of bytesWanted()
    qint64 bytesWanted() const { return m_wantedBytes; } // 0: not known yet

Q_SIGNALS:
    void progressed();
    void done(const QString &folder); // where it is: of a shared file system the folder itself; empty: no folder
    void failed(const trainyard::Error &why); // host.gone: to be begun again when the host is back

private:
    void ask();
    void takeReply(const contract::CodeReply &reply);
    void takeMissing(const std::vector<int> &missing);
    std::string placeOf(int entry) const; // on the host
    QByteArray pathOf(const CodeFile &file) const;
    bool isSame(const CodeFile &file) const; // as in the snapshot
    void sendMore();
    void sendPiece();
    bool openNext();
    contract::StorePiece stepOf(const char *step) const;
    void storeStep(const char *step, const std::function<void(const contract::Stored &)> &answer);
    void beginPart();
    void placePart();
    void beginPartAnew();
    void failPart(int error);
    void noteAnswer();
    void restart();
    void fail(const Error &why);
    void failOnHost(const std::string &path, int systemError);
    void request(const contract::Message &message, const std::function<void(const contract::Message &)> &answer,
        const std::string &payload = {});

    const QPointer<AgentConnection> m_agent; // null: the host was removed
    const Wanted m_wanted;
    Snapshot m_snapshot;
    static constexpr int ofTree = -1, ofOrigin = -2;
    QList<int> m_missing; // entries whose contents are still to be sent, or the text of the tree, or its origin
    std::unique_ptr<QIODevice> m_source; // the one that is being sent
    int m_entry = ofTree;
    qint64 m_offset = 0, m_length = 0;
    QElapsedTimer m_clock;
    std::deque<qint64> m_open; // when the pieces without an answer were sent
    std::size_t m_mostOpen = 4; // by how fast they are answered
    qint64 m_sent = 0, m_wantedBytes = 0;
    // Of wanted ones, what a copy before had sent, less what was sent and is of no use.
    qint64 m_found = 0;
    qint64 m_ofPart = 0; // of these and of m_sent, those of the part that is being sent
    int m_parts = 0; // that were begun of the same entry
    bool m_isPart = false; // the entry is a large one, which comes by StorePiece
    bool m_isStepOpen = false; // its begin or place has no answer yet
    bool m_isPartLost = false; // it is no longer there
    int m_rounds = 0, m_snapshots = 0;
    int m_treesSent = 0; // of this snapshot, without an answer that it is known
    bool m_isOriginSent = false;
    bool m_isAsking = false;
    bool m_isRestarting = false; // another snapshot is on its way
    bool m_isOver = false;
    Passing m_passing = Passing::No;
};

} // namespace trainyard
