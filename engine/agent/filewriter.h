// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/agent/enginefolder.h"
#include "engine/agent/environment.h"
#include "engine/agent/sideprocesses.h"
#include "engine/contract/messages.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace trainyard::agent
{

// Writes the files that come to this host by pieces in processes of their own, so that a slow disk or a file server
// that does not answer holds up nothing else. What goes to the same place is written in the order in which it came, by
// one process at a time that takes all that waits. Pieces wait as long as the disk does; those that do not fit into
// memory are refused.
class FileWriter
{
public:
    FileWriter(SideProcesses &side, const Account &account, const OwnFolders &own)
        : m_side(side), m_account(account), m_own(own)
    {
    }
    ~FileWriter();
    FileWriter(const FileWriter &) = delete;
    FileWriter &operator=(const FileWriter &) = delete;

    void put(std::int64_t id, contract::Put &&request, std::string &&bytes);
    void store(std::int64_t id, contract::StorePiece &&request); // all steps but "place"
    // Runs after what came before it: a piece that is still to be written would make the folder again.
    void remove(std::int64_t id, const contract::Remove &request);
    // Calls `then` when the files are there that the client has sent to the place of this path without asking whether
    // they are, and those are gone that it has removed: at once if there are none.
    void whenWritten(const std::string &path, std::function<void()> then);

private:
    struct Waiting {
        SideProcesses::Step step;
        std::size_t bytes = 0;
        bool isMark = false; // a link, or a file of one piece, that no client asks about; a removal
    };
    struct Line { // of what goes to the same place
        std::vector<Waiting> waiting;
        bool isBusy = false, hasOpenMarks = false; // of what is being written
        std::vector<std::function<void()>> then;
        bool hasWaitingMarks() const;
    };
    std::string placeOf(const std::string &folder) const;
    bool takesMore(std::size_t bytes) const;
    void add(const std::string &place, Waiting &&waiting);
    void goOn(const std::string &place);
    void done(const std::string &place, std::size_t bytes);

    SideProcesses &m_side;
    const Account &m_account;
    const OwnFolders &m_own;
    std::map<std::string, Line> m_lines; // by their places
    std::size_t m_bytes = 0; // of all
};

} // namespace trainyard::agent
