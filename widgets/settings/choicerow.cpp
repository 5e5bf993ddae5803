// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/settings/choicerow.h"

#include "widgets/common/labels.h"
#include "widgets/common/tokens.h"
#include "widgets/settings/settingcontrols.h"

#include <QActionGroup>
#include <QComboBox>
#include <QVBoxLayout>

namespace trainyard
{

ChoiceRow::ChoiceRow(const QString &name, const QString &help, const QActionGroup *choices, QWidget *parent)
    : QWidget(parent), m_name(name), m_help(help), m_choices(choices), m_box(new StillControl<QComboBox>)
{
    auto *across = new QHBoxLayout(this);
    across->setContentsMargins(0, 0, 0, 0);
    across->setSpacing(metrics::space5);
    auto *words = new QVBoxLayout;
    words->setSpacing(2);
    QLabel *title = semiboldLabel(name);
    words->addWidget(title);
    QLabel *about = mutedLabel(help);
    about->setWordWrap(true);
    words->addWidget(about);
    words->addStretch();
    across->addLayout(words, 1);
    const QList<QAction *> actions = choices->actions();
    for (QAction *action : actions) {
        m_box->addItem(action->iconText());
        connect(action, &QAction::toggled, this, &ChoiceRow::showChecked);
    }
    m_box->setObjectName(QStringLiteral("settingControl"));
    m_box->setAccessibleName(name);
    m_box->setAccessibleDescription(help);
    m_box->setFixedWidth(settingControlWidth);
    m_box->setFocusPolicy(Qt::StrongFocus);
    title->setBuddy(m_box);
    connect(m_box, &QComboBox::activated, this, [this](int index) { m_choices->actions().at(index)->trigger(); });
    auto *right = new QHBoxLayout;
    right->setSpacing(metrics::space1);
    right->addWidget(m_box, 0, Qt::AlignTop);
    right->addSpacing(metrics::space1 + metrics::field); // where others have the way back to their default
    across->addLayout(right);
    showChecked();
}

void ChoiceRow::showChecked() { m_box->setCurrentIndex(int(m_choices->actions().indexOf(m_choices->checkedAction()))); }

bool ChoiceRow::fits(const QString &words) const { return fitsWords(words, {m_name, m_help}); }

} // namespace trainyard
