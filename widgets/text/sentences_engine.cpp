// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/sentencetables.h"

#include <QtGlobal>

namespace trainyard::sentences
{

std::span<const SentenceRow> engine()
{
    static const SentenceRow rows[] = {
        {"engine.already-running",
            QT_TRANSLATE_NOOP("Sentences",
                "An engine holds {folder}, but it cannot be reached from here. It may be starting or ending: try again "
                "in a moment. If this persists, it may have been started in another session, by an older version: "
                "'trainyardctl engine stop' there ends it properly, and running tasks continue.")},
        {"engine.folder",
            QT_TRANSLATE_NOOP("Sentences", "The engine cannot use its folder {folder}: {message}. Make it writable.")},
        {"engine.gone", QT_TRANSLATE_NOOP("Sentences", "The connection to the engine was lost. Try again.")},
        {"engine.keeps-ending",
            QT_TRANSLATE_NOOP("Sentences",
                "The engine ends the connection each time before it can be used. {log} may say why; running tasks "
                "continue.")},
        {"engine.leaving", QT_TRANSLATE_NOOP("Sentences", "The engine is about to end. Try again in a moment.")},
        {"engine.newer",
            QT_TRANSLATE_NOOP("Sentences",
                "The running engine is newer than this program (version {build}). Start the newer program.")},
        {"engine.no-agent",
            QT_TRANSLATE_NOOP(
                "Sentences", "The program trainyard-agent, which starts tasks, is missing. Install Trainyard again.")},
        {"engine.no-program",
            QT_TRANSLATE_NOOP("Sentences",
                "The program {program} is missing or cannot be started. Install Trainyard "
                "again.")},
        {"engine.not-answering",
            QT_TRANSLATE_NOOP("Sentences",
                "The engine does not answer (process {pid}). If this persists, end that process; running tasks "
                "continue.")},
        {"engine.not-running", QT_TRANSLATE_NOOP("Sentences", "The engine is not running.")},
        {"engine.not-started", QT_TRANSLATE_NOOP("Sentences", "The engine did not start. {log} may say why.")},
        {"engine.too-many-clients",
            QT_TRANSLATE_NOOP("Sentences",
                "The engine has {limit} clients and takes no more. End commands that follow jobs, such as "
                "'trainyardctl wait', or give one of them several jobs.")},
        {"engine.submit-unanswered",
            QT_TRANSLATE_NOOP("Sentences",
                "The engine does not answer (process {pid}), so it is not known whether it has the job. If this "
                "persists, end that process; running tasks continue. Look at the list of jobs before you run it "
                "again.")},
        {"engine.submit-unknown",
            QT_TRANSLATE_NOOP("Sentences",
                "The connection to the engine was lost before it answered, so it is not known whether it has the job. "
                "Look at the list of jobs before you run it again.")},
        {"engine.stopped",
            QT_TRANSLATE_NOOP(
                "Sentences", "The engine was stopped. Running tasks continue; the next start finds them.")},

        {"rpc.failed", QT_TRANSLATE_NOOP("Sentences", "The engine could not do that.")},
        {"rpc.hello-first", QT_TRANSLATE_NOOP("Sentences", "The engine received a request before the greeting.")},
        {"rpc.reads-only",
            QT_TRANSLATE_NOOP("Sentences", "This connection only reads: the engine changes nothing for it.")},
        {"rpc.invalid", QT_TRANSLATE_NOOP("Sentences", "The engine did not understand the request.")},
        {"rpc.no-method",
            QT_TRANSLATE_NOOP("Sentences",
                "The engine does not know the request {method}. Is it older "
                "than this program?")},
        {"rpc.params", QT_TRANSLATE_NOOP("Sentences", "The engine did not understand the arguments of the request.")},
        {"rpc.parse", QT_TRANSLATE_NOOP("Sentences", "The engine could not read the request.")},
        {"rpc.too-long", QT_TRANSLATE_NOOP("Sentences", "The request or its answer is longer than 16 MiB.")},
        {"rpc.version",
            QT_TRANSLATE_NOOP("Sentences", "The engine has version {build}, which this program does not understand.")},

        {"socket.cannot-listen", QT_TRANSLATE_NOOP("Sentences", "The engine cannot listen at {path}: {message}")},
        {"socket.path-too-long",
            QT_TRANSLATE_NOOP("Sentences",
                "The socket's path {path} has {bytes} bytes, but only {limit} are possible. Set XDG_RUNTIME_DIR to a "
                "shorter folder.")},
        {"folder.cannot-make", QT_TRANSLATE_NOOP("Sentences", "Cannot make the folder {folder}: {message}")},
        {"folder.cannot-write",
            QT_TRANSLATE_NOOP("Sentences",
                "The folder {folder}, in which the engine keeps its jobs, cannot be written to: {message}")},
        {"folder.not-private",
            QT_TRANSLATE_NOOP("Sentences",
                "{folder} must be a folder that only you can enter, but it is not. Remove it, or make it yours (chown, "
                "chmod 700); to use another place, set XDG_RUNTIME_DIR to a folder of your own.")},
        {"folder.taken",
            QT_TRANSLATE_NOOP("Sentences",
                "{folder} belongs to another user, so nothing private can be kept there. Only that user or an "
                "administrator can remove it. Until then, set XDG_RUNTIME_DIR and XDG_STATE_HOME to folders of your "
                "own on a local disk.")},
        {"settings.bad-value", QT_TRANSLATE_NOOP("Sentences", "This is not a valid value of {key}. {help}")},
        {"settings.bad-value.int",
            QT_TRANSLATE_NOOP("Sentences", "{key} must be a whole number from {min} to {max}. {help}")},
        {"settings.bad-value.bool",
            QT_TRANSLATE_NOOP("Sentences", "{key} is true or false; '{wrong}' is neither. {help}")},
        {"settings.bad-value.word",
            QT_TRANSLATE_NOOP(
                "Sentences", "'{wrong}' is not a valid value of {key}. Its values are: {values}. {help}")},
        {"settings.bad-value.items",
            QT_TRANSLATE_NOOP("Sentences",
                "'{wrong}' is not valid in the list {key}. It takes any of these, with blanks or commas between them: "
                "{values}. {help}")},
        {"settings.bad-value.item", QT_TRANSLATE_NOOP("Sentences", "'{wrong}' is not valid in the list {key}. {help}")},
        {"settings.reversed",
            QT_TRANSLATE_NOOP("Sentences",
                "{low} ({lowValue}) must not be larger than {high} ({highValue}). To move both, begin with the one "
                "that "
                "widens the range.")},
        {"settings.reversed-in-file",
            QT_TRANSLATE_NOOP("Sentences",
                "In {file}, {low} ({lowValue}) is larger than {high} ({highValue}), so there is nothing between them. "
                "Correct one of the two.")},
        {"settings.cannot-write", QT_TRANSLATE_NOOP("Sentences", "Cannot write the settings {file}: {message}")},
        {"settings.unknown", QT_TRANSLATE_NOOP("Sentences", "There is no setting {key}.")},
        {"settings.broken",
            QT_TRANSLATE_NOOP("Sentences",
                "Cannot read the settings {file}: {message}. The engine keeps the previous settings, and uses the "
                "defaults after its next start. Fix the file, or move it away.")},
        {"settings.ignored-int",
            QT_TRANSLATE_NOOP("Sentences",
                "The setting {key} in {file} must be a whole number from {min} to {max}. Until it is, the default "
                "{default} is used.")},
        {"settings.ignored-bool",
            QT_TRANSLATE_NOOP("Sentences",
                "The setting {key} in {file} must be true or false. Until it is, the default {default} is used.")},
        {"settings.ignored-list",
            QT_TRANSLATE_NOOP("Sentences",
                "The setting {key} in {file} is not a list, or contains an invalid item; the default is used. Its "
                "meaning: {help}")},
        {"settings.ignored-text",
            QT_TRANSLATE_NOOP("Sentences",
                "The setting {key} in {file} is not a text in quotation marks, or not a valid one; the default is "
                "used. Its meaning: {help}")},
        {"settings.misspelt",
            QT_TRANSLATE_NOOP("Sentences",
                "There is no setting {key}, so the entry in {file} has no effect. Did you mean {similar}?")},
        {"settings.unreadable", QT_TRANSLATE_NOOP("Sentences", "Cannot read the settings {file}: {message}")},
        {"exitrules.not-used", QT_TRANSLATE_NOOP("Sentences", "Your exit rules in {file} are not used. {why}")},
        {"store.damaged",
            QT_TRANSLATE_NOOP(
                "Sentences", "The engine's store {path} is damaged: {detail}. Move it away to start over.")},
        {"store.busy",
            QT_TRANSLATE_NOOP("Sentences",
                "Cannot open the engine's store {path}, because another program holds it: {detail}. End that program, "
                "then try again.")},
        {"store.unreadable",
            QT_TRANSLATE_NOOP("Sentences",
                "Cannot read the engine's store {path} now: {detail}. Check how much memory and how many open files "
                "this "
                "computer allows, then try again.")},
        {"store.newer",
            QT_TRANSLATE_NOOP("Sentences",
                "The engine's store {path} was written by a newer version. Start the newer program, or move the file "
                "away to start over.")},
        {"store.full",
            QT_TRANSLATE_NOOP("Sentences",
                "The disk of the state folder {folder} is full, so the engine cannot write this down and does not do "
                "it. Free at least {neededMiB} MiB there, then try again. Running tasks continue.")},
        {"store.no-room",
            QT_TRANSLATE_NOOP(
                "Sentences", "The disk of the engine's store {path} is full. Free some space there, then try again.")},
        {"store.no-driver",
            QT_TRANSLATE_NOOP("Sentences",
                "The engine's store {path} cannot be opened, because Qt's driver for SQLite is not installed. Install "
                "it (on Debian and Ubuntu the package libqt6sql6-sqlite), then try again.")},
        {"store.open",
            QT_TRANSLATE_NOOP("Sentences",
                "Cannot open the engine's store {path}: {detail}. Make the file readable and writable for you, or move "
                "it away to start over.")},
        {"store.later",
            QT_TRANSLATE_NOOP("Sentences",
                "Cannot write the engine's store {path} now: {detail}. What you asked for is done as soon as it can be "
                "written, but not if the engine ends before.")},
        {"store.write",
            QT_TRANSLATE_NOOP("Sentences",
                "Cannot write the engine's store {path}: {detail}. Is the disk "
                "full?")},

        {"store.write-unsure",
            QT_TRANSLATE_NOOP("Sentences",
                "Cannot write the engine's store {path}: {detail}. The job {name} is refused, but if the engine is "
                "restarted before it can write again, the job may be found there and run. Is the disk full? Look at "
                "'trainyardctl ps' before you submit it again.")},
        {"question.unknown",
            QT_TRANSLATE_NOOP("Sentences", "This question has already been answered, or is no longer asked.")},
    };
    return rows;
}

} // namespace trainyard::sentences
