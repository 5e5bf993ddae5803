// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/settings/settingfamily.h"

#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/settings/settingcontrols.h"

#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace trainyard
{
namespace
{
constexpr int familyNameWidth = 160;
} // namespace

SettingFamily::SettingFamily(const QJsonObject &about, QWidget *parent)
    : QWidget(parent), m_prefix(about.value(QLatin1StringView("key")).toString().chopped(1)),
      m_title(about.value(QLatin1StringView("title")).toString()),
      m_help(about.value(QLatin1StringView("help")).toString()), m_entries(new QVBoxLayout), m_name(new QLineEdit),
      m_value(new QLineEdit), m_error(new ColourLabel({}, Colour::Failed))
{
    setObjectName(QStringLiteral("settings-") + m_prefix);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(metrics::space2);
    auto *words = new QVBoxLayout;
    words->setSpacing(2);
    addSettingTitle(words, m_title, m_prefix + QStringLiteral("NAME"), m_name);
    column->addLayout(words);
    QLabel *help = mutedLabel(m_help);
    help->setWordWrap(true);
    help->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(help);
    m_entries->setSpacing(metrics::space1);
    column->addLayout(m_entries);
    auto *line = new QHBoxLayout;
    line->setSpacing(metrics::space2);
    m_name->setFixedWidth(familyNameWidth);
    m_name->setPlaceholderText(tr("Name"));
    m_name->setAccessibleName(tr("Name of a new entry of %1").arg(m_title));
    m_name->setObjectName(QStringLiteral("familyName"));
    m_value->setPlaceholderText(tr("Value"));
    m_value->setAccessibleName(tr("Value of a new entry of %1").arg(m_title));
    m_value->setObjectName(QStringLiteral("familyValue"));
    auto *button = new QPushButton(icon(QStringLiteral("plus")), tr("Add"));
    button->setObjectName(QStringLiteral("familyAdd"));
    line->addWidget(m_name);
    line->addWidget(m_value, 1);
    line->addWidget(button);
    column->addLayout(line);
    m_error->setWordWrap(true);
    m_error->setTextFormat(Qt::PlainText);
    m_error->setObjectName(QStringLiteral("settingError"));
    m_error->hide();
    column->addWidget(m_error);
    connect(button, &QPushButton::clicked, this, &SettingFamily::add);
    connect(m_value, &QLineEdit::returnPressed, this, &SettingFamily::add);
}

void SettingFamily::add()
{
    const QString name = m_name->text().trimmed();
    if (name.isEmpty() || m_value->text().trimmed().isEmpty()) {
        setError(tr("Give a name and a value."));
        return;
    }
    Q_EMIT changeRequested(m_prefix + name, m_value->text().trimmed());
}

bool SettingFamily::fits(const QString &words) const
{
    QStringList texts{m_prefix, m_title, m_help};
    for (auto it = m_values.cbegin(); it != m_values.cend(); ++it) {
        texts.append(m_prefix + it.key());
    }
    return fitsWords(words, texts);
}

void SettingFamily::setValues(const QJsonObject &values)
{
    QMap<QString, QString> mine;
    for (auto it = values.constBegin(); it != values.constEnd(); ++it) {
        if (it.key().startsWith(m_prefix) && it.key().size() > m_prefix.size()) {
            mine.insert(it.key().mid(m_prefix.size()), it.value().toString());
        }
    }
    setError({});
    if (mine.value(m_name->text().trimmed()) == m_value->text().trimmed()) {
        m_name->clear(); // it was added
        m_value->clear();
    }
    m_values = mine; // shown again also when it is the same: a field may still have what was refused
    m_rows.removeIf([this](const auto &row) {
        const bool isGone = !m_values.contains(row.key());
        if (isGone) {
            delete row.value();
        }
        return isGone;
    });
    int place = 0; // both are in the order of the names
    for (auto it = m_values.cbegin(); it != m_values.cend(); ++it, ++place) {
        if (const QWidget *row = m_rows.value(it.key())) {
            if (auto *edit = row->findChild<QLineEdit *>(); !isBeingTyped(edit) && edit->text() != it.value()) {
                edit->setText(it.value());
            }
        } else {
            m_rows.insert(it.key(), makeRow(it.key(), it.value()));
            m_entries->insertWidget(place, m_rows.value(it.key()));
        }
    }
}

QWidget *SettingFamily::makeRow(const QString &entry, const QString &text)
{
    const QString key = m_prefix + entry;
    auto *row = new QWidget;
    auto *line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(metrics::space2);
    auto *name = new ElidedLabel(entry);
    name->setFixedWidth(familyNameWidth);
    auto *value = new QLineEdit(text);
    value->setAccessibleName(key);
    connect(value, &QLineEdit::editingFinished, this, [this, key, entry, value] {
        value->setModified(false);
        const QString typed = value->text().trimmed();
        if (typed.isEmpty()) {
            value->setText(m_values.value(entry)); // it is there still: the button beside it removes it
        } else if (typed != m_values.value(entry)) {
            Q_EMIT changeRequested(key, typed);
        }
    });
    auto *remove = new QToolButton;
    remove->setObjectName(QStringLiteral("familyRemove"));
    remove->setIcon(icon(QStringLiteral("remove")));
    remove->setAutoRaise(true);
    remove->setFixedSize(metrics::field, metrics::field);
    remove->setToolTip(plainTip(tr("Remove %1").arg(key)));
    remove->setAccessibleName(tr("Remove %1").arg(key));
    connect(remove, &QToolButton::clicked, this,
        [this, key] { Q_EMIT changeRequested(key, QJsonValue(QJsonValue::Null)); });
    line->addWidget(name);
    line->addWidget(value, 1);
    line->addWidget(remove);
    return row;
}

void SettingFamily::setError(const QString &sentence)
{
    m_error->setText(sentence);
    m_error->setVisible(!sentence.isEmpty());
}

} // namespace trainyard
