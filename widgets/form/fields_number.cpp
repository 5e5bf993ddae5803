// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/form/fields.h"
#include "widgets/form/formcontext.h"

#include <QLineEdit>
#include <QStyleOptionSpinBox>
#include <QWheelEvent>

#include <utility>

// Numbers, plain and of memory.
namespace trainyard
{
namespace
{
constexpr int widestNumberField = 140;
} // namespace

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
    connect(lineEdit(), &QLineEdit::textChanged, this, [this] { updateGeometry(); }); // it grows with its number
    connect(lineEdit(), &QLineEdit::textEdited, this, &NumberBox::typed);
}

void NumberBox::setText(const QString &text)
{
    if (lineEdit()->text() != text) {
        const int cursor = lineEdit()->cursorPosition();
        lineEdit()->setText(text);
        lineEdit()->setCursorPosition(hasFocus() ? std::min(cursor, int(text.size())) : 0);
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
    const int present = fontMetrics().horizontalAdvance(shownText);
    const int wide = present > usual ? std::max(usual, std::min(present + metrics::space1, widestNumberField)) : usual;
    return {wide + metrics::space2 + 22, metrics::field};
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
    connect(m_box, &NumberBox::typed, this, [this] {
        m_isBeingTyped = true;
        typed();
    });
    connect(m_box, &NumberBox::stepped, this, &NumberField::typed);
    connect(m_box, &NumberBox::editingFinished, this, [this] {
        const bool wasTyped = std::exchange(m_isBeingTyped, false);
        commitPending();
        const auto value = wasTyped && !isPending() ? documentValue() : std::nullopt;
        if (value && m_box->value() == value) { // written in a pause, and left as it was typed
            m_box->setText(m_box->shown(*value));
        }
    });
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
    const bool isRefused = context()->refused(path()).isValid();
    const auto value = isRefused ? std::nullopt : documentValue();
    m_box->setReadOnly(context()->isReadOnly() || (node && node->kind != YamlNode::Kind::Scalar));
    // In a pause within "90 min", 90 is written: what is typed next has to find it as it was.
    const bool isTypedSo = m_isBeingTyped && !m_box->text().trimmed().isEmpty() && value && m_box->value() == value;
    if (!isTypedSo) {
        m_box->setText(value ? m_box->shown(*value) : textToShow());
    }
}

void NumberField::leavePlace()
{
    m_isBeingTyped = false;
    TypedField::leavePlace();
}

void NumberField::commit(Commit when)
{
    const QString text = m_box->text().trimmed();
    const auto before = context()->text(path());
    if (text.isEmpty()) {
        if (when != Commit::Pause) {
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
        if (when == Commit::Leave && value) {
            m_box->setText(m_box->shown(*value));
        }
        dropPending();
        return;
    }
    if (!value && when == Commit::Pause) {
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

QString formatMemory(qint64 mebibytes)
{
    if (mebibytes != 0 && mebibytes % 1024 == 0) {
        return QStringLiteral("%1 GiB").arg(mebibytes / 1024);
    }
    return QStringLiteral("%1 MiB").arg(mebibytes);
}

} // namespace trainyard
