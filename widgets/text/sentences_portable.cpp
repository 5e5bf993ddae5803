// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/sentencetables.h"

#include <QtGlobal>

namespace trainyard::sentences
{

// Findings about jobs that run here but would behave differently elsewhere.
// clang-format off
std::span<const SentenceRow> portability()
{
    static const SentenceRow rows[] = {
        {"extras.hived-affinity", QT_TRANSLATE_NOOP("Sentences", "The task roles '{role}' and '{other}' are in the affinity group '{group}' and must have the same skuType or pinnedCellId.")},
        {"extras.hived-both", QT_TRANSLATE_NOOP("Sentences", "The task role '{role}' has both skuType and pinnedCellId. A cluster accepts only one of them.")},
        {"extras.hived-priority", QT_TRANSLATE_NOOP("Sentences", "'{value}' is not a priority class. The classes are: {known}.")},
        {"extras.hived-role", QT_TRANSLATE_NOOP("Sentences", "hivedScheduler names the task role '{name}', which does not exist.")},
        {"extras.key-similar", QT_TRANSLATE_NOOP("Sentences", "'{field}' in extras has no effect. Did you mean '{similar}'?")},
        {"extras.storage-mount-path", QT_TRANSLATE_NOOP("Sentences", "The mount path '{value}' must begin with '/'.")},
        {"role.script-missing", QT_TRANSLATE_NOOP("Sentences", "There is no file '{file}' in {folder}, where this command starts on this computer. Save it there, correct its name, or set the work folder.")},
        {"role.script-unsaved", QT_TRANSLATE_NOOP("Sentences", "This command needs the file '{file}', but a job that comes from standard input starts in an empty folder. With '--work .', 'trainyardctl run' and 'trainyardctl sweep' start it in the current folder.")},
        {"extras.storage-unmapped", QT_TRANSLATE_NOOP("Sentences", "No folder is known for the storage '{name}'. Set it with storages.{name}; without the setting, the storage must be mounted on the host.")},
        {"extras.storage-same-mount", QT_TRANSLATE_NOOP("Sentences", "The storages '{other}' and '{name}' are both mounted at {path}.")},
        {"extras.storage-unnamed", QT_TRANSLATE_NOOP("Sentences", "A storage without a name is skipped. Write the name that the cluster has for it.")},
        {"parameter.unreachable-name", QT_TRANSLATE_NOOP("Sentences", "No template can refer to '{name}' in {section}: references are split at dots and cannot contain blanks or brackets.")},
        {"plugin.hook", QT_TRANSLATE_NOOP("Sentences", "'hook' has no effect. Use callbacks, or preCommands and postCommands, to say when a command runs.")},
        {"plugin.nothing-to-do", QT_TRANSLATE_NOOP("Sentences", "The plugin '{plugin}' has nothing to do as it is written.")},
        {"plugin.parameter-missing", QT_TRANSLATE_NOOP("Sentences", "The plugin '{plugin}' needs '{field}' in its parameters.")},
        {"plugin.prefix", QT_TRANSLATE_NOOP("Sentences", "Plugins in extras use their short name: '{name}'.")},
        {"plugin.ssh-user-type", QT_TRANSLATE_NOOP("Sentences", "'{value}' is not a kind of key. The kinds are custom and system.")},
        {"plugin.ssh-without-gang", QT_TRANSLATE_NOOP("Sentences", "A cluster turns off ssh between tasks when gangAllocation is false.")},
        {"prerequisite.catalogue", QT_TRANSLATE_NOOP("Sentences", "'{name}' comes from your catalogue and is written into the job when it runs. An OpenPAI server refuses the reference.")},
        {"prerequisite.command-breaks", QT_TRANSLATE_NOOP("Sentences", "This command contains both kinds of quotes, which works here. A cluster's runtime cannot parse such a step of '{name}', and the task fails before it starts. Move the command into a script.")},
        {"prerequisite.command-damaged", QT_TRANSLATE_NOOP("Sentences", "This command of '{name}' runs here as it is written. A cluster's runtime damages its {what}. Write each line as an item of its own, or move it into a script.")},
        {"prerequisite.image.not-portable", QT_TRANSLATE_NOOP("Sentences", "The image name '{uri}' works here. A cluster refuses capital letters and digests (@sha256) in image names before the task starts.")},
        {"prerequisite.nothing-to-do", QT_TRANSLATE_NOOP("Sentences", "'{name}' names a plugin and has no commands to run.")},
        {"role.command-folded-comment", QT_TRANSLATE_NOOP("Sentences", "This text is folded ('>'): its lines are joined, so everything after the '#' becomes a comment. Use '|', or a list item for each command.")},
        {"role.commands-blank", QT_TRANSLATE_NOOP("Sentences", "All commands of the task role '{role}' are blank, so its tasks succeed at once.")},
        {"role.commands-syntax", QT_TRANSLATE_NOOP("Sentences", "bash cannot read the commands of the task role '{role}', so its tasks fail. In line {line} of them: {message}.")},
        {"role.infiniband", QT_TRANSLATE_NOOP("Sentences", "A cluster provides an InfiniBand device for this. Here, tasks see whatever the host has.")},
        {"role.prerequisite-idle", QT_TRANSLATE_NOOP("Sentences", "Listing '{name}' (of type {type}) has no effect: it has nothing to run in the task role '{role}'.")},
        {"role.shm-zero", QT_TRANSLATE_NOOP("Sentences", "0 means the default of 512 MiB.")},
        {"role.variable-array", QT_TRANSLATE_NOOP("Sentences", "No task of '{role}' gets the variable {name}, which only elements of a Slurm array have. The number of a task, from 0, is $PAI_CURRENT_TASK_ROLE_CURRENT_TASK_INDEX.")},
        {"role.variable-unknown", QT_TRANSLATE_NOOP("Sentences", "No task of '{role}' gets the variable {name}. Commands stop at a variable that is not set.")},
        {"scalar.integer", QT_TRANSLATE_NOOP("Sentences", "'{value}' of '{name}' is read as {read}; other YAML readers read another number or text.")},
        {"scalar.key", QT_TRANSLATE_NOOP("Sentences", "YAML readers disagree about the key '{name}': some read it as true, false, a number or a date. Choose another name, or put it in quotes.")},
        {"scalar.text", QT_TRANSLATE_NOOP("Sentences", "A server reads '{value}' as text; other YAML readers read true, false, a number or a date. Put it in quotes.")},
        {"secrets.escaped", QT_TRANSLATE_NOOP("Sentences", "The secret '{name}' contains one of & < > \" '. A cluster inserts them into commands as HTML (&amp;); here they stay as they are.")},
        {"secrets.in-argument", QT_TRANSLATE_NOOP("Sentences", "The secret '{name}' is in the arguments of a program, where every user of the host can read it. Put it into a variable, or pass it on standard input.")},
        {"secrets.unused", QT_TRANSLATE_NOOP("Sentences", "Nothing uses the secret '{name}'.")},
        {"template.dot-index", QT_TRANSLATE_NOOP("Sentences", "<% {reference} %> works here. In a step such as '{name}', a cluster accepts an index in brackets only.")},
        {"template.list-as-text", QT_TRANSLATE_NOOP("Sentences", "<% {reference} %> is a list; its items are inserted with commas between them.")},
        {"template.map-as-text", QT_TRANSLATE_NOOP("Sentences", "<% {reference} %> is a map, so the text [object Object] is inserted.")},
        {"template.not-rendered", QT_TRANSLATE_NOOP("Sentences", "Templates do not work in '{field}': <% {reference} %> stays as it is.")},
        {"template.not-text-in-step", QT_TRANSLATE_NOOP("Sentences", "<% {reference} %> is not text. In a step such as '{name}', a cluster fails the task. Put the value in quotes.")},
    };
    return rows;
}
// clang-format on

} // namespace trainyard::sentences
