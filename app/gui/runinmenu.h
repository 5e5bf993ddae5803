// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QMenu>

#include <functional>

namespace trainyard
{

// "Run in": the host's shell or a container, for the next runs of one document. The first entry leaves it to the job
// and to the hosts and says what that is; a program that no host in question has is there, off, and says why.
class RunInMenu : public QMenu
{
    Q_OBJECT
public:
    struct Facts {
        QString chosen; // host, podman, ...; empty: as the job or the host says
        QString ofJob; // what the job itself says
        QList<HostInfo> hosts; // on which it may run
        bool hasDocument = false;
    };
    // Asked each time that the menu is about to be seen.
    explicit RunInMenu(const std::function<Facts()> &facts, QWidget *parent = nullptr);

Q_SIGNALS:
    void chosen(const QString &word);

private:
    void fill(const Facts &facts);
};

QString runInLabel(const QString &word); // "host shell", "podman"

} // namespace trainyard
