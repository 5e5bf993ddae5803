// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/helpers/programsfixture.h"

#include <QObject>

// What tests of damage share: jobs, stores that are changed from outside, and daemons that somebody starts by hand.
class DamageTests : public QObject
{
protected:
    static constexpr int exitNoEngine = 3;
    static constexpr int exitRefused = 4;

    static QByteArray simple(const QByteArray &name, const QByteArrayList &commands, const QByteArray &more = {});
    static void killAll(const QList<qint64> &pids);
    // A job that is over, in a store whose engine has ended in order.
    static void leaveAStore(const ProgramsFixture &f);
    static ProgramsFixture::Output startByHand(const ProgramsFixture &f, const QStringList &options);
    static void changeStore(const QString &path, const QString &sql);
    // As a full disk would, and only that.
    static QString refusing(const QString &what);
};
