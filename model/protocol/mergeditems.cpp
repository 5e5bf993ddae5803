// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/mergeditems.h"

#include "model/base/utf8.h"
#include "model/yaml/yamledit.h"
#include "model/yaml/yamllex.h"

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

constexpr int mostMergedFixes = 20; // each is tried, which costs a parse

class MergedItems
{
public:
    explicit MergedItems(const YamlDocument &document) : m_document(document), m_bytes(document.bytes()) { }
    QList<Diagnostic> run();

private:
    void walk(const YamlNode *node, const YamlPath &path);
    void text(const YamlNode *node, const YamlPath &path);
    QList<ByteRange> dashedLines(ByteRange text) const;
    bool areInOneColumn(const QList<ByteRange> &lines) const;
    TextEdits aligned(const YamlNode *node, const QList<ByteRange> &lines) const;

    const YamlDocument &m_document;
    QByteArray m_bytes;
    QList<Diagnostic> m_found;
    int m_fixes = 0;
};

// Behind the first line of a text: the dashes with what follows them.
QList<ByteRange> MergedItems::dashedLines(ByteRange text) const
{
    QList<ByteRange> lines;
    for (qsizetype line = yamllex::nextLine(m_bytes, text.begin); line < text.end;
         line = yamllex::nextLine(m_bytes, line)) {
        const qsizetype dash = yamllex::skipBlanks(m_bytes, line);
        if (dash < text.end && m_bytes.at(dash) == '-' && yamllex::isBlankOrEnd(m_bytes, dash + 1)) {
            lines.append({dash, std::min(text.end, yamllex::lineEnd(m_bytes, line))});
        }
    }
    return lines;
}

// Deeper ones may have been meant to be below the others.
bool MergedItems::areInOneColumn(const QList<ByteRange> &lines) const
{
    const auto column = [this](ByteRange line) { return line.begin - yamllex::lineBegin(m_bytes, line.begin); };
    return std::all_of(
        lines.cbegin(), lines.cend(), [&](ByteRange line) { return column(line) == column(lines.constFirst()); });
}

// The lines below the dash of the item that swallows them.
TextEdits MergedItems::aligned(const YamlNode *node, const QList<ByteRange> &lines) const
{
    qsizetype dash = node->at.begin - 1;
    while (dash >= 0 && yamllex::isBlank(m_bytes.at(dash))) {
        --dash;
    }
    if (yamllex::at(m_bytes, dash) != '-') {
        return {};
    }
    TextEdits edits;
    const QByteArray indent(yamllex::columnOf(m_bytes, dash), ' ');
    for (const ByteRange &line : lines) {
        edits.append({{yamllex::lineBegin(m_bytes, line.begin), line.begin}, indent});
    }
    return edits;
}

void MergedItems::text(const YamlNode *node, const YamlPath &path)
{
    const QList<ByteRange> lines = dashedLines(node->at);
    if (lines.isEmpty()) {
        return;
    }
    Diagnostic diagnostic;
    diagnostic.code = u"yaml.merged-item"_s;
    diagnostic.severity = Severity::Warning;
    diagnostic.at = lines.constFirst();
    diagnostic.path = path;
    const bool isItem = node->parent && node->parent->isSequence() && areInOneColumn(lines);
    if (const TextEdits edits = isItem ? aligned(node, lines) : TextEdits();
        !edits.isEmpty() && m_fixes++ < mostMergedFixes) {
        const YamlDocument after = YamlDocument::parse(applyEdits(m_bytes, edits));
        if (after.isWellFormed() || !m_document.isWellFormed()) {
            diagnostic.fixes.append({u"fix.align-items"_s, {}, edits});
        }
    }
    m_found.append(diagnostic);
}

void MergedItems::walk(const YamlNode *node, const YamlPath &path)
{
    if (node->kind == YamlNode::Kind::Scalar) {
        const auto *field = path.isEmpty() ? nullptr : std::get_if<QString>(&path.last());
        const bool isInLines = node->parent && node->parent->style == YamlNode::Style::Block;
        if (node->style == YamlNode::Style::Plain && isInLines && !(field && *field == u"description")) {
            text(node, path);
        }
        return;
    }
    for (qsizetype i = 0; i < node->entries.size(); ++i) {
        const YamlNode::Entry &entry = node->entries.at(i);
        if (entry.value->kind != YamlNode::Kind::Alias) {
            walk(entry.value, entry.key ? path.child(textFromUtf8(entry.key->scalar)) : path.child(i));
        }
    }
}

QList<Diagnostic> MergedItems::run()
{
    if (m_document.root()) {
        walk(m_document.root(), {});
    }
    return m_found;
}

} // namespace

QList<Diagnostic> checkMergedItems(const YamlDocument &document) { return MergedItems(document).run(); }

} // namespace trainyard
