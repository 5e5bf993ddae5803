// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/form/chipsfield.h"

namespace trainyard
{

// Chooses task roles, with one chip each. No choice means all of them, and no key is written.
class RolesField : public ChipsField
{
    Q_OBJECT
public:
    RolesField(FormContext *context, const YamlPath &path, QWidget *parent = nullptr);
    void refresh() override;

private:
    void toggle(const QString &role, bool on);
};

} // namespace trainyard
