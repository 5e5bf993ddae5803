// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/mcptools.h"

namespace trainyard::cli::mcp
{

using Begun = tl::expected<Invocation, QString>; // or the sentence that says why not

// Parameters that several tools have, and how their values become words of a command.
ToolParameter textParameter(const QString &name, const QString &about, bool isRequired = false);
ToolParameter jobParameter();
QList<ToolParameter> documentParameters();

QString textOf(const QJsonObject &arguments, QLatin1StringView name);
// The arguments from the caller of a tool follow "--", so that none of them can be an option.
void addOperands(QStringList &words, const QStringList &operands);
// "--param=NAME=VALUE" for each; the sentence that says what is wrong, or nothing.
QString addParameters(QStringList &words, const QJsonObject &parameters);
Invocation invocation(const QStringList &words, std::unique_ptr<Collector> collector, const QByteArray &input = {});
// The text, or that of the file: the command gets it on its standard input, and opens nothing.
tl::expected<QByteArray, QString> documentOf(const QJsonObject &arguments, const Roots &roots);

} // namespace trainyard::cli::mcp
