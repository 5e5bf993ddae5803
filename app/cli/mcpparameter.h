// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QString>
#include <QStringList>

namespace trainyard::cli::mcp
{

// One argument of a tool. The schema, the check and the reader of calls use the same table.
struct ToolParameter {
    enum class Kind { Text, Document, Number, Switch, Texts, Values };
    QString name;
    Kind kind = Kind::Text;
    QString about;
    bool isRequired = false;
    qint64 least = 0, most = 0; // of a number, or of the members of a list
    QStringList words = {}; // the only texts
};

QJsonObject schemaOf(const ToolParameter &parameter); // JSON Schema
bool isValueRight(const QJsonValue &value, const ToolParameter &parameter);
QString valueText(const ToolParameter &parameter); // what it takes: "a whole number from 1 to 100"

} // namespace trainyard::cli::mcp
