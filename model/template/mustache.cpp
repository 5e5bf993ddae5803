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
    QRegularExpression open, close;
};

Delimiters delimiters(const QString &open, const QString &close)
{
    return {QRegularExpression(QRegularExpression::escape(open) + QStringLiteral("\\s*")),
        QRegularExpression(QStringLiteral("\\s*") + QRegularExpression::escape(close))};
}

Result<QList<Token>> tokenize(const QString &text)
{
    Delimiters tags = delimiters(QStringLiteral("<%"), QStringLiteral("%>"));
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
        const QRegularExpressionMatch open = tags.open.match(text, at);
        const qsizetype textEnd = open.hasMatch() ? open.capturedStart() : text.size();
        for (; at < textEnd; ++at) {
            if (text.at(at).isSpace()) {
                blanks.append(tokens.size());
            } else {
                nonSpace = true;
            }
            tokens.append({Token::Kind::Text, text.mid(at, 1), false, int(sections.size())});
            if (text.at(at) == QLatin1Char('\n')) {
                endOfLine();
            }
        }
        if (!open.hasMatch()) {
            break;
        }
        const qsizetype tagAt = at;
        at = open.capturedEnd();
        hasTag = true;
        QChar type;
        if (at < text.size() && QStringLiteral("#^/>{&=!").contains(text.at(at))) {
            type = text.at(at++);
            while (at < text.size() && text.at(at).isSpace()) {
                ++at;
            }
        }
        QString value;
        if (type == QLatin1Char('=')) {
            static const QRegularExpression equals(QStringLiteral("\\s*="));
            const QRegularExpressionMatch end = equals.match(text, at);
            value = end.hasMatch() ? text.mid(at, end.capturedStart() - at) : text.mid(at);
            at = end.hasMatch() ? end.capturedEnd() : text.size();
        }
        const QRegularExpressionMatch close = tags.close.match(text, at);
        if (!close.hasMatch()) {
            return fail(QStringLiteral("template.unclosed"), {{QStringLiteral("offset"), tagAt}});
        }
        if (type != QLatin1Char('=')) {
            value = text.mid(at, close.capturedStart() - at);
        }
        at = close.capturedEnd();
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
            if (pair.size() != 2) {
                return fail(QStringLiteral("template.delimiters"), {{QStringLiteral("offset"), tagAt}});
            }
            tags = delimiters(pair.at(0), pair.at(1));
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
        const QString key = QString(token.text).replace(index, QStringLiteral(".\\1"));
        result.usesSecret = result.usesSecret || templateReference(key).scope == QLatin1String("$secrets");
        if (const std::optional<QString> value = javaScriptText(scopes, key)) {
            result.text += *value;
        } else {
            result.unresolved.append(key);
            result.text += QStringLiteral("<% ") + key + QStringLiteral(" %>");
        }
    }
    return result;
}

} // namespace trainyard
