// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/fields.h"

#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/form/fieldframe.h"
#include "widgets/form/formcontext.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCompleter>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QStyleOptionSpinBox>
#include <QTimer>
#include <QWheelEvent>

#include <cmath>

namespace trainyard
{
namespace
{
constexpr int commitPauseMs = 400;
constexpr int widestNumber = 140;
constexpr int narrowestChoice = 60;
// What an entry of a choice is when it is no name.
const char noneEntry[] = "none";
const char actionEntry[] = "action";
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

NumberBox::NumberBox(QWidget *parent) : QAbstractSpinBox(parent)
{
    m_parse = [](const QString &text) -> std::optional<qint64> {
        bool good = false;
        const qint64 value = text.trimmed().toLongLong(&good);
        return good ? std::optional<qint64>(value) : std::nullopt;
    };
    m_format = [](qint64 value) { return QString::number(value); };
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setFocusPolicy(Qt::StrongFocus);
    connect(lineEdit(), &QLineEdit::textEdited, this, &NumberBox::typed);
}

void NumberBox::setText(const QString &text)
{
    if (lineEdit()->text() != text) {
        const int cursor = lineEdit()->cursorPosition();
        lineEdit()->setText(text);
        lineEdit()->setCursorPosition(hasFocus() ? std::min(cursor, int(text.size())) : 0);
        updateGeometry();
        update();
    }
}

QString NumberBox::text() const { return lineEdit()->text(); }

void NumberBox::setDefault(qint64 value, const QString &shownText)
{
    m_default = value;
    lineEdit()->setPlaceholderText(shownText.isEmpty() ? shown(value) : shownText);
}

void NumberBox::setRange(qint64 least, qint64 most)
{
    m_least = least;
    m_most = most;
    update();
}

void NumberBox::setWords(const QList<std::pair<qint64, QString>> &words) { m_words = words; }

QString NumberBox::shown(qint64 value) const
{
    for (const auto &[number, word] : m_words) {
        if (number == value) {
            return word;
        }
    }
    return m_format(value);
}

std::optional<qint64> NumberBox::value() const
{
    const QString now = text().trimmed();
    if (now.isEmpty()) {
        return m_default;
    }
    for (const auto &[number, word] : m_words) {
        if (word.compare(now, Qt::CaseInsensitive) == 0) {
            return number;
        }
    }
    return m_parse(now);
}

void NumberBox::setCharacters(int characters)
{
    m_characters = characters;
    updateGeometry();
}

void NumberBox::setParser(
    std::function<std::optional<qint64>(const QString &)> parse, std::function<QString(qint64)> format, qint64 step)
{
    m_parse = std::move(parse);
    m_format = std::move(format);
    m_step = step;
}

QSize NumberBox::sizeHint() const
{
    // As wide as its usual values, and never narrower than what it shows.
    const QString shownText = text().isEmpty() ? lineEdit()->placeholderText() : text();
    const int usual = fontMetrics().horizontalAdvance(QString(m_characters, u'0'));
    const int present = std::min(fontMetrics().horizontalAdvance(shownText) + metrics::space1, widestNumber);
    return {std::max(usual, present) + metrics::space2 + 22, metrics::field};
}

void NumberBox::stepBy(int steps)
{
    const std::optional<qint64> now = value();
    if (!now) {
        return;
    }
    qint64 next = *now;
    if (m_step > 1 && next % m_step != 0) {
        // To the next round value first.
        next = steps > 0 ? (next / m_step) * m_step : (next / m_step + 1) * m_step;
    }
    next = std::clamp(next + steps * m_step, m_least, m_most);
    if (next == 0 && m_least < 0) {
        next = steps > 0 ? 1 : m_least; // 0 means nothing where -1 turns it off
    }
    lineEdit()->setText(shown(next));
    lineEdit()->selectAll();
    Q_EMIT stepped();
}

QAbstractSpinBox::StepEnabled NumberBox::stepEnabled() const
{
    const std::optional<qint64> now = value();
    if (!now || isReadOnly()) {
        return StepNone;
    }
    StepEnabled enabled = StepNone;
    enabled |= *now < m_most ? StepUpEnabled : StepNone;
    enabled |= *now > m_least ? StepDownEnabled : StepNone;
    return enabled;
}

void NumberBox::wheelEvent(QWheelEvent *event)
{
    // Scrolling the form over a field must not change the job.
    if (hasFocus()) {
        QAbstractSpinBox::wheelEvent(event);
    } else {
        event->ignore();
    }
}

NumberField::NumberField(FormContext *context, const YamlPath &path, QWidget *parent)
    : TypedField(context, path, parent), m_box(new NumberBox)
{
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    setControl(m_box);
    watchFocus(m_box);
    connect(m_box, &NumberBox::typed, this, &NumberField::typed);
    connect(m_box, &NumberBox::stepped, this, &NumberField::typed);
    connect(m_box, &NumberBox::editingFinished, this, &NumberField::commitPending);
}

std::optional<qint64> NumberField::documentValue() const
{
    const auto text = context()->text(path());
    if (!text) {
        return {};
    }
    bool good = false;
    const qint64 value = text->toLongLong(&good);
    return good ? std::optional<qint64>(value) : std::nullopt;
}

void NumberField::refresh()
{
    if (isPending()) {
        return;
    }
    const YamlNode *node = context()->node(path());
    const auto text = context()->text(path());
    const auto value = documentValue();
    m_box->setReadOnly(context()->isReadOnly() || (node && node->kind != YamlNode::Kind::Scalar));
    m_box->setText(value ? m_box->shown(*value) : text.value_or(QString()));
}

void NumberField::commit(bool leaving)
{
    const QString text = m_box->text().trimmed();
    const auto before = context()->text(path());
    if (text.isEmpty()) {
        if (leaving) {
            dropPending();
            if (before) {
                send({edit::Remove{path()}});
            }
        }
        return;
    }
    const auto value = m_box->value();
    const QString written = value ? QString::number(*value) : text;
    if (written == before.value_or(QString())) {
        if (leaving && value) {
            m_box->setText(m_box->shown(*value));
        }
        dropPending();
        return;
    }
    if (!value && !leaving) {
        return; // perhaps on the way to a number
    }
    QList<edit::Op> ops;
    if (value) {
        ops.append(edit::SetValue{path(), written.toUtf8()});
        if (m_companions) {
            ops += m_companions(*value);
        }
    } else {
        ops.append(edit::SetText{path(), written});
    }
    send(ops);
}

std::optional<qint64> parseMemory(const QString &text, bool bareIsGiB)
{
    static const QRegularExpression form(QStringLiteral("^\\s*(\\d+(?:[.,]\\d+)?)\\s*([kmgt]?)(?:i?b)?\\s*$"),
        QRegularExpression::CaseInsensitiveOption);
    const QRegularExpressionMatch match = form.match(text);
    if (!match.hasMatch()) {
        return {};
    }
    const double number = match.captured(1).replace(u',', u'.').toDouble();
    const QString unit = match.captured(2).toLower();
    double factor = bareIsGiB ? 1024 : 1;
    if (unit == u"k") {
        factor = 1.0 / 1024;
    } else if (unit == u"m") {
        factor = 1;
    } else if (unit == u"g") {
        factor = 1024;
    } else if (unit == u"t") {
        factor = 1024 * 1024;
    }
    const double value = number * factor;
    if (value > 1e15) {
        return {};
    }
    return std::llround(value);
}

QString formatMemory(qint64 mebibytes)
{
    if (mebibytes != 0 && mebibytes % 1024 == 0) {
        return QStringLiteral("%1 GiB").arg(mebibytes / 1024);
    }
    return QStringLiteral("%1 MiB").arg(mebibytes);
}

ChoiceField::ChoiceField(FormContext *context, const YamlPath &path, const QString &placeholder, QWidget *parent)
    : TypedField(context, path, parent), m_combo(new QComboBox)
{
    m_combo->setEditable(true);
    m_combo->setInsertPolicy(QComboBox::NoInsert);
    m_combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_combo->setMinimumContentsLength(8);
    m_combo->setMinimumWidth(narrowestChoice);
    m_combo->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_combo->lineEdit()->setPlaceholderText(placeholder);
    m_combo->setFocusPolicy(Qt::StrongFocus);
    setControl(m_combo);
    watchFocus(m_combo);
    watchFocus(m_combo->lineEdit());
    connect(m_combo->lineEdit(), &QLineEdit::textEdited, this, &ChoiceField::typed);
    connect(m_combo->lineEdit(), &QLineEdit::editingFinished, this, &ChoiceField::commitPending);
    connect(m_combo, &QComboBox::activated, this, [this](int index) {
        const QString text = m_combo->itemText(index);
        const QString kind = m_combo->itemData(index).toString();
        if (kind == QLatin1String(actionEntry)) {
            dropPending();
            refresh();
            m_action();
            return;
        }
        m_combo->setEditText(kind == QLatin1String(noneEntry) ? QString() : text);
        typed();
        commitPending();
    });
}

void ChoiceField::setAction(const QString &text, std::function<void()> action)
{
    m_actionText = text;
    m_action = std::move(action);
}

void ChoiceField::refresh()
{
    const QStringList names = m_choices ? m_choices() : QStringList();
    QList<std::pair<QString, QString>> wanted;
    if (!m_none.isEmpty()) {
        wanted.append({m_none, QLatin1String(noneEntry)});
    }
    for (const QString &name : names) {
        wanted.append({name, QString()});
    }
    if (!m_actionText.isEmpty()) {
        wanted.append({m_actionText, QLatin1String(actionEntry)});
    }
    QList<std::pair<QString, QString>> present;
    for (int i = 0; i < m_combo->count(); ++i) {
        present.append({m_combo->itemText(i), m_combo->itemData(i).toString()});
    }
    const QString typedText = m_combo->currentText();
    if (present != wanted) {
        m_combo->clear();
        for (const auto &[text, kind] : std::as_const(wanted)) {
            m_combo->addItem(text, kind);
        }
        m_combo->setEditText(typedText);
    }
    if (isPending()) {
        return;
    }
    const YamlNode *node = context()->node(path());
    m_combo->setEnabled(!context()->isReadOnly() && !(node && node->kind != YamlNode::Kind::Scalar));
    const QString text = context()->text(path()).value_or(QString());
    const int index = names.contains(text) ? int(names.indexOf(text)) + (m_none.isEmpty() ? 0 : 1) : -1;
    if (m_combo->currentText() != text || m_combo->currentIndex() != index) {
        m_combo->setCurrentIndex(index);
        m_combo->setEditText(text);
        m_combo->lineEdit()->setCursorPosition(0);
    }
}

void ChoiceField::commit(bool leaving)
{
    const QString text = m_combo->currentText().trimmed();
    const auto before = context()->text(path());
    if (text == before.value_or(QString())) {
        dropPending();
        return;
    }
    if (!leaving) {
        return; // half a name is no choice
    }
    dropPending();
    if (text.isEmpty()) {
        send({edit::Remove{path()}});
    } else {
        send({edit::SetText{path(), text}});
    }
}

WordField::WordField(
    FormContext *context, const YamlPath &path, const QList<std::pair<QString, QString>> &words, QWidget *parent)
    : FormField(context, path, parent), m_combo(new QComboBox), m_words(words)
{
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    for (const auto &[word, text] : words) {
        m_combo->addItem(text, word);
    }
    m_combo->setMinimumWidth(narrowestChoice);
    m_combo->setFocusPolicy(Qt::StrongFocus);
    setControl(m_combo);
    watchFocus(m_combo);
    connect(m_combo, &QComboBox::activated, this, [this](int index) {
        const QString word = m_combo->itemData(index).toString();
        const auto before = this->context()->text(this->path());
        QList<edit::Op> ops;
        if (index == 0 && before) {
            ops.append(edit::Remove{this->path()});
        } else if (index > 0 && before != word) {
            ops.append(edit::SetText{this->path(), word});
        }
        if (!ops.isEmpty() && m_companions) {
            ops += m_companions(word);
        }
        this->context()->edit(ops);
    });
}

void WordField::refresh()
{
    const auto text = context()->text(path());
    int index = 0;
    for (int i = 0; text && i < m_words.size(); ++i) {
        if (m_words.at(i).first == *text) {
            index = i;
        }
    }
    // A word that is not known is shown as it is.
    const bool known = !text || index > 0 || m_words.first().first == *text;
    while (m_combo->count() > m_words.size()) {
        m_combo->removeItem(m_combo->count() - 1);
    }
    if (!known) {
        m_combo->addItem(*text, *text);
        index = m_combo->count() - 1;
    }
    m_combo->setCurrentIndex(index);
    m_combo->setEnabled(!context()->isReadOnly());
}

CheckField::CheckField(FormContext *context, const YamlPath &path, const QString &text, bool byDefault, QWidget *parent)
    : FormField(context, path, parent), m_box(new QCheckBox(text)), m_default(byDefault)
{
    m_box->setFixedHeight(metrics::field);
    setControl(m_box);
    watchFocus(m_box);
    connect(m_box, &QCheckBox::clicked, this, [this](bool on) {
        this->context()->edit({edit::SetValue{this->path(), on ? "true" : "false"}});
    });
}

void CheckField::refresh()
{
    const auto text = context()->text(path());
    m_box->setChecked(text ? text->compare(u"true", Qt::CaseInsensitive) == 0 : m_default);
    m_box->setEnabled(!context()->isReadOnly());
}

} // namespace trainyard
