// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/messages.h"

#include <string>

// The part of a message that follows its header, because JSON has no bytes or would make them long.
namespace trainyard::contract
{

template <typename M> std::string payloadOf(const M &) { return {}; }
std::string payloadOf(const Chunk &m);
std::string payloadOf(const FileList &m);
std::string payloadOf(const Piece &m);
std::string payloadOf(const Flow &m);
std::string payloadOf(const StorePiece &m);
std::string payloadOf(const HelloReply &m);
std::string payloadOf(const ReadChanged &m);
std::string payloadOf(const ProgramSaid &m);
std::string payloadOf(const ChangedFiles &m);
std::string payloadOf(const Share &m);
std::string payloadOf(const Launch &m);

// False: it is damaged. Bytes that are the message's as they are leave `payload`.
template <typename M> bool takePayload(M &, std::string &) { return true; }
bool takePayload(Chunk &m, std::string &payload);
bool takePayload(FileList &m, std::string &payload);
bool takePayload(Piece &m, std::string &payload);
bool takePayload(Flow &m, std::string &payload);
bool takePayload(StorePiece &m, std::string &payload);
bool takePayload(HelloReply &m, std::string &payload);
bool takePayload(ReadChanged &m, std::string &payload);
bool takePayload(ProgramSaid &m, std::string &payload);
bool takePayload(ChangedFiles &m, std::string &payload);
bool takePayload(Share &m, std::string &payload);
bool takePayload(Launch &m, std::string &payload);

} // namespace trainyard::contract
