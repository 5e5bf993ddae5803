// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/sentencetables.h"

#include <QtGlobal>

namespace trainyard::sentences
{

// What is said about jobs that run here and would surprise elsewhere.
// clang-format off
std::span<const SentenceRow> portability()
{
    static const SentenceRow rows[] = {
        {"extras.hived-affinity", QT_TRANSLATE_NOOP("Sentences", "The task roles '{role}' and '{other}' are in the affinity group '{group}' and must have the same skuType or pinnedCellId.")},
        {"extras.hived-both", QT_TRANSLATE_NOOP("Sentences", "The task role '{role}' has both skuType and pinnedCellId. A cluster takes one of them.")},
        {"extras.hived-priority", QT_TRANSLATE_NOOP("Sentences", "'{value}' is not a priority class. The classes are: {known}.")},
        {"extras.hived-role", QT_TRANSLATE_NOOP("Sentences", "hivedScheduler names the task role '{name}', which does not exist.")},
        {"extras.key-similar", QT_TRANSLATE_NOOP("Sentences", "Nothing reads '{field}' in extras. Did you mean '{similar}'?")},
        {"extras.storage-mount-path", QT_TRANSLATE_NOOP("Sentences", "The mount path '{value}' must begin with '/'.")},
        {"extras.storage-unmapped", QT_TRANSLATE_NOOP("Sentences", "No folder is known for the storage '{name}'. The setting storages.{name} says which it is; without one it must be mounted on the host.")},
        {"extras.storage-same-mount", QT_TRANSLATE_NOOP("Sentences", "The storages '{other}' and '{name}' are both mounted at {path}.")},
        {"extras.storage-unnamed", QT_TRANSLATE_NOOP("Sentences", "A storage without a name is skipped. Write the name that the cluster has for it.")},
        {"parameter.unreachable-name", QT_TRANSLATE_NOOP("Sentences", "No template can reach '{name}' in {section}: references are cut at dots and hold no blanks or brackets.")},
        {"plugin.hook", QT_TRANSLATE_NOOP("Sentences", "Nothing reads 'hook'. When a command runs is said by callbacks or by preCommands and postCommands.")},
        {"plugin.nothing-to-do", QT_TRANSLATE_NOOP("Sentences", "As it is written, the plugin '{plugin}' does nothing.")},
        {"plugin.parameter-missing", QT_TRANSLATE_NOOP("Sentences", "The plugin '{plugin}' needs '{field}' in its parameters.")},
        {"plugin.prefix", QT_TRANSLATE_NOOP("Sentences", "Plugins of extras are called by their short name: '{name}'.")},
        {"plugin.ssh-user-type", QT_TRANSLATE_NOOP("Sentences", "'{value}' is not a kind of key. The kinds are custom and system.")},
        {"plugin.ssh-without-gang", QT_TRANSLATE_NOOP("Sentences", "A cluster turns ssh between tasks off when gangAllocation is false.")},
        {"prerequisite.catalogue", QT_TRANSLATE_NOOP("Sentences", "'{name}' comes from your catalogue and is written into the job when it runs. An OpenPAI server refuses the reference.")},
        {"prerequisite.command-breaks", QT_TRANSLATE_NOOP("Sentences", "A command with both kinds of quotes runs here. A cluster's runtime cannot read such a step of '{name}' back, and the task fails before it starts. Move the command into a script.")},
        {"prerequisite.command-damaged", QT_TRANSLATE_NOOP("Sentences", "This command of '{name}' runs here as it is written. A cluster's runtime damages its {what}. Write each line as an item of its own, or move it into a script.")},
        {"prerequisite.image.not-portable", QT_TRANSLATE_NOOP("Sentences", "The image name '{uri}' works here. A cluster refuses capital letters and digests (@sha256) in image names before the task starts.")},
        {"prerequisite.nothing-to-do", QT_TRANSLATE_NOOP("Sentences", "'{name}' names a plugin and has no commands to run.")},
        {"role.command-folded-comment", QT_TRANSLATE_NOOP("Sentences", "This text is folded ('>'): its lines become one line, so the comment swallows what follows. Use '|', or a list item for each command.")},
        {"role.commands-blank", QT_TRANSLATE_NOOP("Sentences", "All commands of the task role '{role}' are blank. It ends at once, successfully.")},
        {"role.infiniband", QT_TRANSLATE_NOOP("Sentences", "A cluster gives an InfiniBand device for this. Here tasks see whatever the host has.")},
        {"role.prerequisite-idle", QT_TRANSLATE_NOOP("Sentences", "Listing '{name}' (of type {type}) does nothing: it has nothing to run in the task role '{role}'.")},
        {"role.shm-zero", QT_TRANSLATE_NOOP("Sentences", "0 means the default of 512 MiB.")},
        {"role.variable-unknown", QT_TRANSLATE_NOOP("Sentences", "No task of '{role}' gets the variable {name}. Commands end at a variable that is not set.")},
        {"scalar.integer", QT_TRANSLATE_NOOP("Sentences", "'{value}' of '{name}' is read as {read}; other readers of YAML take it for another number or for text.")},
        {"scalar.key", QT_TRANSLATE_NOOP("Sentences", "Readers of YAML disagree about the key '{name}': some take it for true, false, a number or a date. Choose another name, or put it in quotes.")},
        {"scalar.text", QT_TRANSLATE_NOOP("Sentences", "'{value}' is text for a server; other readers of YAML take it for true, false, a number or a date. Put it in quotes.")},
        {"secrets.escaped", QT_TRANSLATE_NOOP("Sentences", "The secret '{name}' has one of & < > \" '. A cluster writes these as HTML (&amp;) into commands; here they stay as they are.")},
        {"secrets.in-argument", QT_TRANSLATE_NOOP("Sentences", "The secret '{name}' stands in the arguments of a program, where every user of the host can read it. Put it into a variable, or feed it to standard input.")},
        {"secrets.unused", QT_TRANSLATE_NOOP("Sentences", "Nothing uses the secret '{name}'.")},
        {"template.dot-index", QT_TRANSLATE_NOOP("Sentences", "<% {reference} %> works here. In a step such as '{name}' a cluster understands an index in brackets only.")},
        {"template.list-as-text", QT_TRANSLATE_NOOP("Sentences", "<% {reference} %> is a list; its items are inserted with commas between them.")},
        {"template.map-as-text", QT_TRANSLATE_NOOP("Sentences", "<% {reference} %> is a map; what is inserted is the text [object Object].")},
        {"template.not-rendered", QT_TRANSLATE_NOOP("Sentences", "Templates are not filled in here: '{field}' keeps <% {reference} %> as it is.")},
        {"template.not-text-in-step", QT_TRANSLATE_NOOP("Sentences", "<% {reference} %> is not text. A cluster fails the task for it in a step such as '{name}'. Put the value in quotes.")},
    };
    return rows;
}
// clang-format on

} // namespace trainyard::sentences
