// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/sentencetables.h"

#include <QtGlobal>

namespace trainyard::sentences
{

// clang-format off
std::span<const SentenceRow> legacy()
{
    static const SentenceRow rows[] = {
        {"legacy.json.too-large", QT_TRANSLATE_NOOP("Sentences", "The file is larger than 1 MiB, which no version 1 job is.")},
        {"legacy.json.encoding", QT_TRANSLATE_NOOP("Sentences", "The text is not UTF-8. Save it as UTF-8 first.")},
        {"legacy.json.empty", QT_TRANSLATE_NOOP("Sentences", "The file contains only blanks and comments.")},
        {"legacy.json.value", QT_TRANSLATE_NOOP("Sentences", "A value is expected here: text in double quotes, a number, true, false, null, '{' or '['.")},
        {"legacy.json.key", QT_TRANSLATE_NOOP("Sentences", "A name in double quotes is expected here.")},
        {"legacy.json.colon", QT_TRANSLATE_NOOP("Sentences", "':' is expected after a name.")},
        {"legacy.json.comma", QT_TRANSLATE_NOOP("Sentences", "',' is expected between two entries.")},
        {"legacy.json.map-end", QT_TRANSLATE_NOOP("Sentences", "This '{' has no closing '}'.")},
        {"legacy.json.list-end", QT_TRANSLATE_NOOP("Sentences", "This '[' has no closing ']'.")},
        {"legacy.json.text", QT_TRANSLATE_NOOP("Sentences", "This text has no closing double quote.")},
        {"legacy.json.comment", QT_TRANSLATE_NOOP("Sentences", "This comment has no closing '*/'.")},
        {"legacy.json.escape", QT_TRANSLATE_NOOP("Sentences", "This is not a JSON escape sequence. Write a backslash as two.")},
        {"legacy.json.number", QT_TRANSLATE_NOOP("Sentences", "This is not a number.")},
        {"legacy.json.rest", QT_TRANSLATE_NOOP("Sentences", "The job ends before this position; nothing may follow.")},
        {"legacy.json.deep", QT_TRANSLATE_NOOP("Sentences", "This is nested too deeply.")},
        {"legacy.json.trailing-comma", QT_TRANSLATE_NOOP("Sentences", "The comma before the end is ignored; the old servers refused it.")},
        {"legacy.json.duplicate-key", QT_TRANSLATE_NOOP("Sentences", "'{field}' occurs twice; this one counts.")},
        {"legacy.json.control", QT_TRANSLATE_NOOP("Sentences", "A tab or line break inside a text is kept as it is; JSON requires \\t or \\n.")},
        {"legacy.not-a-job", QT_TRANSLATE_NOOP("Sentences", "This is not a version 1 job, which is a map with 'jobName' and a list 'taskRoles'.")},
        {"legacy.unwritable", QT_TRANSLATE_NOOP("Sentences", "The version 2 job cannot be written: it would be too large, or it has a name of more than a thousand characters.")},
        {"legacy.missing", QT_TRANSLATE_NOOP("Sentences", "'{field}' is missing in {where}. Add it to the new job.")},
        {"legacy.wrong-type", QT_TRANSLATE_NOOP("Sentences", "'{field}' in {where} has the wrong type; the part that cannot be read is left out.")},
        {"legacy.unknown-field", QT_TRANSLATE_NOOP("Sentences", "Version 1 has no '{field}' in {where}. It is kept in extras.trainyard.legacy and has no effect.")},
        {"legacy.name", QT_TRANSLATE_NOOP("Sentences", "The job is now called '{name}': '{from}' contains characters that version 2 does not allow.")},
        {"legacy.role-name", QT_TRANSLATE_NOOP("Sentences", "The task role '{from}' is now called '{name}', so that every cluster can start it. Tasks find variables under both names.")},
        {"legacy.port-label", QT_TRANSLATE_NOOP("Sentences", "The port label '{from}' of the task role '{role}' is now called '{name}'.")},
        {"legacy.default", QT_TRANSLATE_NOOP("Sentences", "The task role '{role}' does not set '{field}', which is therefore {value}, as in version 1.")},
        {"legacy.number-text", QT_TRANSLATE_NOOP("Sentences", "'{field}' was the text '{value}' and is now a number.")},
        {"legacy.not-a-number", QT_TRANSLATE_NOOP("Sentences", "'{field}' of {role} is not usable; {value} is used instead.")},
        {"legacy.limit-null", QT_TRANSLATE_NOOP("Sentences", "'{field}' of the task role '{role}' was null, which meant never; it is now -1.")},
        {"legacy.limit-range", QT_TRANSLATE_NOOP("Sentences", "'{field}' of the task role '{role}' is {value}, and the role has {instances} tasks: it must be 1 to that number.")},
        {"legacy.kill-all", QT_TRANSLATE_NOOP("Sentences", "The job ended when {number|task|tasks} had completed, with or without failure. Now it succeeds when {instances|task has|tasks have} succeeded, and fails when the first one fails.")},
        {"legacy.kill-all-kept", QT_TRANSLATE_NOOP("Sentences", "The job ends when {number|task of any role has|tasks of any role have} completed. Trainyard keeps this rule; for a cluster, set the completion of the roles.")},
        {"legacy.begin-at", QT_TRANSLATE_NOOP("Sentences", "The port '{label}' of the task role '{role}' starts at {port}. Trainyard keeps the number, so two of its tasks cannot share a host; a cluster chooses another one. Read the number from the environment.")},
        {"legacy.gpu-type", QT_TRANSLATE_NOOP("Sentences", "The GPU type '{type}' is now the skuType of each task role. Tasks get such GPUs only when a host has them; otherwise they get any GPU.")},
        {"legacy.retry-count", QT_TRANSLATE_NOOP("Sentences", "The retry count {from} is now {number}, since a cluster refuses a negative one in version 2. -1 meant without limit, -2 always, even after success. Trainyard itself still understands both: set jobRetryCount to {from} for that.")},
        {"legacy.env-name", QT_TRANSLATE_NOOP("Sentences", "'{name}' is not a valid name of a shell variable. It is kept in extras.trainyard.legacy and not set.")},
        {"legacy.env-value", QT_TRANSLATE_NOOP("Sentences", "The value of the variable '{name}' is neither text nor a number. It is not set.")},
        {"legacy.env-meaning", QT_TRANSLATE_NOOP("Sentences", "'{name}' had a meaning for the old cluster. It is now a variable like any other.")},
        {"legacy.auth-file", QT_TRANSLATE_NOOP("Sentences", "The login for the registry was in '{file}' on the cluster. Give user and password as the secrets registry_username and registry_password; they are asked for at Run.")},
        {"legacy.storage", QT_TRANSLATE_NOOP("Sentences", "'{uri}' is in the old cluster's own storage, which Trainyard cannot reach. Change the uri of the prerequisite '{name}' to a folder that tasks can read.")},
        {"legacy.code-dir", QT_TRANSLATE_NOOP("Sentences", "'{uri}' is copied to the working folder before the commands run, when it is a folder on the task's host.")},
        {"legacy.references", QT_TRANSLATE_NOOP("Sentences", "The command of the task role '{role}' now uses the new names of variables.")},
        {"legacy.template", QT_TRANSLATE_NOOP("Sentences", "The command of the task role '{role}' contains '<%', which starts a template in version 2.")},
        {"legacy.shell", QT_TRANSLATE_NOOP("Sentences", "Commands run without errexit, nounset and pipefail, as in version 1: the deployment 'default' switches them off.")},
        {"legacy.yaml", QT_TRANSLATE_NOOP("Sentences", "The old job was YAML; its comments are not carried over.")},
        {"legacy.schema.missing", QT_TRANSLATE_NOOP("Sentences", "'{field}' is missing in {where}.")},
        {"legacy.schema.unknown", QT_TRANSLATE_NOOP("Sentences", "There is no '{field}' in {where}.")},
        {"legacy.schema.text", QT_TRANSLATE_NOOP("Sentences", "'{field}' in {where} must be text.")},
        {"legacy.schema.empty", QT_TRANSLATE_NOOP("Sentences", "'{field}' in {where} must not be empty.")},
        {"legacy.schema.characters", QT_TRANSLATE_NOOP("Sentences", "'{field}' in {where} is '{value}', which contains characters that are not allowed.")},
        {"legacy.schema.integer", QT_TRANSLATE_NOOP("Sentences", "'{field}' in {where} must be a whole number.")},
        {"legacy.schema.minimum", QT_TRANSLATE_NOOP("Sentences", "'{field}' in {where} is {value}; the minimum is {minimum}.")},
        {"legacy.schema.maximum", QT_TRANSLATE_NOOP("Sentences", "'{field}' in {where} is {value}; the maximum is {maximum}.")},
        {"legacy.schema.map", QT_TRANSLATE_NOOP("Sentences", "'{field}' in {where} must be a map of names and values.")},
        {"legacy.schema.list", QT_TRANSLATE_NOOP("Sentences", "'{field}' in {where} must be a list.")},
        {"legacy.schema.duplicate", QT_TRANSLATE_NOOP("Sentences", "Two task roles are called '{value}'.")},
    };
    return rows;
}
// clang-format on

} // namespace trainyard::sentences
