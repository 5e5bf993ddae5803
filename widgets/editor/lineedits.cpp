// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor/lineedits.h"

#include "widgets/editor/codeview.h"

#include <cstdlib>

namespace trainyard::lineedits
{
namespace
{

struct Lines {
    qsizetype first = 0;
    qsizetype last = 0;
};

Lines selectedLines(const CodeView *view)
{
    const qsizetype begin = view->SendScintilla(QsciScintillaBase::SCI_GETSELECTIONSTART);
    const qsizetype end = view->SendScintilla(QsciScintillaBase::SCI_GETSELECTIONEND);
    Lines lines{view->lineOf(begin), view->lineOf(end)};
    if (lines.last > lines.first && view->lineStart(lines.last) == end) {
        --lines.last;
    }
    return lines;
}

// Columns of the blanks in front of a line; a tab goes to the next even column, as it is shown.
qsizetype indentOf(const QByteArray &line, qsizetype *bytes = nullptr)
{
    qsizetype column = 0;
    qsizetype i = 0;
    for (; i < line.size() && (line[i] == ' ' || line[i] == '\t'); ++i) {
        column = line[i] == '\t' ? (column / 2 + 1) * 2 : column + 1;
    }
    if (bytes) {
        *bytes = i;
    }
    return column;
}

} // namespace

void duplicate(CodeView *view)
{
    if (!view->isReadOnly()) {
        view->SendScintilla(QsciScintillaBase::SCI_SELECTIONDUPLICATE);
    }
}

void move(CodeView *view, int by)
{
    if (view->isReadOnly()) {
        return;
    }
    const Lines lines = selectedLines(view);
    const bool selected = view->SendScintilla(QsciScintillaBase::SCI_GETSELECTIONEMPTY) == 0;
    const qsizetype column = view->caret() - view->lineStart(view->lineOf(view->caret()));
    if ((by < 0 && lines.first == 0) || (by > 0 && lines.last + 1 >= view->lines())) {
        return;
    }
    view->SendScintilla(
        by < 0 ? QsciScintillaBase::SCI_MOVESELECTEDLINESUP : QsciScintillaBase::SCI_MOVESELECTEDLINESDOWN);
    if (!selected) {
        // Scintilla selects the line that it moved.
        view->setCaret(view->lineStart(lines.first + by) + column);
    }
}

void reindent(CodeView *view)
{
    if (view->isReadOnly()) {
        return;
    }
    const Lines lines = selectedLines(view);
    const auto textOf = [&](qsizetype line) { return view->bytesIn({view->lineStart(line), view->lineEnd(line)}); };
    qsizetype first = lines.first;
    while (first <= lines.last && textOf(first).trimmed().isEmpty()) {
        ++first;
    }
    if (first > lines.last) {
        return;
    }
    qsizetype before = first - 1;
    while (before >= 0 && textOf(before).trimmed().isEmpty()) {
        --before;
    }
    const qsizetype present = indentOf(textOf(first));
    qsizetype wanted = 0;
    if (before >= 0) {
        // The columns at which this line could stand: one deeper than what the line above opens, or that of anything
        // it is inside of. The nearest one is meant.
        const qsizetype deepest = view->indentAfterLine(before);
        wanted = deepest;
        qsizetype limit = deepest;
        for (qsizetype line = before; line >= 0 && limit > 0 && !view->opensBlock(before); --line) {
            const QByteArray text = textOf(line);
            const qsizetype indent = indentOf(text);
            if (text.trimmed().isEmpty() || indent >= limit) {
                continue;
            }
            limit = indent;
            if (std::abs(indent - present) < std::abs(wanted - present)) {
                wanted = indent;
            }
        }
    }
    TextEdits edits;
    for (qsizetype line = lines.first; line <= lines.last; ++line) {
        const QByteArray text = textOf(line);
        qsizetype blanks = 0;
        const qsizetype indent = indentOf(text, &blanks);
        const qsizetype now = blanks == text.size() ? 0 : std::max<qsizetype>(0, indent + wanted - present);
        const QByteArray spaces(now, ' ');
        if (text.left(blanks) != spaces) {
            edits.append({{view->lineStart(line), view->lineStart(line) + blanks}, spaces});
        }
    }
    view->applyEdits(edits, Origin::Text);
}

bool indentSelected(CodeView *view)
{
    using S = QsciScintillaBase;
    const qsizetype anchor = view->SendScintilla(S::SCI_GETANCHOR), caret = view->caret();
    const qsizetype line = view->lineOf(caret);
    if (view->isReadOnly() || anchor == caret || line != view->lineOf(anchor)
        || view->SendScintilla(S::SCI_GETSELECTIONS) != 1) {
        return false;
    }
    const qsizetype before = view->SendScintilla(S::SCI_GETLINEINDENTPOSITION, uat(line));
    const long indent = view->SendScintilla(S::SCI_GETLINEINDENTATION, uat(line));
    view->SendScintilla(S::SCI_SETLINEINDENTATION, uat(line), indent + view->indentStep());
    const qsizetype by = view->SendScintilla(S::SCI_GETLINEINDENTPOSITION, uat(line)) - before;
    const auto moved = [&](qsizetype place) { return place < before ? place : place + by; };
    view->SendScintilla(S::SCI_SETSEL, uat(moved(anchor)), long(moved(caret)));
    return true;
}

void addCaret(CodeView *view, int by)
{
    qsizetype outer = view->lineOf(view->caret());
    const long count = view->SendScintilla(QsciScintillaBase::SCI_GETSELECTIONS);
    for (long i = 0; i < count; ++i) {
        const qsizetype line = view->lineOf(view->SendScintilla(QsciScintillaBase::SCI_GETSELECTIONNCARET, uat(i)));
        outer = by < 0 ? std::min(outer, line) : std::max(outer, line);
    }
    const qsizetype line = outer + by;
    if (line < 0 || line >= view->lines()) {
        return;
    }
    const long column = view->SendScintilla(QsciScintillaBase::SCI_GETCOLUMN, uat(view->caret()));
    const long offset = view->SendScintilla(QsciScintillaBase::SCI_FINDCOLUMN, uat(line), column);
    view->SendScintilla(QsciScintillaBase::SCI_ADDSELECTION, uat(offset), offset);
}

void selectNext(CodeView *view)
{
    view->SendScintilla(QsciScintillaBase::SCI_SETSEARCHFLAGS, QsciScintillaBase::SCFIND_MATCHCASE);
    view->SendScintilla(QsciScintillaBase::SCI_TARGETWHOLEDOCUMENT);
    view->SendScintilla(QsciScintillaBase::SCI_MULTIPLESELECTADDNEXT);
}

} // namespace trainyard::lineedits
