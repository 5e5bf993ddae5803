// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/diagnostic.h"
#include "model/yaml/yamldocument.h"
#include "model/yaml/yamledit.h"

#include <optional>

namespace trainyard
{

// Whether an OpenPAI server refuses the job because of a finding.
enum class ServerVerdict { Accepts, Refuses };
enum class Point { Value, Key }; // what is underlined: the node at the path, or its key

// A name as the title of a fix shows it: of a long one, the part in which it first differs from the name before.
QString shownChange(const QString &from, const QString &to);

// Collects the diagnostics of one document and finds their bytes and fixes. Their number is limited, so that a file
// with ten thousand mistakes is still checked at once.
class Findings
{
public:
    explicit Findings(const YamlDocument &document);

    Diagnostic &add(const QString &code, Severity severity, ServerVerdict server, const YamlPath &path,
        const QJsonObject &args = {}, Point point = Point::Value);
    // Underlines only these bytes.
    Diagnostic &addAt(const QString &code, Severity severity, ServerVerdict server, const YamlPath &path, ByteRange at,
        const QJsonObject &args = {});
    // Adds a fix, which is planned when it is applied; several operations make one fix. None is added at a position
    // that edits cannot reach, such as one below a duplicate key.
    void fix(Diagnostic &diagnostic, const QString &title, const QJsonObject &args, const QList<edit::Op> &ops);

    void fixText(Diagnostic &diagnostic, const QString &title, const TextEdits &edits,
        const QJsonObject &args = {}); // nothing is to be planned

    // A fix that renames `from` at the path, with everything that refers to it. This needs a walk over the text, so
    // only the first of many such findings get it; the others get `simple`, if it is not empty.
    void fixRename(Diagnostic &diagnostic, const YamlPath &path, const QString &from, const QString &to,
        const QList<edit::Op> &simple);

    // Takes back that this map lacks a required field; says how severe that was.
    std::optional<Severity> takeBackMissing(const YamlPath &map, const QString &field);
    // Takes back the fixes of the finding that was just made of the place; another finding is left as it is.
    void takeBackFixes(const QString &code, const YamlPath &path);

    bool isFull() const;
    // Whether the list is full, and both an error and what a server refuses were left out: nothing more can be learned.
    bool isSettled() const { return isFull() && m_droppedRefused && m_droppedError; }
    const YamlDocument &document() const { return m_document; }
    QList<Diagnostic> take();

private:
    ByteRange rangeOf(const YamlPath &path, Point point) const;
    ByteRange firstLine(ByteRange range) const;

    YamlDocument m_document;
    QList<Diagnostic> m_list;
    Diagnostic m_dropped; // what callers get when the list is full
    int m_renames = 0;
    bool m_droppedRefused = false;
    bool m_droppedError = false;
    Diagnostic &drop(Severity severity, ServerVerdict server);
};

// The candidate that is most like `word`, or the only one that it abbreviates; empty when none is close.
QString nearest(const QString &word, const QStringList &candidates);

// The position of the text that was read as item `i` of a list: a single text instead of the list is its first item.
YamlPath itemPath(const YamlDocument &document, const YamlPath &list, qsizetype i);

// The bytes of the part [begin, end) of a text that a document has at a path, such as a tag: it has the same number of
// equal parts before it there as in the text. Nothing if the spelling in the document differs from the text, by folding
// or escapes, so that the parts cannot be distinguished, or if there is nothing at the path.
std::optional<ByteRange> writtenPart(
    const YamlDocument &document, const YamlPath &path, const QString &text, qsizetype begin, qsizetype end);
// The same, or else the whole text; empty where there is nothing at the path.
ByteRange rangeOfPart(
    const YamlDocument &document, const YamlPath &path, const QString &text, qsizetype begin, qsizetype end);

} // namespace trainyard
