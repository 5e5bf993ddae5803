// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "model/base/result.h"

#include <QByteArray>
#include <QCoreApplication>
#include <QJsonDocument>
#include <QJsonObject>

#include <optional>

namespace trainyard::cli
{

// Translates a text of the command line into the language of its user.
inline QString tr(const char *text) { return QCoreApplication::translate("trainyardctl", text); }

// To be called before anything else opens a file: what is opened in the place of a standard stream that the user has
// closed would be written to. A closed output is said to be closed when something is to be written.
void openStandardStreams();

// Write UTF-8; only the functions whose names end in Line add a newline. A text may contain what a stranger wrote into
// a file, so control characters are written as readable escapes.
void outLine(const QString &line);
// A sentence, or what begins with it: on a terminal its lines break between words. The others are indented by so much,
// or as it is itself.
void outSentence(const QString &line, int indent = -1);
// Writes the content of a file, or lines that a program reads: exactly to a file or pipe, and to a terminal like every
// text.
void outFile(const QByteArray &bytes);
// Writes the bytes as they are, for logs and for what draws on the terminal.
void out(const QByteArray &bytes);
// Whether some output could not be written (the disk is full). It was reported once; the program then ends with 2.
bool outputFailed();
// Output could not be written, or its reader has ended.
bool outputHasEnded();
void errorLine(const QString &line); // to stderr as a sentence, with "trainyardctl: " in front
void plainErrorLine(const QString &line); // to stderr
void outJson(const QJsonDocument &json);

// The rows of a table are cut to this width: that of the terminal, or 0, which means whole rows, for a file or a
// program, or on request.
int tableWidth(bool isWide = false);

// Why a command fails, for programs that read its JSON: the code of the error and its sentence. Without one, it is the
// last line that errorLine() printed.
void noteFailure(const QString &code, const QString &message);
void failureLine(const Error &error); // its sentence as errorLine(), and notes it
void forgetFailure(); // what was said so far is not a failure
QJsonObject saidFailure(int status); // what was noted, or said, of a failure with this status: {code, message}
// For a command whose output is JSON, at its end: when it fails and has printed nothing, it prints
// {"error": {"code", "message"}}. Returns the status.
int endOfJson(int status);

bool stdoutIsTerminal();
bool stderrIsTerminal();
// Whether the terminal that a text goes to understands what moves the cursor and clears lines.
enum class Stream { Out, Error };
bool canDraw(Stream stream = Stream::Out);
int terminalWidth(Stream stream = Stream::Out); // 80 when unknown
int terminalHeight(); // 24 when unknown

void lineTo(Stream stream, const QString &line); // outLine() or plainErrorLine()
void sentenceTo(Stream stream, const QString &line, int indent = -1); // the same, as outSentence()

// Colours are used only on a terminal and without NO_COLOR; elsewhere they are empty strings.
enum class Colour { None, Red, Yellow, Blue, Green, Bold, Dim };
QString paint(Colour colour, const QString &text, Stream stream = Stream::Out);

// A line that the user types at the terminal, shown or hidden; nothing if there is no terminal.
bool hasTerminal();
std::optional<QString> askOnTerminal(const QString &prompt, bool shown);

// The content of a file, or of standard input for "-". Errors: "file.unreadable" {file, reason}, "file.too-large".
Result<QByteArray> readInput(const QString &path);
bool isInputRead(); // standard input was: there is nothing more in it
QString inputName(const QString &path); // "standard input" for "-"

// Says what is wrong and where help is; returns exitUnusable.
int usageError(const QString &command, const QString &message);

} // namespace trainyard::cli
