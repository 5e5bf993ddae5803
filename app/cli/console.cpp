// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/console.h"

#include "app/cli/words.h"
#include "widgets/text/columns.h"
#include "widgets/text/terminaltext.h"
#include "widgets/text/texts.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonObject>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <utility>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{

namespace
{

// Reading stops here; parsing refuses far less.
constexpr qint64 maxInputBytes = qint64(64) << 20;

bool isOutputBroken = false;
bool isReaderGone = false;
bool hasPrinted = false;

struct Failure {
    QString code, message;
};
Failure &lastFailure()
{
    static Failure failure;
    return failure;
}

// Names a failure that has no code of its own.
QString codeOfStatus(int status)
{
    switch (status) {
    case exitNo:
        return u"failed"_s;
    case exitUnusable:
        return u"unusable"_s;
    case exitNoEngine:
        return u"unreachable"_s;
    case exitInterrupted:
        return u"interrupted"_s;
    default:
        return u"refused"_s;
    }
}

} // namespace

void openStandardStreams()
{
    // The ways round: reading from an input that is closed fails, and so does writing to such an output.
    const std::pair<int, int> streams[]
        = {{STDIN_FILENO, O_WRONLY}, {STDOUT_FILENO, O_RDONLY}, {STDERR_FILENO, O_WRONLY}};
    for (const auto &[stream, mode] : streams) {
        if (::fcntl(stream, F_GETFD) == -1) {
            [[maybe_unused]] const int opened = ::open("/dev/null", mode); // the lowest that is free
        }
    }
}

void out(const QByteArray &bytes)
{
    if (isOutputBroken || isReaderGone) {
        return;
    }
    errno = 0;
    hasPrinted = hasPrinted || !bytes.isEmpty();
    const bool written = std::fwrite(bytes.constData(), 1, size_t(bytes.size()), stdout) == size_t(bytes.size())
        && std::fflush(stdout) == 0;
    if (written) {
        return;
    }
    if (errno == EPIPE) { // a reader that has ended has what it wanted
        isReaderGone = true;
        return;
    }
    const QString reason = errno == EBADF ? tr("it is closed")
                                          : QString::fromLocal8Bit(std::strerror(errno)); // see openStandardStreams()
    isOutputBroken = true;
    errorLine(tr("The output cannot be written: %1.").arg(reason));
}

bool outputFailed() { return isOutputBroken; }

bool outputHasEnded()
{
    pollfd output{STDOUT_FILENO, 0, 0}; // a pipe without a reader reports that by itself
    isReaderGone = isReaderGone || (::poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0);
    return isOutputBroken || isReaderGone;
}

void outLine(const QString &line) { out(terminalText(line).toUtf8() + '\n'); }

void outFile(const QByteArray &bytes)
{
    out(stdoutIsTerminal() ? terminalText(QString::fromUtf8(bytes)).toUtf8() : bytes);
}

void errorLine(const QString &line)
{
    if (lastFailure().code.isEmpty()) {
        lastFailure().message = line;
    }
    sentenceTo(Stream::Error, u"trainyardctl: "_s + line);
}

void noteFailure(const QString &code, const QString &message) { lastFailure() = {code, message}; }

void failureLine(const Error &error)
{
    noteFailure(error.code, errorText(error));
    errorLine(errorText(error));
}

void forgetFailure() { lastFailure() = {}; }

QJsonObject saidFailure(int status)
{
    const Failure &failure = lastFailure();
    return {{u"code"_s, failure.code.isEmpty() ? codeOfStatus(status) : failure.code}, {u"message"_s, failure.message}};
}

int endOfJson(int status)
{
    if (status != exitOk && !hasPrinted) {
        outJson(QJsonDocument(QJsonObject{{u"error"_s, saidFailure(status)}}));
    }
    return status;
}

void plainErrorLine(const QString &line)
{
    const QByteArray text = terminalText(line).toUtf8() + '\n';
    std::fflush(stdout);
    std::fwrite(text.constData(), 1, size_t(text.size()), stderr);
}

void outJson(const QJsonDocument &json) { out(terminalJson(json.toJson(QJsonDocument::Indented))); }

bool stdoutIsTerminal() { return isatty(STDOUT_FILENO) == 1; }

bool stderrIsTerminal() { return isatty(STDERR_FILENO) == 1; }

bool canDraw(Stream stream)
{
    const QByteArray terminal = qgetenv("TERM");
    return (stream == Stream::Out ? stdoutIsTerminal() : stderrIsTerminal()) && !terminal.isEmpty()
        && terminal != "dumb";
}

int terminalWidth(Stream stream)
{
    winsize size{};
    if (ioctl(stream == Stream::Out ? STDOUT_FILENO : STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
        return size.ws_col;
    }
    return 80;
}

int tableWidth(bool isWide) { return isWide || !stdoutIsTerminal() ? 0 : terminalWidth(); }

int terminalHeight()
{
    winsize size{};
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 ? size.ws_row : 24;
}

void lineTo(Stream stream, const QString &line) { stream == Stream::Out ? outLine(line) : plainErrorLine(line); }

void sentenceTo(Stream stream, const QString &line, int indent)
{
    const bool isTerminal = stream == Stream::Out ? stdoutIsTerminal() : stderrIsTerminal();
    QStringList lines = line.split(u'\n');
    for (QString &each : lines) {
        each = isTerminal ? wrappedAtWords(each, terminalWidth(stream), indent < 0 ? indentOf(each) : indent) : each;
    }
    lineTo(stream, lines.join(u'\n'));
}

void outSentence(const QString &line, int indent) { sentenceTo(Stream::Out, line, indent); }

QString paint(Colour colour, const QString &text, Stream stream)
{
    static const bool allowed = qEnvironmentVariableIsEmpty("NO_COLOR");
    static const bool onOut = canDraw(Stream::Out);
    static const bool onError = canDraw(Stream::Error);
    if (!allowed || !(stream == Stream::Out ? onOut : onError) || colour == Colour::None) {
        return text;
    }
    QString code;
    switch (colour) {
    case Colour::Red:
        code = QStringLiteral("1;31");
        break;
    case Colour::Yellow:
        code = QStringLiteral("33");
        break;
    case Colour::Blue:
        code = QStringLiteral("34");
        break;
    case Colour::Green:
        code = QStringLiteral("32");
        break;
    case Colour::Bold:
        code = QStringLiteral("1");
        break;
    case Colour::Dim:
        code = QStringLiteral("2");
        break;
    case Colour::None:
        break;
    }
    return ownColour(code) + text + ownColour(QStringLiteral("0"));
}

namespace
{
bool inputIsRead = false;
} // namespace

bool isInputRead() { return inputIsRead; }

Result<QByteArray> readInput(const QString &path)
{
    QFile file(path);
    bool opened = false;
    if (path == QLatin1String("-")) {
        inputIsRead = true;
        opened = file.open(stdin, QIODevice::ReadOnly);
    } else if (QFileInfo(path).isDir()) {
        return fail(QStringLiteral("file.is-folder"), {{QStringLiteral("file"), path}});
    } else {
        opened = file.open(QIODevice::ReadOnly);
    }
    if (!opened) {
        return fail(QStringLiteral("file.unreadable"),
            {{QStringLiteral("file"), inputName(path)}, {QStringLiteral("reason"), file.errorString()}});
    }
    const QByteArray bytes = file.read(maxInputBytes + 1);
    if (file.error() != QFileDevice::NoError) {
        return fail(QStringLiteral("file.unreadable"),
            {{QStringLiteral("file"), inputName(path)}, {QStringLiteral("reason"), file.errorString()}});
    }
    if (bytes.size() > maxInputBytes) {
        return fail(QStringLiteral("file.too-large"),
            {{QStringLiteral("file"), inputName(path)}, {QStringLiteral("limit"), maxInputBytes}});
    }
    return bytes;
}

QString inputName(const QString &path) { return path == QLatin1String("-") ? tr("standard input") : path; }

bool hasTerminal()
{
    const int fd = ::open("/dev/tty", O_RDWR | O_CLOEXEC);
    if (fd >= 0) {
        ::close(fd);
    }
    return fd >= 0;
}

namespace
{

// The state of the terminal that a signal has to restore before it ends the program, and the previous handler.
int askedTerminal = -1;
termios terminalBefore;
constexpr int endingSignals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
struct sigaction handledBefore[std::size(endingSignals)];

void giveTerminalBack(int signal)
{
    const int error = errno;
    ::tcsetattr(askedTerminal, TCSANOW, &terminalBefore);
    for (std::size_t i = 0; i < std::size(endingSignals); ++i) {
        if (endingSignals[i] == signal) {
            ::sigaction(signal, &handledBefore[i], nullptr);
        }
    }
    ::raise(signal);
    errno = error;
}

} // namespace

std::optional<QString> askOnTerminal(const QString &prompt, bool shown)
{
    constexpr qsizetype mostBytes = 1 << 20;
    const int fd = ::open("/dev/tty", O_RDWR | O_CLOEXEC);
    termios before{};
    if (fd < 0 || ::tcgetattr(fd, &before) != 0) {
        if (fd >= 0) {
            ::close(fd);
        }
        return std::nullopt;
    }
    termios silent = before;
    if (!shown) {
        silent.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    }
    askedTerminal = fd;
    terminalBefore = before;
    struct sigaction giveBack = {};
    giveBack.sa_handler = giveTerminalBack; // without SA_RESTART: reading ends
    for (std::size_t i = 0; i < std::size(endingSignals); ++i) {
        ::sigaction(endingSignals[i], &giveBack, &handledBefore[i]);
    }
    ::tcsetattr(fd, TCSAFLUSH, &silent);
    const QByteArray text = terminalText(prompt).toUtf8();
    [[maybe_unused]] ssize_t written = ::write(fd, text.constData(), static_cast<std::size_t>(text.size()));
    QByteArray value;
    char byte = 0;
    bool isLine = false; // otherwise the terminal has ended, or a signal came
    while (!isLine && ::read(fd, &byte, 1) == 1 && value.size() < mostBytes) {
        isLine = byte == '\n';
        if (!isLine) {
            value.append(byte);
        }
    }
    ::tcsetattr(fd, TCSAFLUSH, &before);
    for (std::size_t i = 0; i < std::size(endingSignals); ++i) {
        ::sigaction(endingSignals[i], &handledBefore[i], nullptr);
    }
    if (!shown) {
        written = ::write(fd, "\n", 1);
    }
    ::close(fd);
    return isLine || !value.isEmpty() ? std::optional(QString::fromUtf8(value)) : std::nullopt;
}

int usageError(const QString &command, const QString &message)
{
    noteFailure(u"usage"_s, message);
    errorLine(message);
    errorLine(command.isEmpty() ? tr("Try 'trainyardctl --help'.") : tr("Try 'trainyardctl %1 --help'.").arg(command));
    return exitUnusable;
}

} // namespace trainyard::cli
