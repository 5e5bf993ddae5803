// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/chip.h"

#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/stylepaint.h"

#include <QKeyEvent>
#include <QPainter>

namespace trainyard
{
namespace
{
constexpr int side = 8;
constexpr int gap = 6;
constexpr int iconSide = metrics::smallIcon;
constexpr int crossSide = metrics::tinyIcon;
} // namespace

Chip::Chip(const QString &text, QWidget *parent) : QAbstractButton(parent)
{
    setText(text);
    setShortcut({}); // a name is shown as it is: its "&" marks no key
    setAccessibleName(text);
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    setAttribute(Qt::WA_Hover);
}

Chip *Chip::adder(const QString &accessibleName, QWidget *parent)
{
    auto *chip = new Chip(QString(), parent);
    chip->m_adder = true;
    chip->setAccessibleName(accessibleName);
    chip->setToolTip(plainTip(accessibleName));
    return chip;
}

void Chip::setIconName(const QString &name)
{
    m_iconName = name;
    updateGeometry();
    update();
}

void Chip::setDetail(const QString &detail)
{
    m_detail = detail;
    setAccessibleDescription(detail);
    updateGeometry();
    update();
}

void Chip::setRemovable(bool removable)
{
    m_removable = removable;
    updateGeometry();
    update();
}

void Chip::setError(bool error)
{
    m_error = error;
    update();
}

QSize Chip::sizeHint() const
{
    if (m_adder) {
        return {26, metrics::chip};
    }
    int width = 2 * side + fontMetrics().horizontalAdvance(text());
    width += m_iconName.isEmpty() ? 0 : iconSide + gap;
    width += m_detail.isEmpty() ? 0 : QFontMetrics(fonts::small()).horizontalAdvance(m_detail) + gap;
    width += m_removable ? crossSide + gap : 0;
    return {width + 1, metrics::chip};
}

QRect Chip::crossRect() const { return {width() - side - crossSide, (height() - crossSide) / 2, crossSide, crossSide}; }

void Chip::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const bool hover = underMouse() && isEnabled();
    QColor edge = colour(Colour::Edge, this);
    QColor ink = colour(isEnabled() ? Colour::Text : Colour::Muted, this);
    if (isChecked() || (m_adder && isEnabled())) {
        ink = colour(Colour::Accent, this);
        edge = isChecked() ? ink : edge;
    }
    if (m_error) {
        edge = colour(Colour::Failed, this);
    }
    const QColor fill = colour(hover ? Colour::Hover : Colour::Raised, this);
    if (m_adder) {
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        QPen pen(edge, 1);
        pen.setDashPattern({3, 2});
        painter.setPen(pen);
        painter.setBrush(fill);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3.5, 3.5);
        painter.restore();
        paintIcon(&painter, QStringLiteral("plus"), QRectF((width() - 14) / 2.0, (height() - 14) / 2.0, 14, 14), ink);
    } else {
        stylepaint::roundedBox(&painter, rect(), metrics::smallRadius, fill, edge);
        int x = side;
        if (!m_iconName.isEmpty()) {
            paintIcon(&painter, m_iconName, QRectF(x, (height() - iconSide) / 2.0, iconSide, iconSide), ink);
            x += iconSide + gap;
        }
        painter.setPen(ink);
        // A name that is too long for the place gives way in its middle.
        const int lacking = std::max(0, sizeHint().width() - width());
        const int textWidth = std::max(0, fontMetrics().horizontalAdvance(text()) - lacking);
        const QString shown = lacking > 0 ? fontMetrics().elidedText(text(), Qt::ElideMiddle, textWidth) : text();
        painter.drawText(QRect(x, 0, textWidth + 2, height()), Qt::AlignVCenter | Qt::AlignLeft, shown);
        x += textWidth + gap;
        if (!m_detail.isEmpty()) {
            painter.setFont(fonts::small());
            painter.setPen(colour(Colour::Muted, this));
            painter.drawText(QRect(x, 0, width() - x, height()), Qt::AlignVCenter | Qt::AlignLeft, m_detail);
        }
        if (m_removable) {
            paintIcon(&painter, QStringLiteral("close"), crossRect(), colour(Colour::Muted, this));
        }
    }
    if (hasFocus()) {
        stylepaint::focusRing(&painter, rect(), metrics::smallRadius, colour(Colour::Accent, this));
    }
}

void Chip::mousePressEvent(QMouseEvent *event)
{
    if (m_removable && event->button() == Qt::LeftButton && crossRect().adjusted(-4, -4, 6, 4).contains(event->pos())) {
        Q_EMIT removeRequested();
        event->accept();
        return;
    }
    QAbstractButton::mousePressEvent(event);
}

void Chip::keyPressEvent(QKeyEvent *event)
{
    if (m_removable && (event->key() == Qt::Key_Delete || event->key() == Qt::Key_Backspace)) {
        Q_EMIT removeRequested();
        return;
    }
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        click();
        return;
    }
    QAbstractButton::keyPressEvent(event);
}

} // namespace trainyard
