// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/messages.h"

#include "engine/contract/messagefields.h"
#include "engine/contract/messagejson.h"
#include "engine/contract/messagepayload.h"

#include <string_view>
#include <type_traits>

namespace trainyard::contract
{
namespace
{

using messagejson::get;
using messagejson::Json;
using messagejson::Reader;
using messagejson::Writer;

// ---- names on the wire ----

template <typename M> constexpr const char *typeName = nullptr;
template <> constexpr const char *typeName<HelloRequest> = "hello";
template <> constexpr const char *typeName<InventoryRequest> = "inventory";
template <> constexpr const char *typeName<Share> = "share";
template <> constexpr const char *typeName<Launch> = "launch";
template <> constexpr const char *typeName<Stop> = "stop";
template <> constexpr const char *typeName<Pause> = "pause";
template <> constexpr const char *typeName<Observe> = "observe";
template <> constexpr const char *typeName<Follow> = "follow";
template <> constexpr const char *typeName<Credit> = "credit";
template <> constexpr const char *typeName<Dial> = "dial";
template <> constexpr const char *typeName<Flow> = "flow";
template <> constexpr const char *typeName<Ports> = "ports";
template <> constexpr const char *typeName<Await> = "await";
template <> constexpr const char *typeName<Reach> = "reach";
template <> constexpr const char *typeName<SampleRequest> = "sample";
template <> constexpr const char *typeName<Put> = "put";
template <> constexpr const char *typeName<Code> = "code";
template <> constexpr const char *typeName<Data> = "data";
template <> constexpr const char *typeName<Look> = "look";
template <> constexpr const char *typeName<ListFiles> = "files";
template <> constexpr const char *typeName<ReadPiece> = "piece";
template <> constexpr const char *typeName<StorePiece> = "store";
template <> constexpr const char *typeName<Remove> = "remove";
template <> constexpr const char *typeName<OwnFolder> = "ownFolder";
template <> constexpr const char *typeName<LookThrough> = "belongings";
template <> constexpr const char *typeName<FindEnvironments> = "environments";
template <> constexpr const char *typeName<RunProgram> = "program";
template <> constexpr const char *typeName<ReadChanged> = "changed";
template <> constexpr const char *typeName<CopyHelper> = "copyHelper";
template <> constexpr const char *typeName<RemoveRun> = "removeRun";
template <> constexpr const char *typeName<Bye> = "bye";
template <> constexpr const char *typeName<HelloReply> = "hello";
template <> constexpr const char *typeName<Inventory> = "inventory";
template <> constexpr const char *typeName<Launched> = "launched";
template <> constexpr const char *typeName<Observed> = "observed";
template <> constexpr const char *typeName<Exited> = "exited";
template <> constexpr const char *typeName<Dialed> = "dialed";
template <> constexpr const char *typeName<Chunk> = "chunk";
template <> constexpr const char *typeName<PortsReply> = "ports";
template <> constexpr const char *typeName<Awaiting> = "awaiting";
template <> constexpr const char *typeName<Reached> = "reached";
template <> constexpr const char *typeName<CodeReply> = "code";
template <> constexpr const char *typeName<DataReply> = "data";
template <> constexpr const char *typeName<Seen> = "seen";
template <> constexpr const char *typeName<FileList> = "files";
template <> constexpr const char *typeName<Piece> = "piece";
template <> constexpr const char *typeName<Stored> = "store";
template <> constexpr const char *typeName<Belongings> = "belongings";
template <> constexpr const char *typeName<EnvironmentsFound> = "environments";
template <> constexpr const char *typeName<ProgramSaid> = "program";
template <> constexpr const char *typeName<ChangedFiles> = "changed";
template <> constexpr const char *typeName<Sample> = "sample";
template <> constexpr const char *typeName<Done> = "done";
template <> constexpr const char *typeName<Failure> = "error";

// Not inlined: the frame of the caller would have room for one message of each kind, and an agent that has just started
// a keeper gets a copy of every page of its stack that it touches.
template <typename M>
[[gnu::noinline]] std::optional<Message> readOne(const Json &json, std::string &payload, std::string &problem)
{
    M message;
    Reader reader{json};
    fields(reader, message);
    if (reader.missing) {
        problem = std::string("wire.record ") + reader.missing;
        return std::nullopt;
    }
    if (!takePayload(message, payload)) {
        problem = std::string("wire.payload ") + typeName<M>;
        return std::nullopt;
    }
    return Message(std::move(message));
}

// The one of these messages that is called so.
template <typename... Messages>
std::optional<Message> readOneOf(const std::string &type, const Json &json, std::string &payload, std::string &problem)
{
    std::optional<Message> message;
    const bool known
        = ((type == typeName<Messages> && (message = readOne<Messages>(json, payload, problem), true)) || ...);
    if (!known) {
        problem = "wire.type " + type;
    }
    return message;
}

std::optional<Message> readRequest(
    const std::string &type, const Json &json, std::string &payload, std::string &problem)
{
    return readOneOf<HelloRequest, InventoryRequest, Share, Launch, Stop, Pause, Observe, Follow, Credit, Dial, Flow,
        Ports, Await, Reach, SampleRequest, Put, Code, Data, Look, ListFiles, ReadPiece, StorePiece, Remove, OwnFolder,
        LookThrough, FindEnvironments, RunProgram, ReadChanged, CopyHelper, RemoveRun, Bye>(
        type, json, payload, problem);
}

std::optional<Message> readAnswer(const std::string &type, const Json &json, std::string &payload, std::string &problem)
{
    return readOneOf<HelloReply, Inventory, Launched, Observed, Exited, Dialed, Flow, Credit, Chunk, PortsReply,
        Awaiting, Reached, CodeReply, DataReply, Seen, FileList, Piece, Stored, Belongings, EnvironmentsFound,
        ProgramSaid, ChangedFiles, Sample, Done, Failure>(type, json, payload, problem);
}

template <typename M> std::string headerOf(std::int64_t id, const M &message)
{
    std::string header;
    Writer writer{header};
    fields(writer, message);
    writer("type", std::string_view(typeName<M>));
    writer("id", id);
    writer.finish();
    return header;
}

// No message of ours has deeper nested arrays in its header; the parser would recurse when destroying them.
bool isDeep(std::string_view text)
{
    int depth = 0;
    bool inString = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (inString) {
            if (c == '\\') {
                ++i;
            } else if (c == '"') {
                inString = false;
            }
        } else if (c == '"') {
            inString = true;
        } else if (c == '[' || c == '{') {
            if (++depth > 64) {
                return true;
            }
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
    return false;
}

} // namespace

std::optional<std::string> encode(const Envelope &envelope)
{
    std::string header, payload;
    std::visit(
        [&](const auto &message) {
            header = headerOf(envelope.id, message);
            payload = payloadOf(message);
        },
        envelope.message);
    payload += envelope.payload;
    return encodeFrame(header, payload);
}

std::optional<std::string> encodeChunkHead(std::int64_t id, const Chunk &chunk, std::size_t bytes)
{
    return encodeFrameHead(headerOf(id, chunk), bytes);
}

std::optional<Envelope> decode(Frame frame, bool fromAgent, std::string *error)
{
    std::string problem = "wire.json";
    const Json header
        = isDeep(frame.header) ? Json(Json::value_t::discarded) : Json::parse(frame.header, nullptr, false);
    if (!header.is_discarded() && header.is_object()) {
        Envelope envelope;
        std::string type;
        get(header, "id", envelope.id);
        get(header, "type", type);
        std::optional<Message> message = fromAgent ? readAnswer(type, header, frame.payload, problem)
                                                   : readRequest(type, header, frame.payload, problem);
        if (message) {
            if (std::holds_alternative<Put>(*message)) {
                envelope.payload = std::move(frame.payload);
            }
            envelope.message = std::move(*message);
            return envelope;
        }
    }
    if (error) {
        *error = problem;
    }
    return std::nullopt;
}

std::string planJson(const Plan &plan)
{
    std::string json;
    Writer writer{json};
    fields(writer, plan);
    writer.finish();
    return json + '\n';
}

std::optional<Plan> parsePlan(std::string_view json)
{
    const Json parsed = isDeep(json) ? Json(Json::value_t::discarded) : Json::parse(json, nullptr, false);
    if (!parsed.is_object()) {
        return std::nullopt;
    }
    Plan plan;
    Reader reader{parsed};
    fields(reader, plan);
    return plan;
}

} // namespace trainyard::contract
