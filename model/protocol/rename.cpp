// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/rename.h"

#include "model/base/utf8.h"
#include "model/protocol/jobname.h"
#include "model/protocol/plugins.h"
#include "model/protocol/renametext.h"
#include "model/yaml/yamlscalar.h"

#include <QSet>

#include <algorithm>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

QString textOf(const YamlNode *node)
{
    node = node ? node->resolved() : nullptr;
    return node && node->kind == YamlNode::Kind::Scalar && !node->isNull() ? typedScalar(*node).value.toText()
                                                                           : QString();
}

QString valueOf(const YamlNode *node) { return textFromUtf8(node->scalar); }

QString textIn(const YamlNode *map, const char *key) { return map ? textOf(map->find(key)) : QString(); }

const YamlNode *childOf(const YamlNode *map, const QString &key) { return map ? map->find(key.toUtf8()) : nullptr; }

QList<YamlNode::Entry> entriesOf(const YamlNode *node)
{
    return node ? node->resolved()->entries : QList<YamlNode::Entry>();
}

QString kindName(NameKind kind)
{
    switch (kind) {
    case NameKind::Role:
        return u"role"_s;
    case NameKind::Prerequisite:
        return u"prerequisite"_s;
    case NameKind::Parameter:
        return u"parameter"_s;
    case NameKind::Secret:
        return u"secret"_s;
    case NameKind::Deployment:
        return u"deployment"_s;
    default:
        return u"other"_s;
    }
}

bool isItemName(NameKind kind) { return kind == NameKind::Prerequisite || kind == NameKind::Deployment; }

// A prerequisite or deployment may be addressed by its item or by the item's name.
YamlPath namePath(const YamlPath &path, NameKind kind)
{
    return isItemName(kind) && path.size() == 2 ? path.child(u"name"_s) : path;
}

class Renamer
{
public:
    Renamer(const YamlDocument &document, const YamlPath &path, NameKind kind, const QString &from, const QString &to)
        : m_document(document), m_path(path), m_root(document.root())
    {
        m_plan.kind = kind;
        m_plan.from = from;
        m_plan.to = to;
    }
    Result<RenamePlan> run();

private:
    tl::unexpected<Error> refuse(const char *code) const
    {
        return fail(QLatin1String(code),
            {{u"path"_s, m_path.toPointer()}, {u"name"_s, m_plan.to}, {u"kind"_s, kindName(m_plan.kind)}});
    }
    bool isTaken() const;
    bool isGoodName() const;
    const YamlNode *section(const QString &key) const { return childOf(m_root, key); }

    void role();
    void prerequisite();
    void deployment();
    void templates(const QString &scope);

    void key(const YamlNode *map);
    void name(const YamlNode *value);
    void names(const YamlNode *list);
    void text(const YamlNode *node, const QList<renametext::Hit> &hits, NameReference::How how);
    bool isReached(const YamlNode *node, const YamlPath &path);
    template <typename Visit> void everyText(const YamlNode *node, const Visit &visit) const
    {
        if (node->kind == YamlNode::Kind::Scalar) {
            visit(node);
        }
        for (const YamlNode::Entry &entry : node->entries) {
            everyText(entry.value, visit);
        }
    }

    const YamlDocument &m_document;
    YamlPath m_path; // of the key, or of the name's text
    const YamlNode *m_root;
    RenamePlan m_plan;
    QList<edit::Op> m_keys; // after the texts: until then paths are those of the document
    QSet<const YamlNode *> m_done;
    std::optional<YamlPath> m_unreached; // of a reference
};

// Below the second of two equal keys, or below a key that is not a text, a path leads to something else: what stands
// there would be changed instead.
bool Renamer::isReached(const YamlNode *node, const YamlPath &path)
{
    if (m_document.find(path) == node) {
        return true;
    }
    m_unreached = path;
    return false;
}

void Renamer::key(const YamlNode *map)
{
    for (const YamlNode::Entry &entry : entriesOf(map)) {
        if (entry.key && entry.key->kind == YamlNode::Kind::Scalar && textOf(entry.key) == m_plan.from
            && !m_done.contains(entry.key)) {
            m_done.insert(entry.key);
            const YamlPath path = m_document.pathOf(entry.value);
            if (!isReached(entry.value, path)) {
                return;
            }
            m_keys.append(edit::RenameKey{path, m_plan.to, true});
            m_plan.references.append({NameReference::How::Key, path, 1});
        }
    }
}

void Renamer::name(const YamlNode *value)
{
    const YamlNode *node = value ? value->resolved() : nullptr;
    if (node && node->kind == YamlNode::Kind::Scalar && textOf(node) == m_plan.from) {
        text(node, {{0, valueOf(node).size(), m_plan.to}}, NameReference::How::Name);
    }
}

void Renamer::names(const YamlNode *list)
{
    name(list);
    for (const YamlNode::Entry &entry : entriesOf(list)) {
        if (!entry.key) {
            name(entry.value);
        }
    }
}

void Renamer::text(const YamlNode *node, const QList<renametext::Hit> &hits, NameReference::How how)
{
    if (hits.isEmpty() || m_done.contains(node)) {
        return;
    }
    m_done.insert(node);
    edit::ReplaceText op{m_document.pathOf(node), {}, true};
    if (!isReached(node, op.path)) {
        return;
    }
    for (const renametext::Hit &hit : hits) {
        op.parts.append({hit.begin, hit.end, hit.text});
    }
    m_plan.ops.append(op);
    m_plan.references.append({how, op.path, int(hits.size())});
}

void Renamer::role()
{
    for (const YamlNode::Entry &deployment : entriesOf(section(u"deployments"_s))) {
        key(deployment.value->find("taskRoles"));
    }
    const YamlNode *extras = section(u"extras"_s);
    for (const QString &scheduler : {u"hivedScheduler"_s, u"hivedscheduler"_s}) {
        if (const YamlNode *block = childOf(extras, scheduler)) {
            key(block->find("taskRoles"));
        }
    }
    if (const YamlNode *own = childOf(extras, u"trainyard"_s)) {
        key(own->find("gpuMemoryMB"));
        key(own->find("hosts"));
        for (const YamlNode::Entry &data : entriesOf(childOf(own, u"data"_s))) {
            names(data.value->find("roles"));
        }
    }
    for (const YamlNode::Entry &plugin : entriesOf(childOf(extras, pluginPrefix()))) {
        names(plugin.value->find("taskroles"));
        names(plugin.value->find("taskRoles"));
    }
    QStringList others;
    for (const YamlNode::Entry &entry : entriesOf(section(u"taskRoles"_s))) {
        if (const QString other = entry.key ? textOf(entry.key) : QString(); other != m_plan.from) {
            others.append(other);
        }
    }
    const renametext::RoleFinder finder(m_plan.from, m_plan.to, others);
    everyText(m_root, [&](const YamlNode *node) {
        const QString value = valueOf(node);
        const QList<renametext::Hit> hits = finder.hits(value);
        text(node, hits, NameReference::How::Variable);
        if (m_done.contains(node) && hits.isEmpty()) {
            return;
        }
        if (const int count = finder.mentions(value, hits); count > 0) {
            m_plan.mentions.append({NameReference::How::Mention, m_document.pathOf(node), count});
        }
    });
}

void Renamer::prerequisite()
{
    const YamlNode *item = m_document.find(m_path.parent());
    const QString type = textIn(item, "type");
    // Fields of a role name an item of one type. Lists name it alone; of several the last is meant.
    bool typeIsOwn = true;
    bool nameIsOwn = true;
    const QList<YamlNode::Entry> items = entriesOf(section(u"prerequisites"_s));
    bool later = false;
    for (const YamlNode::Entry &entry : items) {
        const YamlNode *other = entry.value->resolved();
        if (other == item->resolved()) {
            later = true;
        } else if (textIn(other, "name") == m_plan.from) {
            const bool sameType = textIn(other, "type") == type;
            typeIsOwn = typeIsOwn && !sameType;
            nameIsOwn = nameIsOwn && !sameType && !later;
        }
    }
    const char *field = type == u"dockerimage"_s ? "dockerImage"
        : type == u"script"_s                    ? "script"
        : type == u"output"_s                    ? "output"
        : type == u"data"_s                      ? "data"
                                                 : nullptr;
    for (const YamlNode::Entry &role : entriesOf(section(u"taskRoles"_s))) {
        if (field && typeIsOwn) {
            name(role.value->find(field));
        }
        if (nameIsOwn) {
            names(role.value->find("prerequisites"));
        }
    }
    for (const YamlNode::Entry &entry : items) {
        if (nameIsOwn) {
            names(entry.value->find("require"));
        }
    }
}

void Renamer::deployment()
{
    int count = 0;
    for (const YamlNode::Entry &entry : entriesOf(section(u"deployments"_s))) {
        count += textIn(entry.value, "name") == m_plan.from ? 1 : 0;
    }
    if (count > 1) {
        return; // which one is chosen is not known
    }
    for (const QString &defaults : {u"defaults"_s, u"default"_s}) {
        if (const YamlNode *map = section(defaults)) {
            name(map->find("deployment"));
        }
    }
}

void Renamer::templates(const QString &scope)
{
    QStringList path;
    for (qsizetype i = 1; i < m_path.size(); ++i) {
        const auto *index = std::get_if<qsizetype>(&m_path.at(i));
        path.append(index ? QString::number(*index) : std::get<QString>(m_path.at(i)));
    }
    everyText(m_root, [&](const YamlNode *node) {
        if (node->scalar.contains("<%")) {
            text(node, renametext::inTemplates(valueOf(node), scope, path, m_plan.to), NameReference::How::Template);
        }
    });
}

bool Renamer::isTaken() const
{
    if (!isItemName(m_plan.kind)) {
        return childOf(m_document.find(m_path.parent()), m_plan.to) != nullptr;
    }
    const QList<YamlNode::Entry> items = entriesOf(m_document.find(m_path.parent().parent()));
    return std::any_of(items.cbegin(), items.cend(),
        [&](const YamlNode::Entry &entry) { return textIn(entry.value, "name") == m_plan.to; });
}

bool Renamer::isGoodName() const
{
    switch (m_plan.kind) {
    case NameKind::Role:
        return isRoleName(m_plan.to);
    case NameKind::Prerequisite:
    case NameKind::Deployment:
        return isJobName(m_plan.to);
    case NameKind::Parameter:
    case NameKind::Secret:
        return m_plan.references.isEmpty() ? !m_plan.to.isEmpty() : renametext::isReachable(m_plan.to);
    default:
        return true;
    }
}

Result<RenamePlan> Renamer::run()
{
    if (m_plan.from == m_plan.to) {
        return m_plan;
    }
    if (isTaken()) {
        return refuse("rename.taken");
    }
    m_done.insert(isItemName(m_plan.kind) ? m_document.find(m_path)->resolved() : nullptr);
    switch (m_plan.kind) {
    case NameKind::Role:
        role();
        break;
    case NameKind::Prerequisite:
        prerequisite();
        break;
    case NameKind::Parameter:
        templates(u"$parameters"_s);
        break;
    case NameKind::Secret:
        templates(u"$secrets"_s);
        break;
    case NameKind::Deployment:
        deployment();
        break;
    default:
        break;
    }
    if (!isGoodName()) {
        return refuse("rename.bad-name");
    }
    if (m_unreached) {
        return fail(u"edit.not-editable"_s, {{u"path"_s, m_unreached->toPointer()}});
    }
    m_plan.ops += m_keys;
    if (isItemName(m_plan.kind)) {
        const YamlNode *node = m_document.find(m_path)->resolved();
        m_plan.ops.prepend(edit::ReplaceText{m_document.pathOf(node), {{0, valueOf(node).size(), m_plan.to}}, true});
    } else {
        m_plan.ops.append(edit::RenameKey{m_path, m_plan.to, true});
    }
    return m_plan;
}

} // namespace

NameKind nameKindAt(const YamlDocument &document, const YamlPath &path)
{
    if (path.isEmpty() || !document.find(path)) {
        return NameKind::None;
    }
    const QString section = path.keyAt(0);
    const bool isKey = document.find(path.parent())->resolved()->isMap();
    if (section == u"prerequisites"_s || section == u"deployments"_s) {
        const bool inItem = path.size() == 2 && !isKey;
        const bool isName = path.size() == 3 && path.keyAt(2) == u"name"_s;
        if (inItem || isName) {
            const YamlPath own = inItem ? path.child(u"name"_s) : path;
            if (textOf(document.find(own)).isEmpty()) {
                return NameKind::None;
            }
            return section == u"deployments"_s ? NameKind::Deployment : NameKind::Prerequisite;
        }
    }
    if (!isKey) {
        return NameKind::None;
    }
    if (section == u"taskRoles"_s && path.size() == 2) {
        return NameKind::Role;
    }
    if (section == u"parameters"_s && path.size() >= 2) {
        return NameKind::Parameter;
    }
    if (section == u"secrets"_s && path.size() >= 2) {
        return NameKind::Secret;
    }
    return NameKind::Other;
}

QString nameAt(const YamlDocument &document, const YamlPath &path)
{
    const NameKind kind = nameKindAt(document, path);
    if (kind == NameKind::None) {
        return {};
    }
    return isItemName(kind) ? textOf(document.find(namePath(path, kind))) : path.keyAt(path.size() - 1);
}

Result<RenamePlan> planRename(const YamlDocument &document, const YamlPath &path, const QString &to)
{
    if (!document.isComplete()) {
        return fail(u"edit.broken-document"_s, {{u"path"_s, path.toPointer()}});
    }
    const NameKind kind = nameKindAt(document, path);
    if (kind == NameKind::None) {
        return fail(u"rename.no-name"_s, {{u"path"_s, path.toPointer()}});
    }
    return Renamer(document, namePath(path, kind), kind, nameAt(document, path), to).run();
}

} // namespace trainyard
