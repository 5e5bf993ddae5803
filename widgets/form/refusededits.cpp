// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/refusededits.h"

#include <algorithm>

namespace trainyard
{
namespace
{

std::optional<QByteArray> writtenValue(const YamlDocument &document, const YamlPath &path)
{
    const YamlNode *node = document.find(path);
    return node ? std::optional(document.bytes().mid(node->at.begin, node->at.length())) : std::nullopt;
}

// How much of the path the document has.
qsizetype depthIn(const YamlDocument &document, const YamlPath &path)
{
    YamlPath there = path;
    while (!there.isEmpty() && !document.find(there)) {
        there = there.parent();
    }
    return there.size();
}

} // namespace

void RefusedEdits::add(const YamlPath &path, const Error &why, const QVariant &typed, const YamlDocument &document)
{
    remove(path);
    m_all.append({path, why, typed, writtenValue(document, path), depthIn(document, path)});
}

bool RefusedEdits::remove(const YamlPath &path)
{
    return m_all.removeIf([&path](const One &each) { return each.path == path; }) > 0;
}

void RefusedEdits::review(const YamlDocument &document)
{
    m_all.removeIf([&document](const One &each) {
        return writtenValue(document, each.path) != each.value || depthIn(document, each.path) < each.depth;
    });
}

QVariant RefusedEdits::typed(const YamlPath &path) const
{
    const auto found
        = std::find_if(m_all.cbegin(), m_all.cend(), [&path](const One &each) { return each.path == path; });
    return found == m_all.cend() ? QVariant() : found->typed;
}

QList<Diagnostic> RefusedEdits::diagnostics() const
{
    QList<Diagnostic> all;
    for (const One &each : m_all) {
        Diagnostic shown;
        shown.severity = Severity::Error;
        shown.code = each.why.code;
        shown.args = each.why.args;
        shown.path = each.path;
        all.append(shown);
    }
    return all;
}

} // namespace trainyard
