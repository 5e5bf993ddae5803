// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/caretplace.h"
#include "model/protocol/fieldreference.h"
#include "model/protocol/jobspec.h"

#include <QHash>

namespace trainyard
{

// One thing that may be written at a caret.
struct Suggestion {
    enum class Kind { Key, Value, Reference, Template, Variable };
    Kind kind = Kind::Value;
    QString label; // shown, and compared with what is typed
    QByteArray insert; // the bytes that take the place of Suggestions::range
    qsizetype caret = 0; // where the caret goes, in `insert`
    QString detail; // short: a type, a value, the type of a prerequisite
    QString help; // a sentence or two of the field reference; may be empty
    bool required = false; // a key that must be there
    bool preferred = true; // false: an old name, listed last
};

struct Suggestions {
    ByteRange range; // of the text
    QString typed; // the text in the range before the caret
    QList<Suggestion> items; // all that are possible here, in the order to be shown
    bool eager = false; // worth being shown without being asked for
    bool isEmpty() const { return items.isEmpty(); }
};

// Additional data beside the text. Everything may be null or empty.
struct SuggestionSources {
    const JobSpec *job = nullptr; // the last one that could be read
    const FieldReference *fields = nullptr;
    QStringList virtualClusters;
};

// The suggestions for the caret, also in a text that cannot be parsed. Pure.
Suggestions suggestionsAt(const QByteArray &text, qsizetype caret, const SuggestionSources &sources);

// The same in the text of commands as a shell reads it, which is at `path` in the job ("/taskRoles/worker/commands").
Suggestions commandSuggestionsAt(
    const QByteArray &commands, qsizetype caret, const YamlPath &path, const SuggestionSources &sources);

// The items that fit what was typed: beginnings before parts of words; if there are none, items that have the letters.
QList<Suggestion> matching(const QList<Suggestion> &items, const QString &typed);

// The reference of a variable around `offset` of a command ("$NAME", "${NAME"); empty range when there is none.
struct VariableAt {
    ByteRange name; // without $ and braces
    bool braced = false;
};
std::optional<VariableAt> variableAt(const QByteArray &text, qsizetype offset);

// The inside of <% ... %> around `offset`, as far as it is written.
struct TemplateAt {
    ByteRange key; // "$parameters.lr", without blanks; may be empty
    bool spaceBefore = false; // a blank follows <%
    bool closed = false;
};
std::optional<TemplateAt> templateAt(const QByteArray &text, qsizetype offset);

// The role whose field or command is at the path; empty: none.
QString roleOf(const YamlPath &path);

// The names in this job that replace "<role>", "<index>", "<label>" in a variable of the reference.
QStringList variableNames(const ReferenceVariable &variable, const JobSpec &job, const QString &role);
// The values of the variables that are known before the job runs.
QHash<QString, QString> variableValues(const JobSpec &job, const QString &role);

// A value on one short line, for a list.
QString shortText(const Value &value, int limit = 48);

} // namespace trainyard
