// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/chipsfield.h"

#include "widgets/common/flowlayout.h"

namespace trainyard
{

ChipsField::ChipsField(FormContext *context, const YamlPath &path, QWidget *parent)
    : FormField(context, path, parent), m_chips(new QWidget)
{
    new FlowLayout(6, m_chips);
    m_chips->layout()->setContentsMargins(0, 2, 0, 2);
    setControl(m_chips);
    setFocusProxy(nullptr);
}

void ChipsField::clearChips() { removeWidgets(m_chips->layout()); }

bool ChipsField::isFocusInChips() const { return m_chips->isAncestorOf(window()->focusWidget()); }

} // namespace trainyard
