// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/why/whyfailed.h"

#include <QObject>

#include <optional>

namespace trainyard
{

// What tests of causes in outputs share: the outputs that programs write, and a check of what is found in one.
class WhyTests : public QObject
{
protected:
    // A traceback with frames "file:line:function", the innermost one last.
    static QByteArray traceback(
        const QList<QByteArray> &frames, const QByteArray &error, const QByteArray &prefix = {});
    static QByteArray torchrunTable(
        const QByteArray &exitCode = "1", const QByteArray &said = "To enable traceback see: docs");
    static inline const QByteArray during = "\nDuring handling of the above exception, another exception occurred:\n\n";
    static inline const QByteArray direct
        = "\nThe above exception was the direct cause of the following exception:\n\n";
    static inline const QByteArray torchLib = "/opt/env/lib/python3.11/site-packages/torch/";

    static FailureFacts whyOf(std::optional<int> status, const QByteArray &output);

    // A table of outputs, each with its cause, a part of the line that shows it, and "file:line" of the user's code.
    static void columns();
    static void row(const char *name, int status, const QByteArray &output, const char *cause, const char *evidence,
        const char *frame = "");
    static void check();
};

} // namespace trainyard
