// SPDX-License-Identifier: GPL-3.0-or-later
// How what is typed as commands becomes items of the document.
#include "widgets/editor/codeview.h"
#include "widgets/editor/scintilla.h"
#include "widgets/form/commandsfield.h"
#include "widgets/form/formcontext.h"
#include "widgets/form/shelllines.h"

#include <algorithm>

namespace trainyard
{
namespace
{

using S = QsciScintillaBase;

// The text of an item in the editor: the line end of a block text is not a separate line.
QString shownText(const QString &item) { return item.endsWith(u'\n') ? item.chopped(1) : item; }

} // namespace

// New blank lines are not separate commands. Those at the end are room to type in, and so are all of them while the
// user types. After that, one between two commands joins both into one text that keeps it as typed. The rest of a
// command whose text was deleted does not count: it is removed with its command.
CommandsField::Reading CommandsField::read(Commit when) const
{
    Reading reading;
    const QStringList now = items();
    const auto places = itemLines();
    const QStringList &before = m_documentItems;
    const auto isEmptied = [this](qsizetype line) {
        return (m_view->SendScintilla(S::SCI_MARKERGET, uat(line)) & (1 << CodeView::EmptiedMark)) != 0;
    };
    const auto isBlank = [](const QString &item) { return item.trimmed().isEmpty(); };
    const auto isOld = [&](qsizetype i, qsizetype old) {
        return old >= 0 && old < before.size() && now.at(i) == shownText(before.at(old));
    };
    qsizetype head = 0;
    while (head < now.size() && isOld(head, head)) {
        ++head;
    }
    qsizetype tail = now.size();
    while (tail > head && before.size() - (now.size() - tail) > head
        && isOld(tail - 1, before.size() - 1 - (now.size() - tail))) {
        --tail;
    }
    const qsizetype oldEnd = before.size() - (now.size() - tail);
    const bool hadBlank = std::any_of(before.begin() + head, before.begin() + std::max(head, oldEnd), isBlank);
    qsizetype last = now.size(); // after the commands, without the empty room at the end
    while (!hadBlank && last > head && last <= tail && isBlank(now.at(last - 1))) {
        --last;
    }
    reading.hasRoom = last < now.size();
    const bool noneIsNew = tail <= oldEnd;
    bool joins = false;
    for (qsizetype i = 0; i < last; ++i) {
        const bool blank = i >= head && i < tail && !hadBlank && isBlank(now.at(i));
        const bool emptied = blank && (noneIsNew || isEmptied(places.at(i).first));
        if (emptied) {
            reading.emptied.append(places.at(i).first);
        }
        if (blank && (when != Commit::Leave || emptied)) {
            reading.hasRoom = true;
        } else if ((blank && !reading.items.isEmpty()) || joins) {
            reading.items.last() += u'\n' + now.at(i);
            joins = blank;
        } else {
            reading.items.append(now.at(i));
            joins = blank;
        }
    }
    // In a text of several lines, too.
    if (!reading.items.isEmpty() && last > head && last <= tail && !reading.items.constLast().trimmed().isEmpty()
        && (before.isEmpty() || !shownText(before.constLast()).endsWith(u'\n'))) {
        QString &text = reading.items.last();
        while (text.endsWith(u'\n')) {
            text.chop(1);
            reading.hasRoom = true;
        }
    }
    return reading;
}

// Empty lines that were room for more are gone, or join two commands.
void CommandsField::commitPending()
{
    if (m_hasRoom) {
        setPending();
    }
    TypedField::commitPending();
}

void CommandsField::commit(Commit when)
{
    m_documentItems = context()->texts(path());
    const Reading reading = read(when);
    for (const qsizetype line : reading.emptied) {
        m_view->SendScintilla(S::SCI_MARKERADD, uat(line), long(CodeView::EmptiedMark)); // the document forgets it
    }
    const QStringList &now = reading.items;
    const QStringList before = m_documentItems;
    m_hasRoom = reading.hasRoom && (when != Commit::Leave || m_view->hasFocus());
    const auto written = [](const QString &text) { return text.contains(u'\n') ? text + u'\n' : text; };
    qsizetype head = 0;
    while (head < now.size() && head < before.size() && now.at(head) == shownText(before.at(head))) {
        ++head;
    }
    qsizetype tail = 0;
    while (tail < now.size() - head && tail < before.size() - head
        && now.at(now.size() - 1 - tail) == shownText(before.at(before.size() - 1 - tail))) {
        ++tail;
    }
    const qsizetype fresh = now.size() - head - tail;
    const qsizetype old = before.size() - head - tail;
    if (fresh == 0 && old == 0) {
        dropPending();
        if (when == Commit::Leave && reading.hasRoom) {
            m_shownRevision = 0; // the view has more than the document
            refresh(); // the room goes
        }
        return;
    }
    QList<edit::Op> ops;
    if (before.isEmpty()) {
        QStringList texts;
        for (const QString &item : std::as_const(now)) {
            texts.append(written(item));
        }
        if (m_creator) {
            ops = m_creator(texts);
        } else {
            for (qsizetype i = 0; i < texts.size(); ++i) {
                ops.append(edit::InsertText{path().child(i), texts.at(i)});
            }
        }
    } else if (now.isEmpty()) {
        ops.append(edit::Remove{path()});
    } else {
        const qsizetype both = std::min(fresh, old);
        for (qsizetype i = 0; i < both; ++i) {
            const QString &was = before.at(head + i);
            const QString &text = now.at(head + i);
            // The item keeps the line end it had.
            const QString whole = was.endsWith(u'\n') ? text + u'\n' : was.contains(u'\n') ? text : written(text);
            ops.append(edit::SetText{path().child(head + i), whole});
        }
        for (qsizetype i = both; i < fresh; ++i) {
            ops.append(edit::InsertText{path().child(head + i), written(now.at(head + i))});
        }
        for (qsizetype i = old - 1; i >= both; --i) {
            ops.append(edit::Remove{path().child(head + i)});
        }
    }
    send(ops);
}

bool CommandsField::continuesItem() const
{
    const qsizetype line = m_view->lineOf(m_view->caret());
    const auto all = itemLines();
    const auto &[first, end] = all.at(itemAt(line));
    const QByteArray typedText = m_view->bytesIn({m_view->lineStart(first), m_view->caret()});
    ShellLines lines;
    for (const QByteArray &each : typedText.split('\n')) {
        lines.addLine(each);
    }
    if (lines.isOpen() || line < end - 1) {
        return true;
    }
    // Behind a loop, a function or lines that backslashes join the next command is another one; a text of several
    // commands goes on.
    return end - first > 1 && !isOneCommand(typedText);
}

void CommandsField::startItem()
{
    const qsizetype line = m_view->lineOf(m_view->caret());
    const bool atStart = m_view->caret() == m_view->lineStart(line);
    m_view->SendScintilla(S::SCI_NEWLINE);
    const qsizetype now = m_view->lineOf(m_view->caret());
    m_view->SendScintilla(S::SCI_MARKERADD, uat(now), long(CodeView::ItemMark));
    if (atStart) {
        // Scintilla puts the new line before this one and moves the mark along.
        m_view->SendScintilla(S::SCI_MARKERADD, uat(now - 1), long(CodeView::ItemMark));
    }
    m_view->SendScintilla(S::SCI_SCROLLCARET);
    updateMargin();
}

} // namespace trainyard
