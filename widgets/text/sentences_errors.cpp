// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/sentencetables.h"

#include <QtGlobal>

namespace trainyard::sentences
{

// clang-format off
std::span<const SentenceRow> modelErrors()
{
    static const SentenceRow rows[] = {
        {"template.unclosed", QT_TRANSLATE_NOOP("Sentences", "A '<%' is not closed by '%>'.")},
        {"template.section", QT_TRANSLATE_NOOP("Sentences", "The sections '<%# ... %>' do not fit together.")},
        {"template.delimiters", QT_TRANSLATE_NOOP("Sentences", "The delimiters of a template are changed in a way that cannot be understood.")},
        {"template.too-large", QT_TRANSLATE_NOOP("Sentences", "The text becomes larger than {limit} characters when its templates are filled in.")},
        {"template.unresolved", QT_TRANSLATE_NOOP("Sentences", "'{prerequisite}' uses <% {reference} %>, which leads to nothing.")},
        {"require.unknown", QT_TRANSLATE_NOOP("Sentences", "'{by}' needs the prerequisite '{name}', and there is none of that name.")},
        {"require.cycle", QT_TRANSLATE_NOOP("Sentences", "These prerequisites require each other: {cycle}.")},
        {"secret.missing", QT_TRANSLATE_NOOP("Sentences", "The value of the secret '{name}' is needed by '{role}' and has not been given.")},
        {"mask.unreadable", QT_TRANSLATE_NOOP("Sentences", "The secrets cannot be taken out of a text that is not readable as a job.")},
        {"path.no-slash", QT_TRANSLATE_NOOP("Sentences", "'{pointer}' is not a path: it begins with '/', as in /taskRoles/worker/instances.")},
        {"path.bad-escape", QT_TRANSLATE_NOOP("Sentences", "'{pointer}' is not a path: '~' is written ~0 and '/' is written ~1 in a name.")},
        {"exitrules.invalid", QT_TRANSLATE_NOOP("Sentences", "The table of exit rules cannot be read.")},
    };
    return rows;
}
// clang-format on

} // namespace trainyard::sentences
