// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session.h"

namespace trainyard
{

// The session file of one window. Each open window locks its own file, session.json or the first of session-2.json,
// session-3.json and so on that no other has locked, so that windows do not overwrite each other's tabs. The kernel
// releases the lock when the program ends, so that a crash leaves no file locked.
class SessionStore
{
public:
    SessionStore();
    ~SessionStore();
    SessionStore(const SessionStore &) = delete;
    SessionStore &operator=(const SessionStore &) = delete;

    QString file() const { return m_file; }
    // The contents of this file and of the files of windows that are gone. Those files are removed as soon as
    // everything is in this one.
    Session take() const;

private:
    QString m_file;
    int m_lock = -1; // -1 if none can be had; then this counts as the only window
};

} // namespace trainyard
