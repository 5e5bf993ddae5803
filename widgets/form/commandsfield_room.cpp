// SPDX-License-Identifier: GPL-3.0-or-later
// The height of the field of commands, and the keys that it takes.
#include "widgets/editor/codeview.h"
#include "widgets/editor/scintilla.h"
#include "widgets/editor/suggester.h"
#include "widgets/form/commandsfield.h"
#include "widgets/form/formcontext.h"

#include <QKeyEvent>
#include <QLabel>

#include <algorithm>

namespace trainyard
{
namespace
{

using S = QsciScintillaBase;

constexpr int calmLines = 6; // without the focus: what is below stays in sight

} // namespace

bool CommandsField::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_view) {
        if (event->type() == QEvent::KeyPress) {
            auto *key = static_cast<QKeyEvent *>(event);
            const bool enter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
            const Qt::KeyboardModifiers held = key->modifiers() & ~Qt::KeypadModifier;
            if (enter && !m_view->isReadOnly()) {
                if (!held && m_view->leaveTemplate()) {
                    return true;
                }
                if (held == Qt::ControlModifier || (!held && !continuesItem())) {
                    startItem();
                    return true;
                }
                if (held == Qt::ShiftModifier) {
                    m_view->SendScintilla(S::SCI_NEWLINE);
                    return true;
                }
            } else if (key->key() == Qt::Key_Space && held == Qt::ControlModifier) {
                m_suggester->suggest();
                return true;
            } else if (key->key() == Qt::Key_Tab || key->key() == Qt::Key_Backtab) {
                focusNextPrevChild(key->key() == Qt::Key_Tab);
                return true;
            }
        } else if (event->type() == QEvent::Resize) {
            m_tidy->start(0); // another width breaks its lines elsewhere
        } else if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) {
            m_tidy->start(0); // a user who works here gets more lines
            if (event->type() == QEvent::FocusIn) {
                m_shownItem = itemAt(m_view->lineOf(m_view->caret()));
                if (m_shownItem < m_documentItems.size()) {
                    Q_EMIT context()->fieldFocused(path().child(m_shownItem));
                }
                m_placeholder->hide();
                return TypedField::eventFilter(watched, event) && false;
            }
        }
    }
    return TypedField::eventFilter(watched, event);
}

void CommandsField::updateHeight()
{
    long lines = 0;
    const long all = m_view->SendScintilla(S::SCI_GETLINECOUNT);
    // Breaks the lines that wait for it: counted before, they are those of the former width.
    m_view->SendScintilla(S::SCI_ENSUREVISIBLE, uat(all - 1));
    // A few commands are shown whole, also where their lines are broken.
    const int most = m_view->hasFocus() || all <= calmLines ? m_most : std::min(m_most, calmLines);
    long whole = 0; // lines that are in sight with all of their rows
    for (long line = 0; line < all && lines < most; ++line) {
        lines += m_view->SendScintilla(S::SCI_WRAPCOUNT, uat(line));
        whole += lines <= most ? 1 : 0;
    }
    const bool isCut = !m_view->hasFocus() && whole < all;
    m_rest->setText(isCut ? tr("%n more line(s)", nullptr, int(all - whole)) : QString());
    m_rest->setVisible(isCut);
    const long height = m_view->SendScintilla(S::SCI_TEXTHEIGHT, 0UL);
    const int wanted = int(std::clamp<long>(lines, m_least, most) * height) + 2;
    if (m_view->minimumHeight() != wanted) {
        m_view->setFixedHeight(wanted);
    }
}

} // namespace trainyard
