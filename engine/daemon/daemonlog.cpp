// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/daemonlog.h"

#include <QDateTime>
#include <QFile>
#include <QMutex>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

namespace trainyard
{
namespace
{

constexpr qint64 mostBytes = 4 << 20;

struct LogFile {
    QMutex mutex;
    QByteArray path;
    qint64 size = 0;
};

LogFile &logFile()
{
    static LogFile instance;
    return instance;
}

bool openLog()
{
    LogFile &log = logFile();
    const int fd = ::open(log.path.constData(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) {
        return false;
    }
    struct stat info {
    };
    log.size = ::fstat(fd, &info) == 0 ? info.st_size : 0;
    ::dup2(fd, STDOUT_FILENO);
    ::dup2(fd, STDERR_FILENO);
    if (fd > STDERR_FILENO) {
        ::close(fd);
    }
    return true;
}

void startNewFile()
{
    LogFile &log = logFile();
    const QByteArray old = log.path + ".1";
    ::rename(log.path.constData(), old.constData());
    openLog();
}

void writeMessage(QtMsgType type, const QMessageLogContext &, const QString &message)
{
    LogFile &log = logFile();
    const char *word = "info";
    switch (type) {
    case QtDebugMsg:
        word = "debug";
        break;
    case QtInfoMsg:
        break;
    case QtWarningMsg:
        word = "warning";
        break;
    case QtCriticalMsg:
        word = "error";
        break;
    case QtFatalMsg:
        word = "fatal";
        break;
    }
    const QByteArray line = QDateTime::currentDateTimeUtc().toString(Qt::ISODateWithMs).toLatin1() + ' '
        + QByteArray::number(::getpid()) + ' ' + word + ": " + DaemonLog::escaped(message) + '\n';
    const QMutexLocker locker(&log.mutex);
    if (log.size + line.size() > mostBytes) {
        startNewFile();
    }
    log.size += line.size();
    // A full disk must not end the daemon: what cannot be written is lost.
    [[maybe_unused]] const ssize_t written
        = ::write(STDERR_FILENO, line.constData(), static_cast<std::size_t>(line.size()));
}

} // namespace

QByteArray DaemonLog::escaped(const QString &message)
{
    const QByteArray text = message.toUtf8();
    QByteArray shown;
    shown.reserve(text.size());
    for (const char each : text) {
        const auto byte = static_cast<unsigned char>(each);
        if (each == '\n') {
            shown += "\\n";
        } else if (each == '\t' || (byte >= ' ' && byte != 0x7f)) {
            shown += each;
        } else {
            constexpr const char *digits = "0123456789abcdef";
            shown += "\\x";
            shown += digits[byte >> 4];
            shown += digits[byte & 15];
        }
    }
    return shown;
}

bool DaemonLog::start(const QString &file)
{
    LogFile &log = logFile();
    log.path = QFile::encodeName(file);
    if (!openLog()) {
        return false;
    }
    if (log.size > mostBytes) {
        startNewFile();
    }
    qInstallMessageHandler(writeMessage);
    return true;
}

} // namespace trainyard
