// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/elidedcheckbox.h"

#include "widgets/common/labels.h"

#include <QStyleOptionButton>
#include <QStylePainter>

#include <algorithm>

namespace trainyard
{

ElidedCheckBox::ElidedCheckBox(const QString &name, QWidget *parent)
    : QCheckBox(plainCaption(name), parent), m_name(name)
{
    setAccessibleName(name);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed); // that of a tick would not let it shrink
}

QSize ElidedCheckBox::minimumSizeHint() const
{
    constexpr int leastLetters = 8;
    const QSize whole = sizeHint();
    const int name = fontMetrics().horizontalAdvance(m_name);
    return {whole.width() - name + std::min(name, leastLetters * fontMetrics().averageCharWidth()), whole.height()};
}

QString ElidedCheckBox::shownName() const
{
    QStyleOptionButton option;
    initStyleOption(&option);
    const QRect room = style()->subElementRect(QStyle::SE_CheckBoxContents, &option, this);
    return fontMetrics().elidedText(m_name, Qt::ElideMiddle, room.width());
}

void ElidedCheckBox::paintEvent(QPaintEvent *)
{
    QStylePainter painter(this);
    QStyleOptionButton option;
    initStyleOption(&option);
    option.text = plainCaption(shownName());
    painter.drawControl(QStyle::CE_CheckBox, option);
}

void ElidedCheckBox::resizeEvent(QResizeEvent *event)
{
    QCheckBox::resizeEvent(event);
    setToolTip(plainTip(shownName() == m_name ? QString() : m_name));
}

} // namespace trainyard
