// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <sys/types.h>

namespace trainyard
{

// Whether no other user can replace a folder: walks its path from the root without following links that others could
// have made. Below a folder that all users may write to (such as /tmp) each folder must be owned by this user or root,
// not be a link, and not be writable for all; above it the system is trusted. Closes a folder of this user that is
// named after Trainyard and open to others.
class FolderTrust
{
public:
    explicit FolderTrust(uid_t user) : m_user(user) { }

    struct Found {
        int error = 0; // errno: a part cannot be looked at
        QString reason; // owner, mode, link, not-a-folder; empty: trusted
        QString at; // the part that this is about
        bool isShared = false; // everybody can write to a folder above, or to this one
        mode_t mode = 0; // of the last part
    };
    Found look(const QString &folder) const;

private:
    uid_t m_user;
};

} // namespace trainyard
