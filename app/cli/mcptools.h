// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/mcpcollect.h"
#include "app/cli/mcpfiles.h"
#include "app/cli/mcpparameter.h"

#include <QJsonObject>
#include <QStringList>

#include <functional>

namespace trainyard::cli::mcp
{

// A command of trainyardctl that answers a call.
struct Invocation {
    QStringList arguments;
    QByteArray input; // on its standard input
    std::unique_ptr<Collector> collector;
};

// Each tool only reads: there is none that starts, changes or ends anything, or that gives the value of a secret.
struct Tool {
    QString name, title, about;
    QList<ToolParameter> parameters;
    // The arguments are right. The errors are sentences.
    std::function<tl::expected<Invocation, QString>(const QJsonObject &arguments, const Roots &roots)> begin;
};

const QList<Tool> &tools();
const Tool *toolNamed(const QString &name);
QJsonArray toolList(); // as the protocol has it
QString complaintAbout(const QString &tool, const QJsonObject &arguments); // empty when there is none

} // namespace trainyard::cli::mcp
