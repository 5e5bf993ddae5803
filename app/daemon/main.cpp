// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/daemon/notices.h"
#include "engine/api/rpc.h"
#include "engine/client/configurationwatch.h"
#include "engine/client/connector.h"
#include "engine/client/enginesocket.h"
#include "engine/client/paths.h"
#include "engine/client/settings.h"
#include "engine/contract/corefiles.h"
#include "engine/contract/scope.h"
#include "engine/daemon/daemonlog.h"
#include "engine/daemon/engine.h"
#include "engine/daemon/leftruns.h"
#include "engine/daemon/server.h"
#include "engine/daemon/startreport.h"
#include "widgets/text/texts.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QFile>
#include <QJsonDocument>
#include <QSocketNotifier>

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace Qt::StringLiterals;
using namespace trainyard;

namespace
{

constexpr int exitUsage = 2;
constexpr int exitCannot = 3;
constexpr int exitOtherIsThere = 4;
constexpr int lockPatienceMs = 5000;

int signalPipe[2] = {-1, -1};
StartReport startReport;

void onSignal(int number)
{
    const char byte = static_cast<char>(number);
    [[maybe_unused]] const ssize_t written = ::write(signalPipe[1], &byte, 1);
}

void printHelp()
{
    std::puts(
        "Usage: trainyardd [--foreground] [--idle-seconds N]\n\n"
        "The daemon of Trainyard: it owns the jobs of one user on this computer. The first client starts it, and\n"
        "it ends by itself when it has neither jobs nor clients. Its tasks do not end with it.\n\n"
        "Without --foreground the command ends as soon as the daemon serves.\n\n"
        "  --foreground       stay in the terminal and write the log to stderr\n"
        "  --idle-seconds N   end after N seconds without jobs and clients; 0: never (default: the setting\n"
        "                     engine.idleSeconds, 60)\n"
        "  --version          the version\n\n"
        "Exit status: 0 it serves, or with --foreground it ended in order; 2 wrong usage; 3 cannot start (stderr,\n"
        "the log and <state>/daemon.error say why); 4 another daemon serves already.");
}

bool somebodyListens(const QString &path)
{
    const QByteArray encoded = QFile::encodeName(path);
    sockaddr_un address{};
    if (encoded.size() >= qsizetype(sizeof address.sun_path)) {
        return false;
    }
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, encoded.constData(), static_cast<std::size_t>(encoded.size()));
    const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const bool connected = fd >= 0 && ::connect(fd, reinterpret_cast<const sockaddr *>(&address), sizeof address) == 0;
    if (fd >= 0) {
        ::close(fd);
    }
    return connected;
}

// One daemon is enough: the lock decides. One that is about to end has given up its socket but still holds the lock,
// and then the client that started us needs us a moment later.
Result<std::unique_ptr<Engine>> openEngine(const Engine::Options &options, const QString &socket, bool *otherIsThere)
{
    for (int waited = 0;; waited += 50) {
        Result<std::unique_ptr<Engine>> engine = Engine::open(options);
        if (engine || engine.error().code != "engine.already-running"_L1) {
            return engine;
        }
        const QString noted = notedSocket(options.stateFolder); // it may serve another session
        *otherIsThere = somebodyListens(socket) || (!noted.isEmpty() && somebodyListens(noted));
        if (*otherIsThere || waited >= lockPatienceMs) {
            return engine;
        }
        ::usleep(50 * 1000);
    }
}

// The client that started us has no look at our exit status and stderr; it reads the file.
int cannotStart(const QString &stateFolder, const Error &error)
{
    const QString sentence = errorText(error);
    qCritical("Cannot start: %s (%s %s)", qPrintable(sentence), qPrintable(error.code),
        QJsonDocument(error.args).toJson(QJsonDocument::Compact).constData());
    const QJsonObject said{
        {u"code"_s, error.code}, {u"args"_s, error.args}, {u"at"_s, QDateTime::currentMSecsSinceEpoch()}};
    // Where the state folder is what cannot be written, it must stand somewhere else.
    for (const QString &folder : {stateFolder, paths::runtimeFolder()}) {
        if (writeAtomically(daemonErrorFile(folder), QJsonDocument(said).toJson())) {
            break;
        }
    }
    startReport.tell(exitCannot, sentence);
    return exitCannot;
}

void catchSignals()
{
    if (::pipe2(signalPipe, O_CLOEXEC | O_NONBLOCK) != 0) {
        return;
    }
    struct sigaction action {
    };
    action.sa_handler = onSignal;
    action.sa_flags = SA_RESTART;
    for (const int number : {SIGTERM, SIGINT, SIGHUP}) {
        ::sigaction(number, &action, nullptr);
    }
    ::signal(SIGPIPE, SIG_IGN);
}

} // namespace

int main(int argc, char **argv)
{
    contract::leaveNoCoreFiles();
    paths::useHomeOfAccount();
    bool foreground = false;
    std::optional<int> idleSeconds;
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        if (word == "--foreground") {
            foreground = true;
        } else if (word == "--idle-seconds" && i + 1 < argc) {
            char *end = nullptr;
            const long seconds = std::strtol(argv[++i], &end, 10);
            if (*end != '\0' || end == argv[i] || seconds < 0 || seconds > 1000000) {
                std::fprintf(stderr, "trainyardd: --idle-seconds takes a number of seconds, not \"%s\".\n", argv[i]);
                return exitUsage;
            }
            idleSeconds = static_cast<int>(seconds);
        } else if (word == "--version") {
            std::printf("trainyardd %s\n", qPrintable(rpc::buildVersion()));
            return 0;
        } else if (word == "--help" || word == "-h") {
            printHelp();
            return 0;
        } else {
            std::fprintf(stderr, "trainyardd: there is no option \"%s\"; --help lists them.\n", argv[i]);
            return exitUsage;
        }
    }
    if (!foreground) {
        startReport.becomeDaemon(exitCannot,
            errorText({u"engine.not-started"_s, {{u"log"_s, QString(paths::stateFolder() + u"/daemon.log"_s)}}}));
        contract::moveToOwnScope("trainyard-engine");
    }
    catchSignals();
    QCoreApplication application(argc, argv);
    QCoreApplication::setApplicationName(u"trainyardd"_s);
    QCoreApplication::setApplicationVersion(rpc::buildVersion());

    const QString state = paths::stateFolder();
    if (const Result<QString> made = paths::ensurePrivateFolder(state); !made) {
        return cannotStart(state, made.error());
    }
    if (!foreground) {
        DaemonLog::start(state + u"/daemon.log"_s);
    }
    if (paths::stateFolderIsTemporary()) {
        qWarning(
            "Another user has taken the usual place below /var/tmp: jobs are kept in %s, which goes with the session.",
            qPrintable(state));
    }
    const QString runtime = paths::runtimeFolder();
    if (const Result<QString> made = paths::ensurePrivateFolder(runtime); !made) {
        return cannotStart(state, made.error());
    }
    const Result<QString> socket = paths::engineSocket(runtime, state);
    if (!socket) {
        return cannotStart(state, socket.error());
    }

    bool otherIsThere = false;
    Result<std::unique_ptr<Engine>> engine = openEngine({.stateFolder = state,
                                                            .configFolder = paths::configFolder(),
                                                            .runtimeFolder = runtime,
                                                            .agentProgram = {},
                                                            .words = errorText},
        *socket, &otherIsThere);
    if (!engine) {
        if (otherIsThere) {
            qInfo("Another daemon serves already; ending.");
            startReport.tell(exitOtherIsThere, u"Another daemon serves already; this one is not needed."_s);
            return exitOtherIsThere;
        }
        return cannotStart(state, engine.error());
    }
    const auto idleSecondsNow = [&idleSeconds, &engine] {
        return idleSeconds ? *idleSeconds : (*engine)->settings().value("engine.idleSeconds"_L1).toInt();
    };
    RpcServer server(
        **engine, {.socketPath = *socket, .idleSeconds = idleSecondsNow(), .version = rpc::buildVersion()});
    QObject::connect(engine->get(), &Engine::settingsChanged, &server,
        [&server, idleSecondsNow] { server.setIdleSeconds(idleSecondsNow()); });
    Notices notices(**engine);
    QObject::connect(&server, &RpcServer::finished, &notices, [&notices](const QString &reason) {
        qInfo("Ending (%s).", qPrintable(reason));
        notices.finish();
    });
    // Queued: it may be known at once, before anything else of the end is done.
    QObject::connect(&notices, &Notices::finished, &application, &QCoreApplication::quit, Qt::QueuedConnection);
    QObject::connect(
        &server, &RpcServer::clientEnvironmentChanged, engine->get(), [&engine](const QMap<QString, QString> &env) {
            // ssh and its questions use the session of the newest client.
            for (auto it = env.cbegin(); it != env.cend(); ++it) {
                qputenv(it.key().toLatin1().constData(), it.value().toLocal8Bit());
            }
            (*engine)->setClientEnvironment(env);
        });
    QObject::connect(engine->get(), &Engine::storeDamaged, &server, [&server, &state](const Error &error) {
        cannotStart(state, error);
        server.leave(u"damaged"_s);
    });
    QSocketNotifier signalled(signalPipe[0], QSocketNotifier::Read);
    QObject::connect(&signalled, &QSocketNotifier::activated, &server, [&server, &engine] {
        char byte = 0;
        bool end = false;
        while (::read(signalPipe[0], &byte, 1) > 0) {
            end = end || byte != SIGHUP;
        }
        if (end) {
            server.leave(u"stopped"_s);
        } else {
            (*engine)->reloadSettings();
        }
    });
    // A file that is corrected or changed by hand counts from then on. It may also have changed since the engine read
    // it, before it was watched.
    const ConfigurationWatch configuration(paths::configFolder());
    QObject::connect(
        &configuration, &ConfigurationWatch::changed, engine->get(), [&engine] { (*engine)->reloadSettings(); });
    (*engine)->reloadSettings();
    if (const Result<bool> listening = server.listen(); !listening) {
        return cannotStart(state, listening.error());
    }
    // This happens before it reports that it serves. Without the note it is found by the clients of its own session.
    if (const Result<bool> noted = noteSocket(state, *socket); !noted) {
        qWarning("Cannot note in %s where the daemon listens (%s).", qPrintable(state), qPrintable(noted.error().code));
    }
    startReport.tell(0);
    LeftRuns left(paths::foregroundFolder(state),
        {.stateFolder = {}, .configFolder = paths::configFolder(), .runtimeFolder = runtime, .agentProgram = {}});
    left.watch();
    QFile::remove(daemonErrorFile(state));
    QFile::remove(daemonErrorFile(runtime));
    qInfo("Version %s serves %s.", qPrintable(rpc::buildVersion()), qPrintable(*socket));
    return QCoreApplication::exec();
}
