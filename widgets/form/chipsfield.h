// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/form/formfield.h"

#include <QStringList>

namespace trainyard
{

// A field whose values are chips beside each other. A subclass makes them again whenever they differ from m_shown.
class ChipsField : public FormField
{
    Q_OBJECT
protected:
    ChipsField(FormContext *context, const YamlPath &path, QWidget *parent = nullptr);
    // Removes all chips. They are deleted later, because one of them may be what causes the change.
    void clearChips();
    // Whether a chip has the focus, or gets it back when its window is active again: a pop-up may just have closed.
    bool isFocusInChips() const;

    QWidget *m_chips;
    QStringList m_shown; // what the chips were made from
};

} // namespace trainyard
