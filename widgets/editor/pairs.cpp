// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor/pairs.h"

#include "model/base/ascii.h"
#include "widgets/editor/codeview.h"

#include <QKeyEvent>

#include <cstring>

namespace trainyard
{
namespace
{

bool isWordByte(char c) { return ascii::isWord(c) || (c & 0x80); }

char closing(char c)
{
    switch (c) {
    case '(':
        return ')';
    case '[':
        return ']';
    case '{':
        return '}';
    case '"':
    case '\'':
        return c;
    default:
        return '\0';
    }
}

} // namespace

bool PairTyper::handle(QKeyEvent *event, Which which)
{
    if (m_view->isReadOnly() || m_view->SendScintilla(QsciScintillaBase::SCI_GETSELECTIONS) != 1
        || (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)
            && !(event->modifiers() & Qt::GroupSwitchModifier))) {
        return false;
    }
    if (event->key() == Qt::Key_Backspace && event->modifiers() == Qt::NoModifier) {
        return eraseBoth();
    }
    const bool enters = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enters && !(event->modifiers() & ~Qt::KeypadModifier)) {
        return leaveTemplate();
    }
    const QString text = event->text();
    return text.size() == 1 && text.at(0).unicode() < 0x80 && type(char(text.at(0).unicode()), which);
}

bool PairTyper::isOurs(qsizetype offset) const
{
    return m_view->SendScintilla(
               QsciScintillaBase::SCI_INDICATORVALUEAT, static_cast<unsigned long>(CodeView::TypedPair), long(offset))
        != 0;
}

void PairTyper::insertPair(const char *open, const char *close)
{
    const qsizetype begin = m_view->SendScintilla(QsciScintillaBase::SCI_GETSELECTIONSTART);
    const qsizetype end = m_view->SendScintilla(QsciScintillaBase::SCI_GETSELECTIONEND);
    const QByteArray inside = m_view->bytesIn({begin, end});
    const qsizetype before = qsizetype(std::strlen(open));
    m_view->applyEdits({{{begin, end}, open + inside + close}}, Origin::Text);
    if (inside.isEmpty()) {
        m_view->setCaret(begin + before);
        m_view->fillIndicator(CodeView::TypedPair, {begin + before, begin + before + qsizetype(std::strlen(close))});
    } else {
        m_view->select({begin + before, begin + before + inside.size()});
    }
}

bool PairTyper::type(char c, Which which)
{
    const qsizetype begin = m_view->SendScintilla(QsciScintillaBase::SCI_GETSELECTIONSTART);
    const qsizetype end = m_view->SendScintilla(QsciScintillaBase::SCI_GETSELECTIONEND);
    const char partner = which == Which::All ? closing(c) : '\0';
    if (end > begin) {
        if (!partner || m_view->lineOf(begin) != m_view->lineOf(end)) {
            return false;
        }
        const char open[] = {c, '\0'};
        const char close[] = {partner, '\0'};
        insertPair(open, close);
        return true;
    }
    const char next = begin < m_view->byteCount() ? m_view->byteAt(begin) : '\n';
    const char previous = begin > 0 ? m_view->byteAt(begin - 1) : '\n';
    if (c == ' ' && isOurs(begin) && begin >= 3 && m_view->bytesIn({begin - 3, begin}) == "<% ") {
        return true; // it is there already
    }
    if (next == c && isOurs(begin)) {
        m_view->setCaret(begin + 1);
        return true;
    }
    const bool room = std::strchr(" \t\r\n,)]}", next) != nullptr || next == '\0';
    if (c == '%' && previous == '<' && room) {
        insertPair("% ", " %>");
        return true;
    }
    if (!partner || !room) {
        return false;
    }
    if (partner == c && (isWordByte(previous) || previous == c || previous == '\\')) {
        return false; // an apostrophe, or the end of a quote
    }
    if (c == '{' && isOurs(begin) && previous == '{') {
        return false;
    }
    const char open[] = {c, '\0'};
    const char close[] = {partner, '\0'};
    insertPair(open, close);
    return true;
}

// Return at the end of what was typed into <% %> ends that: a line break would take the reference apart.
bool PairTyper::leaveTemplate()
{
    constexpr QByteArrayView close(" %>");
    const qsizetype caret = m_view->caret();
    if (m_view->SendScintilla(QsciScintillaBase::SCI_GETSELECTIONEMPTY) == 0
        || caret + close.size() > m_view->byteCount() || m_view->bytesIn({caret, caret + close.size()}) != close) {
        return false;
    }
    const QByteArray before = m_view->bytesIn({m_view->lineStart(m_view->lineOf(caret)), caret});
    if (before.lastIndexOf("<%") <= before.lastIndexOf("%>")) {
        return false;
    }
    m_view->setCaret(caret + close.size());
    return true;
}

bool PairTyper::eraseBoth()
{
    const qsizetype caret = m_view->caret();
    if (m_view->SendScintilla(QsciScintillaBase::SCI_GETSELECTIONEMPTY) == 0 || caret < 1
        || caret >= m_view->byteCount() || !isOurs(caret)) {
        return false;
    }
    if (closing(m_view->byteAt(caret - 1)) != m_view->byteAt(caret)) {
        return false;
    }
    m_view->applyEdits({{{caret - 1, caret + 1}, {}}}, Origin::Text);
    m_view->setCaret(caret - 1);
    return true;
}

} // namespace trainyard
