// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace trainyard::cli
{

// The arguments of a command, sorted by its table. Options and operands may be mixed; "--" ends the options, and a
// negative number is not an option.
struct Arguments {
    bool help = false;
    QString error; // a sentence; empty when they fit the table
    qsizetype form = 0; // in Command::forms
    QList<std::pair<qsizetype, QString>> options; // index in Command::options, and value
    QStringList words;
    QStringList rest; // of a command with Command::rest
};
Arguments readArguments(const Command &command, const QStringList &arguments);

// "-f, --follow", "--tail N" as an option.
Option optionOf(const QString &spelled, const QString &text);

} // namespace trainyard::cli
