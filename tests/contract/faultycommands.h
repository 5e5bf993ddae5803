// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

// The line of a command that there is none of, in a function and by itself, and the line of a syntax error.
constexpr const char *faultyCommands = "set +o errexit\n"
                                       "look() {\n"
                                       "    no_such_command_a\n"
                                       "}\n"
                                       "look\n"
                                       "no_such_command_b\n"
                                       "echo 'open\n";

// What bash says of them.
inline QByteArray faultsUnder(const QByteArray &name)
{
    QByteArray said = "NAME: line 3: no_such_command_a: command not found\n"
                      "NAME: line 6: no_such_command_b: command not found\n"
                      "NAME: line 7: unexpected EOF while looking for matching `''\n";
    return said.replace("NAME", name);
}
