// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QChar>
#include <QHash>
#include <QList>
#include <QString>
#include <QStringList>

#include <functional>
#include <limits>
#include <utility>

namespace trainyard::cli
{

// The exit statuses of trainyardctl, which its help and its manual page document.
enum ExitStatus : int {
    exitOk = 0,
    exitNo = 1, // the answer is no: the check found errors, the job failed
    exitUnusable = 2, // cannot read the input or write the output, or wrong usage
    exitNoEngine = 3, // no engine or no host
    exitRefused = 4, // understood, and refused
    exitInterrupted = 130
};

// The kind of a word on the command line that a shell can complete. A parameter is one of the job file among the
// operands, as "NAME=". Active jobs and ended jobs are jobs, too.
enum class Word {
    Other,
    File,
    Job,
    ActiveJob,
    EndedJob,
    Host,
    SshHost, // one that can be removed
    Target,
    Template,
    Filter,
    Group,
    Tag,
    Parameter,
    Secret
};
inline bool isJobWord(Word word) { return word == Word::Job || word == Word::ActiveJob || word == Word::EndedJob; }

// One option of a command. The parser, the help, the manual and the completions of the shells read this; nothing else
// has its name.
struct Option {
    QString name; // "follow"
    QChar letter; // 'f', or null
    QString value; // "N", as the help shows it; empty for a switch
    QString text; // what it means, for the help
    QStringList values; // known values, for completion
    QStringList of; // the forms of the command that it belongs to; empty: all
    Word word = Word::Other; // of the value
    bool repeats = false;
    bool isHidden = false; // not for users: the build needs it

    QString shown() const { return QStringLiteral("--") + name; } // "--follow"
    QString spelled() const; // "-f, --follow", "--tail N"
};

inline constexpr int anyNumber = std::numeric_limits<int>::max();

// The words of a command that are not options.
struct Operands {
    QString shown; // "JOB [ROLE | ROLE/INDEX]"
    int least = 0, most = 0;
    Word word = Word::Other; // all of them, when there may be any number; else the first
    QString complaint = {}; // when there are fewer or more; %1 is the first of them
    QStringList values = {}; // known values, for completion
    QStringList (*listValues)() = nullptr; // the same where they are many: asked only for the scripts of completion
    Word further = Word::Other; // those behind the first, where they are known; tasks of a job are seen in `shown`
};

// One way to write a command. Most commands have one, without a word: "stop JOB...". Others have several: "hosts add
// TARGET", "hosts list"; the first one is meant when no word is given.
struct Form {
    QString word;
    Operands operands;
};

// A status and when a command has it; a status below zero has no number.
using ExitMeaning = std::pair<int, QString>;

// One sub-command as users and shells see it, and how it is run. Texts are paragraphs with an empty line between them;
// the code that shows them breaks the lines.
struct Command {
    QString name;
    QString summary; // one line for the list of commands
    QList<Form> forms;
    QString usualForm; // the one that is meant when the first word names none; empty: that is wrong usage
    QString text; // before the options
    QList<Option> options;
    QList<QList<qsizetype>> exclusive; // options of which only one can be given
    QHash<qsizetype, QString> whyExclusive; // of these groups; a sentence
    QString more; // behind the options
    QStringList examples;
    QList<ExitMeaning> exits;
    QString exitNote;
    // The words after the operands belong to another program: their name in the synopsis.
    QString rest;

    // Gets the arguments after the command's name and returns an exit status.
    std::function<int(const QStringList &arguments)> run;
    // Only reads the arguments: what is wrong with them, empty when nothing is.
    std::function<QString(const QStringList &arguments)> complaint;
};

// All commands, in the order of the help.
const QList<Command> &commands();

// The options of the program itself, without a command.
const QList<Option> &programOptions();

// The general meaning of the statuses.
QList<ExitMeaning> exitMeanings();

// Each is in its own file, cmd_<name>.cpp, and listed in commands.cpp.
Command checkCommand();
Command renderCommand();
Command editCommand();
Command templatesCommand();
Command convertCommand();
Command exportCommand();
Command explainCommand();
Command metricsCommand();
Command completionCommand(); // cmd_completion.cpp has these two
Command versionCommand();

} // namespace trainyard::cli
