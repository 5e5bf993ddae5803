// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/rolesfield.h"

#include "widgets/common/chip.h"
#include "widgets/form/formcontext.h"

#include <QLayout>

namespace trainyard
{

RolesField::RolesField(FormContext *context, const YamlPath &path, QWidget *parent) : ChipsField(context, path, parent)
{
}

void RolesField::refresh()
{
    const QStringList chosen = context()->texts(path());
    QStringList roles = path().isEmpty() ? QStringList() : context()->keys({QStringLiteral("taskRoles")});
    for (const QString &name : chosen) {
        if (!roles.contains(name)) {
            roles.append(name); // named, and not there: it can be taken away
        }
    }
    setHelp(chosen.isEmpty() ? tr("For all task roles, unless some are chosen") : QString());
    const bool same = roles == m_shown;
    if (!same) {
        m_shown = roles;
        clearChips();
        for (const QString &role : std::as_const(roles)) {
            auto *chip = new Chip(role);
            chip->setObjectName(QStringLiteral("only_") + role);
            chip->setCheckable(true);
            watchFocus(chip);
            connect(chip, &Chip::clicked, this, [this, role](bool on) { toggle(role, on); });
            m_chips->layout()->addWidget(chip);
            chip->show();
        }
    }
    for (int i = 0; i < m_chips->layout()->count(); ++i) {
        auto *chip = static_cast<Chip *>(m_chips->layout()->itemAt(i)->widget());
        chip->setChecked(chosen.contains(chip->text()));
        chip->setEnabled(!context()->isReadOnly());
        chip->setError(chip->isChecked() && !context()->keys({QStringLiteral("taskRoles")}).contains(chip->text()));
    }
}

void RolesField::toggle(const QString &role, bool on)
{
    const QStringList chosen = context()->texts(path());
    const qsizetype index = chosen.indexOf(role);
    if (on && index < 0) {
        QList<edit::Op> ops;
        ops.append(edit::InsertText{path().child(chosen.size()), role});
        context()->edit(ops);
    } else if (!on && index >= 0) {
        context()->edit({edit::Remove{chosen.size() == 1 ? path() : path().child(index)}});
    }
}

} // namespace trainyard
