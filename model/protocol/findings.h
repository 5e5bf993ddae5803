// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/diagnostic.h"
#include "model/yaml/yamldocument.h"
#include "model/yaml/yamledit.h"

namespace trainyard
{

// Does an OpenPAI server refuse the job because of it?
enum class Server { Accepts, Refuses };
enum class Point { Value, Key }; // what is underlined: the node at the path, or its key

// Collects diagnostics of one document: finds their bytes and their fixes. There is a limit, so that a file that is
// wrong in ten thousand places is still answered at once.
class Findings
{
public:
    explicit Findings(const YamlDocument &document);

    Diagnostic &add(const QString &code, Severity severity, Server server, const YamlPath &path,
        const QJsonObject &args = {}, Point point = Point::Value);
    // Underlines only these bytes.
    Diagnostic &addAt(const QString &code, Severity severity, Server server, const YamlPath &path, ByteRange at,
        const QJsonObject &args = {});
    // Adds a fix, to be planned when somebody wants it; several operations make one fix.
    void fix(Diagnostic &diagnostic, const QString &title, const QJsonObject &args, const QList<edit::Op> &ops);

    // A fix that renames what stands at the path with everything that refers to it. Looking for that costs a walk over
    // the text, so that of many such findings only the first ones get it; the others get `simple`, when it is not
    // empty.
    void fixRename(Diagnostic &diagnostic, const YamlPath &path, const QString &to, const QString &shownName,
        const QList<edit::Op> &simple);

    bool isFull() const;
    // Full, and what was left out is of every kind: nothing more can be learned.
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
    Diagnostic &drop(Severity severity, Server server);
};

// The candidate most like `word`, or empty when none is near.
QString nearest(const QString &word, const QStringList &candidates);

} // namespace trainyard
