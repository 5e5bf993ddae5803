// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/hosts/agentprograms.h"

// What /bin/sh on a host is told. Each line of an answer begins with a word and the nonce.
namespace trainyard::sshscripts
{

// "TRAINYARD-PATH" with $SSH_CONNECTION as soon as it runs; then the agent for its processor is started, found by its
// hash
// ("TRAINYARD-FOUND" with its folder), or "TRAINYARD-NEEDS-AGENT" with the machine is said.
QByteArray serve(const QList<AgentPrograms::Program> &programs, const QByteArray &nonce);

// Takes an agent of `size` bytes from stdin. Meanwhile "TRAINYARD-GOT" with the bytes that are there; then
// "TRAINYARD-PUSHED" with the folder, or "TRAINYARD-ROOM" of each folder and "TRAINYARD-NOT-PUSHED".
QByteArray push(const QByteArray &hash, const QByteArray &nonce, qsizetype size);

} // namespace trainyard::sshscripts
