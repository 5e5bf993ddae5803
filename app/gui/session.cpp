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
#include <optional>
#include <utility>

namespace trainyard
{
namespace
{
// Bytes that are no text survive the way through JSON.
QString encoded(const QByteArray &bytes) { return QString::fromLatin1(bytes.toBase64()); }
QByteArray decoded(const QJsonValue &value) { return QByteArray::fromBase64(value.toString().toLatin1()); }
} // namespace

QString sessionFolder() { return paths::stateFolder() + QStringLiteral("/autosave"); }

QString sessionFile() { return sessionFolder() + QStringLiteral("/session.json"); }

Session loadSession(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    const QJsonObject json = QJsonDocument::fromJson(file.readAll()).object();
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
            o.value(QStringLiteral("edited")).toBool(true), o.value(QStringLiteral("earlier")).toBool()});
    }
    return session;
}

namespace
{

// What a session had of the same document.
QByteArray textOf(const Session &before, const SessionTab &tab)
{
    const auto same = std::find_if(before.tabs.cbegin(), before.tabs.cend(), [&tab](const SessionTab &each) {
        return each.kind == tab.kind && each.path == tab.path && each.name == tab.name;
    });
    return same == before.tabs.cend() ? QByteArray() : same->text;
}

} // namespace

bool saveSession(const Session &session, const QString &path)
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
            {QStringLiteral("edited"), tab.edited}, {QStringLiteral("earlier"), tab.earlier}});
    }
    const QByteArray bytes
        = QJsonDocument(QJsonObject{{QStringLiteral("tabs"), tabs}, {QStringLiteral("current"), session.current}})
              .toJson(QJsonDocument::Compact);
    if (QFile before(path); before.open(QIODevice::ReadOnly) && before.readAll() == bytes) {
        return true; // it is looked at often
    }
    if (!paths::ensurePrivateFolder(paths::stateFolder()) || !paths::ensurePrivateFolder(QFileInfo(path).path())) {
        return false;
    }
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) {
        return false;
    }
    file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner);
    return !writeWhole(file, bytes); // if it fails, the session before stays
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
};

SessionWriter::SessionWriter(const QString &path) : m_path(path), m_waiting(std::make_shared<Waiting>())
{
    m_pool.setMaxThreadCount(1);
}

SessionWriter::~SessionWriter() { finish(); }

void SessionWriter::write(const Session &session)
{
    {
        const QMutexLocker lock(&m_waiting->mutex);
        if (std::exchange(m_waiting->session, session)) {
            return; // whoever was to write the one before writes this one
        }
    }
    threads::runOnPool(
        [waiting = m_waiting, path = m_path] {
            std::optional<Session> newest;
            {
                const QMutexLocker lock(&waiting->mutex);
                newest = std::exchange(waiting->session, std::nullopt);
            }
            if (newest) {
                saveSession(*newest, path);
            }
        },
        &m_pool);
}

void SessionWriter::finish() { m_pool.waitForDone(); }

} // namespace trainyard
