// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/fieldframe.h"

#include "widgets/common/stylepaint.h"
#include "widgets/common/tokens.h"

#include <QBoxLayout>
#include <QEvent>
#include <QPainter>

namespace trainyard
{

FieldFrame::FieldFrame(QWidget *editor, QWidget *parent) : QWidget(parent), m_editor(editor)
{
    auto *box = new QVBoxLayout(this);
    box->setContentsMargins(3, 4, 3, 4);
    box->addWidget(editor);
    editor->installEventFilter(this);
}

void FieldFrame::setError(bool error)
{
    m_error = error;
    update();
}

void FieldFrame::setReadOnly(bool readOnly)
{
    m_readOnly = readOnly;
    update();
}

void FieldFrame::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const bool isOff = m_readOnly || !isEnabled(); // such as in a form that is locked
    const QColor edge = colour(m_error ? Colour::Failed : isOff ? Colour::Border : Colour::FieldEdge, this);
    const QColor fill = colour(isOff ? Colour::Window : Colour::Field, this);
    stylepaint::roundedBox(&painter, rect(), metrics::radius, fill, edge);
    if (m_editor->hasFocus()) {
        stylepaint::focusRing(&painter, rect(), metrics::radius, colour(Colour::Accent, this));
    }
}

bool FieldFrame::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_editor && (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut)) {
        update();
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace trainyard
