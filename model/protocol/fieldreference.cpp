// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/fieldreference.h"

#include "model/base/bundled.h"
#include "model/base/utf8.h"
#include "model/protocol/plugins.h"

#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard
{

// A member of FieldReference::Data has it, so that its type needs a name that the linker sees.
namespace fieldtree
{
struct Node {
    QHash<QString, int> children;
    QList<QString> order; // of the children, as in the data
    QList<qsizetype> fields;
};
} // namespace fieldtree

namespace
{

const QHash<QString, FieldType> &typeWords()
{
    static const QHash<QString, FieldType> words{{u"text"_s, FieldType::Text}, {u"integer"_s, FieldType::Integer},
        {u"boolean"_s, FieldType::Boolean}, {u"list"_s, FieldType::List}, {u"map"_s, FieldType::Map},
        {u"any"_s, FieldType::Any}, {u"text-or-number"_s, FieldType::TextOrNumber}, {u"version"_s, FieldType::Version}};
    return words;
}

tl::unexpected<Error> invalid(const QString &what, const QString &entry)
{
    return fail(u"fieldreference.invalid"_s, QJsonObject{{u"what"_s, what}, {u"entry"_s, entry}});
}

// The first key that is not read: a misspelt one would be lost without a word.
QString unknownKey(const QJsonObject &json, std::initializer_list<QLatin1StringView> known)
{
    for (auto it = json.begin(); it != json.end(); ++it) {
        if (std::find(known.begin(), known.end(), it.key()) == known.end()) {
            return it.key();
        }
    }
    return {};
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
    const QString unknown = unknownKey(json,
        {"server"_L1, "min"_L1, "least"_L1, "most"_L1, "missing"_L1, "missingCode"_L1, "insert"_L1, "wrong"_L1,
            "wrongCode"_L1, "wrongArgs"_L1, "offer"_L1, "instead"_L1, "unknown"_L1, "unread"_L1, "elsewhere"_L1});
    if (!unknown.isEmpty()) {
        return invalid(unknown, path);
    }
    FieldReading reading;
    const QString server = json.value("server"_L1).toString(u"checks all"_s);
    const auto missing = severityOf(json.value("missing"_L1), Severity::Error);
    const auto wrong = severityOf(json.value("wrong"_L1), Severity::Warning);
    const QString unknownKeys = json.value("unknown"_L1).toString(u"refused"_s);
    if (!servers.contains(server)) {
        return invalid(server, path);
    }
    if (!missing || !wrong) {
        return invalid(missing ? u"wrong"_s : u"missing"_s, path);
    }
    if (unknownKeys != "refused"_L1 && unknownKeys != "ignored"_L1) {
        return invalid(unknownKeys, path);
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
        return invalid(word, path);
    }
    return reading;
}

Result<FieldControl> readControl(const QJsonObject &json, const ReferenceField &field, const QString &path)
{
    using Kind = FieldControl::Kind;
    static const QHash<QString, Kind> kinds{{u"line"_s, Kind::Line}, {u"number"_s, Kind::Number},
        {u"memory"_s, Kind::Memory}, {u"check"_s, Kind::Check}, {u"name"_s, Kind::Name}};
    if (const QString word = unknownKey(json, {"kind"_L1, "min"_L1, "characters"_L1}); !word.isEmpty()) {
        return invalid(word, path);
    }
    const QString usual = field.type == FieldType::Integer ? u"number"_s
        : field.type == FieldType::Boolean                 ? u"check"_s
        : field.reference.isEmpty()                        ? u"line"_s
                                                           : u"name"_s;
    const QString kind = json.value("kind"_L1).toString(usual);
    if (!kinds.contains(kind)) {
        return invalid(kind, path);
    }
    FieldControl control;
    control.kind = kinds.value(kind);
    control.least = numberOf(json.contains("min"_L1) ? json.value("min"_L1) : field.minimum);
    control.most = numberOf(field.maximum);
    control.characters = json.value("characters"_L1).toInt();
    return control;
}

Result<ReferenceField> readField(const QJsonObject &json, const QString &generation)
{
    const QString path = json.value("path"_L1).toString();
    const QString unknown = unknownKey(json,
        {"path"_L1, "type"_L1, "itemType"_L1, "required"_L1, "nullable"_L1, "secret"_L1, "reserved"_L1, "forbidden"_L1,
            "short"_L1, "help"_L1, "values"_L1, "unit"_L1, "default"_L1, "min"_L1, "max"_L1, "minItems"_L1,
            "maxLength"_L1, "pattern"_L1, "keyPattern"_L1, "example"_L1, "since"_L1, "reference"_L1, "server"_L1,
            "portal"_L1, "here"_L1, "oldNames"_L1, "when"_L1, "read"_L1, "v1"_L1, "control"_L1});
    if (!unknown.isEmpty()) {
        return invalid(unknown, path);
    }
    ReferenceField field;
    if (path.size() < 2 || !path.startsWith(u'/')) {
        return invalid(u"path"_s, path);
    }
    field.pattern = path.mid(1).split(u'/');
    const auto type = typeWords().constFind(json.value("type"_L1).toString());
    const auto itemType = typeWords().constFind(json.value("itemType"_L1).toString(u"any"_s));
    if (type == typeWords().constEnd() || itemType == typeWords().constEnd()) {
        return invalid(u"type"_s, path);
    }
    field.type = *type;
    field.itemType = *itemType;
    field.required = json.value("required"_L1).toBool();
    field.nullable = json.value("nullable"_L1).toBool();
    field.secret = json.value("secret"_L1).toBool();
    field.reserved = json.value("reserved"_L1).toBool();
    field.forbidden = json.value("forbidden"_L1).toBool();
    field.brief = json.value("short"_L1).toString();
    if (field.brief.isEmpty()) {
        return invalid(u"short"_s, path);
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
            return invalid(pattern, path);
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
    if (const QString word = unknownKey(v1, {"names"_L1, "default"_L1}); !word.isEmpty()) {
        return invalid(word, path);
    }
    field.v1Names = texts(v1.value("names"_L1));
    field.v1Default = numberOf(v1.value("default"_L1));
    const QJsonObject when = json.value("when"_L1).toObject();
    field.kinds = texts(when.value("type"_L1)) + texts(when.value("plugin"_L1));
    return field;
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

bool holds(const ReferenceField &field, const QString &kind)
{
    return kind.isEmpty() || field.kinds.isEmpty() || field.kinds.contains(kind);
}

} // namespace

QString ReferenceField::pointer() const { return u'/' + pattern.join(u'/'); }

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

struct FieldReference::Data {
    QList<ReferenceField> fields;
    QList<ReferenceVariable> variables;
    QList<ReferenceEvent> events;
    QList<fieldtree::Node> nodes{fieldtree::Node{}}; // the first is the root

    void insert(qsizetype field)
    {
        int node = 0;
        for (const QString &element : fields.at(field).pattern) {
            const auto it = nodes.at(node).children.constFind(element);
            if (it != nodes.at(node).children.constEnd()) {
                node = *it;
                continue;
            }
            const int created = int(nodes.size());
            nodes[node].children.insert(element, created);
            nodes[node].order.append(element);
            nodes.append(fieldtree::Node{});
            node = created;
        }
        nodes[node].fields.append(field);
    }

    const ReferenceField *fieldOf(int node, const QString &kind) const
    {
        for (const qsizetype field : nodes.at(node).fields) {
            if (holds(fields.at(field), kind)) {
                return &fields.at(field);
            }
        }
        return nullptr;
    }

    // The nodes that the place can be, exact keys first. At most two at each step, and the data is shallow.
    void collect(int node, const YamlPath &path, qsizetype at, QList<int> &found) const
    {
        if (at == path.size()) {
            found.append(node);
            return;
        }
        const auto &children = nodes.at(node).children;
        if (const QString *key = std::get_if<QString>(&path.at(at))) {
            if (const auto it = children.constFind(*key); it != children.constEnd()) {
                collect(*it, path, at + 1, found);
                if (*key == "*"_L1) {
                    return;
                }
            }
        }
        if (const auto it = children.constFind(u"*"_s); it != children.constEnd()) {
            collect(*it, path, at + 1, found);
        }
    }

    QList<int> nodesAt(const YamlPath &path) const
    {
        QList<int> found;
        collect(0, path, 0, found);
        return found;
    }
};

FieldReference::FieldReference() : d(std::make_shared<Data>()) { }

Result<FieldReference> FieldReference::parse(const QByteArray &json)
{
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(json, &error);
    if (!document.isObject()) {
        return invalid(error.errorString(), {});
    }
    const QString generation = document["since"_L1].toString();
    const auto data = std::make_shared<Data>();
    for (const QJsonValue &value : document["fields"_L1].toArray()) {
        const auto field = readField(value.toObject(), generation);
        if (!field) {
            return tl::unexpected(field.error());
        }
        const bool twice = std::any_of(data->fields.cbegin(), data->fields.cend(), [&](const ReferenceField &other) {
            return other.pattern == field->pattern
                && (other.kinds.isEmpty() || field->kinds.isEmpty()
                    || std::any_of(other.kinds.cbegin(), other.kinds.cend(),
                        [&](const QString &kind) { return field->kinds.contains(kind); }));
        });
        if (twice) {
            return invalid(u"twice"_s, field->pointer());
        }
        data->fields.append(*field);
        data->insert(data->fields.size() - 1);
    }
    for (ReferenceField &field : data->fields) {
        YamlPath parent;
        for (qsizetype i = 0; i + 1 < field.pattern.size(); ++i) {
            parent = parent.child(field.pattern.at(i));
        }
        if (parent.isEmpty()) {
            continue;
        }
        const ReferenceField *above = nullptr;
        for (const int node : data->nodesAt(parent)) {
            above = above ? above : data->fieldOf(node, field.kinds.value(0));
        }
        if (!above) {
            return invalid(u"parent"_s, field.pointer());
        }
        field.listItem = above->type == FieldType::List;
    }
    for (const QJsonValue &value : document["variables"_L1].toArray()) {
        const QJsonObject object = value.toObject();
        const QString name = object.value("name"_L1).toString();
        const QString unknown
            = unknownKey(object, {"name"_L1, "scope"_L1, "short"_L1, "example"_L1, "since"_L1, "old"_L1});
        const QString scope = object.value("scope"_L1).toString();
        if (!unknown.isEmpty() || name.isEmpty() || !QStringList{u"job"_s, u"role"_s, u"task"_s}.contains(scope)) {
            return invalid(unknown.isEmpty() ? u"scope"_s : unknown, name);
        }
        data->variables.append({name, scope, object.value("short"_L1).toString(), object.value("example"_L1).toString(),
            object.value("since"_L1).toString(generation), object.value("old"_L1).toBool()});
    }
    for (const QJsonValue &value : document["events"_L1].toArray()) {
        data->events.append({value["name"_L1].toString(), value["short"_L1].toString(), value["use"_L1].toString()});
    }
    FieldReference reference;
    reference.d = data;
    return reference;
}

const FieldReference &FieldReference::bundled()
{
    static const auto reference = bundledValue<FieldReference>(u":/trainyard/field-reference.json"_s);
    return reference;
}

const QList<ReferenceField> &FieldReference::fields() const { return d->fields; }

const QList<ReferenceVariable> &FieldReference::variables() const { return d->variables; }

const QList<ReferenceEvent> &FieldReference::events() const { return d->events; }

const ReferenceField *FieldReference::find(const YamlPath &path, const QString &kind) const
{
    for (const int node : d->nodesAt(path)) {
        if (const ReferenceField *field = d->fieldOf(node, kind)) {
            return field;
        }
    }
    return nullptr;
}

QList<const ReferenceField *> FieldReference::childrenOf(const YamlPath &path, const QString &kind) const
{
    QList<const ReferenceField *> children;
    for (const int node : d->nodesAt(path)) {
        for (const QString &name : d->nodes.at(node).order) {
            const ReferenceField *field = d->fieldOf(d->nodes.at(node).children.value(name), kind);
            if (field && !field->isPlaceholder() && !field->reserved && !field->forbidden) {
                children.append(field);
            }
        }
        if (!children.isEmpty()) {
            break;
        }
    }
    std::stable_sort(children.begin(), children.end(),
        [](const ReferenceField *a, const ReferenceField *b) { return a->required && !b->required; });
    return children;
}

const ReferenceField *FieldReference::itemOf(const YamlPath &path, const QString &kind) const
{
    const ReferenceField *field = find(path.child(u"*"_s), kind);
    return field && field->isPlaceholder() ? field : nullptr;
}

QList<const ReferenceField *> FieldReference::entriesBelow(const QString &pointer) const
{
    QList<const ReferenceField *> entries;
    const QStringList elements = pointer.split(u'/', Qt::SkipEmptyParts);
    for (const ReferenceField &field : d->fields) {
        if (field.pattern.size() == elements.size() + 1 && field.pattern.mid(0, elements.size()) == elements) {
            entries.append(&field);
        }
    }
    return entries;
}

YamlPath FieldReference::pathFromText(const QString &text) const
{
    if (text.startsWith(u'/')) {
        return YamlPath::fromPointer(text).value_or(YamlPath());
    }
    static const QRegularExpression index(u"\\[(\\d+)\\]"_s);
    QString dotted = text;
    dotted.replace(index, u".\\1"_s);
    const QStringList words = dotted.split(u'.', Qt::SkipEmptyParts);
    YamlPath path;
    for (qsizetype i = 0; i < words.size();) {
        // The longest run of words that is one key here; else one word.
        qsizetype taken = 1;
        for (qsizetype length = words.size() - i; length > 1; --length) {
            const YamlPath longer = path.child(words.mid(i, length).join(u'.'));
            const ReferenceField *field = find(longer);
            if (field && !field->isPlaceholder()) {
                taken = length;
                break;
            }
        }
        path = path.child(words.mid(i, taken).join(u'.'));
        i += taken;
    }
    return path;
}

namespace
{

// Without the places of names that users choose: "taskRoles.resourcePerInstance.gpu" is what people write.
QStringList namesOnly(QStringList path)
{
    path.removeAll(u"*"_s);
    return path;
}

// Who asks for "commands" means those of a task role, which every job has.
void sortByInterest(QList<const ReferenceField *> &fields)
{
    const auto rank = [](const ReferenceField *field) {
        const bool isOfRole = field->pattern.first() == "taskRoles"_L1;
        return std::pair(isOfRole ? 0 : 1, field->pattern.size());
    };
    std::stable_sort(fields.begin(), fields.end(),
        [&rank](const ReferenceField *a, const ReferenceField *b) { return rank(a) < rank(b); });
}

bool endsWith(const QStringList &path, const QStringList &end)
{
    return !end.isEmpty() && end.size() <= path.size()
        && std::equal(end.crbegin(), end.crend(), path.crbegin(),
            [](const QString &a, const QString &b) { return a.compare(b, Qt::CaseInsensitive) == 0; });
}

} // namespace

QList<const ReferenceField *> FieldReference::search(const QString &text) const
{
    QList<const ReferenceField *> found;
    const YamlPath path = pathFromText(text);
    for (const int node : d->nodesAt(path)) {
        for (const qsizetype field : d->nodes.at(node).fields) {
            found.append(&d->fields.at(field));
        }
        if (!found.isEmpty()) {
            return found;
        }
    }
    if (path.size() == 1) {
        for (const ReferenceField &field : d->fields) {
            if (field.name().compare(text, Qt::CaseInsensitive) == 0
                || field.oldNames.contains(text, Qt::CaseInsensitive)) {
                found.append(&field);
            }
        }
        sortByInterest(found);
        return found;
    }
    const QStringList wanted = namesOnly(text.split(u'.', Qt::SkipEmptyParts));
    for (const ReferenceField &field : d->fields) {
        if (endsWith(namesOnly(field.pattern), wanted)) {
            found.append(&field);
        }
    }
    sortByInterest(found);
    return found;
}

QList<const ReferenceVariable *> FieldReference::searchVariables(const QString &name) const
{
    QList<const ReferenceVariable *> found;
    for (const ReferenceVariable &variable : d->variables) {
        if (variable.name == name) {
            return {&variable};
        }
        if (!variable.name.contains(u'<')) {
            continue;
        }
        static const QRegularExpression number(u"<(index|number)>"_s);
        static const QRegularExpression word(u"<(role|label|name)>"_s);
        QString pattern = variable.name;
        pattern.replace(number, u"(?:<[a-z]+>|[0-9]+)"_s);
        pattern.replace(word, u"(?:<[a-z]+>|[A-Za-z0-9_]+?)"_s);
        if (QRegularExpression(QRegularExpression::anchoredPattern(pattern)).match(name).hasMatch()) {
            found.append(&variable);
        }
    }
    return found;
}

QString kindAt(const YamlDocument &document, const YamlPath &path)
{
    return kindAt(path, [&](const YamlPath &at) {
        const YamlNode *node = document.find(at);
        node = node ? node->resolved() : nullptr;
        return node && node->kind == YamlNode::Kind::Scalar ? textFromUtf8(node->scalar) : QString();
    });
}

QString kindAt(const YamlPath &path, const std::function<QString(const YamlPath &)> &scalarAt)
{
    const auto isKey = [&](qsizetype i, const QString &key) { return path.at(i) == YamlPath::Element(key); };
    const auto inside = [&](qsizetype size, const QString &key) {
        YamlPath item = path;
        while (item.size() > size) {
            item = item.parent();
        }
        return scalarAt(item.child(key));
    };
    if (path.size() >= 2 && isKey(0, u"prerequisites"_s)) {
        return inside(2, u"type"_s);
    }
    if (path.size() >= 3 && isKey(0, u"extras"_s) && isKey(1, pluginPrefix())) {
        return shortPluginName(inside(3, u"plugin"_s));
    }
    return {};
}

} // namespace trainyard
