// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/textsize.h"

#include "widgets/common/tokens.h"

#include <QKeyEvent>
#include <QWheelEvent>
#include <QWidget>

#include <algorithm>

namespace trainyard
{
namespace
{
constexpr qreal leastPoints = 4;
}

TextSize *TextSize::code()
{
    static TextSize size;
    return &size;
}

TextSize *TextSize::logs()
{
    static TextSize size;
    return &size;
}

TextSize *TextSize::of(const QWidget *view)
{
    for (TextSize *size : {code(), logs()}) {
        if (size->m_views.contains(view)) {
            return size;
        }
    }
    return nullptr;
}

void TextSize::setSteps(int steps)
{
    steps = std::clamp(steps, least, most);
    if (steps != m_steps) {
        m_steps = steps;
        Q_EMIT changed(steps);
    }
}

QFont TextSize::font(int steps) const
{
    QFont font = fonts::fixed();
    font.setPointSizeF(std::max(leastPoints, font.pointSizeF() + steps));
    return font;
}

void TextSize::follow(QWidget *view, const std::function<void()> &apply)
{
    m_views.append(view);
    connect(view, &QObject::destroyed, this, [this, view] { m_views.removeAll(view); });
    connect(this, &TextSize::changed, view, apply);
    apply();
}

bool TextSize::handle(const QKeyEvent *event)
{
    // Plus is on the key of the equals sign, and digits are on shifted keys, in some layouts.
    constexpr Qt::KeyboardModifiers indifferent = Qt::ShiftModifier | Qt::KeypadModifier | Qt::GroupSwitchModifier;
    if ((event->modifiers() & ~indifferent) != Qt::ControlModifier) {
        return false;
    }
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        setSteps(m_steps + 1);
        return true;
    case Qt::Key_Minus:
        setSteps(m_steps - 1);
        return true;
    case Qt::Key_0:
        setSteps(0);
        return true;
    default:
        return false;
    }
}

bool TextSize::handle(const QWheelEvent *event)
{
    if (!event->modifiers().testFlag(Qt::ControlModifier)) {
        return false;
    }
    if (event->angleDelta().y() != 0) {
        setSteps(m_steps + (event->angleDelta().y() > 0 ? 1 : -1));
    }
    return true;
}

} // namespace trainyard
