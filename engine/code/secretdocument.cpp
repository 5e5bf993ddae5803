// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/code/secretdocument.h"

#include "engine/contract/mask.h"
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

QByteArray withoutLineEnds(QByteArray text)
{
    while (text.endsWith('\n') || text.endsWith('\r')) {
        text.chop(1);
    }
    return text;
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

SecretFiles::SecretFiles(const QStringList &values)
{
    for (const QString &value : values) {
        const QByteArray bytes = withoutLineEnds(value.toUtf8());
        if (std::size_t(bytes.size()) >= contract::Secrets::shortest) {
            m_values.insert(bytes);
            m_sizes += {bytes.size(), bytes.size() + 1, bytes.size() + 2};
        }
    }
}

bool SecretFiles::contain(const QByteArray &path, qint64 bytes) const
{
    if (!m_sizes.contains(bytes)) {
        return false;
    }
    QFile file(QFile::decodeName(path));
    if (!file.open(QIODevice::ReadOnly)) {
        return false;
    }
    return m_values.contains(withoutLineEnds(file.read(bytes)));
}

} // namespace trainyard
