// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/fieldhelp.h"

#include "model/protocol/fieldreference.h"
#include "widgets/editor/helpcard.h"

#include <QCoreApplication>

namespace trainyard
{
namespace
{

QString ofFieldHelp(const char *text) { return QCoreApplication::translate("FieldHelp", text); }

const ReferenceField *fieldAt(const YamlDocument &document, const YamlPath &path)
{
    if (path.isEmpty()) {
        return nullptr;
    }
    const ReferenceField *field = FieldReference::bundled().find(path, kindAt(document, path));
    return field && !field->forbidden ? field : nullptr;
}

QStringList facts(const ReferenceField &field)
{
    QStringList parts;
    if (field.required) {
        parts.append(
            field.requiredWhere.isEmpty() ? ofFieldHelp("Needed") : ofFieldHelp("Needed %1").arg(field.requiredWhere));
    }
    if (const QString text = field.defaultText(); !text.isEmpty()) {
        parts.append(ofFieldHelp("Default %1").arg(text));
    }
    if (const QString range = field.rangeText(); !range.isEmpty()) {
        parts.append(field.unit.isEmpty() ? range : ofFieldHelp("%1 %2").arg(range, field.unit));
    } else if (!field.unit.isEmpty()) {
        parts.append(field.unit);
    }
    return parts;
}

} // namespace

QString fieldHelp(const YamlDocument &document, const YamlPath &path, const QWidget *widget)
{
    CaretInfo info;
    info.field = fieldAt(document, path);
    if (!info.field) {
        return {};
    }
    info.kind = CaretInfo::Kind::Field;
    info.path = path;
    return helpHtml(info, {}, widget, false);
}

QString fieldBrief(const YamlDocument &document, const YamlPath &path)
{
    const ReferenceField *field = fieldAt(document, path);
    if (!field) {
        return {};
    }
    QStringList parts{field->brief};
    parts += facts(*field);
    return parts.join(QStringLiteral("  ·  "));
}

} // namespace trainyard
