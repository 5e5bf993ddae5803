// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/textsize.h"
#include "widgets/editor/codeview.h"
#include "widgets/editor/lineedits.h"

#include <QKeyEvent>
#include <QWheelEvent>

// The actions of keys: comments, indentation, pairs.
namespace trainyard
{
void CodeView::toggleComment()
{
    if (isReadOnly()) {
        return;
    }
    const qsizetype begin = SendScintilla(SCI_GETSELECTIONSTART);
    const qsizetype end = SendScintilla(SCI_GETSELECTIONEND);
    const qsizetype first = lineOf(begin);
    qsizetype last = lineOf(end);
    if (last > first && lineStart(last) == end) {
        --last;
    }
    bool all = true;
    qsizetype column = -1;
    for (qsizetype line = first; line <= last; ++line) {
        const QByteArray text = bytesIn({lineStart(line), lineEnd(line)});
        const QByteArray body = text.trimmed();
        if (body.isEmpty()) {
            continue;
        }
        const qsizetype indent = SendScintilla(SCI_GETLINEINDENTPOSITION, uat(line)) - lineStart(line);
        column = column < 0 ? indent : std::min(column, indent);
        all = all && body.startsWith('#');
    }
    if (column < 0) {
        return;
    }
    SendScintilla(SCI_BEGINUNDOACTION);
    for (qsizetype line = last; line >= first; --line) {
        const QByteArray text = bytesIn({lineStart(line), lineEnd(line)});
        if (text.trimmed().isEmpty()) {
            continue;
        }
        if (all) {
            const qsizetype hash = text.indexOf('#');
            const qsizetype length = text.mid(hash + 1, 1) == " " ? 2 : 1;
            SendScintilla(SCI_DELETERANGE, uat(lineStart(line) + hash), at(length));
        } else {
            // Not SCI_INSERTTEXT, which takes the selection away.
            SendScintilla(SCI_SETTARGETRANGE, uat(lineStart(line) + column), at(lineStart(line) + column));
            SendScintilla(SCI_REPLACETARGET, 2UL, "# ");
        }
    }
    SendScintilla(SCI_ENDUNDOACTION);
}

namespace
{

// Does a value begin below this line? `text` is without blanks around it.
bool opens(const QByteArray &text)
{
    if (text.endsWith(':')) {
        return true;
    }
    // The header of block text, behind a colon or a dash.
    qsizetype at = text.size();
    while (at > 0 && (text[at - 1] == '-' || text[at - 1] == '+' || (text[at - 1] >= '1' && text[at - 1] <= '9'))) {
        --at;
    }
    return at > 1 && (text[at - 1] == '|' || text[at - 1] == '>') && text[at - 2] == ' '
        && (text.left(at - 2).endsWith(':') || text.left(at - 2).endsWith('-'));
}

QByteArray withoutComment(const QByteArray &text)
{
    const qsizetype comment = text.indexOf(" #");
    return comment >= 0 ? text.left(comment).trimmed() : text;
}

} // namespace

bool CodeView::opensBlock(qsizetype line) const
{
    const QByteArray text = bytesIn({lineStart(line), lineEnd(line)}).trimmed();
    return m_language == Language::Yaml && !text.startsWith('#') && opens(withoutComment(text));
}

void CodeView::setIndentStep(int step)
{
    m_step = std::clamp(step, 1, 8);
    setIndentationWidth(m_step);
}

QPoint CodeView::pointOf(qsizetype offset, bool below) const
{
    const long x = SendScintilla(SCI_POINTXFROMPOSITION, 0UL, at(offset));
    const long y = SendScintilla(SCI_POINTYFROMPOSITION, 0UL, at(offset));
    return {int(x), int(below ? y + SendScintilla(SCI_TEXTHEIGHT, 0UL) : y)};
}

qsizetype CodeView::indentAfterLine(qsizetype line) const
{
    return indentFor(bytesIn({lineStart(line), lineEnd(line)})).size();
}

QByteArray CodeView::indentAfter(qsizetype line) const
{
    return indentFor(bytesIn({lineStart(line), std::min(caret(), lineEnd(line))}));
}

// The beginning of a line after `before`.
QByteArray CodeView::indentFor(const QByteArray &before) const
{
    qsizetype indent = 0;
    while (indent < before.size() && (before[indent] == ' ' || before[indent] == '\t')) {
        ++indent;
    }
    QByteArray spaces = before.left(indent);
    if (m_language == Language::Bash) {
        return spaces;
    }
    const QByteArray text = withoutComment(before.trimmed());
    if (text.startsWith('#') || text.isEmpty()) {
        return spaces;
    }
    if (text.startsWith("- ") && (opens(text) || text.contains(": "))) {
        // As far as the item's own keys.
        const bool block = text.size() > 2 && (text[2] == '|' || text[2] == '>');
        qsizetype column = 1;
        while (column < text.size() && text[column] == ' ') {
            ++column;
        }
        spaces += block ? QByteArray() : QByteArray(column, ' ');
    }
    return opens(text) ? spaces + QByteArray(m_step, ' ') : spaces;
}

// Tab indents; a user without a mouse leaves the text with Escape and then Tab.
bool CodeView::focusNextPrevChild(bool next)
{
    // Past the class in between, which keeps the key for the text. NOLINTNEXTLINE(bugprone-parent-virtual-call)
    return m_tabLeaves ? QWidget::focusNextPrevChild(next) : QsciScintilla::focusNextPrevChild(next);
}

void CodeView::focusOutEvent(QFocusEvent *event)
{
    m_tabLeaves = false;
    QsciScintilla::focusOutEvent(event);
}

// The text has one size everywhere, not one in each view.
void CodeView::wheelEvent(QWheelEvent *event)
{
    if (TextSize::code()->handle(event)) {
        event->accept();
        return;
    }
    QsciScintilla::wheelEvent(event);
}

namespace
{
// A shortcut that nothing takes still has the text of its key, which Scintilla would write. With both, it is AltGr as
// some remote desktops send it.
bool isCommandKey(Qt::KeyboardModifiers modifiers)
{
    return !modifiers.testFlag(Qt::GroupSwitchModifier)
        && (modifiers.testFlag(Qt::MetaModifier)
            || modifiers.testFlag(Qt::ControlModifier) != modifiers.testFlag(Qt::AltModifier));
}
} // namespace

// Scintilla joins what is written side by side, however much later. An empty step keeps it apart; it would also take
// away what can be redone, which the key itself does only if it writes something.
void CodeView::separateUndo(const QKeyEvent *event)
{
    const bool erases = event->key() == Qt::Key_Backspace || event->key() == Qt::Key_Delete;
    if (isReadOnly() || (!erases && event->text().isEmpty())) {
        return;
    }
    const bool isNew = !m_typing.isValid() || m_typing.elapsed() >= m_typingPause;
    if (isNew && canUndo() && !canRedo()) {
        SendScintilla(SCI_BEGINUNDOACTION);
        SendScintilla(SCI_ENDUNDOACTION);
    }
    m_typing.start();
}

void CodeView::keyPressEvent(QKeyEvent *event)
{
    if (event->key() != Qt::Key_Shift) { // on the way to Shift+Tab
        m_tabLeaves = event->key() == Qt::Key_Escape;
    }
    if (TextSize::code()->handle(event)) {
        event->accept();
        return;
    }
    if (isCommandKey(event->modifiers())) {
        QKeyEvent bare(event->type(), event->key(), event->modifiers(), event->nativeScanCode(),
            event->nativeVirtualKey(), event->nativeModifiers(), {}, event->isAutoRepeat(), quint16(event->count()));
        QsciScintilla::keyPressEvent(&bare);
        event->setAccepted(bare.isAccepted());
        return;
    }
    separateUndo(event);
    if (m_pairs.handle(event, m_language == Language::Yaml ? PairTyper::Which::All : PairTyper::Which::Templates)) {
        if (!event->text().isEmpty() && event->key() != Qt::Key_Backspace) {
            Q_EMIT typed(event->text().at(0).unicode());
        }
        event->accept();
        return;
    }
    // Scintilla would write blanks in place of what is selected within a line.
    if (event->key() == Qt::Key_Tab && !event->modifiers() && !isListActive() && lineedits::indentSelected(this)) {
        event->accept();
        return;
    }
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enter && !isReadOnly() && !(event->modifiers() & ~Qt::KeypadModifier) && SendScintilla(SCI_GETSELECTIONS) == 1
        && !isListActive()) {
        const QByteArray indent = indentAfter(lineOf(caret()));
        SendScintilla(SCI_BEGINUNDOACTION);
        SendScintilla(SCI_NEWLINE);
        SendScintilla(SCI_ADDTEXT, uat(indent.size()), indent.constData());
        SendScintilla(SCI_ENDUNDOACTION);
        SendScintilla(SCI_SCROLLCARET);
        event->accept();
        return;
    }
    QsciScintilla::keyPressEvent(event);
}

} // namespace trainyard
