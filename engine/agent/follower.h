// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/agent/connection.h"
#include "engine/agent/loop.h"

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace trainyard::agent
{

// Sends the growing files of tries as chunks: each follow within its credit, all of them in turn, and only while the
// connection has room.
class Follower
{
public:
    Follower(Loop &loop, Connection &connection);
    ~Follower();
    void follow(std::int64_t id, const contract::Follow &request);
    void credit(const contract::Credit &credit);
    // Called once a try is seen to have ended, before the rest of its files is read.
    void setBeforeRest(std::function<void(const std::string &dir)> beforeRest) { m_beforeRest = std::move(beforeRest); }
    // Whether something is still being written into the folder of a try that has ended; ended() says when it is not.
    void setIsBusy(std::function<bool(const std::string &dir)> isBusy) { m_isBusy = std::move(isBusy); }
    // The try in this folder has written its exit record.
    void ended(const std::string &dir);
    // Sends one round of chunks. Returns true when there is more to send now.
    bool pump();

private:
    struct Followed {
        const char *name = nullptr;
        bool isSeries() const; // its writer rewrites it now and then
        std::uint64_t offset = 0;
        int fd = -1;
        std::uint64_t generation = 0; // of such a file: the one that the copy has
        std::uint64_t replaces = 0; // bytes that the copy of a rewritten file needs to become the copy
        bool isAbsent = false; // and the kernel reports when it comes
    };
    struct Stream {
        std::string dir;
        std::array<Followed, 8> files; // those that Chunk::file may name
        std::size_t next = 0; // in turn: a log that never ends must not starve its index
        std::uint64_t bookUpTo = 0; // what the book has until there speaks of metrics that were sent
        std::int64_t credit = contract::followCredit;
        int watch = -1;
        bool dirty = true; // something may have grown
        bool hasMore = false; // what was read last has more, known without another look
        bool isShared = false; // written by another computer
        std::int64_t lookAt = 0; // of those: when they are looked at again (monotonicMs())
        std::int64_t endSeen = 0; // of those: when the exit record was seen; 0: not yet
        bool complete = false;
        void lookForAll(); // also for what was absent
    };
    static constexpr std::int64_t pollMs = 250; // where the kernel does not report changes
    // The same, where each look is a question to a file server; and how long after the exit record that computer may
    // continue to write what its helper records of the task.
    static constexpr std::int64_t sharedPollMs = 1000, settleMs = 3000;

    Loop &m_loop;
    Connection &m_connection;
    std::map<std::int64_t, Stream> m_streams;
    std::function<void(const std::string &dir)> m_beforeRest;
    std::function<bool(const std::string &dir)> m_isBusy;
    int m_inotify = -1;
    Loop::Timer m_pollTimer = 0;
    std::int64_t m_lastPumped = 0; // id of the stream
    std::unique_ptr<char[]> m_buffer; // its pages are touched as they are needed: each keeper has copies of those

    void readEvents();
    std::size_t indexUpTo(std::size_t size, std::uint64_t sentOutput) const;
    bool sendSome(std::int64_t id, Stream &stream);
    static bool isBookAbsent(const Stream &stream);
    bool isComplete(Stream &stream) const;
    static void closeAll(Stream &stream);
    static bool open(const Stream &stream, Followed &followed); // errno otherwise; ENOENT: not there yet
    // Ends a follow that cannot be read now; the other side asks again. `stream` is invalid afterwards.
    bool giveUp(std::int64_t id, const Stream &stream, const Followed &followed, int error);
    void remove(std::int64_t id);
    void pollAll();
};

} // namespace trainyard::agent
