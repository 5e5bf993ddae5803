// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/fieldreference.h"

#include "model/protocol/plugins.h"

#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QResource>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard
{

namespace
{

struct Node {
    QHash<QString, int> children;
    QList<QString> order; // of the children, as in the data
    QList<qsizetype> fields;
};

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

// The first key that nobody reads: a misspelt one would be lost without a word.
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

Result<ReferenceField> readField(const QJsonObject &json, const QString &generation)
{
    const QString path = json.value("path"_L1).toString();
    const QString unknown = unknownKey(json,
        {"path"_L1, "type"_L1, "itemType"_L1, "required"_L1, "nullable"_L1, "secret"_L1, "reserved"_L1, "forbidden"_L1,
            "short"_L1, "help"_L1, "values"_L1, "unit"_L1, "default"_L1, "min"_L1, "max"_L1, "minItems"_L1,
            "maxLength"_L1, "pattern"_L1, "keyPattern"_L1, "example"_L1, "since"_L1, "reference"_L1, "server"_L1,
            "portal"_L1, "here"_L1, "oldNames"_L1, "when"_L1});
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
    field.oldNames = texts(json.value("oldNames"_L1));
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
    QList<Node> nodes{Node{}}; // the first is the root

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
            nodes.append(Node{});
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
    static const FieldReference reference = [] {
        // Carried inside the program (":/"), so this reads no file of the computer.
        const QResource resource(u":/trainyard/field-reference.json"_s);
        Q_ASSERT(resource.isValid());
        const Result<FieldReference> parsed = parse(resource.uncompressedData());
        Q_ASSERT(parsed);
        return parsed ? *parsed : FieldReference();
    }();
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

QList<ReferenceValue> FieldReference::valuesOf(const YamlPath &path, const QString &kind) const
{
    const ReferenceField *field = find(path, kind);
    return field ? field->values : QList<ReferenceValue>();
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
    }
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
        static const QRegularExpression word(u"<(role|label)>"_s);
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
    const auto key = [&](qsizetype i) {
        const QString *text = i < path.size() ? std::get_if<QString>(&path.at(i)) : nullptr;
        return text ? *text : QString();
    };
    const auto scalar = [&](const YamlPath &at) {
        const YamlNode *node = document.find(at);
        node = node ? node->resolved() : nullptr;
        return node && node->kind == YamlNode::Kind::Scalar ? QString::fromUtf8(node->scalar) : QString();
    };
    if (path.size() >= 2 && key(0) == "prerequisites"_L1) {
        YamlPath at{u"prerequisites"_s};
        at = std::holds_alternative<QString>(path.at(1)) ? at.child(key(1)) : at.child(std::get<qsizetype>(path.at(1)));
        return scalar(at.child(u"type"_s));
    }
    if (path.size() >= 3 && key(0) == "extras"_L1 && key(1) == pluginPrefix()) {
        YamlPath at{u"extras"_s, pluginPrefix()};
        at = std::holds_alternative<QString>(path.at(2)) ? at.child(key(2)) : at.child(std::get<qsizetype>(path.at(2)));
        return shortPluginName(scalar(at.child(u"plugin"_s)));
    }
    return {};
}

} // namespace trainyard
