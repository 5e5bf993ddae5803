// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>
#include <QString>

namespace trainyard::core
{

// What single lines say of errors, in words of a program's own.

// Whether the words of a line say that something failed, and not only what was noticed.
bool isErrorForm(QByteArrayView words);
// Whether a line has the form by which programs report an error, whatever it is.
bool looksLikeError(const QString &text);
// Whether a library logs what it aborts for: "F0312 10:00:01.0 812 pool.cc:9] ...", "F tensorflow/core/a.cc:3] ...".
bool isFatalLogLine(QByteArrayView words);
// Whether a line only says that an error follows, such as "Fatal error:" or "--> FLOW FATAL ERROR: (v12)".
bool isErrorHeadline(QByteArrayView words);
// Whether it is one of R, which names the function first: "Error in f(x) : ".
bool isErrorHeadlineOfR(QByteArrayView words);
// Whether the words of a program say that its error passes. Otherwise it is taken to make the same error once more.
bool asksToTryAgain(QByteArrayView words);

} // namespace trainyard::core
