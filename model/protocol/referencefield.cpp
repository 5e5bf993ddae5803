// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/referencefield.h"

#include <QHash>
#include <QJsonArray>
#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard
{

tl::unexpected<Error> fieldjson::invalid(const QString &what, const QString &entry)
{
    return fail(u"fieldreference.invalid"_s, QJsonObject{{u"what"_s, what}, {u"entry"_s, entry}});
}

QString fieldjson::unknownKey(const QJsonObject &json, std::initializer_list<QLatin1StringView> known)
{
    for (auto it = json.begin(); it != json.end(); ++it) {
        if (std::find(known.begin(), known.end(), it.key()) == known.end()) {
            return it.key();
        }
    }
    return {};
}

namespace
{

const QHash<QString, FieldType> &typeWords()
{
    static const QHash<QString, FieldType> words{{u"text"_s, FieldType::Text}, {u"integer"_s, FieldType::Integer},
        {u"boolean"_s, FieldType::Boolean}, {u"list"_s, FieldType::List}, {u"map"_s, FieldType::Map},
        {u"any"_s, FieldType::Any}, {u"text-or-number"_s, FieldType::TextOrNumber}, {u"version"_s, FieldType::Version}};
    return words;
}

QStringList texts(const QJsonValue &list)
{
    QStringList result;
    for (const QJsonValue &value : list.toArray()) {
        result.append(value.toString());
    }
    return result;
}

std::optional<Severity> severityOf(const QJsonValue &word, Severity usual)
{
    static const QHash<QString, Severity> words{
        {u"error"_s, Severity::Error}, {u"warning"_s, Severity::Warning}, {u"note"_s, Severity::Note}};
    if (word.isUndefined()) {
        return usual;
    }
    const auto found = words.constFind(word.toString());
    return found == words.constEnd() ? std::nullopt : std::optional(*found);
}

std::optional<qint64> numberOf(const QJsonValue &value)
{
    return value.isDouble() ? std::optional(value.toInteger()) : std::nullopt;
}

// The first unknown word.
QString unknownWord(const QStringList &list, std::initializer_list<QLatin1StringView> known)
{
    for (const QString &word : list) {
        if (std::find(known.begin(), known.end(), word) == known.end()) {
            return word;
        }
    }
    return {};
}

Result<FieldReading> readReading(const QJsonObject &json, const QString &path, const QJsonValue &minimum)
{
    using Server = FieldReading::Server;
    static const QHash<QString, Server> servers{{u"checks all"_s, Server::ChecksAll},
        {u"takes any range"_s, Server::TakesAnyRange}, {u"takes any type"_s, Server::TakesAnyType},
        {u"takes all"_s, Server::TakesAll}};
    const QString unknown = fieldjson::unknownKey(json,
        {"server"_L1, "min"_L1, "least"_L1, "most"_L1, "missing"_L1, "missingCode"_L1, "insert"_L1, "wrong"_L1,
            "wrongCode"_L1, "wrongArgs"_L1, "offer"_L1, "instead"_L1, "unknown"_L1, "unread"_L1, "elsewhere"_L1});
    if (!unknown.isEmpty()) {
        return fieldjson::invalid(unknown, path);
    }
    FieldReading reading;
    const QString server = json.value("server"_L1).toString(u"checks all"_s);
    const auto missing = severityOf(json.value("missing"_L1), Severity::Error);
    const auto wrong = severityOf(json.value("wrong"_L1), Severity::Warning);
    const QString unknownKeys = json.value("unknown"_L1).toString(u"refused"_s);
    if (!servers.contains(server)) {
        return fieldjson::invalid(server, path);
    }
    if (!missing || !wrong) {
        return fieldjson::invalid(missing ? u"wrong"_s : u"missing"_s, path);
    }
    if (unknownKeys != "refused"_L1 && unknownKeys != "ignored"_L1) {
        return fieldjson::invalid(unknownKeys, path);
    }
    reading.server = servers.value(server);
    reading.minimum = numberOf(json.contains("min"_L1) ? json.value("min"_L1) : minimum);
    reading.least = numberOf(json.value("least"_L1));
    reading.most = numberOf(json.value("most"_L1));
    reading.missing = *missing;
    reading.missingCode = json.value("missingCode"_L1).toString();
    reading.insert = json.value("insert"_L1).toString();
    reading.wrong = *wrong;
    reading.wrongCode = json.value("wrongCode"_L1).toString();
    reading.wrongArgs = texts(json.value("wrongArgs"_L1));
    if (json.contains("offer"_L1)) {
        reading.offer = texts(json.value("offer"_L1));
    }
    const QJsonObject instead = json.value("instead"_L1).toObject();
    for (auto it = instead.begin(); it != instead.end(); ++it) {
        reading.instead.insert(it.key(), it.value().toString());
    }
    reading.ignoresUnknown = unknownKeys == "ignored"_L1;
    reading.unread = json.value("unread"_L1).toBool();
    reading.elsewhere = texts(json.value("elsewhere"_L1));
    const QString word = unknownWord(reading.wrongArgs, {"field"_L1, "value"_L1, "known"_L1})
        + unknownWord(reading.elsewhere, {"missing"_L1, "empty"_L1, "old"_L1, "unknown"_L1});
    if (!word.isEmpty()) {
        return fieldjson::invalid(word, path);
    }
    return reading;
}

Result<FieldControl> readControl(const QJsonObject &json, const ReferenceField &field, const QString &path)
{
    using Kind = FieldControl::Kind;
    static const QHash<QString, Kind> kinds{{u"line"_s, Kind::Line}, {u"number"_s, Kind::Number},
        {u"memory"_s, Kind::Memory}, {u"check"_s, Kind::Check}, {u"name"_s, Kind::Name}};
    if (const QString word = fieldjson::unknownKey(json, {"kind"_L1, "min"_L1, "characters"_L1}); !word.isEmpty()) {
        return fieldjson::invalid(word, path);
    }
    const QString usual = field.type == FieldType::Integer ? u"number"_s
        : field.type == FieldType::Boolean                 ? u"check"_s
        : field.reference.isEmpty()                        ? u"line"_s
                                                           : u"name"_s;
    const QString kind = json.value("kind"_L1).toString(usual);
    if (!kinds.contains(kind)) {
        return fieldjson::invalid(kind, path);
    }
    FieldControl control;
    control.kind = kinds.value(kind);
    control.least = numberOf(json.contains("min"_L1) ? json.value("min"_L1) : field.minimum);
    control.most = numberOf(field.maximum);
    control.characters = json.value("characters"_L1).toInt();
    return control;
}

QString jsonText(const QJsonValue &value)
{
    switch (value.type()) {
    case QJsonValue::Bool:
        return value.toBool() ? u"true"_s : u"false"_s;
    case QJsonValue::Double:
        return QString::number(value.toInteger());
    case QJsonValue::String:
        return value.toString().isEmpty() ? u"\"\""_s : value.toString();
    default:
        return {};
    }
}

QString typeWord(FieldType type)
{
    return type == FieldType::TextOrNumber ? u"text or number"_s : typeWords().key(type);
}

} // namespace

Result<ReferenceField> fieldjson::readField(const QJsonObject &json, const QString &generation)
{
    const QString path = json.value("path"_L1).toString();
    const QString unknown = fieldjson::unknownKey(json,
        {"path"_L1, "type"_L1, "itemType"_L1, "required"_L1, "requiredWhere"_L1, "nullable"_L1, "secret"_L1,
            "reserved"_L1, "forbidden"_L1, "short"_L1, "help"_L1, "values"_L1, "unit"_L1, "default"_L1, "min"_L1,
            "max"_L1, "minItems"_L1, "maxLength"_L1, "pattern"_L1, "keyPattern"_L1, "example"_L1, "since"_L1,
            "reference"_L1, "server"_L1, "portal"_L1, "here"_L1, "oldNames"_L1, "when"_L1, "read"_L1, "v1"_L1,
            "control"_L1});
    if (!unknown.isEmpty()) {
        return fieldjson::invalid(unknown, path);
    }
    ReferenceField field;
    if (path.size() < 2 || !path.startsWith(u'/')) {
        return fieldjson::invalid(u"path"_s, path);
    }
    field.pattern = path.mid(1).split(u'/');
    const auto type = typeWords().constFind(json.value("type"_L1).toString());
    const auto itemType = typeWords().constFind(json.value("itemType"_L1).toString(u"any"_s));
    if (type == typeWords().constEnd() || itemType == typeWords().constEnd()) {
        return fieldjson::invalid(u"type"_s, path);
    }
    field.type = *type;
    field.itemType = *itemType;
    field.required = json.value("required"_L1).toBool();
    field.requiredWhere = json.value("requiredWhere"_L1).toString();
    if (!field.requiredWhere.isEmpty() && !field.required) {
        return fieldjson::invalid(u"requiredWhere"_s, path);
    }
    field.nullable = json.value("nullable"_L1).toBool();
    field.secret = json.value("secret"_L1).toBool();
    field.reserved = json.value("reserved"_L1).toBool();
    field.forbidden = json.value("forbidden"_L1).toBool();
    field.brief = json.value("short"_L1).toString();
    if (field.brief.isEmpty()) {
        return fieldjson::invalid(u"short"_s, path);
    }
    field.help = json.value("help"_L1).toString();
    for (const QJsonValue &value : json.value("values"_L1).toArray()) {
        field.values.append({value["value"_L1].toString(), value["short"_L1].toString()});
    }
    field.unit = json.value("unit"_L1).toString();
    field.defaultValue = json.value("default"_L1);
    field.minimum = json.value("min"_L1);
    field.maximum = json.value("max"_L1);
    field.minItems = json.value("minItems"_L1).toInt();
    field.maxLength = json.value("maxLength"_L1).toInt();
    field.textPattern = json.value("pattern"_L1).toString();
    field.keyPattern = json.value("keyPattern"_L1).toString();
    for (const QString &pattern : {field.textPattern, field.keyPattern}) {
        if (!QRegularExpression(pattern).isValid()) {
            return fieldjson::invalid(pattern, path);
        }
    }
    field.example = json.value("example"_L1).toString();
    field.since = json.value("since"_L1).toString(generation);
    field.reference = json.value("reference"_L1).toString();
    field.server = json.value("server"_L1).toString();
    field.portal = json.value("portal"_L1).toString();
    field.here = json.value("here"_L1).toString();
    const Result<FieldControl> control = readControl(json.value("control"_L1).toObject(), field, path);
    if (!control) {
        return tl::unexpected(control.error());
    }
    field.control = *control;
    field.oldNames = texts(json.value("oldNames"_L1));
    const Result<FieldReading> reading = readReading(json.value("read"_L1).toObject(), path, field.minimum);
    if (!reading) {
        return tl::unexpected(reading.error());
    }
    field.reading = *reading;
    const QJsonObject v1 = json.value("v1"_L1).toObject();
    if (const QString word = fieldjson::unknownKey(v1, {"names"_L1, "default"_L1}); !word.isEmpty()) {
        return fieldjson::invalid(word, path);
    }
    field.v1Names = texts(v1.value("names"_L1));
    field.v1Default = numberOf(v1.value("default"_L1));
    const QJsonObject when = json.value("when"_L1).toObject();
    field.kinds = texts(when.value("type"_L1)) + texts(when.value("plugin"_L1));
    return field;
}

QString ReferenceField::pointer() const { return u'/' + pattern.join(u'/'); }

QString ReferenceField::dotted() const { return pattern.join(u'.'); }

QStringList ReferenceField::valueNames() const
{
    QStringList names;
    for (const ReferenceValue &each : values) {
        names.append(each.value);
    }
    return names;
}

QString ReferenceField::typeText() const
{
    if (type == FieldType::Version) {
        return u"2 or \"2\""_s;
    }
    if (type == FieldType::List && itemType != FieldType::Any) {
        return u"list of "_s + typeWord(itemType);
    }
    return typeWord(type);
}

QString ReferenceField::defaultText() const { return jsonText(defaultValue); }

QString ReferenceField::rangeText() const
{
    if (minimum.isUndefined() && maximum.isUndefined()) {
        return {};
    }
    if (maximum.isUndefined()) {
        return jsonText(minimum) + u" or more"_s;
    }
    if (minimum.isUndefined()) {
        return u"at most "_s + jsonText(maximum);
    }
    return jsonText(minimum) + u" to "_s + jsonText(maximum);
}

} // namespace trainyard
