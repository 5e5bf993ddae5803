// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor/suggester.h"

#include "model/base/ascii.h"
#include "widgets/editor/codeview.h"
#include "widgets/editor/suggestpopup.h"

#include <QKeyEvent>
#include <QTimer>

#include <utility>

namespace trainyard
{
namespace
{

constexpr qsizetype mostShown = 200;
// Reading the text takes milliseconds at this size: larger ones are not jobs, and get no help.
constexpr qsizetype mostSuggestedFor = qsizetype(1) << 20;

bool mayOpen(char32_t c)
{
    return ascii::isWord(c) || c == '$' || c == '.' || c == '{' || c == '%' || c == ' ' || c == '[' || c == ','
        || c == '"' || c == '\'' || c == '-';
}

} // namespace

Suggester::Suggester(CodeView *view, Source source)
    : QObject(view), m_view(view), m_source(std::move(source)), m_popup(new SuggestPopup(view))
{
    m_view->installEventFilter(this);
    m_view->viewport()->installEventFilter(this);
    connect(m_view, &CodeView::typed, this, [this](char32_t c) {
        if (m_popup->isVisible() || mayOpen(c)) {
            updateLater(Ask::Typed);
        }
    });
    connect(m_view, &CodeView::bytesChanged, this, [this](Origin origin) {
        if (!m_popup->isVisible() || m_accepting) {
            return;
        }
        if (origin != Origin::Text) {
            m_popup->hide();
        } else {
            updateLater(Ask::Refresh);
        }
    });
    connect(m_view, &CodeView::caretMoved, this, [this](qsizetype offset) {
        const ByteRange range = m_suggestions.range;
        if (m_popup->isVisible() && m_suggestedFor == m_view->revision()
            && (offset < range.begin || offset > range.end)) {
            m_popup->hide();
        }
    });
    connect(m_popup, &SuggestPopup::accepted, this, &Suggester::accept);
    connect(m_view, &CodeView::themeChanged, this, &Suggester::hide);
}

void Suggester::suggest() { update(Ask::Asked); }

void Suggester::hide() { m_popup->hide(); }

bool Suggester::isOpen() const { return m_popup->isVisible(); }

QByteArray Suggester::text() const
{
    const auto *bytes
        = static_cast<const char *>(m_view->SendScintillaPtrResult(QsciScintillaBase::SCI_GETCHARACTERPOINTER));
    return QByteArray::fromRawData(bytes, m_view->byteCount());
}

QRect Suggester::lineRect(qsizetype offset) const
{
    const QPoint top = m_view->viewport()->mapToGlobal(m_view->pointOf(offset));
    const QPoint bottom = m_view->viewport()->mapToGlobal(m_view->pointOf(offset, true));
    return {top, QSize(1, bottom.y() - top.y())};
}

// When the change is over: text and caret belong together then.
void Suggester::updateLater(Ask ask)
{
    if (m_pending) {
        return;
    }
    m_pending = true;
    QTimer::singleShot(0, this, [this, ask] {
        m_pending = false;
        update(ask);
    });
}

void Suggester::update(Ask ask)
{
    const bool open = m_popup->isVisible();
    if (m_view->isReadOnly() || m_view->byteCount() > mostSuggestedFor || !m_view->hasFocus()
        || m_view->SendScintilla(QsciScintillaBase::SCI_GETSELECTIONS) != 1
        || m_view->SendScintilla(QsciScintillaBase::SCI_GETSELECTIONEMPTY) == 0) {
        m_popup->hide();
        return;
    }
    m_suggestions = m_source(text(), m_view->caret());
    m_suggestedFor = m_view->revision();
    QList<Suggestion> items = matching(m_suggestions.items, m_suggestions.typed);
    const bool done = items.size() == 1 && items.first().label == m_suggestions.typed;
    if (items.isEmpty() || (ask != Ask::Asked && done) || (ask == Ask::Typed && !open && !m_suggestions.eager)
        || (ask == Ask::Refresh && !open)) {
        m_popup->hide();
        return;
    }
    if (items.size() > mostShown) {
        items = items.mid(0, mostShown);
    }
    Q_EMIT opened();
    m_popup->showItems(items, lineRect(m_suggestions.range.begin));
}

void Suggester::accept()
{
    const Suggestion *chosen = m_popup->current();
    if (!chosen || m_suggestedFor != m_view->revision()) {
        m_popup->hide();
        return;
    }
    const Suggestion item = *chosen;
    m_popup->hide();
    m_accepting = true;
    m_view->applyEdits({{m_suggestions.range, item.insert}}, Origin::Text);
    m_view->setCaret(m_suggestions.range.begin + item.caret);
    m_accepting = false;
    if (item.kind == Suggestion::Kind::Key) {
        // The possible values come next: at once for a choice or for required keys.
        update(item.insert.contains('\n') || item.insert.contains('\r') ? Ask::Asked : Ask::Typed);
    }
}

bool Suggester::isPopupKey(const QKeyEvent *event) const
{
    if (!m_popup->isVisible() || (event->modifiers() & ~Qt::KeypadModifier)) {
        return false;
    }
    switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Tab:
    case Qt::Key_Escape:
        return true;
    default:
        return false;
    }
}

bool Suggester::handleKey(const QKeyEvent *event)
{
    if (!isPopupKey(event)) {
        return false;
    }
    switch (event->key()) {
    case Qt::Key_Up:
        m_popup->step(-1);
        break;
    case Qt::Key_Down:
        m_popup->step(1);
        break;
    case Qt::Key_PageUp:
        m_popup->page(-1);
        break;
    case Qt::Key_PageDown:
        m_popup->page(1);
        break;
    case Qt::Key_Escape:
        m_popup->hide();
        break;
    default:
        accept();
        break;
    }
    return true;
}

bool Suggester::eventFilter(QObject *watched, QEvent *event)
{
    switch (event->type()) {
    case QEvent::ShortcutOverride:
        if (watched == m_view && isPopupKey(static_cast<QKeyEvent *>(event))) {
            event->accept();
            return true;
        }
        break;
    case QEvent::KeyPress:
        if (watched == m_view && handleKey(static_cast<QKeyEvent *>(event))) {
            return true;
        }
        break;
    case QEvent::FocusOut:
    case QEvent::Wheel:
    case QEvent::Hide:
        m_popup->hide();
        break;
    case QEvent::MouseButtonPress:
        if (watched == m_view->viewport()) {
            m_popup->hide();
        }
        break;
    default:
        break;
    }
    return QObject::eventFilter(watched, event);
}

} // namespace trainyard
