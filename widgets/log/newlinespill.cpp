// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/newlinespill.h"

#include "widgets/common/icons.h"
#include "widgets/common/style.h"

#include <algorithm>
#include <climits>

namespace trainyard
{

NewLinesPill::NewLinesPill(QWidget *viewport) : QPushButton(viewport)
{
    setObjectName(QStringLiteral("newLinesPill"));
    setCursor(Qt::ArrowCursor);
    setFocusPolicy(Qt::NoFocus);
    setButtonKind(this, ButtonKind::Primary);
    setSmall(this);
    setIcon(trainyard::icon(QStringLiteral("arrow-down"), Colour::OnAccent));
    setIconSize({13, 13});
    setProperty("trainyardPill", true);
    hide();
}

void NewLinesPill::setLines(qint64 lines)
{
    if (lines <= 0) {
        hide();
        return;
    }
    setText(tr("%Ln new line(s)", nullptr, int(std::min<qint64>(lines, INT_MAX))));
    resize(sizeHint().width() + 8, 24);
    move(parentWidget()->width() - width() - 16, parentWidget()->height() - height() - 12);
    show();
    raise();
}

} // namespace trainyard
