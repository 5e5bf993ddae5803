// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/fieldhelp.h"

#include "model/protocol/fieldreference.h"

#include <QCoreApplication>

namespace trainyard
{
namespace
{

QString tr(const char *text) { return QCoreApplication::translate("FieldHelp", text); }

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
        parts.append(tr("Needed"));
    }
    if (const QString text = field.defaultText(); !text.isEmpty()) {
        parts.append(tr("Default %1").arg(text));
    }
    if (const QString range = field.rangeText(); !range.isEmpty()) {
        parts.append(field.unit.isEmpty() ? range : tr("%1 %2").arg(range, field.unit));
    } else if (!field.unit.isEmpty()) {
        parts.append(field.unit);
    }
    return parts;
}

QString paragraph(const QString &text) { return QStringLiteral("<p>%1</p>").arg(text.toHtmlEscaped()); }

} // namespace

QString fieldHelp(const YamlDocument &document, const YamlPath &path)
{
    const ReferenceField *field = fieldAt(document, path);
    if (!field) {
        return {};
    }
    QString html = QStringLiteral("<p><b>%1</b></p>").arg(field->brief.toHtmlEscaped());
    if (!field->help.isEmpty()) {
        html += paragraph(field->help);
    }
    for (const ReferenceValue &value : field->values) {
        html += QStringLiteral("<p><code>%1</code> – %2</p>")
                    .arg(value.value.toHtmlEscaped(), value.text.toHtmlEscaped());
    }
    QStringList known = facts(*field);
    if (!field->since.isEmpty() && field->since != u"protocol 2") {
        known.append(tr("Since %1").arg(field->since));
    }
    if (!known.isEmpty()) {
        html += paragraph(known.join(QStringLiteral(" · ")));
    }
    if (!field->example.isEmpty()) {
        html += QStringLiteral("<pre>%1</pre>").arg(field->example.toHtmlEscaped());
    }
    if (!field->server.isEmpty()) {
        html += paragraph(tr("On an OpenPAI server: %1").arg(field->server));
    }
    if (!field->here.isEmpty()) {
        html += paragraph(tr("In Trainyard: %1").arg(field->here));
    }
    return html;
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
