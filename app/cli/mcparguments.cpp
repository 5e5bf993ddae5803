// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/mcparguments.h"

#include "app/cli/console.h"

using namespace Qt::StringLiterals;

namespace trainyard::cli::mcp
{

ToolParameter textParameter(const QString &name, const QString &about, bool isRequired)
{
    return {name, ToolParameter::Kind::Text, about, isRequired};
}

ToolParameter jobParameter()
{
    return textParameter(
        u"job"_s, tr("The number of the job (41), the first 8 or more characters of its UUID, or its name."), true);
}

QList<ToolParameter> documentParameters()
{
    return {{u"text"_s, ToolParameter::Kind::Document, tr("The text of the job, as YAML.")},
        textParameter(u"file"_s, tr("Instead of the text: a file below the folders that the user has allowed."))};
}

QString textOf(const QJsonObject &arguments, QLatin1StringView name) { return arguments.value(name).toString(); }

void addOperands(QStringList &words, const QStringList &operands)
{
    words.append(u"--"_s);
    for (const QString &operand : operands) {
        if (!operand.isEmpty()) {
            words.append(operand);
        }
    }
}

Invocation invocation(const QStringList &words, std::unique_ptr<Collector> collector, const QByteArray &input)
{
    return {words, input, std::move(collector)};
}

tl::expected<QByteArray, QString> documentOf(const QJsonObject &arguments, const Roots &roots)
{
    const bool hasText = arguments.contains("text"_L1);
    if (hasText == arguments.contains("file"_L1)) {
        return tl::unexpected(tr("Give either the text of the job or a file."));
    }
    return hasText ? textOf(arguments, "text"_L1).toUtf8() : roots.read(textOf(arguments, "file"_L1));
}

QString addParameters(QStringList &words, const QJsonObject &parameters)
{
    for (auto it = parameters.constBegin(); it != parameters.constEnd(); ++it) {
        if (it.key().isEmpty() || it.key().contains(u'=')) {
            return tr("'%1' is not the name of a parameter.").arg(it.key());
        }
        words.append(u"--param="_s + it.key() + u'=' + it.value().toVariant().toString());
    }
    return {};
}

} // namespace trainyard::cli::mcp
