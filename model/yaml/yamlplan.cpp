// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/yaml/yamlplan.h"

#include "model/base/utf8.h"

namespace trainyard::yamlplan
{

tl::unexpected<Error> Planner::refuse(const char *code, QJsonObject args) const
{
    args.insert(QStringLiteral("path"), m_path.toPointer());
    return fail(QLatin1String(code), args);
}

Result<Changes> Planner::withFlow(const QByteArray &yaml, bool inserts)
{
    Leaf leaf;
    leaf.isText = false;
    leaf.text = yaml.trimmed();
    leaf.flow = YamlDocument::parse(leaf.text);
    const YamlNode *root = leaf.flow.root();
    const bool usable = root && leaf.flow.isWellFormed() && !leaf.flow.secondRoot() && !leaf.text.contains('\n')
        && !leaf.text.contains('\r') && root->style != YamlNode::Style::Block && root->style != YamlNode::Style::Literal
        && root->style != YamlNode::Style::Folded && root->at == ByteRange{0, leaf.text.size()};
    // "null" as a document is an empty one, but a value all the same.
    const bool null = root && root->isNull() && !root->scalar.isEmpty() && root->at.length() == leaf.text.size();
    if (!usable && !null) {
        return refuse("edit.bad-value");
    }
    if (isJson()) {
        const std::optional<QByteArray> text = yamljson::text(root);
        if (!text) {
            return refuse("edit.bad-value");
        }
        leaf.text = *text;
        leaf.flow = YamlDocument::parse(leaf.text);
    }
    return inserts ? insert(leaf) : set(leaf);
}

Result<Where> Planner::resolve()
{
    Where where;
    if (!m_document.root()) {
        for (qsizetype i = 0; i < m_path.size(); ++i) {
            where.rest.append(m_path.at(i));
        }
        return where;
    }
    where.nodes.append(m_document.root());
    for (qsizetype i = 0; i < m_path.size(); ++i) {
        const YamlNode *node = where.node();
        if (node->kind == YamlNode::Kind::Alias) {
            return refuse("edit.through-alias", {{QStringLiteral("name"), textFromUtf8(node->anchor)}});
        }
        std::optional<qsizetype> index;
        if (node->isSequence()) {
            index = indexOf(m_path.at(i));
        } else if (const auto *key = std::get_if<QString>(&m_path.at(i)); key && node->isMap()) {
            if (const YamlNode *value = node->find(key->toUtf8())) {
                index = value->position;
            }
        }
        if (!index || *index < 0 || *index >= node->entries.size()) {
            for (; i < m_path.size(); ++i) {
                where.rest.append(m_path.at(i));
            }
            break;
        }
        where.chain.append(*index);
        where.nodes.append(node->entries.at(*index).value);
    }
    return where;
}

Result<Where> Planner::resolveBelowRoot()
{
    Result<Where> where = resolve();
    if (where && m_path.isEmpty()) {
        return refuse("edit.root");
    }
    return where;
}

Result<Where> Planner::resolveEntry()
{
    Result<Where> where = resolveBelowRoot();
    if (where && !where->rest.isEmpty()) {
        return refuse("edit.no-such-path");
    }
    return where;
}

Result<void> Planner::noSharedAnchor(const YamlNode *inside)
{
    if (!m_aliasesKnown) {
        m_aliasesKnown = true;
        collectAliases(m_document.root());
    }
    const auto holds = [](const YamlNode *outer, const YamlNode *inner) {
        for (; inner; inner = inner->parent) {
            if (inner == outer) {
                return true;
            }
        }
        return false;
    };
    for (const YamlNode *alias : std::as_const(m_aliases)) {
        const YamlNode *target = alias->target;
        const bool touches = target && (holds(target, inside) || (holds(inside, target) && !holds(inside, alias)));
        if (touches) {
            return refuse("edit.anchor-in-use", {{QStringLiteral("name"), textFromUtf8(alias->anchor)}});
        }
    }
    return {};
}

void Planner::collectAliases(const YamlNode *node)
{
    if (!node) {
        return;
    }
    if (node->kind == YamlNode::Kind::Alias) {
        m_aliases.append(node);
    }
    for (const YamlNode::Entry &entry : node->entries) {
        collectAliases(entry.key);
        collectAliases(entry.value);
    }
}

qsizetype Planner::step()
{
    if (m_step < 0) {
        m_step = mapStep(m_document.root(), m_text);
    }
    return m_step;
}

qsizetype Planner::dashOffset()
{
    if (m_dashOffset < 0) {
        m_dashOffset = listOffset(m_document.root(), m_text);
    }
    return m_dashOffset;
}

bool Planner::isJson()
{
    if (!m_isJson) {
        m_isJson = yamljson::isJson(m_document.root());
    }
    return *m_isJson;
}

QByteArray Planner::keyText(const QString &key, bool flow)
{
    yamlencode::Request request;
    request.json = isJson();
    request.text = key.toUtf8();
    request.key = true;
    request.flow = flow;
    return yamlencode::encodings(request).first().head;
}

yamlencode::Request Planner::requestForKey(const QString &key, bool flow, const YamlNode *old)
{
    yamlencode::Request request;
    request.json = isJson();
    request.text = key.toUtf8();
    request.key = true;
    request.flow = flow;
    request.base = -1;
    request.replaces = old != nullptr;
    if (old) {
        request.style = old->style;
        request.oldText = old->scalar;
    }
    return request;
}

yamlencode::Request Planner::requestFor(const Leaf &leaf, const Frame &frame)
{
    yamlencode::Request request;
    request.json = isJson();
    request.text = leaf.text;
    request.flow = frame.flow;
    request.base = frame.base;
    request.contentColumn = frame.item ? frame.itemColumn : frame.base + step();
    request.lineBreak = frame.lineBreak;
    return request;
}

QList<Encoded> Planner::leafText(const Leaf &leaf, const Frame &frame)
{
    return leaf.isText ? yamlencode::encodings(requestFor(leaf, frame)) : QList<Encoded>{{leaf.text, {}}};
}

QList<Encoded> Planner::nested(const Path &rest, const Leaf &leaf, const Frame &frame)
{
    if (rest.isEmpty()) {
        return leafText(leaf, frame);
    }
    const bool item = namesItem(rest.first());
    const QString key = item ? QString() : std::get<QString>(rest.first());
    Frame inner = frame;
    inner.item = item;
    inner.base = frame.item ? frame.itemColumn : frame.base + (item ? dashOffset() : step());
    inner.itemColumn = inner.base + 2;
    QList<Encoded> result;
    for (const Encoded &value : nested(rest.mid(1), leaf, inner)) {
        if (frame.flow) {
            QByteArray text = value.head;
            text = item ? QByteArray('[' + text + ']') : QByteArray('{' + keyText(key, true) + ": " + text + '}');
            result.append(Encoded{text, QByteArray()});
            continue;
        }
        const QByteArray line = (item ? QByteArray("-") : keyText(key, false) + ':') + spaced(value.head);
        if (frame.item) {
            result.append({line, value.body});
        } else {
            result.append({{}, frame.lineBreak + spaces(inner.base) + line + value.body});
        }
    }
    return result;
}

ExpectPtr Planner::nestedExpected(const Path &rest, const Leaf &leaf)
{
    if (rest.isEmpty()) {
        return leaf.expected();
    }
    const bool item = namesItem(rest.first());
    ExpectPtr outer = yamlguard::collection(item ? YamlNode::Kind::Sequence : YamlNode::Kind::Map);
    outer->entries.emplace_back(item ? nullptr : yamlguard::string(std::get<QString>(rest.first()).toUtf8()),
        nestedExpected(rest.mid(1), leaf));
    return outer;
}

} // namespace trainyard::yamlplan
