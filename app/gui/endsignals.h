// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace trainyard
{

// Asked to end from outside (SIGTERM, SIGINT, SIGHUP): says so in the event loop, so that the program can clear up.
// One in a program.
class EndSignals : public QObject
{
    Q_OBJECT
public:
    explicit EndSignals(QObject *parent = nullptr);

Q_SIGNALS:
    void arrived();
};

} // namespace trainyard
