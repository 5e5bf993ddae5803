// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/plugins.h"

#include "model/template/tags.h"

#include <QHash>
#include <QRegularExpression>

namespace trainyard
{

namespace
{

// A list of strings; other scalars in their text form, a single text as a list of one.
QStringList textList(const Value *value)
{
    QStringList texts;
    if (!value) {
        return texts;
    }
    if (const Value::List *list = value->asList()) {
        for (const Value &item : *list) {
            texts.append(item.isNull() ? QString() : item.toText());
        }
    } else if (const QString *text = value->asString()) {
        texts.append(*text);
    }
    return texts;
}

} // namespace

const QString &maskedText()
{
    static const QString text = QStringLiteral("******");
    return text;
}

QString canonicalEvent(const QString &event)
{
    static const QHash<QString, QString> events{
        {QStringLiteral("taskStarts"), QStringLiteral("taskStarts")},
        {QStringLiteral("taskSucceeds"), QStringLiteral("taskSucceeds")},
        {QStringLiteral("containerStart"), QStringLiteral("taskStarts")},
        {QStringLiteral("containerStarts"), QStringLiteral("taskStarts")},
        {QStringLiteral("preTaskStarts"), QStringLiteral("taskStarts")},
        {QStringLiteral("postTaskSucceeds"), QStringLiteral("taskSucceeds")},
        {QStringLiteral("containerExit"), QStringLiteral("taskSucceeds")},
    };
    return events.value(event);
}

const QString &pluginPrefix()
{
    static const QString prefix = QStringLiteral("com.microsoft.pai.runtimeplugin");
    return prefix;
}

QString shortPluginName(const QString &plugin)
{
    if (!plugin.startsWith(pluginPrefix())) {
        return plugin;
    }
    const QString rest = plugin.mid(pluginPrefix().size());
    return rest.startsWith(QLatin1Char('.')) ? rest.mid(1) : rest;
}

std::optional<QString> pluginOf(const Prerequisite &item, bool asServer)
{
    if (item.plugin.startsWith(pluginPrefix())) {
        return shortPluginName(item.plugin);
    }
    if (asServer) {
        return std::nullopt;
    }
    const bool hasCommands = item.all.find(QStringLiteral("callbacks")) || item.all.find(QStringLiteral("preCommands"))
        || item.all.find(QStringLiteral("postCommands"));
    if (item.plugin.isEmpty() || item.plugin == QLatin1String("cmd")) {
        return hasCommands ? std::optional(QStringLiteral("cmd")) : std::nullopt;
    }
    return item.plugin;
}

PluginCommands pluginCommands(const Value &parameters, bool asServer)
{
    PluginCommands commands;
    const Value *callbacks = parameters.find(QStringLiteral("callbacks"));
    if (callbacks && callbacks->asList()) {
        for (const Value &callback : *callbacks->asList()) {
            const Value *event = callback.find(QStringLiteral("event"));
            const QString written = event && event->asString() ? *event->asString() : QString();
            const QString name = asServer ? written : canonicalEvent(written);
            const QStringList lines = textList(callback.find(QStringLiteral("commands")));
            if (name == QLatin1String("taskStarts")) {
                commands.before += lines;
            } else if (name == QLatin1String("taskSucceeds")) {
                commands.after += lines;
            }
        }
        return commands;
    }
    commands.before = textList(parameters.find(QStringLiteral("preCommands")));
    commands.after = textList(parameters.find(QStringLiteral("postCommands")));
    return commands;
}

bool isRoleName(const QString &name)
{
    static const QRegularExpression pattern(QStringLiteral("^[a-zA-Z_][a-zA-Z0-9_]*\\z"));
    return pattern.match(name).hasMatch();
}

bool isPortableRoleName(const QString &name)
{
    static const QRegularExpression pattern(QStringLiteral("^[a-z0-9]{1,63}\\z"));
    return pattern.match(name).hasMatch();
}

bool isKnownScope(const QString &templateKey)
{
    static const QStringList scopes{QStringLiteral("$parameters"), QStringLiteral("$secrets"),
        QStringLiteral("$script"), QStringLiteral("$output"), QStringLiteral("$data"), QStringLiteral("this")};
    return scopes.contains(templateReference(templateKey).scope);
}

} // namespace trainyard
