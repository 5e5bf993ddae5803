// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace trainyard::agent
{

constexpr std::size_t mostDataTree = 128 << 20; // of the text of one

// Deletes a folder that cannot be written, and nothing that a link leads to.
void removeDataTree(const std::string &folder);

// The copies of data in a folder (datastore.h), as they were when it was made; contents that belong to no tree are
// removed then. Only files with names that Trainyard gives are ever removed. Of copies that the nodes of a cluster
// share, a tree stays as long as a job needs it (contract/datause.h).
class DataCache
{
public:
    explicit DataCache(std::string root);
    std::int64_t bytes() const { return m_bytes; } // of all contents
    // Removes the tree that was not used for the longest time, with the contents that only it has. False: all that are
    // left are in use, or are `but`.
    bool removeOldest(const std::string &but);
    // What all calls of removeOldest() would free now.
    std::int64_t removableBytes(const std::string &but) const;
    void keep(const std::set<std::string> &trees); // which removeOldest() then leaves

private:
    struct Tree {
        std::string name;
        std::int64_t usedNs = 0;
        std::vector<std::string> contents; // each once
    };
    void readTree(const std::string &name);
    void readContents();
    int lockFree(const Tree &tree) const; // the descriptor that holds it, or -1: it is in use
    void remove(const Tree &tree);
    std::string contentPath(const std::string &name) const;

    const std::string m_root;
    const bool m_isShared;
    std::vector<Tree> m_trees; // the one last that is to go first
    std::map<std::string, int> m_users; // of contents
    std::int64_t m_bytes = 0;
};

} // namespace trainyard::agent
