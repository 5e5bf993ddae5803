// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/portsmenu.h"

#include "engine/api/tasklabel.h"
#include "widgets/common/icons.h"
#include "widgets/common/labels.h"

#include <QInputDialog>
#include <QMenu>
#include <QToolButton>

namespace trainyard
{

PortsMenu::PortsMenu(std::function<std::optional<TaskInfo>()> task, QObject *parent)
    : QObject(parent), m_current(std::move(task))
{
}

QToolButton *PortsMenu::makeButton()
{
    auto *button = new QToolButton;
    button->setObjectName(QStringLiteral("tasksPorts"));
    button->setIcon(icon(QStringLiteral("network")));
    button->setIconSize({metrics::rowIcon, metrics::rowIcon});
    button->setAutoRaise(true);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setToolTip(tr("Ports of the chosen task, such as of TensorBoard or Jupyter"));
    button->setAccessibleName(tr("Ports"));
    m_menu = new QMenu(button);
    m_menu->setToolTipsVisible(true);
    button->setMenu(m_menu);
    connect(m_menu, &QMenu::aboutToShow, this, &PortsMenu::begin);
    return button;
}

bool PortsMenu::isOf(const TaskInfo &task) const
{
    return m_task && m_task->role == task.role && m_task->index == task.index && m_task->attempt == task.attempt;
}

// A menu keeps the menus of its entries when it is emptied.
void PortsMenu::clear()
{
    m_menu->clear();
    const QList<QMenu *> inner = m_menu->findChildren<QMenu *>(QString(), Qt::FindDirectChildrenOnly);
    for (QMenu *menu : inner) {
        menu->deleteLater();
    }
}

void PortsMenu::say(const QString &sentence)
{
    clear();
    m_menu->addAction(plainCaption(sentence))->setEnabled(false);
}

void PortsMenu::begin()
{
    m_task = m_current();
    if (!m_task) {
        say(tr("No task is chosen."));
    } else if (m_task->state != State::Running) {
        say(tr("%1 is not running.").arg(taskLabel(*m_task)));
    } else {
        say(tr("Looking for ports of %1…").arg(taskLabel(*m_task)));
        Q_EMIT portsWanted(*m_task);
    }
}

void PortsMenu::setPorts(const TaskInfo &task, const QList<OfferedPort> &ports)
{
    if (!m_menu || !isOf(task)) {
        return;
    }
    clear();
    if (ports.isEmpty()) {
        say(tr("The job has no ports for it, and its output names no address."));
    }
    for (const OfferedPort &port : ports) {
        addPort(port);
    }
    m_menu->addSeparator();
    m_menu->addAction(icon(QStringLiteral("plus")), tr("Another port…"), this, &PortsMenu::askForAnother);
}

void PortsMenu::setProblem(const TaskInfo &task, const QString &sentence)
{
    if (m_menu && isOf(task)) {
        say(sentence);
    }
}

// "TensorBoard: 6006, at 127.0.0.1:6007"
void PortsMenu::addPort(const OfferedPort &port)
{
    const QString name = port.name();
    const QString number = QString::number(port.port.port);
    const QString what = name.isEmpty() ? tr("Port %1").arg(number) : tr("%1: %2").arg(name, number);
    const bool isForwarded = port.port.localPort > 0;
    const QString state = port.port.isHere ? tr("%1, on this computer").arg(what)
        : isForwarded                      ? tr("%1, at 127.0.0.1:%2").arg(what, QString::number(port.port.localPort))
                                           : tr("%1, not forwarded").arg(what);
    QMenu *menu
        = m_menu->addMenu(icon(isForwarded || port.port.isHere ? QStringLiteral("check") : QStringLiteral("network")),
            plainCaption(state));
    menu->setToolTipsVisible(true);
    menu->addAction(icon(QStringLiteral("external")), tr("Open in the browser"), this,
        [this, port] { Q_EMIT openRequested(port); });
    menu->addAction(
        icon(QStringLiteral("copy")), tr("Copy address"), this, [this, port] { Q_EMIT copyRequested(port); });
    QAction *stop = menu->addAction(
        icon(QStringLiteral("stop")), tr("Stop forwarding"), this, [this, port] { Q_EMIT stopRequested(port); });
    enableOr(stop, isForwarded,
        port.port.isHere ? tr("The task runs on this computer, so nothing is forwarded.")
                         : tr("This port is not forwarded."));
}

void PortsMenu::askForAnother()
{
    auto *dialog = new QInputDialog(m_menu->parentWidget()->window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("portDialog"));
    dialog->setInputMode(QInputDialog::IntInput);
    dialog->setIntRange(1, 65535);
    dialog->setIntValue(8080);
    dialog->setWindowTitle(tr("Another port"));
    dialog->setLabelText(tr("The port on the host of the task:"));
    dialog->setOkButtonText(tr("Open in the browser"));
    connect(dialog, &QInputDialog::intValueSelected, this, [this, task = *m_task](int number) {
        OfferedPort port;
        port.port.role = task.role;
        port.port.index = task.index;
        port.port.host = task.host;
        port.port.port = number;
        Q_EMIT openRequested(port);
    });
    dialog->open();
}

} // namespace trainyard
