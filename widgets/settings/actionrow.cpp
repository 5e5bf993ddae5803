// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/settings/actionrow.h"

#include "widgets/common/labels.h"
#include "widgets/common/tokens.h"
#include "widgets/settings/settingcontrols.h"

#include <QAction>
#include <QPushButton>
#include <QVBoxLayout>

namespace trainyard
{

ActionRow::ActionRow(const QString &name, const QString &help, QAction *action, QWidget *parent)
    : QWidget(parent), m_name(name), m_help(help)
{
    auto *across = new QHBoxLayout(this);
    across->setContentsMargins(0, 0, 0, 0);
    across->setSpacing(metrics::space5);
    auto *words = new QVBoxLayout;
    words->setSpacing(2);
    words->addWidget(semiboldLabel(name));
    QLabel *about = mutedLabel(help);
    about->setWordWrap(true);
    words->addWidget(about);
    words->addStretch();
    across->addLayout(words, 1);
    auto *button = new QPushButton(tr("Edit…"));
    button->setObjectName(QStringLiteral("settingAction"));
    button->setAccessibleName(name);
    button->setAccessibleDescription(help);
    connect(button, &QPushButton::clicked, action, &QAction::trigger);
    auto *right = new QHBoxLayout;
    right->addWidget(button, 0, Qt::AlignTop);
    right->addStretch();
    auto *column = new QWidget; // as wide as the controls of others, with their way back to the default
    column->setFixedWidth(settingControlWidth + metrics::space1 + metrics::field);
    right->setContentsMargins(0, 0, 0, 0);
    column->setLayout(right);
    across->addWidget(column, 0, Qt::AlignTop);
}

bool ActionRow::fits(const QString &words) const { return fitsWords(words, {m_name, m_help}); }

} // namespace trainyard
