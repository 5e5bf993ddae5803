// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/hosts/hostcard.h"

#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/text/texts.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace trainyard
{
namespace
{
constexpr int wordsWidth = 320;

// What to type: ssh takes a port by an option, not behind the name.
QString sshCommand(const QString &target)
{
    const qsizetype colon = target.lastIndexOf(QLatin1Char(':'));
    bool hasPort = false;
    const int port = colon < 0 ? 0 : target.mid(colon + 1).toInt(&hasPort);
    return hasPort ? QStringLiteral("ssh -p %1 %2").arg(QString::number(port), target.left(colon))
                   : QStringLiteral("ssh ") + target;
}
} // namespace

HostCard::HostCard(const HostInfo &host, QWidget *parent) : Popup(parent)
{
    setObjectName(QStringLiteral("hostCard"));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(metrics::space4, metrics::space3, metrics::space4, metrics::space3);
    layout->setSpacing(metrics::space2);
    layout->addWidget(semiboldLabel(host.state == HostState::Failed ? tr("%1 cannot be used").arg(host.label)
                                                                    : tr("%1 is offline").arg(host.label)));
    QLabel *where = smallMutedLabel(host.target);
    where->setVisible(!host.target.isEmpty());
    layout->addWidget(where);
    const QString reason
        = host.error.isEmpty() ? tr("The connection to it was lost.") : reasonText(host.error, host.errorArgs);
    const QString command = sshCommand(host.target);
    const QString advice = host.target.isEmpty()
        ? QString()
        : tr("Make sure that it is switched on and reachable, and that \"%1\" works in a terminal without a question. "
             "Running tasks go on there; Trainyard connects again by itself.")
              .arg(command);
    for (const QString &words : {reason, advice}) {
        QLabel *label = words == reason ? plainLabel(words) : mutedLabel(words);
        label->setWordWrap(true);
        label->setFixedWidth(wordsWidth);
        label->setVisible(!words.isEmpty());
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        layout->addWidget(label);
    }
    auto *row = new QHBoxLayout;
    row->setSpacing(metrics::space2);
    const auto button = [&](const QString &name, const QString &words, ButtonKind kind) {
        auto *made = new QPushButton(words);
        made->setObjectName(name);
        setButtonKind(made, kind);
        setSmall(made);
        row->addWidget(made);
        return made;
    };
    QPushButton *check = button(QStringLiteral("hostCheck"), tr("Check again"), ButtonKind::Primary);
    QPushButton *copy = button(QStringLiteral("hostCopy"), tr("Copy the ssh command"), ButtonKind::Normal);
    QPushButton *remove = button(QStringLiteral("hostRemove"), tr("Remove"), ButtonKind::Normal);
    copy->setVisible(!host.target.isEmpty());
    remove->setVisible(!host.target.isEmpty());
    row->addStretch();
    layout->addLayout(row);
    connect(check, &QPushButton::clicked, this, [this] {
        Q_EMIT checkRequested();
        close();
    });
    connect(copy, &QPushButton::clicked, this, [command] { QGuiApplication::clipboard()->setText(command); });
    connect(remove, &QPushButton::clicked, this, [this] {
        Q_EMIT removeRequested();
        close();
    });
    setFocusProxy(check);
}

} // namespace trainyard
