// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session.h"

#include "engine/client/paths.h"
#include "engine/client/wholefile.h"
#include "model/base/threads.h"
#include "model/protocol/jobdocument.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMutex>
#include <QSaveFile>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <utility>

namespace trainyard
{
namespace
{
// Bytes that are not text survive the way through JSON.
QString encoded(const QByteArray &bytes) { return QString::fromLatin1(bytes.toBase64()); }
QByteArray decoded(const QJsonValue &value) { return QByteArray::fromBase64(value.toString().toLatin1()); }

QStringList textsOf(const QJsonValue &value)
{
    QStringList texts;
    const QJsonArray values = value.toArray();
    for (const QJsonValue &each : values) {
        texts.append(each.toString());
    }
    return texts;
}

// A disk that is busy takes seconds to confirm a file. Text that is typed meanwhile must outlive the window, so a
// session is first written without waiting for the disk, into a file beside the one that outlives a power cut too.
const QLatin1StringView newestSuffix(".newest");
// The number of a session, which rises with each one; it stands last, so that it can be told from all else.
const QByteArray serialKey = ",\"serial\":";

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

qint64 serialOf(const QByteArray &bytes)
{
    const qsizetype at = bytes.lastIndexOf(serialKey);
    return at < 0 ? 0 : bytes.mid(at + serialKey.size()).chopped(1).toLongLong();
}

// A power cut may leave the file that was not confirmed torn, empty or older than the confirmed one.
QJsonObject newestObject(const QString &path)
{
    const QByteArray confirmed = contentOf(path);
    const QByteArray newest = contentOf(path + newestSuffix);
    if (serialOf(newest) > serialOf(confirmed)) {
        const QJsonObject json = QJsonDocument::fromJson(newest).object();
        if (!json.isEmpty()) {
            return json;
        }
    }
    return QJsonDocument::fromJson(confirmed).object();
}

bool hasBody(const QByteArray &bytes, const QByteArray &body)
{
    return bytes.size() > body.size() && bytes.startsWith(body) && bytes.lastIndexOf(serialKey) == body.size();
}

// In the place of the one before, whole or not at all; the disk confirms it when it comes to it.
bool writeNewest(const QString &path, const QByteArray &bytes)
{
    const QString target = path + newestSuffix;
    QFile file(target + QStringLiteral(".part"));
    if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate)
        || !file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner) || !writeAll(file, bytes)
        || !file.flush()) {
        return false;
    }
    file.close();
    return std::rename(QFile::encodeName(file.fileName()).constData(), QFile::encodeName(target).constData()) == 0;
}

bool makeFolderOf(const QString &path)
{
    return paths::ensurePrivateFolder(paths::stateFolder()) && paths::ensurePrivateFolder(QFileInfo(path).path());
}
} // namespace

QString sessionFolder() { return paths::stateFolder() + QStringLiteral("/autosave"); }

QString sessionFile() { return sessionFolder() + QStringLiteral("/session.json"); }

Session loadSession(const QString &path)
{
    const QJsonObject json = newestObject(path);
    Session session;
    session.current = json.value(QStringLiteral("current")).toInt();
    const QJsonArray tabs = json.value(QStringLiteral("tabs")).toArray();
    for (const QJsonValue &value : tabs) {
        const QJsonObject o = value.toObject();
        session.tabs.append({o.value(QStringLiteral("kind")).toString(), o.value(QStringLiteral("path")).toString(),
            o.value(QStringLiteral("name")).toString(), o.value(QStringLiteral("uuid")).toString(),
            decoded(o.value(QStringLiteral("text"))), o.value(QStringLiteral("modified")).toBool(),
            o.value(QStringLiteral("masked")).toBool(), decoded(o.value(QStringLiteral("layout"))),
            decoded(o.value(QStringLiteral("base"))), o.value(QStringLiteral("origin")).toString(),
            o.value(QStringLiteral("edited")).toBool(true), o.value(QStringLiteral("earlier")).toBool(),
            o.value(QStringLiteral("target")).toString(), textsOf(o.value(QStringLiteral("runs")))});
    }
    return session;
}

namespace
{

// The entry of a session for the same document.
QByteArray textOf(const Session &before, const SessionTab &tab)
{
    const auto same = std::find_if(before.tabs.cbegin(), before.tabs.cend(), [&tab](const SessionTab &each) {
        return each.kind == tab.kind && each.path == tab.path && each.name == tab.name;
    });
    return same == before.tabs.cend() ? QByteArray() : same->text;
}

} // namespace

namespace
{

// All of it but its number and what closes it.
QByteArray bodyOf(const Session &session, const QString &path)
{
    QJsonArray tabs;
    std::optional<Session> last; // that was written
    for (SessionTab tab : session.tabs) {
        if (!tab.text.isEmpty()) {
            const QByteArray kept = storable(tab.text);
            tab.masked = tab.masked || kept != tab.text;
            tab.text = kept;
            if (kept.isEmpty()) {
                last = last ? last : loadSession(path);
                tab.text = textOf(*last, tab);
                tab.earlier = !tab.text.isEmpty();
            }
        }
        tabs.append(QJsonObject{{QStringLiteral("kind"), tab.kind}, {QStringLiteral("path"), tab.path},
            {QStringLiteral("name"), tab.name}, {QStringLiteral("uuid"), tab.uuid},
            {QStringLiteral("text"), encoded(tab.text)}, {QStringLiteral("modified"), tab.modified},
            {QStringLiteral("masked"), tab.masked}, {QStringLiteral("layout"), encoded(tab.layout)},
            {QStringLiteral("base"), encoded(tab.base)}, {QStringLiteral("origin"), tab.origin},
            {QStringLiteral("edited"), tab.edited}, {QStringLiteral("earlier"), tab.earlier},
            {QStringLiteral("target"), tab.target}, {QStringLiteral("runs"), QJsonArray::fromStringList(tab.runs)}});
    }
    return QJsonDocument(QJsonObject{{QStringLiteral("tabs"), tabs}, {QStringLiteral("current"), session.current}})
        .toJson(QJsonDocument::Compact)
        .chopped(1);
}

// The file to confirm; nothing: the newest one could not be written.
std::optional<QByteArray> writeNewestOf(const Session &session, const QString &path)
{
    static QMutex oneAtATime; // two of the same number could not be told apart
    const QMutexLocker lock(&oneAtATime);
    const QByteArray body = bodyOf(session, path);
    const QByteArray confirmed = contentOf(path);
    const QByteArray newest = contentOf(path + newestSuffix);
    const qint64 serial = std::max(serialOf(confirmed), serialOf(newest));
    if (hasBody(newest, body) && serialOf(newest) == serial) {
        return newest; // it is looked at often
    }
    const QByteArray bytes = body + serialKey + QByteArray::number(serial + 1) + '}';
    if (!makeFolderOf(path) || !writeNewest(path, bytes)) {
        return std::nullopt;
    }
    return bytes;
}

bool confirm(const QByteArray &bytes, const QString &path)
{
    if (contentOf(path) == bytes) {
        return true;
    }
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) {
        return false;
    }
    file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner);
    return !writeWhole(file, bytes); // if it fails, the session before stays
}

} // namespace

bool saveSession(const Session &session, const QString &path)
{
    const std::optional<QByteArray> bytes = writeNewestOf(session, path);
    return bytes && confirm(*bytes, path);
}

QStringList sessionFiles()
{
    const QDir folder(sessionFolder());
    QStringList files;
    const QStringList names = folder.entryList(
        {QStringLiteral("session*.json"), QStringLiteral("session*.json") + newestSuffix}, QDir::Files, QDir::Name);
    for (const QString &name : names) {
        files.append(folder.filePath(name.endsWith(newestSuffix) ? name.chopped(newestSuffix.size()) : name));
    }
    files.removeDuplicates();
    return files;
}

void removeSession(const QString &path)
{
    QFile::remove(path + newestSuffix);
    QFile::remove(path);
}

QByteArray storable(const QByteArray &bytes)
{
    if (const Result<QByteArray> masked = maskSecrets(bytes)) {
        return *masked;
    }
    const bool mayHoldSecrets = bytes.toLower().contains("secret") || bytes.toLower().contains("password")
        || bytes.contains('\0') || bytes.contains("\\x");
    return mayHoldSecrets ? QByteArray() : bytes;
}

struct SessionWriter::Waiting {
    QMutex mutex;
    std::optional<Session> session;
    std::optional<QByteArray> unconfirmed;
};

SessionWriter::SessionWriter(const QString &path, Confirm confirmed)
    : m_path(path), m_confirm(confirmed ? std::move(confirmed) : Confirm(confirm)),
      m_waiting(std::make_shared<Waiting>())
{
    m_confirming.setMaxThreadCount(1);
    m_pool.setMaxThreadCount(1);
}

SessionWriter::~SessionWriter() { finish(); }

void SessionWriter::write(const Session &session)
{
    {
        const QMutexLocker lock(&m_waiting->mutex);
        if (std::exchange(m_waiting->session, session)) {
            return; // the task that was to write the previous one writes this one
        }
    }
    threads::runOnPool(
        [this] {
            std::optional<Session> newest;
            {
                const QMutexLocker lock(&m_waiting->mutex);
                newest = std::exchange(m_waiting->session, std::nullopt);
            }
            if (newest) {
                writeDown(*newest);
            }
        },
        &m_pool);
}

// Runs on the thread that never waits for the disk.
void SessionWriter::writeDown(const Session &session)
{
    const std::optional<QByteArray> bytes = writeNewestOf(session, m_path);
    m_failed = !bytes.has_value();
    if (!bytes) {
        return;
    }
    {
        const QMutexLocker lock(&m_waiting->mutex);
        if (std::exchange(m_waiting->unconfirmed, bytes)) {
            return;
        }
    }
    threads::runOnPool(
        [this] {
            std::optional<QByteArray> newest;
            {
                const QMutexLocker lock(&m_waiting->mutex);
                newest = std::exchange(m_waiting->unconfirmed, std::nullopt);
            }
            if (newest) {
                m_confirm(*newest, m_path);
            }
        },
        &m_confirming);
}

void SessionWriter::finish()
{
    m_pool.waitForDone();
    m_confirming.waitForDone();
}

} // namespace trainyard
