// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/helpers/programsfixture.h"

#include <QFile>
#include <QRegularExpression>

// The bundled training example, shared by the tests of its three ways to run. It takes some twenty seconds, so each
// way is a test of its own.
namespace quickstart
{

constexpr int patienceMs = 100000; // on a computer that does other things too

inline QString copyOf(const ProgramsFixture &programs, const QString &name)
{
    const QString to = programs.path(QString(QStringLiteral("work/") + name));
    QFile::copy(qEnvironmentVariable("TRAINYARD_SOURCE") + QString(QStringLiteral("/resources/examples/") + name), to);
    return to;
}

inline QString file(const ProgramsFixture &programs) { return copyOf(programs, QStringLiteral("quickstart.pai.yaml")); }

// The losses that a worker printed, one for each epoch.
inline QList<double> losses(const QString &text)
{
    static const QRegularExpression line(QStringLiteral("epoch \\d+ step \\d+/480 loss ([0-9.]+) acc ([0-9.]+)"));
    QList<double> all;
    auto matches = line.globalMatch(text);
    while (matches.hasNext()) {
        all.append(matches.next().captured(1).toDouble());
    }
    return all;
}

// It has learned something.
inline bool fell(const QList<double> &losses)
{
    return losses.size() == 12 && losses.constLast() < 0.8 * losses.constFirst();
}

} // namespace quickstart
