// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/catalogue.h"

#include "model/protocol/jobdocument.h"
#include "model/protocol/scalar.h"
#include "model/yaml/yamledit.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QSet>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

constexpr qsizetype maxItems = 200;
const auto scheme = "marketplace://"_L1;

QByteArray flowText(const QString &text)
{
    // JSON's strings are double-quoted scalars.
    return QJsonDocument(QJsonArray{text}).toJson(QJsonDocument::Compact).mid(1).chopped(1);
}

QByteArray flowYaml(const Value &value)
{
    if (const QString *text = value.asString()) {
        return flowText(*text);
    }
    QByteArrayList parts;
    if (const Value::List *list = value.asList()) {
        for (const Value &item : *list) {
            parts.append(flowYaml(item));
        }
        return '[' + parts.join(", ") + ']';
    }
    if (const Value::Map *map = value.asMap()) {
        for (const auto &[key, item] : *map) {
            parts.append(flowText(key) + ": " + flowYaml(item));
        }
        return '{' + parts.join(", ") + '}';
    }
    return value.isNull() ? QByteArray("null") : value.toText().toUtf8();
}

// The prerequisite that a catalogue's file is, or holds.
std::optional<Value::Map> itemOf(const QByteArray &text, const QString &name)
{
    const YamlDocument document = YamlDocument::parse(text);
    if (!document.root() || !document.isComplete()) {
        return std::nullopt;
    }
    const Value value = toValue(document.root());
    const Value *list = value.find(u"prerequisites"_s);
    if (!list || !list->asList()) {
        return value.asMap() && value.find(u"type"_s) ? std::optional(*value.asMap()) : std::nullopt;
    }
    const Value::List &items = *list->asList();
    for (const Value &item : items) {
        const Value *itemName = item.find(u"name"_s);
        if (item.asMap()
            && (items.size() == 1 || (itemName && itemName->asString() && *itemName->asString() == name))) {
            return *item.asMap();
        }
    }
    return std::nullopt;
}

void set(Value::Map &map, const QString &key, const Value &value)
{
    for (auto &entry : map) {
        if (entry.first == key) {
            entry.second = value;
            return;
        }
    }
    map.prepend({key, value});
}

class Resolver
{
public:
    Resolver(const JobSpec &job, const CatalogueLookup &lookup) : m_lookup(lookup)
    {
        for (const Prerequisite &item : job.prerequisites) {
            m_names.insert(item.name);
        }
    }
    // The name that stands for a reference in the job; takes the item in when it is seen first.
    Result<QString> nameOf(const QString &reference);
    const QList<Value::Map> &items() const { return m_items; }

private:
    const CatalogueLookup &m_lookup;
    QSet<QString> m_names;
    QHash<QString, QString> m_known;
    QList<Value::Map> m_items;
};

Result<QString> Resolver::nameOf(const QString &reference)
{
    const auto known = m_known.constFind(reference);
    if (known != m_known.constEnd()) {
        return known.value();
    }
    const QString path = catalogueItem(reference);
    const std::optional<QByteArray> text = path.isEmpty() || !m_lookup ? std::nullopt : m_lookup(path);
    if (!text) {
        return fail(u"catalogue.unknown"_s, {{u"name"_s, reference}});
    }
    const QString last = path.section(u'/', -1);
    std::optional<Value::Map> item = itemOf(*text, last);
    if (!item) {
        return fail(u"catalogue.unreadable"_s, {{u"name"_s, reference}});
    }
    if (m_known.size() >= maxItems) {
        return fail(u"catalogue.too-many"_s, {{u"maximum"_s, maxItems}});
    }
    QString base;
    for (const QChar c : last) {
        const bool plain = c.unicode() < 128 && (c.isLetterOrNumber() || c == u'_' || c == u'-');
        base += plain ? c : u'_';
    }
    QString name = base;
    for (int i = 2; m_names.contains(name); ++i) {
        name = base + u'_' + QString::number(i);
    }
    m_names.insert(name);
    m_known.insert(reference, name); // before what it requires: a circle ends here and is said as such later
    set(*item, u"name"_s, Value(name));
    for (auto &[key, value] : *item) {
        if (key != u"require"_s || !value.asList()) {
            continue;
        }
        Value::List required = *value.asList();
        for (Value &each : required) {
            if (each.asString() && each.asString()->startsWith(scheme)) {
                const Result<QString> other = nameOf(*each.asString());
                if (!other) {
                    return other;
                }
                each = Value(*other);
            }
        }
        value = Value(required);
    }
    m_items.append(*item);
    return name;
}

} // namespace

static bool namesCatalogue(const QByteArray &text) { return text.contains("marketplace://"); }

QString catalogueItem(const QString &name)
{
    if (!name.startsWith(scheme)) {
        return {};
    }
    const QString path = name.mid(scheme.size());
    const QStringList parts = path.split(u'/');
    const bool fine = std::none_of(parts.cbegin(), parts.cend(), [](const QString &part) {
        return part.isEmpty() || part.startsWith(u'.') || part.contains(u'\\') || part.contains(QChar(0));
    });
    return fine && path.size() < 500 ? path : QString();
}

Result<QByteArray> withCatalogue(const QByteArray &bytes, const CatalogueLookup &lookup)
{
    if (!namesCatalogue(bytes)) {
        return bytes;
    }
    return withCatalogue(parseJob(bytes), lookup).map([](const ParseOutcome &job) { return job.document.bytes(); });
}

Result<ParseOutcome> withCatalogue(const ParseOutcome &outcome, const CatalogueLookup &lookup)
{
    if (!namesCatalogue(outcome.document.bytes()) || !outcome.spec) {
        return outcome; // what is wrong with it is said when it is read
    }
    Resolver resolver(*outcome.spec, lookup);
    QList<edit::Op> ops;
    const auto replace = [&](const QString &name, const YamlPath &path) -> Result<void> {
        if (!name.startsWith(scheme)) {
            return {};
        }
        const Result<QString> own = resolver.nameOf(name);
        if (!own) {
            return tl::unexpected(own.error());
        }
        ops.append(edit::SetText{path, *own});
        return {};
    };
    const auto replaceAll = [&](const QStringList &names, const YamlPath &path) -> Result<void> {
        for (qsizetype i = 0; i < names.size(); ++i) {
            if (const Result<void> done = replace(names.at(i), path.child(i)); !done) {
                return done;
            }
        }
        return {};
    };
    const YamlPath list{u"prerequisites"_s};
    for (qsizetype i = 0; i < outcome.spec->prerequisites.size(); ++i) {
        const Result<void> done
            = replaceAll(outcome.spec->prerequisites.at(i).require, list.child(i).child(u"require"_s));
        if (!done) {
            return tl::unexpected(done.error());
        }
    }
    for (const TaskRole &role : outcome.spec->taskRoles) {
        const YamlPath at = YamlPath{u"taskRoles"_s}.child(role.name);
        Result<void> done = replaceAll(role.prerequisites, at.child(u"prerequisites"_s));
        for (const auto &[key, name] : {std::pair{u"script"_s, role.script}, std::pair{u"output"_s, role.output},
                 std::pair{u"data"_s, role.data}, std::pair{u"dockerImage"_s, role.dockerImage}}) {
            done = done ? replace(name, at.child(key)) : done;
        }
        if (!done) {
            return tl::unexpected(done.error());
        }
    }
    const bool none = !outcome.document.find(list) || outcome.spec->prerequisites.isEmpty();
    if (none && !resolver.items().isEmpty()) {
        QByteArrayList items;
        for (const Value::Map &item : resolver.items()) {
            items.append(flowYaml(Value(item)));
        }
        ops.append(edit::SetValue{list, '[' + items.join(", ") + ']'});
    } else {
        for (const Value::Map &item : resolver.items()) {
            ops.append(edit::Insert{list.child(u"-"_s), flowYaml(Value(item))});
        }
    }
    return planChange(outcome.document, ops).map([](const PlannedChange &change) { return readJob(change.document); });
}

} // namespace trainyard
