// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/searchfield.h"

#include "widgets/common/icons.h"
#include "widgets/common/stylepaint.h"

#include <QKeyEvent>
#include <QPainter>

#include <algorithm>

namespace trainyard
{
namespace
{
constexpr int lensWidth = 22; // the lens at the left
constexpr int crossWidth = 32; // at the right, while there is text
constexpr int textEdge = 10;
constexpr int fewLetters = 72;
} // namespace

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

int SearchField::statusWidth() const { return QFontMetrics(fonts::small()).horizontalAdvance(m_status) + 6; }

// The typed text has priority: some letters of it stay visible, or all if they are few.
bool SearchField::isStatusShown() const
{
    const int forText = width() - lensWidth - crossWidth - 2 * textEdge - statusWidth();
    return !m_status.isEmpty() && forText >= std::min(fontMetrics().horizontalAdvance(text()), fewLetters);
}

void SearchField::updateMargins() { setTextMargins(lensWidth, 0, isStatusShown() ? statusWidth() : 0, 0); }

void SearchField::resizeEvent(QResizeEvent *event)
{
    QLineEdit::resizeEvent(event);
    updateMargins();
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
    if (isStatusShown()) {
        painter.setFont(fonts::small());
        painter.setPen(ink);
        const int right = text().isEmpty() ? textEdge : crossWidth;
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
