// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/settings/settingrow.h"

#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/form/fieldframe.h"
#include "widgets/settings/bytesbox.h"
#include "widgets/settings/settingcontrols.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QFocusEvent>
#include <QJsonArray>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

namespace trainyard
{
namespace
{

constexpr int listLines = 3;

// A list with one item on each line. The text takes effect when the focus moves elsewhere.
class ListEdit final : public QPlainTextEdit
{
public:
    std::function<void()> done;

protected:
    void focusOutEvent(QFocusEvent *event) override
    {
        QPlainTextEdit::focusOutEvent(event);
        if (event->reason() != Qt::PopupFocusReason && done) {
            done();
        }
    }
};

QJsonArray itemsOf(const QString &text)
{
    QJsonArray items;
    const QStringList lines = text.split(QLatin1Char('\n'));
    for (const QString &line : lines) {
        if (!line.trimmed().isEmpty()) {
            items.append(line.trimmed());
        }
    }
    return items;
}

// The key of a number ends with its unit.
QString unitOf(const QString &key)
{
    const std::pair<const char *, QString> units[] = {
        {"Seconds", SettingRow::tr(" s")},
        {"Minutes", SettingRow::tr(" min")},
        {"Days", SettingRow::tr(" d")},
        {"MiB", SettingRow::tr(" MiB")},
        {"GiB", SettingRow::tr(" GiB")},
    };
    for (const auto &[ending, unit] : units) {
        if (key.endsWith(QLatin1StringView(ending))) {
            return unit;
        }
    }
    return {};
}

QString linesOf(const QJsonArray &items)
{
    QStringList lines;
    for (const QJsonValue &item : items) {
        lines.append(item.toString());
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace

void addSettingTitle(QBoxLayout *column, const QString &title, const QString &key, QWidget *buddy)
{
    QLabel *name = semiboldLabel(title);
    name->setWordWrap(true);
    name->setBuddy(buddy);
    column->addWidget(name);
    QLabel *code = smallMutedLabel(key);
    code->setObjectName(QStringLiteral("settingKey"));
    QFont font = fonts::fixed();
    font.setPointSizeF(fonts::small().pointSizeF());
    code->setFont(font);
    code->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(code);
}

SettingRow::SettingRow(const QJsonObject &about, QWidget *parent)
    : QWidget(parent), m_key(about.value(QLatin1StringView("key")).toString()),
      m_title(about.value(QLatin1StringView("title")).toString()),
      m_help(about.value(QLatin1StringView("help")).toString()), m_default(about.value(QLatin1StringView("default"))),
      m_reset(new QToolButton), m_error(new ColourLabel({}, Colour::Failed))
{
    setObjectName(QStringLiteral("setting-") + m_key);
    auto *across = new QHBoxLayout(this);
    across->setContentsMargins(0, 0, 0, 0);
    across->setSpacing(metrics::space5);
    auto *words = new QVBoxLayout;
    words->setSpacing(2);
    QWidget *control = makeControl(about);
    QWidget *typed = control->focusProxy() ? control->focusProxy() : control;
    addSettingTitle(words, m_title, m_key, typed);
    QLabel *help = mutedLabel(m_help);
    help->setWordWrap(true);
    help->setTextInteractionFlags(Qt::TextSelectableByMouse);
    words->addWidget(help);
    m_error->setWordWrap(true);
    m_error->setTextFormat(Qt::PlainText);
    m_error->setObjectName(QStringLiteral("settingError"));
    m_error->hide();
    words->addWidget(m_error);
    words->addStretch();
    across->addLayout(words, 1);

    if (typed->objectName().isEmpty()) { // one of several has its own name
        typed->setObjectName(QStringLiteral("settingControl"));
        typed->setAccessibleName(m_title);
    }
    typed->setAccessibleDescription(m_help);
    m_reset->setObjectName(QStringLiteral("settingReset"));
    m_reset->setIcon(icon(QStringLiteral("undo")));
    m_reset->setAutoRaise(true);
    m_reset->setFixedSize(metrics::field, metrics::field);
    m_reset->setToolTip(tr("Back to the default"));
    m_reset->setAccessibleName(tr("Set %1 back to its default").arg(m_title));
    QSizePolicy kept = m_reset->sizePolicy();
    kept.setRetainSizeWhenHidden(true);
    m_reset->setSizePolicy(kept);
    m_reset->hide();
    connect(
        m_reset, &QToolButton::clicked, this, [this] { Q_EMIT changeRequested(m_key, QJsonValue(QJsonValue::Null)); });
    auto *right = new QHBoxLayout;
    right->setSpacing(metrics::space1);
    right->addWidget(control, 0, Qt::AlignTop);
    right->addWidget(m_reset, 0, Qt::AlignTop);
    across->addLayout(right);
}

QWidget *SettingRow::makeControl(const QJsonObject &about)
{
    const QString type = about.value(QLatin1StringView("type")).toString();
    if (type == QLatin1StringView("bool")) {
        auto *box = new QCheckBox(tr("On"));
        box->setFixedWidth(settingControlWidth);
        connect(box, &QCheckBox::clicked, this, [this](bool on) { request(on); });
        m_show = [box](const QJsonValue &value) { box->setChecked(value.toBool()); };
        return box;
    }
    if (type == QLatin1StringView("int")) {
        // Whole numbers, which may be too large for the other one.
        QDoubleSpinBox *box
            = m_key.endsWith(QLatin1StringView("Bytes")) ? new BytesBox : new StillControl<QDoubleSpinBox>;
        box->setDecimals(0);
        box->setSuffix(unitOf(m_key));
        box->setRange(
            about.value(QLatin1StringView("min")).toDouble(), about.value(QLatin1StringView("max")).toDouble());
        box->setFixedWidth(settingControlWidth);
        box->setFocusPolicy(Qt::StrongFocus);
        box->setKeyboardTracking(false);
        box->setGroupSeparatorShown(false);
        box->setLocale(QLocale::c());
        box->setToolTip(
            plainTip(tr("%1 to %2").arg(box->textFromValue(box->minimum()), box->textFromValue(box->maximum()))));
        auto *digits = box->findChild<QLineEdit *>();
        connect(box, &QDoubleSpinBox::valueChanged, this, [this, digits](double number) {
            digits->setModified(false);
            request(qint64(number));
        });
        m_show = [box, digits](const QJsonValue &value) {
            if (!isBeingTyped(digits)) {
                const QSignalBlocker blocker(box);
                box->setValue(value.toDouble());
            }
        };
        return box;
    }
    const QJsonArray values = about.value(QLatin1StringView("values")).toArray();
    if (type == QLatin1StringView("list") && !values.isEmpty()) {
        return makeChecks(values);
    }
    if (type == QLatin1StringView("list")) {
        auto *edit = new ListEdit;
        edit->setFrameShape(QFrame::NoFrame);
        edit->viewport()->setAutoFillBackground(false);
        edit->document()->setDocumentMargin(3);
        edit->setTabChangesFocus(true);
        edit->setPlaceholderText(tr("One on each line"));
        edit->setLineWrapMode(QPlainTextEdit::NoWrap);
        edit->done = [this, edit] { request(itemsOf(edit->toPlainText())); };
        m_show = [edit](const QJsonValue &value) {
            const bool isTyped = edit->hasFocus() && edit->document()->isModified();
            if (!isTyped && itemsOf(edit->toPlainText()) != value.toArray()) {
                edit->setPlainText(linesOf(value.toArray()));
            }
        };
        auto *frame = new FieldFrame(edit);
        frame->setFixedSize(settingControlWidth, listLines * edit->fontMetrics().lineSpacing() + metrics::space3);
        frame->setFocusProxy(edit);
        return frame;
    }
    if (!values.isEmpty()) {
        auto *box = new StillControl<QComboBox>;
        for (const QJsonValue &value : values) {
            box->addItem(value.toString());
        }
        box->setFixedWidth(settingControlWidth);
        box->setFocusPolicy(Qt::StrongFocus);
        connect(box, &QComboBox::activated, this, [this, box] { request(box->currentText()); });
        m_show = [box](const QJsonValue &value) { box->setCurrentIndex(box->findText(value.toString())); };
        return box;
    }
    auto *edit = new QLineEdit;
    edit->setFixedWidth(settingControlWidth);
    connect(edit, &QLineEdit::editingFinished, this, [this, edit] {
        edit->setText(edit->text().trimmed()); // what is pasted may end with a blank, which the user does not see
        request(edit->text());
    });
    m_show = [edit](const QJsonValue &value) {
        if (!isBeingTyped(edit) && edit->text() != value.toString()) {
            edit->setText(value.toString());
        }
    };
    return edit;
}

// A box for each of the words that may stand in a list.
QWidget *SettingRow::makeChecks(const QJsonArray &words)
{
    auto *all = new QWidget;
    all->setFixedWidth(settingControlWidth);
    auto *column = new QVBoxLayout(all);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(metrics::space1);
    QList<QCheckBox *> boxes;
    for (const QJsonValue &word : words) {
        auto *box = new QCheckBox(word.toString());
        box->setObjectName(QStringLiteral("settingWord"));
        box->setAccessibleName(tr("%1: %2").arg(m_title, word.toString()));
        column->addWidget(box);
        boxes.append(box);
    }
    for (QCheckBox *box : std::as_const(boxes)) {
        connect(box, &QCheckBox::clicked, this, [this, boxes] {
            QJsonArray chosen;
            for (const QCheckBox *each : boxes) {
                if (each->isChecked()) {
                    chosen.append(each->text());
                }
            }
            request(chosen);
        });
    }
    m_show = [boxes](const QJsonValue &value) {
        for (QCheckBox *box : boxes) {
            box->setChecked(value.toArray().contains(box->text()));
        }
    };
    all->setFocusProxy(boxes.constFirst());
    return all;
}

void SettingRow::request(const QJsonValue &value)
{
    if (value != m_value) {
        Q_EMIT changeRequested(m_key, value);
    } else {
        setError({});
    }
}

bool SettingRow::fits(const QString &words) const { return fitsWords(words, {m_key, m_title, m_help}); }

void SettingRow::setValue(const QJsonValue &value)
{
    m_value = value;
    m_show(value);
    m_reset->setVisible(value != m_default);
    setError({});
}

void SettingRow::setError(const QString &sentence)
{
    m_error->setText(sentence);
    m_error->setVisible(!sentence.isEmpty());
    if (!sentence.isEmpty()) {
        m_reset->show(); // also back to what it was
    }
}

} // namespace trainyard
