// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/hosts/hostadding.h"

#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/hosts/addtrouble.h"

#include <QAction>
#include <QCompleter>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QStringListModel>
#include <QVBoxLayout>

namespace trainyard
{

HostAdding::HostAdding(QWidget *parent)
    : QWidget(parent), m_address(new QLineEdit), m_add(new QPushButton(tr("Check and add"))),
      m_pick(m_address->addAction(icon(QStringLiteral("chevron-down"), Colour::Muted), QLineEdit::TrailingPosition)),
      m_trouble(new AddTrouble(m_address))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(metrics::space4, metrics::space3, metrics::space4, metrics::space4);
    layout->setSpacing(metrics::space2);
    layout->addWidget(smallMutedLabel(tr("Add a host by its address, or its name for ssh")));
    auto *row = new QHBoxLayout;
    row->setSpacing(metrics::space2);
    m_address->setObjectName(QStringLiteral("hostAddress"));
    m_address->setPlaceholderText(tr("user@host:port"));
    m_address->setAccessibleName(tr("Address of the new host"));
    m_pick->setToolTip(tr("The hosts of ~/.ssh/config"));
    connect(m_pick, &QAction::triggered, this, [this] {
        m_address->setFocus();
        m_address->clear(); // of what is typed it offers only what fits
        m_address->completer()->setCompletionPrefix({});
        m_address->completer()->complete();
    });
    row->addWidget(m_address, 1);
    row->addWidget(m_add);
    layout->addLayout(row);
    layout->addWidget(m_trouble);
    connect(m_add, &QPushButton::clicked, this, [this] { add(false); });
    connect(m_address, &QLineEdit::returnPressed, this, [this] { add(false); });
    connect(m_trouble, &AddTrouble::anywayRequested, this, [this] { add(true); });
}

void HostAdding::setKnownNames(const QStringList &names)
{
    m_names = names;
    offerNames();
}

void HostAdding::setHosts(const QList<HostInfo> &hosts)
{
    m_targets.clear();
    for (const HostInfo &host : hosts) {
        m_targets.append(host.target);
    }
    offerNames();
}

// Those that are not there yet.
void HostAdding::offerNames()
{
    QStringList names = m_names;
    names.removeIf([this](const QString &name) { return m_targets.contains(name); });
    auto *completer = m_address->completer();
    if (!completer) {
        completer = new QCompleter(m_address);
        completer->setModel(new QStringListModel(completer));
        completer->setFilterMode(Qt::MatchContains);
        completer->setCaseSensitivity(Qt::CaseInsensitive);
        m_address->setCompleter(completer);
    }
    static_cast<QStringListModel *>(completer->model())->setStringList(names);
    m_pick->setVisible(!names.isEmpty());
}

void HostAdding::add(bool anyway)
{
    const QString target = m_address->text().trimmed();
    const bool isUnderWay = !m_address->isEnabled();
    if (!target.isEmpty() && !isUnderWay) {
        m_trouble->setAdding(true);
        Q_EMIT addRequested(target, anyway);
    }
}

void HostAdding::setError(const QString &text, bool mayBeAdded)
{
    m_trouble->setAdding(false);
    m_trouble->setText(text, mayBeAdded);
    if (text.isEmpty()) {
        m_address->clear();
    }
}

} // namespace trainyard
