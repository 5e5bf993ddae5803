// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/form/chipsfield.h"

namespace trainyard
{

// Which task roles something is for: one chip each. None chosen is all of them, and no key.
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
