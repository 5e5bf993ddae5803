// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/exitplace.h"

#include "engine/core/why/shellerrors.h"
#include "model/template/tags.h"

#include <QRegularExpression>

#include <algorithm>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

// What the message is about, as the commands have it.
QString wordOf(const FailureFacts &facts)
{
    for (const QLatin1StringView name : {"command"_L1, "file"_L1, "name"_L1}) {
        if (const QString word = facts.args.value(name).toString(); !word.isEmpty()) {
            return word;
        }
    }
    return {};
}

// Where a text has it as a word of its own; -1: it has not.
qsizetype placeOfWord(const QString &text, const QString &word)
{
    const QRegularExpression whole(QString(u"(?<![\\w./-])"_s + QRegularExpression::escape(word) + u"(?![\\w./-])"_s));
    return text.indexOf(whole);
}

bool hasReference(const ScriptLine &line, const QString &written)
{
    const Result<QList<TemplateTag>> tags = hasTag(line.text) ? templateTags(line.text) : QList<TemplateTag>();
    return tags && std::any_of(tags->cbegin(), tags->cend(), [&written](const TemplateTag &tag) {
        return written == QString(u"<% "_s + tag.key + u" %>"_s);
    });
}

// The line that the message names, if it has what the message is about, else the only one that has it: what stands
// before the commands in the script may make the line another one.
template <typename Has> const ScriptLine *lineWith(const QList<ScriptLine> &lines, int row, Has has)
{
    const ScriptLine *named = scriptLineAt(lines, row);
    if (named && has(*named)) {
        return named;
    }
    const auto first = std::find_if(lines.cbegin(), lines.cend(), has);
    const bool isOnly = first != lines.cend() && std::find_if(first + 1, lines.cend(), has) == lines.cend();
    return isOnly ? &*first : nullptr;
}

void nameReference(FailureFacts &facts, const ScriptLine &line, const QString &word)
{
    const auto written = [](const FilledValue &value) { return QString(u"<% "_s + value.key + u" %>"_s); };
    const qsizetype begin = placeOfWord(line.filled, word);
    for (const FilledValue &value : line.values) {
        if (value.begin == begin && value.length == word.size()) {
            facts.args.insert(u"reference"_s, written(value));
            return;
        }
        const bool isBefore = value.begin + value.length <= begin;
        if (isBefore && QStringView(line.filled).sliced(value.begin, value.length).trimmed().isEmpty()
            && QStringView(line.filled).first(begin).trimmed().isEmpty()) {
            facts.args.insert(u"emptyReference"_s, written(value));
            return;
        }
    }
}

} // namespace

FailureFacts placedInCommands(FailureFacts facts, const QList<ScriptLine> &lines)
{
    const std::optional<core::ShellError> error = core::shellErrorIn(facts.text.toUtf8());
    if (facts.onlyLast || !error || error->row == 0) {
        return facts;
    }
    const QString word = wordOf(facts);
    const bool isReference = facts.cause == "reference-unresolved"_L1;
    const auto has = [&](const ScriptLine &line) {
        return isReference ? hasReference(line, word) : !word.isEmpty() && placeOfWord(line.filled, word) >= 0;
    };
    const ScriptLine *line = lineWith(lines, error->row, has);
    if (!line && isReference) { // each of them is to be corrected
        const auto first = std::find_if(lines.cbegin(), lines.cend(), has);
        line = first == lines.cend() ? nullptr : &*first;
    }
    if (!line) {
        return facts;
    }
    facts.args.insert(u"at"_s, line->path.toPointer());
    facts.args.insert(u"atLine"_s, line->line);
    if (facts.cause == "command-missing"_L1) {
        nameReference(facts, *line, word);
    }
    return facts;
}

} // namespace trainyard
