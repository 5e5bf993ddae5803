// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/dropmark.h"

#include "widgets/common/stylepaint.h"
#include "widgets/common/tokens.h"

#include <QPainter>

namespace trainyard
{
namespace
{
constexpr int edge = 2;
} // namespace

DropMark::DropMark(QWidget *over) : QWidget(over)
{
    setObjectName(QStringLiteral("dropMark"));
    setAttribute(Qt::WA_TransparentForMouseEvents); // what is dragged goes on to what lies below
    hide();
}

void DropMark::appear()
{
    setGeometry(parentWidget()->rect());
    raise();
    show();
}

void DropMark::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const QColor accent = colour(Colour::Accent, this);
    for (int i = 0; i < edge; ++i) {
        stylepaint::roundedBox(&painter, rect().adjusted(i, i, -i, -i), metrics::radius, {}, accent);
    }
    const QString words = tr("Let go to open it in a tab of its own");
    painter.setFont(fonts::medium());
    const QSize size(painter.fontMetrics().horizontalAdvance(words) + 2 * metrics::space4, metrics::field);
    const QRect box(QPoint((width() - size.width()) / 2, height() - size.height() - metrics::space5), size);
    stylepaint::roundedBox(&painter, box, metrics::radius, colour(Colour::Raised, this), accent);
    painter.setPen(colour(Colour::Text, this));
    painter.drawText(box, Qt::AlignCenter, words);
}

} // namespace trainyard
