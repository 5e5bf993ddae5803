// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/utf8.h"
#include "model/yaml/yamlplan.h"
#include "model/yaml/yamlscalar.h"

namespace trainyard::yamlplan
{

std::optional<Change> Planner::inPlace(const YamlNode *node, const TextEdits &parts)
{
    const YamlNode *parent = node->parent;
    const QByteArray text = applyEdits(node->scalar, parts);
    const bool flow = isFlow(parent);
    const bool isUnquoted = isJson() && node->style != YamlNode::Style::DoubleQuoted; // a text cannot stay so
    if (isUnquoted) {
        return std::nullopt;
    }
    const qsizetype base = flow ? -1 : columnOf(m_text, entryStart(m_text, parent, node->position));
    QList<qsizetype> sources;
    yamllex::scalar(m_text, contentBegin(m_text, node), {flow, false, base}, &sources);
    const qsizetype size = node->scalar.size();
    if (sources.size() != size) {
        return std::nullopt;
    }
    Change change{{}, node, yamlguard::string(text), {}, {}};
    change.expected->anchor = node->anchor;
    for (const TextEdit &part : parts) {
        const auto [begin, end] = part.range;
        bool verbatim = begin < end || begin < size || (size > 0 && at(m_text, sources.last()) == node->scalar.back());
        verbatim = verbatim && !part.text.contains('\n') && !part.text.contains('\r');
        for (qsizetype i = begin; verbatim && i < end; ++i) {
            verbatim = node->scalar.at(i) != '\n' && sources.at(i) == sources.at(begin) + i - begin
                && at(m_text, sources.at(i)) == node->scalar.at(i);
        }
        if (!verbatim) {
            return std::nullopt;
        }
        QByteArray written = part.text;
        if (node->style == YamlNode::Style::SingleQuoted) {
            written.replace('\'', "''");
        } else if (node->style == YamlNode::Style::DoubleQuoted) {
            written = isJson() ? yamlencode::jsonQuoted(written) : yamlencode::doubleQuoted(written);
            written = written.mid(1, written.size() - 2);
        }
        const qsizetype from = begin < size ? sources.at(begin) : sources.last() + 1;
        change.edits.append({{from, begin < end ? sources.at(end - 1) + 1 : from}, written});
    }
    return change;
}

void Planner::preferInPlace(Changes &whole, const YamlNode *node, const QByteArray &text)
{
    const bool isText = node->kind == YamlNode::Kind::Scalar && typedScalar(*node).type == ScalarType::String;
    const ByteRange content{contentBegin(m_text, node), node->at.end};
    if (!isText || content.length() <= 0) {
        return;
    }
    if (node->style == YamlNode::Style::Plain) {
        QByteArray line = text;
        if (!yamlencode::plainHolds(line.replace('\n', ' '), isFlow(node->parent))) {
            return; // "yes" is a text here, and no text elsewhere
        }
    }
    if (text == node->scalar) {
        if (!isJson()) {
            whole.clear(); // however it is written
        }
        return;
    }
    const QByteArray written = m_text.mid(content.begin, content.length());
    const bool isOneLine = !written.contains('\n') && !written.contains('\r');
    if (isOneLine && !(node->style == YamlNode::Style::DoubleQuoted && written.contains('\\'))) {
        return; // it is as small when it is rewritten
    }
    const TextEdits parts = yamlguard::minimal(node->scalar, {{{0, node->scalar.size()}, text}});
    if (const std::optional<Change> change = inPlace(node, parts)) {
        whole.prepend(*change);
    }
}

Result<Changes> Planner::replaceText(const edit::ReplaceText &op)
{
    const Result<Where> found = resolveEntry();
    if (!found) {
        return tl::unexpected(found.error());
    }
    const YamlNode *node = found->node();
    if (node->kind != YamlNode::Kind::Scalar) {
        return refuse("edit.no-such-path");
    }
    const QString old = textFromUtf8(node->scalar);
    const auto bytesBefore = [&old](qsizetype end) { return QStringView(old).left(end).toUtf8().size(); };
    TextEdits parts;
    qsizetype done = 0;
    for (const edit::ReplaceText::Part &part : op.parts) {
        if (part.begin < done || part.end < part.begin || part.end > old.size()) {
            return refuse("edit.bad-index");
        }
        parts.append({{bytesBefore(part.begin), bytesBefore(part.end)}, part.text.toUtf8()});
        done = part.end;
    }
    const QByteArray text = applyEdits(node->scalar, parts);
    Result<Changes> whole = replace(*found, {}, Leaf{true, text, {}}, op.evenShared);
    if (whole) {
        if (const std::optional<Change> change = inPlace(node, parts)) {
            whole->prepend(*change);
        }
    }
    return whole;
}

} // namespace trainyard::yamlplan
