// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/hosts/hostcause.h"

#include "engine/api/hosterrors.h"
#include "widgets/common/icons.h"
#include "widgets/common/style.h"
#include "widgets/text/hostadvice.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard
{

HostCause::HostCause(QWidget *parent)
    : Ground(Colour::FailedTint, parent), m_advice(plainLabel({})), m_command(new ElidedLabel)
{
    m_advice->setObjectName(QStringLiteral("hostAdvice"));
    m_advice->setWordWrap(true);
    m_advice->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_command->setObjectName(QStringLiteral("hostCommand"));
    m_command->setFont(fonts::fixed());
    auto *copy = new QPushButton(icon(QStringLiteral("copy")), tr("Copy"));
    copy->setObjectName(QStringLiteral("hostCopyCommand"));
    copy->setToolTip(tr("Copy the command"));
    m_shell = new QPushButton(icon(QStringLiteral("terminal")), tr("Shell"));
    m_shell->setObjectName(QStringLiteral("hostShell"));
    m_shell->setToolTip(tr("Run the command in a terminal"));
    auto *row = new QHBoxLayout;
    row->setSpacing(metrics::space2);
    row->addWidget(m_command, 1);
    for (QPushButton *button : {copy, m_shell}) {
        setSmall(button);
        row->addWidget(button);
    }
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(metrics::space3, metrics::space2, metrics::space2, metrics::space2);
    layout->setSpacing(metrics::space2);
    layout->addWidget(m_advice);
    layout->addLayout(row);
    connect(copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_line); });
    connect(m_shell, &QPushButton::clicked, this, [this] { Q_EMIT shellRequested(m_host); });
}

void HostCause::setHost(const HostInfo &host)
{
    m_host = host;
    // The last check stands while the host is tried again.
    const auto failed = std::find_if(
        host.steps.cbegin(), host.steps.cend(), [](const HostStep &step) { return step.state == StepState::Failed; });
    const QString advice = failed == host.steps.cend() ? QString() : hostAdvice(*failed);
    m_advice->setText(advice);
    m_advice->setVisible(!advice.isEmpty());
    // With another key no login works before the old one is forgotten.
    const bool isForgotten = failed != host.steps.cend() && hosterror::isKeyChanged(failed->code);
    m_line = isForgotten ? failed->args.value(QLatin1StringView("remove")).toString() : host.ssh;
    m_command->setText(m_line);
    m_shell->setVisible(!isForgotten);
}

} // namespace trainyard
