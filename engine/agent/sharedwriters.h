// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/agent/fileclaims.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::agent
{

// What a helper tells other helpers about one try: on a cluster, each task has a helper of its own, and those of other
// nodes cannot look at its processes.
struct WriterNote {
    std::string job, dir;
    std::int64_t began = 0, ended = 0; // ms UTC; ended 0: it runs
    std::set<std::string> folders; // TryMetrics::folders()
    std::map<std::string, bool> files; // that it writes, as far as is known; true: a process of it had the file open
    std::string toText() const;
    static std::optional<WriterNote> parse(std::string_view text);
    friend bool operator==(const WriterNote &, const WriterNote &) = default;
};

// The claim of a try of another helper to a closed file. Where both work in the folder, not even the files beside those
// that this one has open are its own: the other one may be about to open them.
TryMetrics::Whose claimOfNote(const WriterNote &other, const std::string &path, const Claimant &own, std::size_t ownTie,
    const FileTimes &times, bool isNamed);
// Adds what tries of other jobs use of these files of a try. A file that only this one had open is not the others'.
void addUses(std::vector<FileUse> &uses, const std::map<std::string, WriterNote> &others, const std::string &job,
    const std::map<std::string, TryMetrics::Present> &mine);

// The notes of all helpers that have the same folder of jobs: one file for each try, beside that folder. Every call may
// wait for a file server.
class SharedWriters
{
public:
    // Only a helper of a cluster makes the folder; all others use it once it is there.
    explicit SharedWriters(bool makesFolder) : m_makesFolder(makesFolder) { }

    void tell(const WriterNote &note); // written if it is new, and touched from time to time
    // A try is over. The notes of ended tries stay for as long as a try runs that had begun before their end;
    // `earliest` is when the first of the own tries that still run had begun (ms UTC).
    void finish(std::int64_t earliest);
    void beginLook() { m_isRead = false; }
    // The tries of other helpers, read at most once in each look.
    const std::map<std::string, WriterNote> &others();

private:
    struct Own {
        WriterNote note;
        std::int64_t written = 0; // ms UTC
    };
    struct Read { // what was in a file
        std::uint64_t inode = 0;
        std::int64_t changed = 0; // ns
        bool isSeen = false; // in this look
    };
    bool useFolder(const WriterNote &note);
    void read(const std::string &name);
    void judgeLife(const std::string &name, std::int64_t changedMs);

    bool m_makesFolder = false, m_isRead = false;
    std::string m_folder; // empty: none yet
    std::map<std::string, Own> m_own; // by the names of their files
    std::map<std::string, Read> m_read; // by name
    std::map<std::string, WriterNote> m_others; // by name
};

} // namespace trainyard::agent
