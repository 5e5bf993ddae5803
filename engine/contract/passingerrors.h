// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cerrno>

namespace trainyard::contract
{

// Whether an error (errno) on a host says nothing about the file concerned and is temporary: the host has no process,
// memory or descriptor to spare, or its file server does not answer.
inline bool isPassing(int error)
{
    switch (error) {
    case EAGAIN:
    case EBUSY:
    case EHOSTDOWN:
    case EMFILE:
    case ENFILE:
    case ENOMEM:
    case ENOTCONN:
    case ESTALE:
    case ETIMEDOUT:
        return true;
    default:
        return false;
    }
}

} // namespace trainyard::contract
