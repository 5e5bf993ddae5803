// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/form/chipsfield.h"

namespace trainyard
{

// The storages that tasks mount, as chips; one opens to its name and its place in the task.
class StoragesField : public ChipsField
{
    Q_OBJECT
public:
    StoragesField(FormContext *context, const YamlPath &path, QWidget *parent = nullptr);
    void refresh() override;

private:
    void edit(qsizetype index, QWidget *beside);
};

} // namespace trainyard
