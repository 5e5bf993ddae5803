// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/codetree.h"

#include <functional>

namespace trainyard::contract
{

// Data that a job names (docs/hosts.md, "Data"): a file, or a folder with all that is in it. Both ends of the wire list
// it in the same way, so that the same contents have the same sum everywhere.
struct DataFile {
    std::string path; // below the folder
    std::string target; // of a link, which leads to a path in the folder; it stays a link
    std::uint64_t bytes = 0;
    std::int64_t changedNs = 0; // UTC
};

struct DataFiles {
    std::string folder; // where it really is: of a single file the folder of that
    bool isFile = false; // a single file
    std::vector<DataFile> files; // by their paths
    std::uint64_t bytes = 0;
    // Empty, or why it cannot be listed: missing, unreadable, link (leads out of the folder), name (cannot be sent to
    // another host), many (more than mostDataFiles), cancelled.
    std::string problem;
    std::string about; // a path
    int systemError = 0;
};
constexpr std::size_t mostDataFiles = 200'000;

// Folders without files, pipes, sockets and devices are left out. Waits for the disk; `isCancelled` is asked now and
// then.
DataFiles dataFilesAt(const std::string &path, const std::function<bool()> &isCancelled = {});

// The tree of these files, whose contents have these names; links have none. No file is executable, for there are file
// systems on which all files are.
std::vector<CodeEntry> dataEntries(const DataFiles &files, const std::vector<std::string> &contents);
// The sum that `sha256` of the job is compared with: that of the file, or of the tree.
std::string dataSum(const DataFiles &files, const std::vector<CodeEntry> &entries);

// Where an agent keeps copies. Contents have one time for all, so that one that was changed shows.
constexpr std::int64_t dataChangedNs = 1'000'000'000'000'000'000;
std::string dataFolder(const std::string &stateFolder);
std::string dataTreePath(const std::string &stateFolder, const std::string &tree);
std::string dataContentsFolder(const std::string &stateFolder);
std::string dataContentName(const std::string &content); // below that

} // namespace trainyard::contract
