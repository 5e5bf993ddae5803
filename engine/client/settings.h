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

// engine.json: the settings of the engine under dotted keys. resources/settings.json has key, title, type, default,
// limits and help of each. Apart from users who edit it, only the daemon writes the file, atomically. Unknown keys are
// kept, since a newer version may have written them. A value of the wrong type or outside its limits counts as not set.
class Settings
{
public:
    // Reads the file. When that fails the defaults are used, and reload() says why.
    explicit Settings(const QString &file = {});

    // The table of the resource.
    static QJsonArray table();

    // Reads the file again. Error "settings.unreadable" {file, message}; the former values stay then.
    Result<bool> reload();
    // "settings.unknown" {key}, "settings.bad-value" {key, type, min, max, values, help, wrong}, "settings.reversed"
    // {key, low, high, lowValue, highValue}, "settings.cannot-write" {file, message}.
    Result<bool> set(const QString &key, const QJsonValue &value);

    QJsonValue value(const QString &key) const;
    qint64 integer(const QString &key) const;
    bool flag(const QString &key) const;
    QString text(const QString &key) const;
    QStringList list(const QString &key) const;
    // The values of keys that users name, which are "storages.*" in the table, by what follows the prefix.
    QMap<QString, QString> texts(const QString &prefix) const;
    QStringList ignored() const; // keys of the file whose value is not a possible one
    // First and last keys of ranges whose first value is above the last one: "settings.reversed" of each.
    QList<Error> reversed() const;
    QStringList unknown() const; // keys of the file that this version does not have
    // The entry of the table for a key, also for one of a family: type, default, limits, help. Empty when there is no
    // such key.
    static QJsonObject about(const QString &key);
    QJsonObject all() const; // every known key with its effective value

private:
    QString m_file;
    QJsonObject m_values;
};

// Writes the bytes to a new file of mode 0600 and renames it over the old one, so that a reader never sees half of
// them.
Result<bool> writeAtomically(const QString &file, const QByteArray &bytes);

} // namespace trainyard
