// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/fieldcontrol.h"

#include "model/base/memorytext.h"
#include "model/protocol/fieldreference.h"
#include "widgets/form/fields.h"
#include "widgets/form/formcontext.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>

namespace trainyard
{
namespace
{

constexpr qint64 mostMemory = qint64(1) << 40; // MiB
constexpr qint64 memoryStep = 64;

FormField *numberControl(FormContext *context, const ReferenceField &entry, const QString &objectName)
{
    auto *field = new NumberField(context, {});
    const bool memory = entry.control.kind == FieldControl::Kind::Memory;
    field->box()->setObjectName(objectName);
    field->box()->setRange(entry.control.least.value_or(0),
        entry.control.most.value_or(memory ? mostMemory : std::numeric_limits<int>::max()));
    if (entry.control.characters > 0) {
        field->box()->setCharacters(entry.control.characters);
    }
    if (memory) {
        field->box()->setParser([](const QString &text) { return parseMemory(text, false); },
            [](qint64 value) { return QStringLiteral("%1 MiB").arg(value); }, memoryStep);
    }
    if (entry.defaultValue.isDouble()) {
        field->box()->setDefault(entry.defaultValue.toInteger());
    }
    return field;
}

} // namespace

FormField *fieldControl(FormContext *context, const QString &pointer, const QString &objectName, const QString &label,
    const QString &nothing)
{
    static const ReferenceField unknown;
    const auto path = YamlPath::fromPointer(pointer);
    const ReferenceField *found = path ? FieldReference::bundled().find(*path) : nullptr;
    Q_ASSERT(found);
    const ReferenceField &entry = found ? *found : unknown;
    switch (entry.control.kind) {
    case FieldControl::Kind::Number:
    case FieldControl::Kind::Memory:
        return numberControl(context, entry, objectName);
    case FieldControl::Kind::Check: {
        auto *field = new CheckField(context, {}, label, entry.defaultValue.toBool());
        field->box()->setObjectName(objectName);
        return field;
    }
    case FieldControl::Kind::Name: {
        auto *field = new ChoiceField(context, {}, nothing);
        field->combo()->setObjectName(objectName);
        field->setChoices([context, type = entry.reference] { return context->prerequisiteNames(type); });
        return field;
    }
    case FieldControl::Kind::Line:
        break;
    }
    auto *field = new TextField(context, {}, nothing);
    field->edit()->setObjectName(objectName);
    return field;
}

} // namespace trainyard
