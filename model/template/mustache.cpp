// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/template/mustache.h"

#include "model/template/tags.h"

#include <QRegularExpression>

namespace trainyard
{

namespace
{

struct Token {
    enum class Kind { Text, Name, Dropped };
    Kind kind = Kind::Text;
    QString text;
    bool removed = false; // white space of a line that has only tags
    int depth = 0; // inside how many sections
};

struct Delimiters {
    QString open = QStringLiteral("<%");
    QString close = QStringLiteral("%>");
};

qsizetype afterBlanks(const QString &text, qsizetype at)
{
    while (at < text.size() && isServerSpace(text.at(at))) {
        ++at;
    }
    return at;
}

// The text from `at` up to the next `mark`, without the blanks before the mark; moves `at` after the mark.
std::optional<QString> takeUntil(const QString &text, qsizetype &at, const QString &mark)
{
    const qsizetype found = text.indexOf(mark, at);
    if (found < 0) {
        return std::nullopt;
    }
    qsizetype end = found;
    while (end > at && isServerSpace(text.at(end - 1))) {
        --end;
    }
    const QString taken = text.mid(at, end - at);
    at = found + mark.size();
    return taken;
}

Result<QList<Token>> tokenize(const QString &text)
{
    Delimiters tags;
    QList<Token> tokens;
    QStringList sections;
    QList<qsizetype> blanks; // white space tokens of this line
    bool hasTag = false;
    bool nonSpace = false;
    const auto endOfLine = [&] {
        if (hasTag && !nonSpace) {
            for (const qsizetype i : std::as_const(blanks)) {
                tokens[i].removed = true;
            }
        }
        blanks.clear();
        hasTag = false;
        nonSpace = false;
    };
    qsizetype at = 0;
    while (at < text.size()) {
        const qsizetype open = text.indexOf(tags.open, at);
        const qsizetype textEnd = open < 0 ? text.size() : open;
        // Runs of one kind: text, white space within a line, or one newline.
        while (at < textEnd) {
            const QChar first = text.at(at);
            const bool newline = first == QLatin1Char('\n');
            const bool space = isServerSpace(first);
            const qsizetype begin = at++;
            while (
                !newline && at < textEnd && isServerSpace(text.at(at)) == space && text.at(at) != QLatin1Char('\n')) {
                ++at;
            }
            if (space) {
                blanks.append(tokens.size());
            } else {
                nonSpace = true;
            }
            tokens.append({Token::Kind::Text, text.mid(begin, at - begin), false, int(sections.size())});
            if (newline) {
                endOfLine();
            }
        }
        if (open < 0) {
            break;
        }
        const qsizetype tagAt = at;
        at = afterBlanks(text, at + tags.open.size());
        hasTag = true;
        QChar type;
        if (at < text.size() && QStringLiteral("#^/>{&=!").contains(text.at(at))) {
            type = text.at(at);
            at = afterBlanks(text, at + 1);
        }
        std::optional<QString> changed;
        if (type == QLatin1Char('=')) {
            changed = takeUntil(text, at, QStringLiteral("="));
        } else if (type == QLatin1Char('{')) {
            const qsizetype brace = text.indexOf(QLatin1Char('}') + tags.close, at);
            at = brace < 0 ? text.size() : brace + 1; // what ends another tag does not end this one
        }
        const std::optional<QString> body = takeUntil(text, at, tags.close);
        if (!body || (type == QLatin1Char('=') && !changed)) {
            return fail(QStringLiteral("template.unclosed"), {{QStringLiteral("offset"), tagAt}});
        }
        const QString value = changed.value_or(*body);
        if (type.isNull()) {
            nonSpace = true;
            tokens.append({Token::Kind::Name, value, false, int(sections.size())});
        } else if (type == QLatin1Char('#') || type == QLatin1Char('^')) {
            sections.append(value);
        } else if (type == QLatin1Char('/')) {
            if (sections.isEmpty() || sections.takeLast() != value) {
                return fail(QStringLiteral("template.section"),
                    {{QStringLiteral("offset"), tagAt}, {QStringLiteral("name"), value}});
            }
        } else if (type == QLatin1Char('{') || type == QLatin1Char('&')) {
            nonSpace = true;
        } else if (type == QLatin1Char('=')) {
            static const QRegularExpression blank(QStringLiteral("\\s+"));
            const QStringList pair = value.split(blank, Qt::SkipEmptyParts);
            if (pair.size() < 2) { // of more, the first two count
                return fail(QStringLiteral("template.delimiters"), {{QStringLiteral("offset"), tagAt}});
            }
            tags = {pair.at(0), pair.at(1)};
        }
    }
    // The line without a newline at the end of the text is not stripped: the engine strips at newlines only.
    if (!sections.isEmpty()) {
        return fail(QStringLiteral("template.section"),
            {{QStringLiteral("offset"), text.size()}, {QStringLiteral("name"), sections.last()}});
    }
    return tokens;
}

const QString &objectText()
{
    static const QString text = QStringLiteral("[object Object]");
    return text;
}

bool isObjectMethod(const QString &name)
{
    return name == QLatin1String("toString") || name == QLatin1String("constructor") || name == QLatin1String("valueOf")
        || name == QLatin1String("toLocaleString");
}

std::optional<QString> javaScriptText(const TemplateScopes &scopes, const QString &key)
{
    if (key == QLatin1String(".") || isObjectMethod(key)) {
        return objectText();
    }
    const TemplateReference reference = templateReference(key);
    const Value *value = nullptr;
    if (reference.scope == QLatin1String("$parameters")) {
        value = scopes.parameters;
    } else if (reference.scope == QLatin1String("$secrets")) {
        value = scopes.secrets;
    } else if (reference.scope == QLatin1String("$script")) {
        value = scopes.script;
    } else if (reference.scope == QLatin1String("$output")) {
        value = scopes.output;
    } else if (reference.scope == QLatin1String("$data")) {
        value = scopes.data;
    }
    for (qsizetype i = 0; value && i < reference.path.size(); ++i) {
        const QString &name = reference.path.at(i);
        const bool last = i + 1 == reference.path.size();
        bool isIndex = false;
        const qsizetype index = name.toLongLong(&isIndex);
        if (const QString *text = value->asString()) {
            if (last && name == QLatin1String("length")) {
                return QString::number(text->size());
            }
            return last && isIndex && index >= 0 && index < text->size() ? std::optional(QString(text->at(index)))
                                                                         : std::nullopt;
        }
        if (const Value::List *list = value->asList()) {
            if (last && name == QLatin1String("length")) {
                return QString::number(list->size());
            }
            value = isIndex && index >= 0 && index < list->size() ? &list->at(index) : nullptr;
            continue;
        }
        const Value *found = value->find(name);
        if (!found && last && value->asMap() && isObjectMethod(name)) {
            return objectText();
        }
        value = found;
    }
    if (!value || value->isNull()) {
        return std::nullopt;
    }
    return value->toText();
}

} // namespace

Result<Rendered> renderAsServer(const QString &text, const TemplateScopes &scopes)
{
    const Result<QList<Token>> tokens = tokenize(text);
    if (!tokens) {
        return tl::unexpected(tokens.error());
    }
    Rendered result;
    for (const Token &token : *tokens) {
        if (token.removed || token.depth > 0) {
            continue;
        }
        if (token.kind == Token::Kind::Text) {
            result.text += token.text;
            continue;
        }
        static const QRegularExpression index(QStringLiteral("\\[([0-9]+)\\]"));
        const QString key = token.text.contains(QLatin1Char('['))
            ? QString(token.text).replace(index, QStringLiteral(".\\1"))
            : token.text;
        result.usesSecret = result.usesSecret || templateReference(key).scope == QLatin1String("$secrets");
        if (const std::optional<QString> value = javaScriptText(scopes, key)) {
            result.text += *value;
        } else {
            result.unresolved.append(key);
            result.text += QStringLiteral("<% ") + key + QStringLiteral(" %>");
        }
        if (result.text.size() > maxRenderedLength) {
            return fail(QStringLiteral("template.too-large"), {{QStringLiteral("limit"), maxRenderedLength}});
        }
    }
    return result;
}

} // namespace trainyard
