// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/searchfield.h"

#include "widgets/common/icons.h"
#include "widgets/common/stylepaint.h"

#include <QKeyEvent>
#include <QPainter>

namespace trainyard
{

SearchField::SearchField(Kind kind, const QString &placeholder, QWidget *parent) : QLineEdit(parent), m_kind(kind)
{
    setPlaceholderText(placeholder);
    setAccessibleName(placeholder);
    setClearButtonEnabled(true);
    updateMargins();
    connect(this, &QLineEdit::textChanged, this, [this] { updateMargins(); });
}

void SearchField::setKeyHint(const QString &key)
{
    m_hint = key;
    updateMargins();
}

void SearchField::setStatus(const QString &status)
{
    m_status = status;
    updateMargins();
    update();
}

void SearchField::updateMargins()
{
    const int right = m_status.isEmpty() ? 0 : QFontMetrics(fonts::small()).horizontalAdvance(m_status) + 6;
    setTextMargins(22, 0, right, 0);
}

void SearchField::paintEvent(QPaintEvent *event)
{
    QLineEdit::paintEvent(event);
    QPainter painter(this);
    const QColor ink = colour(Colour::Muted, this);
    paintIcon(&painter, m_kind == Kind::Search ? QStringLiteral("search") : QStringLiteral("filter"),
        QRectF(9, (height() - 15) / 2.0, 15, 15), ink);
    if (text().isEmpty() && !m_hint.isEmpty() && !hasFocus()) {
        painter.setFont(fonts::tiny());
        const int w = painter.fontMetrics().horizontalAdvance(m_hint) + 10;
        const QRectF cap(width() - w - 8, (height() - 18) / 2.0, w, 18);
        stylepaint::roundedBox(&painter, cap, 3, {}, colour(Colour::Border, this));
        painter.setPen(ink);
        painter.drawText(cap, Qt::AlignCenter, m_hint);
    }
    if (!m_status.isEmpty()) {
        painter.setFont(fonts::small());
        painter.setPen(ink);
        const int right = text().isEmpty() ? 10 : 32;
        painter.drawText(rect().adjusted(0, 0, -right, 0), Qt::AlignVCenter | Qt::AlignRight, m_status);
    }
}

void SearchField::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_Escape:
        if (text().isEmpty()) {
            Q_EMIT escapePressed();
            event->ignore(); // a dialog around it closes
        } else {
            clear();
        }
        return;
    case Qt::Key_Down:
        Q_EMIT moveRequested(1);
        return;
    case Qt::Key_Up:
        Q_EMIT moveRequested(-1);
        return;
    default:
        QLineEdit::keyPressEvent(event);
    }
}

} // namespace trainyard
