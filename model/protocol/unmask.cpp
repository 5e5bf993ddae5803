// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/unmask.h"

#include "model/base/linediff.h"
#include "model/protocol/jobdocument.h"

#include <algorithm>
#include <cstring>
#include <optional>

namespace trainyard
{
namespace
{

const YamlNode *secretsOf(const YamlDocument &document)
{
    const YamlNode *secrets = document.root() ? document.root()->find("secrets") : nullptr;
    return secrets && secrets->isMap() ? secrets : nullptr;
}

bool isMaskedScalar(const YamlNode *node) { return node->kind == YamlNode::Kind::Scalar && node->scalar == "******"; }

// The text after the name of a secret in a text that cannot be read as YAML, such as one with tabs: on its line
// below "secrets:", if there is only one such line and the value ends on it.
QByteArray writtenIn(const QByteArray &text, const QByteArray &name)
{
    QByteArray found;
    bool isInside = false;
    const QList<QByteArray> lines = text.split('\n');
    for (const QByteArray &line : lines) {
        const QByteArray trimmed = line.trimmed();
        if (!line.isEmpty() && line.at(0) != ' ' && line.at(0) != '\t' && line.at(0) != '#' && line.at(0) != '\r') {
            isInside = line.startsWith("secrets:");
            continue;
        }
        const qsizetype colon = trimmed.indexOf(':');
        QByteArray key = trimmed.left(std::max<qsizetype>(0, colon)).trimmed();
        if (key.size() > 1 && (key.startsWith('"') || key.startsWith('\'')) && key.endsWith(key.at(0))) {
            key = key.mid(1, key.size() - 2);
        }
        if (!isInside || key != name) {
            continue;
        }
        if (!found.isEmpty()) {
            return {};
        }
        found = trimmed.mid(colon + 1).trimmed();
    }
    const QByteArray alone = "a: " + found + '\n';
    const YamlDocument read = YamlDocument::parse(alone);
    const YamlNode *value = read.isComplete() && read.root() ? read.root()->find("a") : nullptr;
    const bool isOnItsLine = value && value->kind == YamlNode::Kind::Scalar && value->anchor.isEmpty()
        && value->at.length() > 0 && !std::strchr("|>!", found.at(0));
    return isOnItsLine ? alone.mid(value->at.begin, value->at.length()) : QByteArray(); // without a comment
}

// Where lines of one text are in another.
class KeptLines
{
public:
    KeptLines(const QByteArray &before, const QByteArray &now)
        : m_beforeSize(before.size()), m_nowSize(now.size()), m_diff(diffLines(before, now))
    {
    }
    // The begin of a range whose lines have not changed.
    std::optional<qsizetype> placeOf(ByteRange range) const
    {
        const qsizetype last = m_diff.oldLines.size() - 1;
        if (range.begin == m_beforeSize) {
            const std::optional<qsizetype> line = last < 0 ? std::optional<qsizetype>(-1) : lineNow(last);
            return line && *line == m_diff.newLines.size() - 1 ? std::optional(m_nowSize) : std::nullopt;
        }
        const qsizetype first = lineAt(range.begin);
        const std::optional<qsizetype> firstNow = lineNow(first);
        for (qsizetype line = first; firstNow && line <= lineAt(std::max(range.begin, range.end - 1)); ++line) {
            if (lineNow(line) != *firstNow + line - first) {
                return std::nullopt;
            }
        }
        return firstNow
            ? std::optional(m_diff.newLines.at(*firstNow).begin + range.begin - m_diff.oldLines.at(first).begin)
            : std::nullopt;
    }

private:
    qsizetype lineAt(qsizetype offset) const
    {
        const auto next = std::upper_bound(m_diff.oldLines.cbegin(), m_diff.oldLines.cend(), offset,
            [](qsizetype at, const ByteRange &line) { return at < line.begin; });
        return next - m_diff.oldLines.cbegin() - 1;
    }
    std::optional<qsizetype> lineNow(qsizetype line) const
    {
        qsizetype moved = 0;
        for (const LineChange &change : m_diff.changes) {
            if (line < change.oldBegin) {
                break;
            }
            if (line < change.oldEnd) {
                return std::nullopt;
            }
            moved = change.newEnd - change.oldEnd;
        }
        return line + moved;
    }

    qsizetype m_beforeSize, m_nowSize;
    LineDiff m_diff;
};

// Two masked values look alike: what is around them says whether they are the same. An item of a list is the same when
// nothing in it was changed.
bool isSameValue(const YamlDocument &before, qsizetype placeBefore, const YamlDocument &now, qsizetype placeNow)
{
    const YamlPath pathBefore = before.pathAt(placeBefore);
    const YamlPath pathNow = now.pathAt(placeNow);
    const auto itemAt = [](const YamlDocument &document, YamlPath path, qsizetype size) {
        while (path.size() > size) {
            path = path.parent();
        }
        const YamlNode *node = document.find(path);
        return node ? document.bytes().mid(node->at.begin, node->at.length()) : QByteArray();
    };
    for (qsizetype i = 0; i < pathBefore.size() && i < pathNow.size(); ++i) {
        const bool isItem = std::holds_alternative<qsizetype>(pathBefore.at(i));
        const bool isSame = isItem ? itemAt(before, pathBefore, i + 1) == itemAt(now, pathNow, i + 1)
                                   : pathBefore.at(i) == pathNow.at(i);
        if (!isSame) {
            return false;
        }
    }
    return pathBefore.size() == pathNow.size();
}

// Takes back what masking `from` changes, wherever those lines are the same in the text.
QByteArray withUnchangedOf(const QByteArray &text, const QByteArray &from)
{
    const YamlDocument whole = YamlDocument::parse(from);
    const TextEdits masks = whole.isComplete() ? secretMasks(whole) : TextEdits();
    if (masks.isEmpty()) {
        return text;
    }
    const YamlDocument before = YamlDocument::parse(applyEdits(from, masks));
    const YamlDocument now = YamlDocument::parse(text);
    const KeptLines lines(before.bytes(), text);
    TextEdits edits;
    qsizetype moved = 0;
    for (const TextEdit &mask : masks) {
        const qsizetype begin = mask.range.begin + moved;
        moved += mask.text.size() - mask.range.length();
        const std::optional<qsizetype> place = lines.placeOf({begin, begin + mask.text.size()});
        if (place && (mask.text.isEmpty() || isSameValue(before, begin, now, *place))) {
            edits.append({{*place, *place + mask.text.size()}, from.mid(mask.range.begin, mask.range.length())});
        }
    }
    const QByteArray restored = applyEdits(text, edits);
    const Result<QByteArray> again = maskSecrets(restored);
    return again && *again == text ? restored : text;
}

// Value by value, by their names.
QByteArray withNamedOf(const QByteArray &text, const QByteArray &from)
{
    const YamlDocument masked = YamlDocument::parse(text);
    const YamlDocument whole = YamlDocument::parse(from);
    const YamlNode *here = secretsOf(masked);
    const YamlNode *there = secretsOf(whole);
    TextEdits edits;
    if (!here || !masked.isComplete() || (whole.isComplete() && !there)) {
        return text;
    }
    for (const YamlNode::Entry &entry : here->entries) {
        if (!whole.isComplete()) {
            const QByteArray written = isMaskedScalar(entry.value) ? writtenIn(from, entry.key->scalar) : QByteArray();
            if (!written.isEmpty() && here->style != YamlNode::Style::Flow) {
                edits.append({entry.value->at, written});
            }
            continue;
        }
        const YamlNode *value = isMaskedScalar(entry.value) ? there->find(entry.key->scalar) : nullptr;
        if (!value || value->kind != YamlNode::Kind::Scalar || !value->anchor.isEmpty()) {
            continue;
        }
        const QByteArray written = from.mid(value->at.begin, value->at.length());
        // A scalar that is plain on its own line need not be plain between brackets.
        const bool isAsPlain = here->style != YamlNode::Style::Flow || value->style != YamlNode::Style::Plain
            || there->style == YamlNode::Style::Flow
            || std::none_of(written.cbegin(), written.cend(), [](char c) { return std::strchr(",[]{}", c); });
        if (!written.contains('\n') && isAsPlain) {
            edits.append({entry.value->at, written});
        }
    }
    return applyEdits(text, edits);
}

} // namespace

QByteArray withSecretsOf(const QByteArray &text, const QByteArray &from)
{
    return withNamedOf(withUnchangedOf(text, from), from);
}

} // namespace trainyard
