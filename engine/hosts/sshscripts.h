// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/hosts/agentprograms.h"

// The scripts for /bin/sh on a host. Each line of an answer begins with a word and the nonce.
namespace trainyard::sshscripts
{

// "TRAINYARD-PATH" with $SSH_CONNECTION as soon as it runs; then the agent for its processor is started, found by its
// hash ("TRAINYARD-FOUND" with its folder), or "TRAINYARD-NEEDS-AGENT" with the machine is said.
QByteArray serve(const QList<AgentPrograms::Program> &programs, const QByteArray &nonce);

// Takes an agent of `size` bytes from stdin. Before a folder is tried, "TRAINYARD-ROOM" with its free KiB; while the
// bytes come, "TRAINYARD-GOT" with those that are there; where fewer stayed than came, "TRAINYARD-SHORT". Then
// "TRAINYARD-PUSHED" with the folder, or "TRAINYARD-NOT-PUSHED".
QByteArray push(const QByteArray &hash, const QByteArray &nonce, qsizetype size);

// Why push() was refused, from its answer.
struct Refusal {
    enum class Kind {
        NoRoom, // a folder had less room than the agent needs when it was tried
        Short, // not all of it could be written, though there seemed to be room: a quota, or others wrote meanwhile
        CannotRun // no folder took it, or it was whole and did not run
    };
    Kind kind = Kind::CannotRun;
    QByteArray folder = {};
    qint64 free = 0; // bytes; NoRoom
};
Refusal refusalIn(const QByteArray &answer, const QByteArray &nonce, qsizetype size);

} // namespace trainyard::sshscripts
