// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/suggestions.h"

#include "model/base/ascii.h"
#include "model/base/utf8.h"
#include "model/protocol/completer.h"
#include "model/yaml/yamllex.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>
#include <cstring>

using namespace Qt::StringLiterals;

namespace trainyard
{

Suggestions suggestionsAt(const QByteArray &text, qsizetype caret, const SuggestionSources &sources)
{
    return Completer(text, caret, sources).run();
}

Suggestions commandSuggestionsAt(
    const QByteArray &commands, qsizetype caret, const YamlPath &path, const SuggestionSources &sources)
{
    return Completer(commands, caret, sources).runInCommands(path);
}

QList<Suggestion> matching(const QList<Suggestion> &items, const QString &typed)
{
    if (typed.isEmpty()) {
        return items;
    }
    const auto rankOf = [&](const QString &label) {
        if (label.startsWith(typed)) {
            return 0;
        }
        if (label.startsWith(typed, Qt::CaseInsensitive)) {
            return 1;
        }
        for (qsizetype at = label.indexOf(typed, 1, Qt::CaseInsensitive); at > 0;
             at = label.indexOf(typed, at + 1, Qt::CaseInsensitive)) {
            const bool part
                = !label.at(at - 1).isLetterOrNumber() || (label.at(at).isUpper() && !label.at(at - 1).isUpper());
            if (part) {
                return 2;
            }
        }
        if (typed.size() < 2) {
            return -1;
        }
        if (label.contains(typed, Qt::CaseInsensitive)) {
            return 3;
        }
        qsizetype next = 0;
        for (const QChar c : label) {
            if (next < typed.size() && c.toLower() == typed.at(next).toLower()) {
                ++next;
            }
        }
        return next == typed.size() && typed.size() > 2 && label.at(0).toLower() == typed.at(0).toLower() ? 4 : -1;
    };
    QList<Suggestion> ranked[5];
    for (const Suggestion &item : items) {
        if (const int rank = rankOf(item.label); rank >= 0) {
            ranked[rank].append(item);
        }
    }
    const QList<Suggestion> good = ranked[0] + ranked[1] + ranked[2];
    return good.isEmpty() ? ranked[3] + ranked[4] : good;
}

std::optional<VariableAt> variableAt(const QByteArray &text, qsizetype offset)
{
    qsizetype begin = std::clamp<qsizetype>(offset, 0, text.size());
    while (begin > 0 && ascii::isWord(text.at(begin - 1))) {
        --begin;
    }
    qsizetype end = begin;
    while (end < text.size() && ascii::isWord(text.at(end))) {
        ++end;
    }
    if (begin > 0 && text.at(begin - 1) == '$') {
        return VariableAt{{begin, end}, false};
    }
    if (begin > 1 && text.at(begin - 1) == '{' && text.at(begin - 2) == '$') {
        return VariableAt{{begin, end}, true};
    }
    return {};
}

std::optional<TemplateAt> templateAt(const QByteArray &text, qsizetype offset)
{
    offset = std::clamp<qsizetype>(offset, 0, text.size());
    const qsizetype line = yamllex::lineBegin(text, offset);
    const qsizetype lineEnd = yamllex::lineEnd(text, offset);
    const qsizetype open = text.left(offset).lastIndexOf("<%");
    if (open < line || open + 2 > offset) {
        return {};
    }
    const qsizetype close = text.indexOf("%>", open + 2);
    if (close >= 0 && close < offset) {
        return {};
    }
    TemplateAt at;
    const qsizetype nextOpen = text.indexOf("<%", open + 2);
    at.closed = close >= 0 && close < lineEnd && (nextOpen < 0 || nextOpen > close);
    qsizetype begin = open + 2;
    while (begin < offset && text.at(begin) == ' ') {
        ++begin;
    }
    at.spaceBefore = begin > open + 2;
    qsizetype end = begin;
    const qsizetype limit = at.closed ? close : lineEnd;
    // A bracket that was not opened in the name ends the list around it.
    for (bool isOpen = false; end < limit; ++end) {
        const char c = text.at(end);
        if (!ascii::isWord(c) && !std::strchr("$.[-", c) && !(c == ']' && isOpen)) {
            break;
        }
        isOpen = c == '[' || (isOpen && c != ']');
    }
    if (end < offset) {
        return {}; // behind the name
    }
    at.key = {begin, end};
    return at;
}

QString roleOf(const YamlPath &path)
{
    if (path.size() >= 2 && path.keyAt(0) == "taskRoles"_L1) {
        return path.keyAt(1);
    }
    if (path.size() >= 4 && path.keyAt(0) == "deployments"_L1 && path.keyAt(2) == "taskRoles"_L1) {
        return path.keyAt(3);
    }
    return {};
}

QString shortText(const Value &value, int limit)
{
    QString text;
    if (value.isNull()) {
        text = u"null"_s;
    } else if (value.asList() || value.asMap()) {
        const QJsonValue json = value.toJson();
        text = textFromUtf8(json.isArray() ? QJsonDocument(json.toArray()).toJson(QJsonDocument::Compact)
                                           : QJsonDocument(json.toObject()).toJson(QJsonDocument::Compact));
    } else {
        text = value.toText();
    }
    text = text.left(4 * limit).simplified();
    return text.size() > limit ? text.left(limit - 1) + u'\u2026' : text;
}

} // namespace trainyard
