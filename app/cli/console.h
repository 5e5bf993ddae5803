// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "model/base/result.h"

#include <QByteArray>
#include <QCommandLineParser>
#include <QJsonDocument>

#include <optional>

namespace trainyard::cli
{

// Writing. Text goes out as UTF-8 and unchanged; nothing adds a newline but the functions called Line.
void out(const QByteArray &bytes);
void outLine(const QString &line);
// Whether some of it could not be written (the disk is full). It has been said, once; the program ends with 2 then.
bool outputFailed();
// It could not be written, or nobody reads it any more.
bool outputHasEnded();
void errorLine(const QString &line); // to stderr, with "trainyardctl: " in front
void outJson(const QJsonDocument &json);

bool stdoutIsTerminal();
bool stderrIsTerminal();
int terminalWidth(); // 80 when unknown
int terminalHeight(); // 24 when unknown

// Colours on a terminal only, and not when NO_COLOR is set. The empty string elsewhere.
enum class Colour { None, Red, Yellow, Blue, Green, Bold, Dim };
QString paint(Colour colour, const QString &text);

// A line that the person at the terminal types, shown or not; nothing when there is no terminal.
bool hasTerminal();
std::optional<QString> askOnTerminal(const QString &prompt, bool shown);

// What stands in a file, or in standard input for "-". Errors: "file.unreadable" {file, reason}, "file.too-large".
Result<QByteArray> readInput(const QString &path);
QString inputName(const QString &path); // "standard input" for "-"

// Says what is wrong and where help is; returns exitUnusable.
int usageError(const QString &command, const QString &message);
// Parses the arguments of a command. False: the message has been shown, return exitUnusable.
bool parse(QCommandLineParser &parser, const QString &command, const QStringList &arguments);

} // namespace trainyard::cli
