// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QList>
#include <QString>

#include <functional>

namespace trainyard::core
{

// The error that ended a Python program, according to its last traceback.
struct PythonError {
    QString type, message; // KeyError, 'lr'
    QString file, function; // of the last frame that is the program's own, not a library's
    int line = 0;
};

// A traceback in a text without colours, or the group of them that an ExceptionGroup prints.
struct Traceback {
    qsizetype begin = 0, end = 0; // of its lines
    QByteArray prefix; // that a launcher puts before each line: "[rank1]: "
    bool isGroup = false;
    PythonError error;
};
QList<Traceback> tracebacksIn(QByteArrayView text);

// The tracebacks that may have ended the program: behind them are only lines of launchers and shells. A program that
// went on for long after an error has survived it.
struct LastTracebacks {
    QList<Traceback> all; // of the text
    qsizetype first = -1; // index of the first one at the end; -1: none is
    qsizetype cause = -1; // ... and of the one that the others followed from
};
// `status`: Python ends with 1 after an error, and then a few more lines count as part of its message. `follows` says
// whether a traceback is about an error that the end of another process causes.
LastTracebacks lastTracebacks(
    QByteArrayView text, int status, const std::function<bool(QByteArrayView)> &follows = nullptr);

// Whether a line says nothing about the error: it is empty, or from a launcher, a shell, or the end of Python itself.
bool isClosingLine(QByteArrayView line);

// The text without the sequences that colour it.
QByteArray withoutColours(QByteArrayView text);
// Whether a line is how an uncaught error of Python ends, such as "[rank1]: KeyError: 1".
bool isErrorLine(QByteArrayView line);

} // namespace trainyard::core
