// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/sentencetables.h"

#include <QtGlobal>

namespace trainyard::sentences
{

// clang-format off
std::span<const SentenceRow> modelErrors()
{
    static const SentenceRow rows[] = {
        {"edit.broken-document", QT_TRANSLATE_NOOP("Sentences", "The text has an error that must be fixed by hand first.")},
        {"catalogue.too-many", QT_TRANSLATE_NOOP("Sentences", "The job takes more than {maximum} items from the catalogue.")},
        {"catalogue.unknown", QT_TRANSLATE_NOOP("Sentences", "The catalogue has no item '{name}'.")},
        {"catalogue.unreadable", QT_TRANSLATE_NOOP("Sentences", "The catalogue's item '{name}' is not a prerequisite that can be read.")},
        {"edit.no-such-path", QT_TRANSLATE_NOOP("Sentences", "There is nothing at {path}, or it is a value where a map or list is needed.")},
        {"edit.root", QT_TRANSLATE_NOOP("Sentences", "The whole document cannot be set, removed or moved.")},
        {"edit.exists", QT_TRANSLATE_NOOP("Sentences", "There is already something at {path}.")},
        {"edit.bad-index", QT_TRANSLATE_NOOP("Sentences", "{path} is beyond the end of the list.")},
        {"edit.bad-value", QT_TRANSLATE_NOOP("Sentences", "The value for {path} is not YAML on one line. Text with special characters needs quotes, or --set-text.")},
        {"edit.not-editable", QT_TRANSLATE_NOOP("Sentences", "{path} cannot be changed safely, because of a duplicate key or an unusual notation. Change it in the text.")},
        {"edit.through-alias", QT_TRANSLATE_NOOP("Sentences", "{path} is reached through an alias. Change the value that the alias refers to, or write the value out first.")},
        {"edit.anchor-in-use", QT_TRANSLATE_NOOP("Sentences", "{path} is used in other places through an alias, which would change too. Change it in the text.")},
        {"edit.would-change-more", QT_TRANSLATE_NOOP("Sentences", "The change at {path} would change other values too, so it was not made. Change it in the text.")},
        {"edit.would-lose-comment", QT_TRANSLATE_NOOP("Sentences", "The change at {path} would lose a comment, so it was not made. Change it in the text.")},
        {"edit.unnamed-item", QT_TRANSLATE_NOOP("Sentences", "The item at {path} has no name, so that its copy cannot get one. Write {path}= to copy it.")},
        {"rename.no-name", QT_TRANSLATE_NOOP("Sentences", "There is nothing with a name at {path}.")},
        {"rename.bad-name", QT_TRANSLATE_NOOP("Sentences", "'{name}' is not a valid name for {path}. Use English letters, digits and '_' (the name of a role starts with a letter or '_'), and no blanks or dots in names that templates refer to.")},
        {"rename.taken", QT_TRANSLATE_NOOP("Sentences", "There is already something called '{name}'. Choose another name for {path}.")},
        {"edit.no-position", QT_TRANSLATE_NOOP("Sentences", "'{argument}' is not PATH=N with a position N counted from 0.")},
        {"edit.no-value", QT_TRANSLATE_NOOP("Sentences", "'{argument}' is not PATH=VALUE.")},
        {"template.unclosed", QT_TRANSLATE_NOOP("Sentences", "A '<%' has no closing '%>'.")},
        {"template.section", QT_TRANSLATE_NOOP("Sentences", "The sections '<%# ... %>' do not match.")},
        {"template.delimiters", QT_TRANSLATE_NOOP("Sentences", "The text changes the delimiters of templates in a way that is not supported.")},
        {"template.too-large", QT_TRANSLATE_NOOP("Sentences", "The text exceeds {limit} characters when its templates are filled in.")},
        {"template.unresolved", QT_TRANSLATE_NOOP("Sentences", "'{prerequisite}' uses <% {reference} %>, which refers to nothing.")},
        {"require.unknown", QT_TRANSLATE_NOOP("Sentences", "'{by}' needs the prerequisite '{name}', which does not exist.")},
        {"require.cycle", QT_TRANSLATE_NOOP("Sentences", "These prerequisites require each other: {cycle}.")},
        {"secret.missing", QT_TRANSLATE_NOOP("Sentences", "'{role}' needs the value of the secret '{name}', which has not been given.")},
        {"mask.unreadable", QT_TRANSLATE_NOOP("Sentences", "The secrets cannot be removed from a text that is not readable as a job.")},
        {"path.no-slash", QT_TRANSLATE_NOOP("Sentences", "'{path}' is not a path: a path starts with '/', as in /taskRoles/worker/instances.")},
        {"path.bad-escape", QT_TRANSLATE_NOOP("Sentences", "'{path}' is not a path: '~' is written ~0 and '/' is written ~1 in a name.")},
        {"exitrules.invalid", QT_TRANSLATE_NOOP("Sentences", "'{what}' is missing in {entry}, or is not valid.")},
        {"exitrules.json", QT_TRANSLATE_NOOP("Sentences", "The file is not JSON ({message}).")},
        {"exitrules.no-entry", QT_TRANSLATE_NOOP("Sentences", "{entry} gives the code {code}, which has no entry. Add one to 'entries'.")},
        {"exitrules.pattern", QT_TRANSLATE_NOOP("Sentences", "The pattern of {entry} is not a valid regular expression ({message}).")},
        {"exitrules.reserved", QT_TRANSLATE_NOOP("Sentences", "{entry} is for the code {code}, which only the engine gives. Choose another one.")},
        {"exitrules.twice", QT_TRANSLATE_NOOP("Sentences", "There are two entries for the code {code}. Remove one.")},
        {"exitrules.unknown", QT_TRANSLATE_NOOP("Sentences", "Exit rules have no '{what}'. The valid keys are: about, entries, rules, findings, onlyOwnRules.")},
        {"exitrules.unreadable", QT_TRANSLATE_NOOP("Sentences", "The file cannot be read ({message}).")},
        {"fieldreference.invalid", QT_TRANSLATE_NOOP("Sentences", "The reference of the job language cannot be read.")},
    };
    return rows;
}
// clang-format on

} // namespace trainyard::sentences
