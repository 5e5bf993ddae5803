// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QtGlobal>

// Whether the tests take their long forms: `./dev test --full`.
inline bool isFullForm() { return qEnvironmentVariableIsSet("TRAINYARD_TEST_FULL"); }

// How many rounds, bytes or rows a test takes: all in the long form, else one of `share`. A ceiling for what these cost
// is divided by the same number, so that a quadratic algorithm passes neither form.
inline qsizetype inForm(qsizetype all, qsizetype share = 4) { return isFullForm() ? all : all / share; }

// For the programs that this process starts from now on. Those that tests start by the hundred look for leaks at their
// end in the long form only: it takes a third of their time.
inline void spareLeakChecks()
{
    if (!isFullForm()) {
        qputenv("ASAN_OPTIONS", qgetenv("ASAN_OPTIONS").append(":detect_leaks=0"));
    }
}
