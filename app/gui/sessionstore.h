// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session.h"

namespace trainyard
{

// The session file of one window. Each window that is open holds a file of its own, session.json or the first of
// session-2.json, session-3.json and so on that no other holds, so that windows do not write over each other's tabs.
// The kernel lets the lock go with the program, so that a crash leaves no file held.
class SessionStore
{
public:
    SessionStore();
    ~SessionStore();
    SessionStore(const SessionStore &) = delete;
    SessionStore &operator=(const SessionStore &) = delete;

    QString file() const { return m_file; }
    // What this file keeps, and what the files of windows that are gone keep. Those files are removed as soon as all is
    // in this one.
    Session take() const;

private:
    QString m_file;
    int m_lock = -1; // without one where none can be had; then this is the only window, as far as anybody knows
};

} // namespace trainyard
