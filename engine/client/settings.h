// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <QJsonObject>
#include <QJsonValue>
#include <QMap>
#include <QString>
#include <QStringList>

namespace trainyard
{

// engine.json: the settings of the engine under dotted keys. resources/settings.json has key, type, default, limits and
// help of each. The file is written by the daemon only (and by people), atomically, and keys that it does not know are
// kept: a newer version may have written them. A value of the wrong type or outside its limits counts as not set.
class Settings
{
public:
    // Reads the file; where that fails, the defaults count, and reload() says why.
    explicit Settings(const QString &file = {});

    // The table, as the resource has it.
    static QJsonArray table();

    // Reads the file again. Error "settings.unreadable" {file, message}; the former values stay then.
    Result<bool> reload();
    // "settings.unknown" {key}, "settings.bad-value" {key, type, min, max}, "settings.cannot-write" {file, message}.
    Result<bool> set(const QString &key, const QJsonValue &value);

    QJsonValue value(const QString &key) const;
    qint64 integer(const QString &key) const;
    bool flag(const QString &key) const;
    QString text(const QString &key) const;
    QStringList list(const QString &key) const;
    // Of keys that a person names, "storages.*" in the table: what follows the prefix, and its text.
    QMap<QString, QString> texts(const QString &prefix) const;
    QStringList ignored() const; // keys of the file whose value is not a possible one
    QStringList unknown() const; // keys of the file that this version does not have
    // What the table has about a key, also about one of a family: type, default, limits, help. Empty: no such key.
    static QJsonObject about(const QString &key);
    QJsonObject all() const; // every known key with its effective value

private:
    QString m_file;
    QJsonObject m_values;
};

// The bytes in a new file beside it, then renamed over it: a reader never sees half. Mode 0600.
Result<bool> writeAtomically(const QString &file, const QByteArray &bytes);

} // namespace trainyard
