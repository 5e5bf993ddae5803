// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/code/secretdocument.h"

#include "model/protocol/shownsecrets.h"

#include <QFile>
#include <QRegularExpression>

namespace trainyard
{
namespace
{

// What an exported script reads: "NAME=VALUE" in each line.
bool isFileOfValues(const QByteArray &bytes)
{
    static const QRegularExpression first(
        QStringLiteral("\\A\\x{FEFF}?(?:[ \\t]*(?:#[^\n]*)?\\r?\n)*[ \\t]*[A-Za-z_][A-Za-z0-9_.]*="));
    return first.match(QString::fromUtf8(bytes)).hasMatch();
}

} // namespace

bool isSecretDocument(const QByteArray &path)
{
    const bool isOfValues = path.endsWith(".secrets");
    if (!isOfValues && !path.endsWith(".yaml") && !path.endsWith(".yml")) {
        return false;
    }
    QFile file(QFile::decodeName(path));
    if (file.size() > maxCheckedBytes || !file.open(QIODevice::ReadOnly)) {
        return false;
    }
    const QByteArray bytes = file.read(maxCheckedBytes);
    if (isOfValues) {
        return isFileOfValues(bytes);
    }
    if (!bytes.contains("taskRoles") || !(bytes.contains("secrets") || bytes.contains("password"))) {
        return false;
    }
    return !secretRangesIn(YamlDocument::parse(bytes)).isEmpty();
}

} // namespace trainyard
