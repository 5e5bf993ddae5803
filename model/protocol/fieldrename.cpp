// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/fieldrename.h"

#include "model/base/memorytext.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace trainyard
{

FieldRename fieldRename(const YamlPath &path, const QString &key, const YamlNode *value, const QString &field)
{
    FieldRename rename{field, {edit::RenameKey{path, field}}};
    const YamlNode *node = value ? value->resolved() : nullptr;
    if (!field.endsWith("MB"_L1) || !node || node->isMap() || node->isSequence()) {
        return rename;
    }
    // A unit is in capitals, or behind an underscore: memoryGB, memoryGiB, memory_gb, but not item.
    static const QRegularExpression unitOfName(u"(?:_([kmgt])i?b?|([KMGT])i?[Bb]?)$"_s);
    static const QRegularExpression bareNumber(u"^[0-9]+([.,][0-9]+)?$"_s);
    const QRegularExpressionMatch unit = unitOfName.match(key);
    const QString written = QString::fromUtf8(node->scalar).trimmed();
    const bool isBare = bareNumber.match(written).hasMatch();
    const QString amount
        = isBare && unit.hasMatch() ? QString(written + unit.captured(unit.lastCapturedIndex())) : written;
    const std::optional<qint64> mebibytes = parseMemory(amount, false);
    if (mebibytes && *mebibytes > 0 && QString::number(*mebibytes) != written) {
        const QString number = QString::number(*mebibytes);
        rename.words = field + ": "_L1 + number;
        rename.ops.prepend(edit::SetValue{path, number.toLatin1()}); // before the path has another name
    }
    return rename;
}

} // namespace trainyard
