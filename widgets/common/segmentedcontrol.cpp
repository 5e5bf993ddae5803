// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/segmentedcontrol.h"

#include "widgets/common/labels.h"
#include "widgets/common/stylepaint.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include <algorithm>

namespace trainyard
{
namespace
{
constexpr qreal offAlpha = 0.6; // of what cannot be chosen
} // namespace

SegmentedControl::SegmentedControl(const QStringList &choices, QWidget *parent)
    : QWidget(parent), m_choices(choices), m_isHidden(choices.size(), false), m_whyOff(choices.size())
{
    setFont(fonts::small());
    setFocusPolicy(Qt::TabFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    describe();
}

void SegmentedControl::describe()
{
    QStringList shown;
    for (int i = 0; i < m_choices.size(); ++i) {
        if (!m_isHidden.at(i)) {
            shown.append(m_choices.at(i));
        }
    }
    QStringList sentences{shown.join(QStringLiteral(", "))};
    for (int i = 0; i < m_choices.size(); ++i) {
        if (!m_isHidden.at(i) && !m_whyOff.at(i).isEmpty()) {
            sentences.append(m_choices.at(i) + QStringLiteral(": ") + m_whyOff.at(i));
        }
    }
    setAccessibleDescription(sentences.join(QLatin1Char('\n')));
}

void SegmentedControl::setChoiceVisible(int index, bool on)
{
    if (m_isHidden.at(index) == on) {
        m_isHidden[index] = !on;
        describe();
        updateGeometry();
        update();
    }
}

void SegmentedControl::setChoiceEnabled(int index, bool on, const QString &whyOff)
{
    const QString why = on ? QString() : whyOff;
    if (m_whyOff.at(index) != why) {
        m_whyOff[index] = why;
        describe();
        update();
    }
}

void SegmentedControl::addTo(QMenu *menu)
{
    menu->addSection(accessibleName());
    for (int index = 0; index < m_choices.size(); ++index) {
        if (!m_isHidden.at(index)) {
            QAction *action = menu->addAction(m_choices.at(index), this, [this, index] { setCurrentIndex(index); });
            action->setCheckable(true);
            action->setChecked(m_current == index);
            enableOr(action, canChoose(index), m_whyOff.at(index));
        }
    }
}

void SegmentedControl::setCurrentIndex(int index)
{
    if (index != m_current && index >= 0 && index < m_choices.size()) {
        m_current = index;
        update();
        Q_EMIT currentChanged(index);
    }
}

QSize SegmentedControl::sizeHint() const
{
    int right = 0;
    for (int i = 0; i < m_choices.size(); ++i) {
        right = std::max(right, segmentRect(i).right());
    }
    return {right + 2, metrics::segment + 2};
}

QRect SegmentedControl::segmentRect(int index) const
{
    QFont font = fonts::small();
    font.setWeight(QFont::Medium);
    const QFontMetrics fm(font);
    int x = 1;
    for (int i = 0; i <= index; ++i) {
        if (m_isHidden.at(i)) {
            continue;
        }
        const int width = fm.horizontalAdvance(m_choices.at(i)) + 21;
        if (i == index) {
            return {x, 1, width, metrics::segment};
        }
        x += width;
    }
    return {};
}

int SegmentedControl::segmentAt(const QPoint &position) const
{
    for (int i = 0; i < m_choices.size(); ++i) {
        if (segmentRect(i).contains(position)) {
            return i;
        }
    }
    return -1;
}

void SegmentedControl::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const QColor edge = colour(Colour::Edge, this);
    stylepaint::roundedBox(&painter, rect(), metrics::radius, colour(Colour::Raised, this), {});
    QPainterPath clip;
    clip.addRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), metrics::radius, metrics::radius);
    painter.setClipPath(clip);
    for (int i = 0; i < m_choices.size(); ++i) {
        const QRect r = segmentRect(i);
        if (r.isEmpty()) {
            continue;
        }
        const bool on = i == m_current;
        const bool isOff = !isEnabled() || !canChoose(i);
        if (on) {
            painter.fillRect(r, colour(isOff ? Colour::Hover : Colour::Selection, this));
        } else if (i == m_hover && !isOff) {
            painter.fillRect(r, colour(Colour::Hover, this));
        }
        if (r.left() > 1) {
            painter.fillRect(QRect(r.left(), r.top(), 1, r.height()), colour(Colour::Border, this));
        }
        QFont font = fonts::small();
        font.setWeight(on ? QFont::Medium : QFont::Normal);
        painter.setFont(font);
        painter.setPen(isOff ? withAlpha(colour(Colour::Muted, this), on ? 1 : offAlpha)
                             : colour(on ? Colour::Accent : Colour::Muted, this));
        painter.drawText(r, Qt::AlignCenter, m_choices.at(i));
    }
    painter.setClipping(false);
    stylepaint::roundedBox(&painter, rect(), metrics::radius, {}, edge);
    if (hasFocus()) {
        stylepaint::focusRing(&painter, rect(), metrics::radius, colour(Colour::Accent, this));
    }
}

void SegmentedControl::mousePressEvent(QMouseEvent *event)
{
    const int index = segmentAt(event->pos());
    if (event->button() == Qt::LeftButton && index >= 0 && canChoose(index)) {
        setCurrentIndex(index);
    }
}

void SegmentedControl::mouseMoveEvent(QMouseEvent *event)
{
    const int hover = segmentAt(event->pos());
    if (hover != m_hover) {
        m_hover = hover;
        update();
    }
}

void SegmentedControl::leaveEvent(QEvent *)
{
    m_hover = -1;
    update();
}

bool SegmentedControl::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const int index = segmentAt(help->pos());
        if (index >= 0 && !m_whyOff.at(index).isEmpty()) {
            QToolTip::showText(help->globalPos(), plainTip(m_whyOff.at(index)), this, segmentRect(index));
            return true;
        }
    }
    return QWidget::event(event);
}

// To the next one that can be chosen.
void SegmentedControl::step(int by)
{
    int next = m_current + by;
    while (next >= 0 && next < m_choices.size() && !canChoose(next)) {
        next += by;
    }
    setCurrentIndex(next);
}

void SegmentedControl::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Left) {
        step(-1);
    } else if (event->key() == Qt::Key_Right) {
        step(1);
    } else {
        QWidget::keyPressEvent(event);
    }
}

} // namespace trainyard
