// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes as a client may send them: through the decoder, and to a session of a real engine (its agent is a program that
// does nothing, so that whatever job comes out of it waits).
#include "engine/client/rpcconnection.h"
#include "engine/daemon/engine.h"
#include "engine/daemon/server.h"
#include "tests/fuzz/rpcfuzz.h"

#include <QCoreApplication>
#include <QTemporaryDir>

#include <cstddef>
#include <cstdint>

using namespace trainyard;

namespace
{

struct Served {
    int argc = 1;
    char name[5] = "fuzz";
    char *argv[2] = {name, nullptr};
    QCoreApplication application{argc, argv};
    QTemporaryDir folder;
    std::unique_ptr<Engine> engine;
    std::unique_ptr<RpcServer> server;

    Served()
    {
        // Whatever is submitted finds no shell's environment and no host of the user's.
        for (const char *variable : {"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"}) {
            qputenv(variable, folder.path().toLocal8Bit());
        }
        qputenv("PATH", "/nonexistent"); // no ssh
        Result<std::unique_ptr<Engine>> opened = Engine::open({.stateFolder = folder.filePath(QStringLiteral("state")),
            .configFolder = folder.filePath(QStringLiteral("config")),
            .runtimeFolder = folder.filePath(QStringLiteral("run")),
            .agentProgram = QStringLiteral("/bin/false")});
        if (!opened) {
            qFatal("no engine: %s", qPrintable(opened.error().code));
        }
        engine = std::move(*opened);
        server = std::make_unique<RpcServer>(*engine, RpcServer::Options{{}, 0, QStringLiteral("0")});
    }
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static auto *served = new Served;
    const QByteArray bytes(reinterpret_cast<const char *>(data), qsizetype(size));
    const QList<QByteArray> lines = bytes.split('\n');
    for (const QByteArray &line : lines) {
        rpcfuzz::decode(line);
    }
    auto [client, daemon] = makeRpcPair();
    served->server->addConnection(std::move(daemon));
    client->send(R"({"id":0,"method":"hello","params":{"protocol":[1,1]}})");
    for (const QByteArray &line : lines) {
        // These end the server, as they shall.
        if (!line.contains("engine") && !line.contains('\\')) {
            client->send(line);
        }
    }
    QCoreApplication::processEvents();
    client.reset();
    for (int i = 0; i < 100 && served->server->sessions() > 0; ++i) {
        QCoreApplication::processEvents();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
    if (served->server->sessions() > 0) {
        qFatal("a session stays");
    }
    return 0;
}
