// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "engine/client/servedaddress.h"

#include <QObject>

#include <functional>
#include <optional>

class QMenu;
class QToolButton;

namespace trainyard
{

// The menu of the ports of the chosen task: what listens there, and whether it is forwarded to this computer. It asks
// for them whenever it is opened.
class PortsMenu : public QObject
{
    Q_OBJECT
public:
    // `task` gives the one that it is about.
    PortsMenu(std::function<std::optional<TaskInfo>()> task, QObject *parent);
    QToolButton *makeButton();
    // The answer to portsWanted(); of another task than the chosen one: passed over.
    void setPorts(const TaskInfo &task, const QList<OfferedPort> &ports);
    void setProblem(const TaskInfo &task, const QString &sentence); // the same, when they are not known

Q_SIGNALS:
    void portsWanted(const trainyard::TaskInfo &task); // answer with setPorts()
    // A port that is not forwarded yet is forwarded first.
    void openRequested(const trainyard::OfferedPort &port); // in the browser
    void copyRequested(const trainyard::OfferedPort &port); // its address
    void stopRequested(const trainyard::OfferedPort &port);

private:
    void begin();
    void clear();
    bool isOf(const TaskInfo &task) const;
    void say(const QString &sentence);
    void addPort(const OfferedPort &port);
    void askForAnother();

    std::function<std::optional<TaskInfo>()> m_current;
    std::optional<TaskInfo> m_task; // as it was when the menu was opened
    QMenu *m_menu = nullptr;
};

} // namespace trainyard
