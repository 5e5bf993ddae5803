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
    const QString words = tr("Drop to open in a new tab");
    painter.setFont(fonts::medium());
    // A banner across the lower edge: something of the size of a button would look like one.
    const QRect banner(edge, height() - edge - metrics::infoBar, width() - 2 * edge, metrics::infoBar);
    painter.fillRect(banner, accent);
    painter.setPen(colour(Colour::OnAccent, this));
    painter.drawText(banner, Qt::AlignCenter, words);
}

} // namespace trainyard
