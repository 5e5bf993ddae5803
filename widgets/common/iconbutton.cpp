// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/iconbutton.h"

#include "widgets/common/icons.h"
#include "widgets/common/labels.h"

#include <QToolButton>

namespace trainyard
{

QToolButton *iconButton(const QString &iconName, const QString &name, Colour role)
{
    auto *button = new QToolButton;
    button->setIcon(icon(iconName, role));
    button->setIconSize({metrics::rowIcon, metrics::rowIcon});
    button->setAutoRaise(true);
    button->setToolTip(plainTip(name));
    button->setAccessibleName(name);
    return button;
}

} // namespace trainyard
