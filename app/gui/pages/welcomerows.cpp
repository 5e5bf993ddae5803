// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/welcomerows.h"

#include "app/gui/pages/welcomepage.h"
#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/stylepaint.h"

#include <QAbstractButton>
#include <QHBoxLayout>
#include <QPainter>

#include <algorithm>

namespace trainyard
{

StartRow::StartRow(
    const QString &iconName, const QString &title, const QString &detail, const QString &key, bool strong)
    : m_icon(iconName), m_detail(detail), m_strong(strong)
{
    setText(title);
    setAccessibleName(title);
    setAccessibleDescription(detail);
    setFixedHeight(44);
    setAttribute(Qt::WA_Hover);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    if (!key.isEmpty()) {
        auto *layout = new QHBoxLayout(this);
        layout->setContentsMargins(0, 0, metrics::space3, 0);
        layout->addStretch();
        m_key = new KeyCap(key);
        layout->addWidget(m_key, 0, Qt::AlignVCenter);
    }
}

QSize StartRow::sizeHint() const { return {column + 24, 44}; }

void StartRow::resizeEvent(QResizeEvent *event)
{
    QAbstractButton::resizeEvent(event);
    const bool isCut = QFontMetrics(fonts::small(), this).horizontalAdvance(m_detail) > roomForWords()
        || QFontMetrics(fonts::medium(), this).horizontalAdvance(text()) > roomForWords();
    setToolTip(plainTip(isCut ? QString(text() + u'\n' + m_detail) : QString()));
}

void StartRow::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    if (m_strong || underMouse()) {
        stylepaint::roundedBox(&painter, rect(), 6, colour(m_strong ? Colour::Selection : Colour::Hover, this), {});
    }
    paintIcon(&painter, m_icon, QRectF(12, 12, 20, 20), colour(Colour::Accent, this));
    painter.setFont(fonts::medium());
    painter.setPen(colour(Colour::Text, this));
    const auto draw = [&](const QString &words, int top, int height) {
        painter.drawText(QRect(wordsLeft, top, roomForWords(), height), Qt::AlignVCenter,
            painter.fontMetrics().elidedText(words, Qt::ElideRight, roomForWords()));
    };
    draw(text(), 4, 19);
    painter.setFont(fonts::small());
    painter.setPen(colour(Colour::Muted, this));
    draw(m_detail, 22, 17);
    if (hasFocus()) {
        stylepaint::focusRing(&painter, rect(), 6, colour(Colour::Accent, this));
    }
}

// Up to its key.
int StartRow::roomForWords() const
{
    const int key = m_key ? m_key->sizeHint().width() + metrics::space2 : 0;
    return std::max(0, width() - wordsLeft - metrics::space3 - key);
}

DropHint::DropHint() { setFixedHeight(76); }

void DropHint::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QPen pen(colour(Colour::Mark, this), 1);
    pen.setDashPattern({4, 3});
    painter.setPen(pen);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
    const QString text = WelcomePage::tr("Drop jobs, scripts or files of runs\nanywhere in this window");
    const QRect words = fontMetrics().boundingRect(rect(), Qt::AlignCenter, text);
    const int shift = 16;
    painter.setPen(colour(Colour::Muted, this));
    painter.drawText(words.translated(shift, 0), Qt::AlignLeft, text);
    paintIcon(&painter, QStringLiteral("download"), QRectF(words.left() + shift - 32, (height() - 20) / 2.0, 20, 20),
        colour(Colour::Muted, this));
}

FactRow::FactRow(StateShape shape, const QString &name, const QString &value)
    : m_shape(shape), m_name(name), m_value(value)
{
    setFixedHeight(26);
    setAccessibleName(name + QStringLiteral(": ") + value);
    setToolTip(plainTip(value));
}

void FactRow::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    paintState(&painter, m_shape, QRectF(0, 6, 14, 14), palette());
    painter.setPen(colour(Colour::Muted, this));
    painter.drawText(QRect(22, 0, 60, height()), Qt::AlignVCenter, m_name);
    painter.setPen(colour(Colour::Text, this));
    const QRect value(86, 0, width() - 86, height());
    painter.drawText(value, Qt::AlignVCenter, fontMetrics().elidedText(m_value, Qt::ElideMiddle, value.width()));
}

} // namespace trainyard
