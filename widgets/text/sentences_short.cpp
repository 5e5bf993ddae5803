// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/sentencetables.h"

#include <QtGlobal>

namespace trainyard::sentences
{

// clang-format off
std::span<const SentenceRow> shortForms()
{
    static const SentenceRow rows[] = {
        {"deployment.role-unknown.short", QT_TRANSLATE_NOOP("Sentences", "No task role '{name}' here.")},
        {"extras.data-missing.short", QT_TRANSLATE_NOOP("Sentences", "{path} does not exist on this computer.")},
        {"extras.data-role.short", QT_TRANSLATE_NOOP("Sentences", "No task role '{name}' here.")},
        {"extras.hosts-role.short", QT_TRANSLATE_NOOP("Sentences", "No task role '{name}' here.")},
        {"extras.work-missing.short", QT_TRANSLATE_NOOP("Sentences", "{path} does not exist on this computer.")},
        {"field.ignored-similar.short", QT_TRANSLATE_NOOP("Sentences", "'{field}' has no effect. Did you mean '{similar}'?")},
        {"field.integer-as-text.short", QT_TRANSLATE_NOOP("Sentences", "'{value}' is text. Remove the quotes.")},
        {"field.null.short", QT_TRANSLATE_NOOP("Sentences", "'{field}' has no value.")},
        {"field.renamed.short", QT_TRANSLATE_NOOP("Sentences", "'{field}' is now called '{name}'.")},
        {"field.unknown-similar.short", QT_TRANSLATE_NOOP("Sentences", "No field '{field}' here. Did you mean '{similar}'?")},
        {"field.unknown.short", QT_TRANSLATE_NOOP("Sentences", "No field '{field}' here; it has no effect.")},
        {"plugin.role-unknown.short", QT_TRANSLATE_NOOP("Sentences", "No task role '{name}' here.")},
        {"prerequisite.auth-password.short", QT_TRANSLATE_NOOP("Sentences", "The password is written in the job. Make it a secret.")},
        {"prerequisite.no-plugin.short", QT_TRANSLATE_NOOP("Sentences", "No plugin is named: a cluster skips the commands silently.")},
        {"prerequisite.plugin-prefix.short", QT_TRANSLATE_NOOP("Sentences", "'{plugin}' is not a plugin: a cluster skips this silently.")},
        {"prerequisite.plugin-unsupported.short", QT_TRANSLATE_NOOP("Sentences", "The plugin '{plugin}' has no effect here.")},
        {"prerequisite.require-unknown.short", QT_TRANSLATE_NOOP("Sentences", "No prerequisite '{name}' here.")},
        {"prerequisite.uri.not-list.short", QT_TRANSLATE_NOOP("Sentences", "The uri of data must be a list.")},
        {"role.cpu.more-than-any-host.short", QT_TRANSLATE_NOOP("Sentences", "One host has {most|core|cores} at most; it starts anyway.")},
        {"role.gpu.more-than-any-host.short", QT_TRANSLATE_NOOP("Sentences", "One host has {most|GPU|GPUs} at most; the job cannot start.")},
        {"role.cpu.more-than-any-node.short", QT_TRANSLATE_NOOP("Sentences", "One node of {target} has {most|core|cores} at most; the job cannot start.")},
        {"role.gpu.more-than-any-node.short", QT_TRANSLATE_NOOP("Sentences", "One node of {target} has {most|GPU|GPUs} at most; the job cannot start.")},
        {"role.memory.more-than-any-node.short", QT_TRANSLATE_NOOP("Sentences", "One node of {target} has {most} MiB at most; the job cannot start.")},
        {"role.image.none.short", QT_TRANSLATE_NOOP("Sentences", "Without an image, it runs in a shell of the host or of the Slurm node.")},
        {"role.image.undefined.short", QT_TRANSLATE_NOOP("Sentences", "No image '{name}' here.")},
        {"role.limit.unreachable.short", QT_TRANSLATE_NOOP("Sentences", "The role has only {instances|instance|instances}.")},
        {"role.memory.more-than-any-host.short", QT_TRANSLATE_NOOP("Sentences", "One host has {most} MiB at most; the job cannot start.")},
        {"role.prerequisite-undefined.short", QT_TRANSLATE_NOOP("Sentences", "No prerequisite '{name}' here.")},
        {"role.reference-other-type.short", QT_TRANSLATE_NOOP("Sentences", "'{name}' is not of the type {field}.")},
        {"role.reference-undefined.short", QT_TRANSLATE_NOOP("Sentences", "No {field} '{name}' here.")},
        {"role.task-retry-ineffective.short", QT_TRANSLATE_NOOP("Sentences", "It has no effect while all tasks start together.")},
        {"secrets.in-clear.short", QT_TRANSLATE_NOOP("Sentences", "Everyone who gets the file can read the value.")},
        {"template.unknown-parameter.short", QT_TRANSLATE_NOOP("Sentences", "No parameter '{name}' here.")},
        {"template.unknown-secret.short", QT_TRANSLATE_NOOP("Sentences", "No secret '{name}' here.")},
    };
    return rows;
}
// clang-format on

} // namespace trainyard::sentences
