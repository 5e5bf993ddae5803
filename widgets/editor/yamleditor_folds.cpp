// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor/codeview.h"
#include "widgets/editor/yamleditor.h"

// Folding.
namespace trainyard
{

void YamlEditor::toggleFold(qsizetype line)
{
    const auto at = static_cast<unsigned long>(line);
    if (!(m_view->SendScintilla(QsciScintillaBase::SCI_GETFOLDLEVEL, at) & QsciScintillaBase::SC_FOLDLEVELHEADERFLAG)) {
        return;
    }
    const long last = m_view->SendScintilla(QsciScintillaBase::SCI_GETLASTCHILD, at, -1L);
    const QByteArray text = tr("%n line(s)", nullptr, int(last - line)).toUtf8();
    m_view->SendScintilla(QsciScintillaBase::SCI_TOGGLEFOLDSHOWTEXT, uintptr_t(line), text.constData());
}

void YamlEditor::toggleFoldAtCaret(bool folded)
{
    qsizetype line = m_view->lineOf(m_view->caret());
    const auto isOpenHeader = [this](qsizetype at) {
        const auto place = static_cast<unsigned long>(at);
        return (m_view->SendScintilla(QsciScintillaBase::SCI_GETFOLDLEVEL, place)
                   & QsciScintillaBase::SC_FOLDLEVELHEADERFLAG)
            && m_view->SendScintilla(QsciScintillaBase::SCI_GETFOLDEXPANDED, place);
    };
    if (folded && !isOpenHeader(line)) {
        line = m_view->SendScintilla(QsciScintillaBase::SCI_GETFOLDPARENT, static_cast<unsigned long>(line));
    }
    if (line >= 0 && isOpenHeader(line) == folded) {
        if (folded) {
            m_view->SendScintilla(QsciScintillaBase::SCI_GOTOLINE, static_cast<unsigned long>(line));
        }
        toggleFold(line);
    }
}

void YamlEditor::foldAll(bool folded)
{
    m_view->SendScintilla(QsciScintillaBase::SCI_COLOURISE, 0UL, -1L);
    for (qsizetype line = 0; line < m_view->lines(); ++line) {
        const auto at = static_cast<unsigned long>(line);
        const long level = m_view->SendScintilla(QsciScintillaBase::SCI_GETFOLDLEVEL, at);
        const bool open = m_view->SendScintilla(QsciScintillaBase::SCI_GETFOLDEXPANDED, at) != 0;
        if ((level & QsciScintillaBase::SC_FOLDLEVELHEADERFLAG) && open == folded) {
            toggleFold(line);
        }
    }
}

} // namespace trainyard
