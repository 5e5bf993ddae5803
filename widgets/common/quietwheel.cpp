// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/quietwheel.h"

#include "widgets/common/textsize.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QEvent>
#include <QWheelEvent>

namespace trainyard
{
namespace
{

class QuietWheel : public QObject
{
public:
    explicit QuietWheel(QAbstractScrollArea *editor) : QObject(editor), m_editor(editor)
    {
        editor->viewport()->installEventFilter(this); // the viewport has the wheel first
    }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() == QEvent::Wheel && !isInUse() && !isZoom(static_cast<QWheelEvent *>(event))) {
            event->ignore(); // goes on to what is around the editor
            return true;
        }
        return QObject::eventFilter(watched, event);
    }

private:
    bool isZoom(const QWheelEvent *event) const
    {
        return event->modifiers().testFlag(Qt::ControlModifier) && TextSize::of(m_editor);
    }
    bool isInUse() const { return m_editor->hasFocus() || m_editor->isAncestorOf(QApplication::focusWidget()); }

    QAbstractScrollArea *m_editor;
};

} // namespace

void scrollOnlyWithFocus(QAbstractScrollArea *editor) { new QuietWheel(editor); }

} // namespace trainyard
