// SPDX-License-Identifier: GPL-3.0-or-later
// A process that hosts an Engine until it is killed: trainyard-test-enginehost STATE CONFIG RUNTIME AGENT.
// It prints "ready", then "submitted UUID" for every line "submit FILE" on its input.
#include "engine/daemon/engine.h"

#include <QCoreApplication>
#include <QFile>
#include <QSocketNotifier>

#include <unistd.h>

#include <cstdio>

using namespace trainyard;

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    const QStringList words = QCoreApplication::arguments();
    if (words.size() != 5) {
        return 2;
    }
    Engine::Options options;
    options.stateFolder = words.at(1);
    options.configFolder = words.at(2);
    options.runtimeFolder = words.at(3);
    options.agentProgram = words.at(4);
    Result<std::unique_ptr<Engine>> engine = Engine::open(options);
    if (!engine) {
        std::fprintf(stderr, "%s\n", qPrintable(engine.error().code));
        return 3;
    }
    (*engine)->whenReady(&application, [] {
        std::puts("ready");
        std::fflush(stdout);
    });
    QSocketNotifier input(STDIN_FILENO, QSocketNotifier::Read);
    QByteArray pending;
    QObject::connect(&input, &QSocketNotifier::activated, &application, [&] {
        char buffer[4096];
        const ssize_t n = ::read(STDIN_FILENO, buffer, sizeof buffer);
        if (n <= 0) {
            QCoreApplication::quit();
            return;
        }
        pending.append(buffer, n);
        for (qsizetype end = pending.indexOf('\n'); end >= 0; end = pending.indexOf('\n')) {
            const QString name = QString::fromUtf8(pending.left(end)).section(QLatin1Char(' '), 1);
            pending.remove(0, end + 1);
            QFile file(name);
            SubmitRequest request;
            request.file = name;
            request.yaml = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
            const Result<SubmitReply> reply = (*engine)->submit(request);
            std::printf("submitted %s\n", reply ? qPrintable(reply->uuid) : qPrintable(reply.error().code));
            std::fflush(stdout);
        }
    });
    return QCoreApplication::exec();
}
