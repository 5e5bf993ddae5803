// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/why/whylines.h"

#include <QSet>
#include <QString>

#include <optional>

namespace trainyard::core
{

struct WhyFrame {
    QString file, function;
    int line = 0;
};

// One exception of a traceback.
struct WhyError {
    enum class Via { First, During, Direct, Nested }; // how it stands to the one before
    Via via = Via::First;
    qsizetype line = 0; // index of the line that names it
    QString type, message; // the message with the lines that continue it
    std::optional<WhyFrame> own, outermost; // the innermost one of the user's own code, and the first of all
    QString innermost; // file of the last frame
    int frames = 0;
    bool isRaised = false; // by a `raise`, not by what was called
    bool isOfWriting
        = false; // its innermost frame, or the program's own, opens a file or makes a folder to write there
    bool isOfRequest = false; // a frame is of a library that asks servers for something
    // The functions and lines of its frames, and of these, what a program does at its end: closes, removes, `__exit__`.
    QSet<QString> places, cleanups;
};

// A traceback with all exceptions that belong together: one while another was handled, that of a worker inside of that
// of its parent, those of a group.
struct PythonBlock {
    // Where it stands: by itself, in what Python only reports before it continues, in a thread, in a process of its
    // own, behind a line of a logger.
    enum class Context { Plain, Ignored, Thread, Child, Logged };
    qsizetype first = 0, last = 0; // lines
    Context context = Context::Plain;
    QList<WhyError> errors;
};

QList<PythonBlock> pythonBlocksIn(const QList<WhyLine> &lines);

// Whether a file of a stack frame belongs to Python or an installed package.
bool isLibraryFile(const QString &file);

} // namespace trainyard::core
