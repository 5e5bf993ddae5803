// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/documentfile.h"

#include "engine/client/wholefile.h"
#include "model/protocol/jobdocument.h"

#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>
#include <QFileSystemWatcher>
#include <QSaveFile>
#include <QTimer>

#include <utility>

namespace trainyard
{
namespace
{

// Far beyond any text: only so that a disk image dropped by mistake does not fill the memory.
constexpr qint64 mostReadable = qint64(256) << 20;
constexpr int settleMs = 120; // editors write in several steps

QByteArray digestOf(const QByteArray &bytes) { return QCryptographicHash::hash(bytes, QCryptographicHash::Sha1); }

Result<QByteArray> readWhole(const QString &path)
{
    const QFileInfo info(path);
    if (info.isDir()) {
        return fail(QStringLiteral("file.is-folder"), {{QStringLiteral("file"), path}});
    }
    // Opening a named pipe waits for its writer, and with it the window.
    if (info.exists() && !info.isFile()) {
        return fail(QStringLiteral("file.not-regular"), {{QStringLiteral("file"), path}});
    }
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return fail(QStringLiteral("file.unreadable"),
            {{QStringLiteral("file"), path}, {QStringLiteral("reason"), file.errorString()}});
    }
    if (file.size() > mostReadable) {
        return fail(QStringLiteral("file.too-large"),
            {{QStringLiteral("file"), path}, {QStringLiteral("limit"), mostReadable}});
    }
    const QByteArray bytes = file.read(mostReadable);
    if (file.error() != QFileDevice::NoError) {
        return fail(QStringLiteral("file.unreadable"),
            {{QStringLiteral("file"), path}, {QStringLiteral("reason"), file.errorString()}});
    }
    return bytes;
}

// A file that can be written to, in a folder that cannot.
bool isInClosedFolder(const QFileInfo &file)
{
    return file.isFile() && file.isWritable()
        && !QFileInfo(QFileInfo(file.canonicalFilePath()).absolutePath()).isWritable();
}

std::optional<QString> replaceFile(const QFileInfo &info, const QByteArray &bytes)
{
    QSaveFile file(info.absoluteFilePath());
    bool isOpen = file.open(QIODevice::WriteOnly);
    if (isOpen && !info.exists() && !secretValuesIn(YamlDocument::parse(bytes)).isEmpty()) {
        isOpen = file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner);
    }
    return isOpen ? writeWhole(file, bytes) : file.errorString();
}

} // namespace

DocumentFile::DocumentFile(QObject *parent)
    : QObject(parent), m_watcher(new QFileSystemWatcher(this)), m_settle(new QTimer(this))
{
    m_settle->setSingleShot(true);
    m_settle->setInterval(settleMs);
    connect(m_settle, &QTimer::timeout, this, &DocumentFile::check);
    connect(m_watcher, &QFileSystemWatcher::fileChanged, this, [this] { m_settle->start(); });
    connect(m_watcher, &QFileSystemWatcher::directoryChanged, this, [this] {
        // The file came back, or was replaced by a rename.
        if (m_missing || !m_watcher->files().contains(m_path)) {
            m_settle->start();
        }
    });
}

Result<QByteArray> DocumentFile::open(const QString &path)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    Result<QByteArray> bytes = readWhole(absolute);
    if (bytes) {
        m_path = absolute;
        m_digest = digestOf(*bytes);
        m_unanswered = false;
        watch();
    }
    return bytes;
}

Result<void> DocumentFile::save(const QString &path, const QByteArray &bytes)
{
    const QFileInfo info(path);
    const QString absolute = info.absoluteFilePath();
    if (absolute == m_path && isChanged()) {
        return fail(QStringLiteral("file.changed"), {{QStringLiteral("file"), absolute}});
    }
    if (isWriteProtected(absolute)) {
        return fail(QStringLiteral("file.write-protected"), {{QStringLiteral("file"), absolute}});
    }
    if (const std::optional<QString> why
        = isInClosedFolder(info) ? writeOver(absolute, bytes) : replaceFile(info, bytes)) {
        return fail(
            QStringLiteral("file.unwritable"), {{QStringLiteral("file"), absolute}, {QStringLiteral("reason"), *why}});
    }
    m_path = absolute;
    m_digest = digestOf(bytes);
    m_unanswered = false;
    watch();
    return {};
}

void DocumentFile::look()
{
    m_settle->stop();
    check();
}

void DocumentFile::acceptChange() { m_unanswered = false; }

void DocumentFile::setDigest(const QByteArray &known)
{
    m_digest = known;
    check();
}

void DocumentFile::close()
{
    m_path.clear();
    m_unanswered = false;
    watch();
}

void DocumentFile::watch()
{
    m_settle->stop();
    m_missing = false;
    const QStringList files = m_watcher->files();
    const QStringList folders = m_watcher->directories();
    if (!files.isEmpty()) {
        m_watcher->removePaths(files);
    }
    if (!folders.isEmpty()) {
        m_watcher->removePaths(folders);
    }
    if (!m_path.isEmpty()) {
        m_watcher->addPath(m_path);
        m_watcher->addPath(QFileInfo(m_path).absolutePath());
    }
}

void DocumentFile::check()
{
    if (m_path.isEmpty()) {
        return;
    }
    if (!QFileInfo::exists(m_path)) {
        if (!m_missing) {
            m_missing = true;
            Q_EMIT removedFromDisk();
        }
        return;
    }
    // A file that was replaced by another one is no longer watched.
    if (!m_watcher->files().contains(m_path)) {
        m_watcher->addPath(m_path);
    }
    const std::optional<QByteArray> bytes = readAgain(false);
    // An unreadable file is not back yet.
    if (bytes && std::exchange(m_missing, false) && !m_unanswered) {
        Q_EMIT returnedToDisk(*bytes);
    }
}

// The watcher may be late, and does not see what happens on another computer.
bool DocumentFile::isChanged()
{
    return QFileInfo::exists(m_path) && readAgain(true) && m_unanswered; // else gone, or what writing will find out
}

std::optional<QByteArray> DocumentFile::readAgain(bool tellsAgain)
{
    const Result<QByteArray> bytes = readWhole(m_path);
    if (!bytes) {
        return std::nullopt;
    }
    const QByteArray digest = digestOf(*bytes);
    if (digest != m_digest || (tellsAgain && m_unanswered)) {
        m_base = m_unanswered ? m_base : m_digest;
        m_digest = digest;
        m_unanswered = true;
        Q_EMIT changedOnDisk(*bytes);
    }
    return *bytes;
}

} // namespace trainyard
