// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/messages.h"

#include <QStringList>

#include <sys/types.h>

#include <optional>
#include <vector>

namespace trainyard::sharedfolder
{

// The newest files should be asked for, because computers that are copies of each other have the same old ones.
constexpr qsizetype probedFiles = 8;
contract::Look lookFor(const QStringList &paths);

// Whether another computer has the same files as this one by a shared file system: no other file system has files with
// these numbers and times. Other programs may write them meanwhile: what the other computer sees of a file has to lie
// between what it was like when it was asked for and what it is like when the answer is here.
class Probe
{
public:
    explicit Probe(const QStringList &paths); // looks at them; those that no longer exist are left out
    contract::Look look() const { return lookFor(m_paths); }
    bool isSameHere(const contract::Message &seen) const; // by the answer to look()

private:
    struct Status {
        ino_t inode = 0;
        std::int64_t changedNs = 0;
    };
    static std::optional<Status> statusOf(const QString &path);

    QStringList m_paths;
    std::vector<Status> m_before;
};

} // namespace trainyard::sharedfolder
