// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/settings.h"

#include "engine/client/metricpatterns.h"
#include "engine/client/webaddress.h"
#include "engine/client/wholefile.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QSaveFile>

#include <algorithm>
#include <cmath>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

const QHash<QString, QJsonObject> &entries()
{
    static const QHash<QString, QJsonObject> byKey = [] {
        QHash<QString, QJsonObject> map;
        const QJsonArray table = Settings::table();
        for (const QJsonValue &entry : table) {
            map.insert(entry[u"key"].toString(), entry.toObject());
        }
        return map;
    }();
    return byKey;
}

// The entry of a key or of its family: storages.data belongs to storages.*
QHash<QString, QJsonObject>::const_iterator entryOf(const QString &key)
{
    const auto entry = entries().constFind(key);
    const qsizetype dot = key.indexOf(u'.');
    const bool isNamed = dot > 0 && dot + 1 < key.size() && !key.endsWith(u'*');
    return entry == entries().cend() && isNamed ? entries().constFind(key.first(dot + 1) + u'*') : entry;
}

// Whether the text has the shape that an entry asks for under this name, if it asks for one.
bool hasShape(const QJsonObject &entry, QLatin1StringView shape, const QJsonValue &value)
{
    const QString pattern = entry.value(shape).toString();
    return value.isString()
        && (pattern.isEmpty()
            || QRegularExpression(QRegularExpression::anchoredPattern(pattern)).match(value.toString()).hasMatch());
}

bool isMetricPattern(const QString &expression)
{
    return MetricPatterns(QMap<QString, QString>{{u"metric"_s, expression}}).faults().isEmpty();
}

// A text of the shape that the entry asks for, and one of its words if it has any.
bool isWord(const QJsonObject &entry, const QJsonValue &value)
{
    const QJsonArray values = entry.value(u"values").toArray();
    const bool isAddress = entry.value(u"isAddress").toBool() && !value.toString().isEmpty();
    return hasShape(entry, "pattern"_L1, value) && (values.isEmpty() || values.contains(value))
        && (!isAddress || isWebAddress(value.toString()))
        && (!entry.value(u"isMetricPattern").toBool() || isMetricPattern(value.toString()));
}

// Undefined: all items are right.
QJsonValue wrongItem(const QJsonObject &entry, const QJsonArray &items)
{
    if (!items.isEmpty() && !hasShape(entry, "first"_L1, items.first())) {
        return items.first();
    }
    const auto wrong
        = std::find_if(items.begin(), items.end(), [&entry](const QJsonValue &item) { return !isWord(entry, item); });
    return wrong == items.end() ? QJsonValue(QJsonValue::Undefined) : QJsonValue(*wrong);
}

bool fits(const QJsonObject &entry, const QJsonValue &value)
{
    const QString type = entry.value(u"type").toString();
    if (type == "int"_L1) {
        const double number = value.toDouble(-1);
        return value.isDouble() && number == std::floor(number) && number >= entry.value(u"min").toDouble()
            && number <= entry.value(u"max").toDouble();
    }
    if (type == "bool"_L1) {
        return value.isBool();
    }
    if (type == "list"_L1) {
        return value.isArray() && wrongItem(entry, value.toArray()).isUndefined();
    }
    return isWord(entry, value);
}

// The details of a refusal: the valid values, and the invalid one. A free text is not repeated, because it may be an
// address with a password.
QJsonObject refusedValue(const QString &key, const QJsonObject &entry, const QJsonValue &value)
{
    QJsonObject args{{u"key"_s, key}};
    for (const QString &name : {u"type"_s, u"min"_s, u"max"_s, u"values"_s, u"help"_s}) {
        args.insert(name, entry.value(name)); // without a value: nothing is inserted
    }
    const bool isList = value.isArray();
    const bool isOneOfFew = entry.contains(u"values") || entry.value(u"type") == "bool"_L1;
    if (isOneOfFew || (isList && entry.contains(u"pattern") && !entry.contains(u"first"))) {
        args.insert(u"wrong"_s, isList ? wrongItem(entry, value.toArray()) : value);
    }
    return args;
}

QJsonValue effectiveSetting(const QString &key, const QJsonObject &values)
{
    const auto entry = entryOf(key);
    const QJsonValue own = values.value(key);
    return fits(*entry, own) ? own : entry->value(u"default");
}

// Checks the range that this key begins or ends, if it has no value in it.
std::optional<Error> reversedRange(const QJsonObject &entry, const QJsonObject &values)
{
    const QString key = entry.value(u"key").toString();
    const QString above = entry.value(u"notAbove").toString();
    const QString below = entry.value(u"notBelow").toString();
    if (above.isEmpty() && below.isEmpty()) {
        return std::nullopt;
    }
    const QString low = above.isEmpty() ? below : key;
    const QString high = above.isEmpty() ? key : above;
    const QJsonValue lowest = effectiveSetting(low, values);
    const QJsonValue highest = effectiveSetting(high, values);
    if (lowest.toDouble() <= highest.toDouble()) {
        return std::nullopt;
    }
    return Error{u"settings.reversed"_s,
        {{u"key"_s, key}, {u"low"_s, low}, {u"high"_s, high}, {u"lowValue"_s, lowest}, {u"highValue"_s, highest}}};
}

} // namespace

Settings::Settings(const QString &file) : m_file(file)
{
    if (!file.isEmpty()) {
        reload();
    }
}

QJsonArray Settings::table()
{
    QFile file(u":/trainyard/settings.json"_s);
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).array() : QJsonArray();
}

Result<bool> Settings::reload()
{
    QFile file(m_file);
    if (!file.exists()) {
        m_values = {};
        return true;
    }
    QJsonParseError error;
    const auto refuse = [&](const QString &message) {
        return fail(u"settings.unreadable"_s, {{u"file"_s, m_file}, {u"message"_s, message}});
    };
    if (!file.open(QIODevice::ReadOnly)) {
        return refuse(file.errorString());
    }
    const QJsonDocument document = QJsonDocument::fromJson(file.readAll(), &error);
    if (!document.isObject()) {
        return refuse(error.errorString());
    }
    m_values = document.object();
    return true;
}

Result<bool> Settings::set(const QString &key, const QJsonValue &value)
{
    const auto entry = entryOf(key);
    if (entry == entries().cend() || key.endsWith(u'*')) {
        return fail(u"settings.unknown"_s, {{u"key"_s, key}});
    }
    if (!value.isNull() && !fits(*entry, value)) {
        return fail(u"settings.bad-value"_s, refusedValue(key, *entry, value));
    }
    // Read first: the user may have edited the file by hand since.
    if (const Result<bool> read = reload(); !read) {
        return read;
    }
    QJsonObject next = m_values;
    if (value.isNull()) {
        next.remove(key);
    } else {
        next.insert(key, value);
    }
    if (const std::optional<Error> wrong = reversedRange(*entry, next)) {
        return tl::unexpected<Error>(*wrong);
    }
    if (const Result<bool> written = writeAtomically(m_file, QJsonDocument(next).toJson()); !written) {
        return written;
    }
    m_values = next;
    return true;
}

QJsonValue Settings::value(const QString &key) const
{
    const auto entry = entryOf(key);
    Q_ASSERT_X(entry != entries().cend(), "Settings::value", qPrintable(key));
    return effectiveSetting(key, m_values);
}

qint64 Settings::integer(const QString &key) const { return value(key).toInteger(); }
bool Settings::flag(const QString &key) const { return value(key).toBool(); }
QString Settings::text(const QString &key) const { return value(key).toString(); }

QStringList Settings::list(const QString &key) const
{
    QStringList texts;
    const QJsonArray array = value(key).toArray();
    for (const QJsonValue &item : array) {
        texts.append(item.toString());
    }
    return texts;
}

QMap<QString, QString> Settings::texts(const QString &prefix) const
{
    QMap<QString, QString> found;
    for (auto own = m_values.constBegin(); own != m_values.constEnd(); ++own) {
        if (own.key().startsWith(prefix) && own.value().isString() && !own.value().toString().isEmpty()) {
            found.insert(own.key().mid(prefix.size()), own.value().toString());
        }
    }
    return found;
}

QStringList Settings::ignored() const
{
    QStringList keys;
    for (auto own = m_values.constBegin(); own != m_values.constEnd(); ++own) {
        const auto entry = entryOf(own.key());
        if (entry != entries().cend() && !fits(*entry, own.value())) {
            keys.append(own.key());
        }
    }
    return keys;
}

QList<Error> Settings::reversed() const
{
    QList<Error> wrong;
    for (const QJsonObject &entry : entries()) {
        if (entry.contains(u"notAbove")) {
            if (std::optional<Error> error = reversedRange(entry, m_values)) {
                wrong.append(*error);
            }
        }
    }
    return wrong;
}

QStringList Settings::unknown() const
{
    QStringList keys;
    for (auto own = m_values.constBegin(); own != m_values.constEnd(); ++own) {
        if (entryOf(own.key()) == entries().cend()) {
            keys.append(own.key());
        }
    }
    return keys;
}

QJsonObject Settings::about(const QString &key)
{
    const auto entry = entryOf(key);
    return entry == entries().cend() ? QJsonObject() : *entry;
}

QJsonObject Settings::all() const
{
    QJsonObject values;
    for (auto it = entries().cbegin(); it != entries().cend(); ++it) {
        if (!it.key().endsWith(u'*')) {
            values.insert(it.key(), value(it.key()));
            continue;
        }
        const QString prefix = it.key().chopped(1);
        for (auto own = m_values.constBegin(); own != m_values.constEnd(); ++own) {
            if (own.key().startsWith(prefix) && fits(*it, own.value())) {
                values.insert(own.key(), own.value());
            }
        }
    }
    return values;
}

Result<bool> writeAtomically(const QString &path, const QByteArray &bytes)
{
    QDir().mkpath(QFileInfo(path).path());
    QSaveFile file(path);
    const auto refuse = [&](const QString &why) {
        return fail(u"settings.cannot-write"_s, {{u"file"_s, path}, {u"message"_s, why}});
    };
    if (!file.open(QIODevice::WriteOnly)) {
        return refuse(file.errorString());
    }
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
    if (const std::optional<QString> why = writeWhole(file, bytes)) {
        return refuse(*why);
    }
    return true;
}

} // namespace trainyard
