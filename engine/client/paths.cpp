// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/paths.h"

#include "engine/client/foldertrust.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <pwd.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace trainyard::paths
{
namespace
{

// The variable counts only when absolute, as the XDG specification says.
QString xdg(const char *variable, const QString &otherwise)
{
    const QString value = QFile::decodeName(qgetenv(variable));
    return value.startsWith(QLatin1Char('/')) ? QDir::cleanPath(value) : otherwise;
}

// Below the home folder; without an account that has one, HOME is the root.
QString inHome(QLatin1StringView folder) { return QDir::cleanPath(QDir::homePath() + folder); }

QString userId() { return QString::number(::getuid()); }

quint32 fileSystemType(const QString &folder)
{
    QString path = QDir::cleanPath(folder);
    struct statfs fs {
    };
    while (::statfs(QFile::encodeName(path).constData(), &fs) != 0) {
        const QString parent = QFileInfo(path).path();
        if (parent == path || path.isEmpty()) {
            return 0;
        }
        path = parent;
    }
    return static_cast<quint32>(fs.f_type);
}

// The folder that the system makes for the user's sessions, even if no variable names it; empty: there is none.
QString sessionFolder()
{
    for (const QString &folder : {xdg("XDG_RUNTIME_DIR", {}), QString(QStringLiteral("/run/user/") + userId())}) {
        struct stat info {
        };
        if (!folder.isEmpty() && ::lstat(QFile::encodeName(folder).constData(), &info) == 0 && S_ISDIR(info.st_mode)
            && info.st_uid == ::getuid() && (info.st_mode & 022) == 0) {
            return folder;
        }
    }
    return {};
}

// In a folder like /tmp another user can take our name first, and only that user and root can give it back.
bool isOthers(const QString &folder)
{
    struct stat info {
    };
    return ::lstat(QFile::encodeName(folder).constData(), &info) == 0
        && (!S_ISDIR(info.st_mode) || info.st_uid != ::getuid());
}

QString plainStateFolder()
{
    return xdg("XDG_STATE_HOME", inHome(QLatin1StringView("/.local/state"))) + QStringLiteral("/trainyard/")
        + machineId();
}

QString temporaryStateFolder()
{
    const QString session = sessionFolder();
    return session.isEmpty() ? QString() : session + QStringLiteral("/trainyard/state/") + machineId();
}

} // namespace

void useHomeOfAccount()
{
    if (!qEnvironmentVariableIsEmpty("HOME")) {
        return;
    }
    const passwd *account = ::getpwuid(::getuid());
    if (account && account->pw_dir && *account->pw_dir == '/') {
        qputenv("HOME", account->pw_dir);
    }
}

QString machineId()
{
    for (const QString &path : {QStringLiteral("/etc/machine-id"), QStringLiteral("/var/lib/dbus/machine-id")}) {
        QFile file(path);
        if (file.open(QIODevice::ReadOnly)) {
            const QByteArray id = file.read(64).trimmed();
            if (id.size() == 32 && QByteArray::fromHex(id).size() == 16) {
                return QString::fromLatin1(id);
            }
        }
    }
    char name[256] = {};
    ::gethostname(name, sizeof name - 1);
    QString host = QString::fromLocal8Bit(name);
    for (QChar &c : host) {
        if (!c.isLetterOrNumber() && c != QLatin1Char('-')) {
            c = QLatin1Char('-');
        }
    }
    return QStringLiteral("host-") + host;
}

QString configFolder()
{
    return xdg("XDG_CONFIG_HOME", inHome(QLatin1StringView("/.config"))) + QStringLiteral("/trainyard");
}

bool stateFolderIsTemporary() { return stateFolder() == temporaryStateFolder(); }

QString stateFolder()
{
    const QString plain = plainStateFolder();
    if (!isNetworkFileSystem(plain)) {
        return plain;
    }
    const QString shared = QStringLiteral("/var/tmp/trainyard-") + userId();
    const QString temporary = temporaryStateFolder();
    // A folder that is in use stays in use: a store must not move because an administrator cleared the other folder.
    const bool moved
        = !temporary.isEmpty() && (isOthers(shared) || QFileInfo::exists(temporary + QStringLiteral("/store.db")));
    return moved ? temporary : shared + QLatin1Char('/') + machineId();
}

QString runtimeFolder()
{
    const QString shared = QStringLiteral("/tmp/trainyard-") + userId();
    QString base = xdg("XDG_RUNTIME_DIR", {});
    if (!QFileInfo(base).isDir()) {
        base = isOthers(shared) ? sessionFolder() : QString();
    }
    return base.isEmpty() ? shared : base + QStringLiteral("/trainyard");
}

bool isNetworkFileSystem(const QString &folder)
{
    switch (fileSystemType(folder)) {
    case 0x6969: // NFS
    case 0xFF534D42: // CIFS
    case 0xFE534D42: // SMB2
    case 0x517B: // SMB
    case 0x65735546: // FUSE
    case 0x0BD00BD0: // Lustre
    case 0x5346414F: // AFS
    case 0x01021997: // 9p
    case 0x00C36400: // Ceph
    case 0x47504653: // GPFS
    case 0x19830326: // BeeGFS
        return true;
    default:
        return false;
    }
}

bool isTmpfs(const QString &folder)
{
    const quint32 type = fileSystemType(folder);
    return type == 0x01021994 || type == 0x858458F6; // tmpfs, ramfs
}

// Like mkdir -p; 0, or why the first folder that is missing cannot be made.
static int makeFolders(const QString &folder)
{
    const QByteArray path = QFile::encodeName(folder);
    // Below a folder that all users may write to, nothing is open to others.
    const mode_t mode = FolderTrust(::getuid()).look(QFileInfo(folder).path()).isShared ? 0700 : 0777;
    if (::mkdir(path.constData(), mode) == 0 || errno == EEXIST) {
        return 0;
    }
    const QString parent = QFileInfo(folder).path();
    if (errno != ENOENT || parent == folder) {
        return errno;
    }
    if (const int error = makeFolders(parent); error != 0) {
        return error;
    }
    return ::mkdir(path.constData(), mode) == 0 || errno == EEXIST ? 0 : errno;
}

Result<QString> ensurePrivateFolder(const QString &folder)
{
    const QByteArray path = QFile::encodeName(folder);
    const FolderTrust trust(::getuid());
    const auto cannot = [&](int error) -> Result<QString> {
        return fail(QStringLiteral("folder.cannot-make"),
            {{QStringLiteral("folder"), folder},
                {QStringLiteral("message"), QString::fromLocal8Bit(std::strerror(error))}});
    };
    const auto refuse = [&](const FolderTrust::Found &found, const QString &reason) -> Result<QString> {
        const bool isTaken = found.isShared && reason == QLatin1StringView("owner");
        return fail(isTaken ? QStringLiteral("folder.taken") : QStringLiteral("folder.not-private"),
            {{QStringLiteral("folder"), found.at}, {QStringLiteral("reason"), reason}});
    };
    // In a folder like /tmp another user may have put a link or a folder there first, and the owner of a folder above
    // can replace ours: so it is checked before something is made there, and again afterwards.
    if (const FolderTrust::Found found = trust.look(folder); !found.reason.isEmpty()) {
        return refuse(found, found.reason);
    }
    int made = ::mkdir(path.constData(), 0700) == 0 ? 0 : errno;
    if (made == ENOENT) {
        if (const int error = makeFolders(QFileInfo(folder).path()); error != 0) {
            return cannot(error);
        }
        made = ::mkdir(path.constData(), 0700) == 0 ? 0 : errno;
    }
    const FolderTrust::Found found = trust.look(folder);
    if (found.error != 0) {
        // The reason is not that it is missing but why it could not be made.
        return cannot(made != 0 && made != EEXIST ? made : found.error);
    }
    if (!found.reason.isEmpty()) {
        return refuse(found, found.reason);
    }
    if ((found.mode & 077) != 0 && ::chmod(path.constData(), 0700) != 0) {
        return refuse(found, QStringLiteral("mode"));
    }
    return folder;
}

Result<QString> engineSocket(const QString &runtimeFolder, const QString &stateFolder)
{
    // Named after the state folder: two engines with different stores may share a runtime folder.
    const QByteArray hash
        = QCryptographicHash::hash(QFile::encodeName(QDir::cleanPath(stateFolder)), QCryptographicHash::Sha1)
              .toHex()
              .left(8);
    const QString path
        = runtimeFolder + QStringLiteral("/engine-") + QString::fromLatin1(hash) + QStringLiteral(".sock");
    constexpr int limit = sizeof(sockaddr_un::sun_path) - 1;
    const auto bytes = QFile::encodeName(path).size();
    if (bytes > limit) {
        return fail(QStringLiteral("socket.path-too-long"),
            {{QStringLiteral("path"), path}, {QStringLiteral("bytes"), qint64(bytes)},
                {QStringLiteral("limit"), limit}});
    }
    return path;
}

QString program(const QString &name)
{
    const QString own = QCoreApplication::applicationDirPath();
    for (const char16_t *folder : {u"", u"/../libexec/trainyard", u"/../lib/trainyard", u"/../libexec"}) {
        const QFileInfo file(own + QStringView(folder) + QLatin1Char('/') + name);
        if (file.isFile() && file.isExecutable()) {
            return file.canonicalFilePath();
        }
    }
    return {};
}

QString foregroundFolder(const QString &stateFolder) { return stateFolder + QStringLiteral("/foreground"); }

} // namespace trainyard::paths
