// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/form/fields.h"
#include "widgets/form/formcontext.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCompleter>
#include <QLineEdit>

// Fields with a choice: a name, a word, yes or no.
namespace trainyard
{
namespace
{
constexpr int narrowestChoice = 60;
// The kind of an entry of a choice that is not a name.
const char noneEntry[] = "none";
const char actionEntry[] = "action";
} // namespace

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
    const QString text = textToShow();
    const int index = names.contains(text) ? int(names.indexOf(text)) + (m_none.isEmpty() ? 0 : 1) : -1;
    if (m_combo->currentText() != text || m_combo->currentIndex() != index) {
        m_combo->setCurrentIndex(index);
        m_combo->setEditText(text);
        m_combo->lineEdit()->setCursorPosition(0);
    }
}

void ChoiceField::commit(Commit when)
{
    const QString text = m_combo->currentText().trimmed();
    const auto before = context()->text(path());
    if (text == before.value_or(QString())) {
        dropPending();
        return;
    }
    if (when == Commit::Pause) {
        return; // half a name is not a choice
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
