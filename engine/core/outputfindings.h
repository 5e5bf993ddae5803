// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/runtime/exitrules.h"

#include <QByteArrayView>

namespace trainyard::core
{

// The error that ended a Python program, as its last traceback tells it.
struct PythonError {
    QString type, message; // KeyError, 'lr'
    QString file, function; // of the last frame that is the program's own, not a library's
    int line = 0;
};
std::optional<PythonError> pythonError(QByteArrayView output);

// The first finding of the rules that the end of the output shows.
struct OutputFinding {
    QString name, reason, solution;
    QByteArray line; // that shows it
};
std::optional<OutputFinding> findingOf(const ExitRules &rules, QByteArrayView output);

} // namespace trainyard::core
