// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/segmentedcontrol.h"

#include "widgets/common/stylepaint.h"

#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace trainyard
{

SegmentedControl::SegmentedControl(const QStringList &choices, QWidget *parent)
    : QWidget(parent), m_choices(choices), m_isHidden(choices.size(), false)
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
    setAccessibleDescription(shown.join(QStringLiteral(", ")));
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

void SegmentedControl::addTo(QMenu *menu)
{
    menu->addSection(accessibleName());
    for (int index = 0; index < m_choices.size(); ++index) {
        if (!m_isHidden.at(index)) {
            QAction *action = menu->addAction(m_choices.at(index), this, [this, index] { setCurrentIndex(index); });
            action->setCheckable(true);
            action->setChecked(m_current == index);
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
        if (on) {
            painter.fillRect(r, colour(Colour::Selection, this));
        } else if (i == m_hover && isEnabled()) {
            painter.fillRect(r, colour(Colour::Hover, this));
        }
        if (r.left() > 1) {
            painter.fillRect(QRect(r.left(), r.top(), 1, r.height()), colour(Colour::Border, this));
        }
        QFont font = fonts::small();
        font.setWeight(on ? QFont::Medium : QFont::Normal);
        painter.setFont(font);
        painter.setPen(colour(on ? Colour::Accent : Colour::Muted, this));
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
    if (event->button() == Qt::LeftButton) {
        setCurrentIndex(segmentAt(event->pos()));
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

// To the next one that is shown.
void SegmentedControl::step(int by)
{
    int next = m_current + by;
    while (next >= 0 && next < m_choices.size() && m_isHidden.at(next)) {
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
