// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/fields.h"

#include "model/base/utf8.h"
#include "widgets/common/quietwheel.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/editor/codeview.h"
#include "widgets/form/fieldframe.h"
#include "widgets/form/formcontext.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTimer>

#include <algorithm>
#include <utility>

// Fields of text, and when what is typed in any field is written into the document.
namespace trainyard
{
namespace
{
constexpr int commitPauseMs = 400;
constexpr int longestUncommittedMs = 800; // while the keys go on
constexpr int commitRestMs = 1000;
bool isOfLostPlace(const Error &error)
{
    return error.code == QLatin1StringView("edit.no-such-path") || error.code == QLatin1StringView("edit.bad-index")
        || error.code == QLatin1StringView("edit.outdated");
}

// The field has nothing to do with it: no edit goes into such a document.
bool isOfWholeDocument(const Error &error)
{
    return error.code == QLatin1StringView("edit.read-only") || error.code == QLatin1StringView("edit.broken-document");
}

// What was typed there cannot be written.
void tellLost(FormContext *context, const YamlPath &place, const QString &text)
{
    constexpr qsizetype mostShown = 80; // of a text that can be copied whole
    const auto *key = place.isEmpty() ? nullptr : std::get_if<QString>(&place.last());
    if (!key || text.isEmpty()) {
        return;
    }
    const QString line = text.simplified();
    const QString shown = line.size() > mostShown ? QString(line.first(mostShown) + QChar(0x2026)) : line;
    context->tell({FormNotice::Kind::Waiting,
        TypedField::tr("'%1' was not written to %2: the part of the document that it belonged to has gone.")
            .arg(shown, *key),
        {{TypedField::tr("Copy it"), [text] { QGuiApplication::clipboard()->setText(text); }}}, true});
}

} // namespace

void TypedField::typed()
{
    if (!m_timer) {
        m_timer = new QTimer(this);
        m_timer->setObjectName(QStringLiteral("commitTimer"));
        m_timer->setSingleShot(true);
        connect(m_timer, &QTimer::timeout, this, &TypedField::commitTyped);
        m_rest = new QTimer(this);
        m_rest->setObjectName(QStringLiteral("commitRestTimer"));
        m_rest->setSingleShot(true);
        m_rest->setInterval(commitRestMs);
        connect(m_rest, &QTimer::timeout, this, [this] { commitNow(Commit::Rest); });
    }
    // Each key delays it, but not forever.
    const int pause = m_timer->isActive() ? std::min(commitPauseMs, int(m_deadline.remainingTime())) : commitPauseMs;
    if (!m_timer->isActive()) {
        m_deadline.setRemainingTime(longestUncommittedMs);
    }
    setPending();
    context()->forgetRefused(path());
    m_timer->start(std::max(0, pause));
    m_rest->start();
}

void TypedField::setPending()
{
    if (!std::exchange(m_pending, true)) {
        m_followedThen = context()->followed();
        m_within = path();
        do {
            m_within = m_within.parent();
        } while (!m_within.isEmpty() && !context()->node(m_within));
    }
}

// What a field writes depends on what the document has there: an item of a list, a name that is taken.
void TypedField::commitNow(Commit when)
{
    if (!m_pending || m_committing) {
        return;
    }
    m_committing = true;
    const YamlPath place = path();
    const QString text = textInField();
    const int followed = context()->followed();
    if (when == Commit::Leave) {
        context()->catchUp();
    } else {
        context()->catchUpIfQuick();
    }
    if (m_pending && path() != place && context()->followed() == followed) {
        m_pending = false; // its place has gone, and the field stands for another one
        tellLost(context(), place, text);
    }
    // The edit would make a half of what was removed.
    const bool isMoved = context()->followed() != m_followedThen;
    if (m_pending && !isMoved && !m_within.isEmpty() && !context()->node(m_within)) {
        m_pending = false;
        tellLost(context(), place, text);
    }
    const bool mayWrite = when == Commit::Leave || (m_sent == 0 && context()->isCurrent());
    if (mayWrite && m_pending) {
        commit(when);
    }
    m_committing = false;
    if (!mayWrite && m_timer) {
        (when == Commit::Rest ? m_rest : m_timer)->start(commitPauseMs);
    } else if (!m_pending && m_rest) {
        m_rest->stop();
    }
}

void TypedField::commitTyped() { commitNow(Commit::Pause); }

void TypedField::commitPending()
{
    if (m_pending && !m_committing) {
        if (m_timer) {
            m_timer->stop();
            m_rest->stop();
        }
        commitNow(Commit::Leave);
        m_pending = false;
    }
}

void TypedField::send(const QList<edit::Op> &ops)
{
    m_pending = false;
    ++m_sent;
    m_showsSent = true;
    const QPointer<TypedField> guard(this);
    const QPointer<FormContext> form(context());
    const auto sayRefused = [guard, form, place = path(), text = textInField(), typed = typedState(),
                                followed = form->followed()](const Error &why) {
        const bool isTypedAgain = guard && guard->m_pending && guard->path() == place;
        const bool isThere = followed == form->followed(); // the value has not moved
        if (isOfLostPlace(why)) {
            tellLost(form, place, text);
        } else if (isThere && !isTypedAgain && !isOfWholeDocument(why)) {
            form->setRefused(place, why, typed);
        }
    };
    form->edit(ops, [guard, form, sayRefused](const Result<void> &result) {
        if (guard) {
            --guard->m_sent;
        }
        if (!result && form) {
            sayRefused(result.error());
        }
        if (guard && guard->m_pending && guard->m_timer) {
            guard->m_timer->start(0); // typed meanwhile
        } else if (guard && result && guard->context()->isCurrent()) {
            guard->refresh();
        }
    });
}

// As the user sees it; nothing of what is hidden.
QString TypedField::textInField() const
{
    if (const auto *view = findChild<CodeView *>()) {
        return textFromUtf8(view->allBytes());
    }
    if (const auto *lines = findChild<QPlainTextEdit *>()) {
        return lines->toPlainText();
    }
    const auto *line = findChild<QLineEdit *>();
    return line && line->echoMode() == QLineEdit::Normal ? line->text() : QString();
}

QVariant TypedField::typedState() const
{
    const auto *line = findChild<QLineEdit *>();
    return line && line->echoMode() != QLineEdit::Normal ? QVariant() : QVariant(textInField());
}

QString TypedField::textToShow() const
{
    const QVariant refused = context()->refused(path());
    return refused.isValid() ? refused.toString() : context()->text(path()).value_or(QString());
}

void showBeginning(QLineEdit *edit)
{
    const auto go = [edit] {
        if (!edit->hasFocus()) {
            edit->setCursorPosition(0);
        }
    };
    QObject::connect(edit, &QLineEdit::textChanged, edit, [edit, go] {
        if (!edit->isModified()) { // also keys that reach it without the focus
            go();
        }
    });
    QObject::connect(edit, &QLineEdit::editingFinished, edit, go);
}

TextField::TextField(
    FormContext *context, const YamlPath &path, const QString &placeholder, Empty empty, QWidget *parent)
    : TypedField(context, path, parent), m_edit(new QLineEdit), m_empty(empty)
{
    m_edit->setPlaceholderText(placeholder);
    setControl(m_edit);
    watchFocus(m_edit);
    showBeginning(m_edit);
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
    const QString text = textToShow();
    const bool complex = node && node->kind != YamlNode::Kind::Scalar;
    m_edit->setReadOnly(context()->isReadOnly() || complex || text.contains(u'\n'));
    if (m_edit->text() != text) {
        const int cursor = m_edit->hasFocus() ? m_edit->cursorPosition() : 0;
        m_edit->setText(text);
        m_edit->setCursorPosition(std::min(cursor, int(text.size())));
    }
}

void TextField::commit(Commit when)
{
    const QString text = m_edit->text();
    const auto before = context()->text(path());
    if (text == before.value_or(QString())) {
        dropPending();
        return;
    }
    if (text.isEmpty() && when == Commit::Pause) {
        return; // perhaps on the way to another text
    }
    if (text.isEmpty() && m_empty == Empty::Remove) {
        send({edit::Remove{path()}});
        return;
    }
    if (m_writer) {
        if (when == Commit::Pause || (when == Commit::Rest && text.isEmpty())) {
            return; // it touches more than its own place: once, when it is whole
        }
        const QList<edit::Op> ops = m_writer(text);
        if (!ops.isEmpty()) {
            send(ops);
        } else if (when == Commit::Leave) {
            dropPending();
            refresh();
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
    scrollOnlyWithFocus(m_edit);
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
    QString shown = textToShow();
    if (shown.endsWith(u'\n')) {
        shown.chop(1);
    }
    m_edit->setReadOnly(context()->isReadOnly());
    if (m_edit->toPlainText() != shown) {
        m_edit->setPlainText(shown);
        dropPending();
    }
}

void TextAreaField::commit(Commit when)
{
    const QString before = context()->text(path()).value_or(QString());
    QString text = m_edit->toPlainText();
    // The invisible line end of a block text is kept.
    if (before.endsWith(u'\n') && !text.isEmpty()) {
        text += u'\n';
    }
    if (text.isEmpty() && when == Commit::Pause) {
        return;
    }
    dropPending();
    if (text == before) {
        return;
    }
    if (text.isEmpty()) {
        send({edit::Remove{path()}});
    } else {
        send({edit::SetText{path(), text}});
    }
}

} // namespace trainyard
