// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/helpers/sshhosts.h"

#include <QRandomGenerator>
#include <QTest>

// What tests have in common that cut lines at random moments. The order in which the dice are thrown is part of what a
// kept seed means.

inline QByteArray randomBytes(QRandomGenerator &dice, qsizetype bytes)
{
    QByteArray text(bytes, Qt::Uninitialized);
    for (char &c : text) {
        c = char(dice.generate());
    }
    return text;
}

// The line to the first host, whole or in one direction only; in ms, the wait before the cut and how long it lasts.
inline void cutOnce(SshHosts &hosts, QRandomGenerator &dice, int before, int duration)
{
    const int how = dice.bounded(3); // whole, one way, the other
    QTest::qWait(before); // the moment is what is random here
    const bool isWhole
        = how == 0 || !hosts.cutOneWay(0, how == 1 ? SshHosts::Direction::FromHost : SshHosts::Direction::ToHost);
    if (isWhole) {
        hosts.setLink(0, false);
    }
    QTest::qWait(duration); // how long the cut lasts is what is random here
    hosts.heal(0);
    hosts.setLink(0, true);
}
