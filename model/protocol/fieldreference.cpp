// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/fieldreference.h"

#include "model/base/bundled.h"
#include "model/base/utf8.h"
#include "model/protocol/plugins.h"
#include "model/protocol/referencefield.h"

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

bool holds(const ReferenceField &field, const QString &kind)
{
    return kind.isEmpty() || field.kinds.isEmpty() || field.kinds.contains(kind);
}

} // namespace

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
        return fieldjson::invalid(error.errorString(), {});
    }
    const QString generation = document["since"_L1].toString();
    const auto data = std::make_shared<Data>();
    for (const QJsonValue &value : document["fields"_L1].toArray()) {
        const auto field = fieldjson::readField(value.toObject(), generation);
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
            return fieldjson::invalid(u"twice"_s, field->pointer());
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
            return fieldjson::invalid(u"parent"_s, field.pointer());
        }
        field.listItem = above->type == FieldType::List;
    }
    for (const QJsonValue &value : document["variables"_L1].toArray()) {
        const QJsonObject object = value.toObject();
        const QString name = object.value("name"_L1).toString();
        const QString unknown
            = fieldjson::unknownKey(object, {"name"_L1, "scope"_L1, "short"_L1, "example"_L1, "since"_L1, "old"_L1});
        const QString scope = object.value("scope"_L1).toString();
        if (!unknown.isEmpty() || name.isEmpty() || !QStringList{u"job"_s, u"role"_s, u"task"_s}.contains(scope)) {
            return fieldjson::invalid(unknown.isEmpty() ? u"scope"_s : unknown, name);
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

// A request for "commands" means those of a task role, which every job has.
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
