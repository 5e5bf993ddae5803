// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/why/pythonblocks.h"
#include "model/runtime/failurecauses.h"

#include <QJsonObject>

namespace trainyard::core
{

// Something in an output that can have to do with its end.
struct WhySign {
    using Role = FailureCause::Role;
    qsizetype line = 0, last = 0; // index of the line that shows it, and of its last one
    qsizetype shown = -1; // the line that says most of it, if it is not that one
    QString cause; // a name of the causes; empty: an error that none describes
    Role role = Role::Cause;
    bool likely = false; // the line alone does not prove it
    bool weak = false; // it calls itself a warning
    bool isBare = false; // the line is only "[Errno 2] ...", without the name of a program
    bool isTold = false; // the program may only tell of it: it stands in quotes, in a row or in a sentence
    bool isOfIgnored = false; // a step whose failure is ignored said it: only what it should have brought follows
    bool survived = false; // a logger or a thread wrote it: the program may have gone on
    bool fatal = false; // no program continues after it
    bool isThrown = false; // a program of another language than Python ended itself by it
    bool generic = false; // only its form says that it is an error
    bool isOfLibrary = false; // an exception that a library raised, and that none of the causes describes
    int order = 0; // of the line of the table that it fits
    std::optional<bool> transient;
    QSet<QString> after; // causes that explain it
    QJsonObject args;
    qsizetype block = -1; // of Python
    std::optional<WhyFrame> frame; // of other languages: the innermost place in the user's own code
};

struct WhySigns {
    QList<WhySign> all; // in the order of the lines
    bool hasManyProcesses = false; // of one program: ranks, a launcher that reports
};

WhySigns whySignsIn(
    const FailureCauses &causes, QByteArrayView text, const QList<WhyLine> &lines, const QList<PythonBlock> &blocks);

} // namespace trainyard::core
