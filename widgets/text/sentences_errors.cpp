// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/sentencetables.h"

#include <QtGlobal>

namespace trainyard::sentences
{

// clang-format off
std::span<const SentenceRow> modelErrors()
{
    static const SentenceRow rows[] = {
        {"edit.broken-document", QT_TRANSLATE_NOOP("Sentences", "The text has an error that must be mended by hand first.")},
        {"catalogue.too-many", QT_TRANSLATE_NOOP("Sentences", "The job takes more than {maximum} items from the catalogue.")},
        {"catalogue.unknown", QT_TRANSLATE_NOOP("Sentences", "The catalogue has no item '{name}'.")},
        {"catalogue.unreadable", QT_TRANSLATE_NOOP("Sentences", "The catalogue's item '{name}' is not a prerequisite that can be read.")},
        {"edit.no-such-path", QT_TRANSLATE_NOOP("Sentences", "There is nothing at {path}, or it is a value where a map or list is needed.")},
        {"edit.root", QT_TRANSLATE_NOOP("Sentences", "The whole document cannot be set, removed or moved.")},
        {"edit.exists", QT_TRANSLATE_NOOP("Sentences", "There is already something at {path}.")},
        {"edit.bad-index", QT_TRANSLATE_NOOP("Sentences", "{path} is behind the end of the list.")},
        {"edit.bad-value", QT_TRANSLATE_NOOP("Sentences", "The value for {path} is not YAML on one line. Text with special characters needs quotes, or --set-text.")},
        {"edit.not-editable", QT_TRANSLATE_NOOP("Sentences", "{path} cannot be changed safely, because of a key that stands twice or an unusual way of writing. Change it in the text.")},
        {"edit.through-alias", QT_TRANSLATE_NOOP("Sentences", "{path} is reached through an alias. Change what it stands for, or write it out first.")},
        {"edit.anchor-in-use", QT_TRANSLATE_NOOP("Sentences", "{path} is used in other places through an alias, which would change too. Change it in the text.")},
        {"edit.would-change-more", QT_TRANSLATE_NOOP("Sentences", "The change at {path} would change other values too, so it was not made. Change it in the text.")},
        {"edit.would-lose-comment", QT_TRANSLATE_NOOP("Sentences", "The change at {path} would lose a comment, so it was not made. Change it in the text.")},
        {"rename.no-name", QT_TRANSLATE_NOOP("Sentences", "There is nothing at {path} that has a name.")},
        {"rename.bad-name", QT_TRANSLATE_NOOP("Sentences", "'{name}' cannot be the name of {path}. Use letters, digits and '_' (a role's name begins with a letter or '_'), and no blanks or dots in what templates refer to.")},
        {"rename.taken", QT_TRANSLATE_NOOP("Sentences", "There is already something called '{name}'. Choose another name for {path}.")},
        {"edit.no-position", QT_TRANSLATE_NOOP("Sentences", "'{argument}' is not PATH=N with a place N counted from 0.")},
        {"edit.no-value", QT_TRANSLATE_NOOP("Sentences", "'{argument}' is not PATH=VALUE.")},
        {"template.unclosed", QT_TRANSLATE_NOOP("Sentences", "A '<%' is not closed by '%>'.")},
        {"template.section", QT_TRANSLATE_NOOP("Sentences", "The sections '<%# ... %>' do not fit together.")},
        {"template.delimiters", QT_TRANSLATE_NOOP("Sentences", "The delimiters of a template are changed in a way that cannot be understood.")},
        {"template.too-large", QT_TRANSLATE_NOOP("Sentences", "The text becomes larger than {limit} characters when its templates are filled in.")},
        {"template.unresolved", QT_TRANSLATE_NOOP("Sentences", "'{prerequisite}' uses <% {reference} %>, which leads to nothing.")},
        {"require.unknown", QT_TRANSLATE_NOOP("Sentences", "'{by}' needs the prerequisite '{name}', and there is none of that name.")},
        {"require.cycle", QT_TRANSLATE_NOOP("Sentences", "These prerequisites require each other: {cycle}.")},
        {"secret.missing", QT_TRANSLATE_NOOP("Sentences", "The value of the secret '{name}' is needed by '{role}' and has not been given.")},
        {"mask.unreadable", QT_TRANSLATE_NOOP("Sentences", "The secrets cannot be taken out of a text that is not readable as a job.")},
        {"path.no-slash", QT_TRANSLATE_NOOP("Sentences", "'{path}' is not a path: it begins with '/', as in /taskRoles/worker/instances.")},
        {"path.bad-escape", QT_TRANSLATE_NOOP("Sentences", "'{path}' is not a path: '~' is written ~0 and '/' is written ~1 in a name.")},
        {"exitrules.invalid", QT_TRANSLATE_NOOP("Sentences", "'{what}' is missing in {entry}, or is not what it must be.")},
        {"exitrules.json", QT_TRANSLATE_NOOP("Sentences", "It is not JSON ({message}).")},
        {"exitrules.no-entry", QT_TRANSLATE_NOOP("Sentences", "{entry} gives the code {code}, which has no entry. Add one to 'entries'.")},
        {"exitrules.pattern", QT_TRANSLATE_NOOP("Sentences", "The pattern of {entry} is no regular expression ({message}).")},
        {"exitrules.reserved", QT_TRANSLATE_NOOP("Sentences", "{entry} is for the code {code}, which only the engine gives. Choose another one.")},
        {"exitrules.twice", QT_TRANSLATE_NOOP("Sentences", "There are two entries for the code {code}. Remove one.")},
        {"exitrules.unknown", QT_TRANSLATE_NOOP("Sentences", "There is no '{what}' in exit rules. Possible are: about, entries, rules, findings, onlyOwnRules.")},
        {"exitrules.unreadable", QT_TRANSLATE_NOOP("Sentences", "It cannot be read ({message}).")},
        {"fieldreference.invalid", QT_TRANSLATE_NOOP("Sentences", "The reference of the job language cannot be read.")},
    };
    return rows;
}
// clang-format on

} // namespace trainyard::sentences
