// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/fields.h"

#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/form/fieldframe.h"
#include "widgets/form/formcontext.h"

#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTimer>

// Fields of text, and when what is typed in any field is written into the document.
namespace trainyard
{
namespace
{
constexpr int commitPauseMs = 400;
} // namespace

void TypedField::typed()
{
    m_pending = true;
    commitSoon();
}

void TypedField::commitSoon()
{
    if (!m_timer) {
        m_timer = new QTimer(this);
        m_timer->setObjectName(QStringLiteral("commitTimer"));
        m_timer->setSingleShot(true);
        m_timer->setInterval(commitPauseMs);
        connect(m_timer, &QTimer::timeout, this, [this] {
            if (m_pending && !m_committing) {
                m_committing = true;
                commit(false);
                m_committing = false;
            }
        });
    }
    m_timer->start();
}

void TypedField::commitPending()
{
    if (m_pending && !m_committing) {
        m_committing = true;
        if (m_timer) {
            m_timer->stop();
        }
        commit(true);
        m_pending = false;
        m_committing = false;
    }
}

void TypedField::send(const QList<edit::Op> &ops)
{
    m_pending = false;
    ++m_sent;
    QPointer<TypedField> guard(this);
    context()->edit(ops, [guard](const Result<void> &result) {
        if (guard) {
            --guard->m_sent;
            if (result) {
                guard->refresh();
            }
        }
    });
}

TextField::TextField(
    FormContext *context, const YamlPath &path, const QString &placeholder, Empty empty, QWidget *parent)
    : TypedField(context, path, parent), m_edit(new QLineEdit), m_empty(empty)
{
    m_edit->setPlaceholderText(placeholder);
    setControl(m_edit);
    watchFocus(m_edit);
    connect(m_edit, &QLineEdit::textEdited, this, &TextField::typed);
    connect(m_edit, &QLineEdit::editingFinished, this, &TextField::commitPending);
}

void TextField::setPassword(bool password) { m_edit->setEchoMode(password ? QLineEdit::Password : QLineEdit::Normal); }

void TextField::refresh()
{
    if (isPending()) {
        return;
    }
    const YamlNode *node = context()->node(path());
    const QString text = context()->text(path()).value_or(QString());
    const bool complex = node && node->kind != YamlNode::Kind::Scalar;
    m_edit->setReadOnly(context()->isReadOnly() || complex || text.contains(u'\n'));
    if (m_edit->text() != text) {
        const int cursor = m_edit->cursorPosition();
        m_edit->setText(text);
        m_edit->setCursorPosition(m_edit->hasFocus() ? std::min(cursor, int(text.size())) : 0);
    }
}

void TextField::commit(bool leaving)
{
    const QString text = m_edit->text();
    const auto before = context()->text(path());
    if (text == before.value_or(QString())) {
        dropPending();
        return;
    }
    if (text.isEmpty() && !leaving) {
        return; // perhaps on the way to another text
    }
    if (text.isEmpty() && m_empty == Empty::Remove) {
        send({edit::Remove{path()}});
        return;
    }
    if (m_writer) {
        if (!leaving) {
            return; // it touches more than its own place: once, when it is whole
        }
        const QList<edit::Op> ops = m_writer(text);
        if (ops.isEmpty()) {
            dropPending();
            refresh();
        } else {
            send(ops);
        }
        return;
    }
    send({edit::SetText{path(), text}});
}

TextAreaField::TextAreaField(FormContext *context, const YamlPath &path, const QString &placeholder, QWidget *parent)
    : TypedField(context, path, parent), m_edit(new QPlainTextEdit)
{
    m_edit->setPlaceholderText(placeholder);
    m_edit->setTabChangesFocus(true);
    m_edit->setFrameShape(QFrame::NoFrame);
    m_edit->viewport()->setAutoFillBackground(false);
    m_edit->setFixedHeight(m_edit->fontMetrics().lineSpacing() * 3 + metrics::space2);
    m_edit->document()->setDocumentMargin(3);
    setControl(new FieldFrame(m_edit));
    setFocusProxy(m_edit);
    watchFocus(m_edit);
    connect(m_edit, &QPlainTextEdit::textChanged, this, [this] {
        if (m_edit->hasFocus()) {
            typed();
        }
    });
}

void TextAreaField::refresh()
{
    if (isPending()) {
        return;
    }
    const QString text = context()->text(path()).value_or(QString());
    QString shown = text;
    if (shown.endsWith(u'\n')) {
        shown.chop(1);
    }
    m_edit->setReadOnly(context()->isReadOnly());
    if (m_edit->toPlainText() != shown) {
        m_edit->setPlainText(shown);
        dropPending();
    }
}

void TextAreaField::commit(bool leaving)
{
    const QString before = context()->text(path()).value_or(QString());
    QString text = m_edit->toPlainText();
    // What cannot be seen in the field is kept: the line end of a block text.
    if (before.endsWith(u'\n') && !text.isEmpty()) {
        text += u'\n';
    }
    if (text == before || (text.isEmpty() && !leaving)) {
        return;
    }
    dropPending();
    if (text.isEmpty()) {
        send({edit::Remove{path()}});
    } else {
        send({edit::SetText{path(), text}});
    }
}

} // namespace trainyard
