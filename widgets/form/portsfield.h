// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/form/chipsfield.h"

namespace trainyard
{

// The ports of a role as chips: a label and how many of them. A click opens both for editing.
class PortsField : public ChipsField
{
    Q_OBJECT
public:
    PortsField(FormContext *context, const YamlPath &path, QWidget *parent = nullptr);
    void refresh() override;

private:
    void edit(const QString &label, QWidget *beside);
};

} // namespace trainyard
