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

// A tool reads, or it proposes something that is done only after a person has approved it. None gives the value of a
// secret.
struct Tool {
    QString name, title, about;
    QList<ToolParameter> parameters;
    // The arguments are right. The errors are sentences.
    std::function<tl::expected<Invocation, QString>(const QJsonObject &arguments, const Roots &roots)> begin;
    bool isWriting = false; // it proposes, or submits what was approved
};

enum class Offered { Reading, Proposals }; // Proposals: these, too

const QList<Tool> &tools(Offered offered = Offered::Reading);
const Tool *toolNamed(const QString &name, Offered offered = Offered::Reading);
QJsonArray toolList(Offered offered = Offered::Reading); // as the protocol has it
// Empty when there is none.
QString complaintAbout(const QString &tool, const QJsonObject &arguments, Offered offered = Offered::Reading);

} // namespace trainyard::cli::mcp
