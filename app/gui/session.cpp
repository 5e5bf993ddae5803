// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session.h"

#include "engine/client/paths.h"
#include "engine/client/wholefile.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>

namespace trainyard
{
namespace
{
QString sessionFile() { return paths::stateFolder() + QStringLiteral("/autosave/session.json"); }

// Bytes that are no text survive the way through JSON.
QString encoded(const QByteArray &bytes) { return QString::fromLatin1(bytes.toBase64()); }
QByteArray decoded(const QJsonValue &value) { return QByteArray::fromBase64(value.toString().toLatin1()); }
} // namespace

Session loadSession()
{
    QFile file(sessionFile());
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
            decoded(o.value(QStringLiteral("base"))), o.value(QStringLiteral("edited")).toBool(true)});
    }
    return session;
}

void saveSession(const Session &session)
{
    QJsonArray tabs;
    for (const SessionTab &tab : session.tabs) {
        tabs.append(QJsonObject{{QStringLiteral("kind"), tab.kind}, {QStringLiteral("path"), tab.path},
            {QStringLiteral("name"), tab.name}, {QStringLiteral("uuid"), tab.uuid},
            {QStringLiteral("text"), encoded(tab.text)}, {QStringLiteral("modified"), tab.modified},
            {QStringLiteral("masked"), tab.masked}, {QStringLiteral("layout"), encoded(tab.layout)},
            {QStringLiteral("base"), encoded(tab.base)}, {QStringLiteral("edited"), tab.edited}});
    }
    const QString path = sessionFile();
    const QByteArray bytes
        = QJsonDocument(QJsonObject{{QStringLiteral("tabs"), tabs}, {QStringLiteral("current"), session.current}})
              .toJson(QJsonDocument::Compact);
    if (QFile before(path); before.open(QIODevice::ReadOnly) && before.readAll() == bytes) {
        return; // it is looked at often
    }
    if (!paths::ensurePrivateFolder(paths::stateFolder()) || !paths::ensurePrivateFolder(QFileInfo(path).path())) {
        return;
    }
    QSaveFile file(path);
    if (file.open(QIODevice::WriteOnly)) {
        file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner);
        writeWhole(file, bytes); // if it fails, the session before stays
    }
}

} // namespace trainyard
