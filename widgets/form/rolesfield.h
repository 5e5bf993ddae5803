// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/form/formfield.h"

namespace trainyard
{

// Which task roles something is for: one chip each. None chosen is all of them, and no key.
class RolesField : public FormField
{
    Q_OBJECT
public:
    RolesField(FormContext *context, const YamlPath &path, QWidget *parent = nullptr);
    void refresh() override;

private:
    void toggle(const QString &role, bool on);
    QWidget *m_chips;
    QStringList m_shown;
};

} // namespace trainyard
