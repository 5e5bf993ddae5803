// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor/secretcover.h"

#include "widgets/editor/codeoverlay.h"
#include "widgets/editor/codeview.h"

#include <QEvent>

#include <algorithm>

namespace trainyard
{

SecretCover::SecretCover(CodeView *view, QObject *parent) : QObject(parent), m_view(view), m_dots(new CodeOverlay(view))
{
    m_view->installEventFilter(this);
    connect(m_view, &CodeView::caretMoved, this, &SecretCover::caretMoved);
    connect(m_view, &QsciScintillaBase::SCN_MODIFIED, this,
        [this](int position, int type, const char *, int length, int, int, int, int, int, int) {
            if (type & (QsciScintillaBase::SC_MOD_INSERTTEXT | QsciScintillaBase::SC_MOD_DELETETEXT)) {
                keepInPlace(position, length, type & QsciScintillaBase::SC_MOD_INSERTTEXT);
                m_isUndoing = type & (QsciScintillaBase::SC_PERFORMED_UNDO | QsciScintillaBase::SC_PERFORMED_REDO);
            }
        });
}

void SecretCover::setValues(QList<ByteRange> values, bool isWhole)
{
    const auto isIn = [](const QList<ByteRange> &ranges, const ByteRange &range) {
        return std::any_of(ranges.cbegin(), ranges.cend(),
            [&range](const ByteRange &each) { return each.begin <= range.begin && range.end <= each.end; });
    };
    for (const ByteRange &before : std::as_const(m_values)) {
        if (!isWhole && before.begin < before.end && !isIn(values, before)) {
            values.append(before);
        }
    }
    m_values = values;
    update();
}

bool SecretCover::isCovered(qsizetype offset) const
{
    return std::any_of(m_covered.cbegin(), m_covered.cend(),
        [offset](const ByteRange &range) { return range.begin <= offset && offset < range.end; });
}

bool SecretCover::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_view && (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut)) {
        // The view has the focus, or has lost it, only after the event.
        QMetaObject::invokeMethod(this, &SecretCover::update, Qt::QueuedConnection);
    }
    return QObject::eventFilter(watched, event);
}

void SecretCover::caretMoved()
{
    const qsizetype caret = m_view->caret();
    const qsizetype line = m_view->lineOf(caret);
    const bool hasBeenPut = m_putAt >= 0; // by the undo before, on this line
    if (m_isUndoing && (line != m_line || hasBeenPut)) {
        m_putAt = caret;
    } else if (caret != m_putAt) {
        m_putAt = -1;
    }
    m_isUndoing = false;
    m_line = line;
    update();
}

// Until the text is parsed again. The bars themselves ride along with the text.
void SecretCover::keepInPlace(qsizetype position, qsizetype length, bool inserted)
{
    const auto moved = [&](qsizetype offset, bool isEnd) -> qsizetype {
        if (inserted) {
            return offset > position || (!isEnd && offset == position) ? offset + length : offset;
        }
        return offset <= position ? offset : std::max(position, offset - length);
    };
    for (QList<ByteRange> *ranges : {&m_values, &m_covered}) {
        for (ByteRange &range : *ranges) {
            range = {moved(range.begin, false), moved(range.end, true)};
        }
    }
    m_dots->setDots(m_covered);
    if (!m_covered.isEmpty()) {
        m_dots->update(); // lines above them may have come or gone
    }
}

void SecretCover::update()
{
    const QList<ByteRange> before = m_covered;
    if (!m_covered.isEmpty()) {
        m_view->clearIndicator(CodeView::CoveredSecret);
        m_covered.clear();
    }
    const qsizetype size = m_view->byteCount();
    const bool isUncovered = m_view->hasFocus() && m_view->caret() != m_putAt;
    const qsizetype line = isUncovered ? m_view->lineOf(m_view->caret()) : -1;
    for (const ByteRange &value : std::as_const(m_values)) {
        const bool isThere = value.begin < value.end && value.end <= size;
        if (isThere && (line < m_view->lineOf(value.begin) || line > m_view->lineOf(value.end - 1))) {
            cover(value);
        }
    }
    m_dots->setDots(m_covered);
    if (m_covered != before) {
        Q_EMIT changed();
    }
}

// Line by line, without the indentation: a bar over the margin of a text with several lines would look like a block.
void SecretCover::cover(ByteRange value)
{
    const qsizetype last = m_view->lineOf(value.end - 1);
    for (qsizetype line = m_view->lineOf(value.begin); line <= last; ++line) {
        ByteRange part{std::max(value.begin, m_view->lineStart(line)), std::min(value.end, m_view->lineEnd(line))};
        while (part.begin < part.end && m_view->byteAt(part.begin) == ' ') {
            ++part.begin;
        }
        if (part.begin < part.end) {
            m_view->fillIndicator(CodeView::CoveredSecret, part);
            m_covered.append(part);
        }
    }
}

} // namespace trainyard
