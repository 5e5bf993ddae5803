// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/sentencetables.h"

#include <QtGlobal>

namespace trainyard::sentences
{

std::span<const SentenceRow> filter()
{
    static const SentenceRow rows[] = {
        {"filter.key",
            QT_TRANSLATE_NOOP("Sentences", "A filter has no '{key}:'. Put text that has a colon in double quotes.")},
        {"filter.too-long", QT_TRANSLATE_NOOP("Sentences", "The filter is longer than {most} characters.")},
        {"filter.state", QT_TRANSLATE_NOOP("Sentences", "There is no state '{word}'. The states are: {states}.")},
        {"filter.is", QT_TRANSLATE_NOOP("Sentences", "A job cannot be '{word}'. It can be: {known}.")},
        {"filter.with", QT_TRANSLATE_NOOP("Sentences", "'with:' takes 'archived', not '{word}'.")},
        {"filter.value", QT_TRANSLATE_NOOP("Sentences", "Nothing follows '{key}'.")},
        {"filter.number",
            QT_TRANSLATE_NOOP("Sentences", "'{name}' is compared with a number, but '{word}' is not one.")},
        {"filter.time",
            QT_TRANSLATE_NOOP("Sentences",
                "'{word}' is not a time. Give a date such as 2026-10-01, today, yesterday, or a span before now such "
                "as "
                "2d.")},
        {"filter.span",
            QT_TRANSLATE_NOOP("Sentences", "'{word}' is not a length of time. Give 90s, 10m, 2h, 7d or 1w.")},
        {"filter.unit",
            QT_TRANSLATE_NOOP("Sentences",
                "'{word}' has no unit. Give {word}s, {word}m, {word}h, {word}d or {word}w for seconds, minutes, hours, "
                "days or weeks.")},
        {"filter.compare", QT_TRANSLATE_NOOP("Sentences", "A name is missing before the comparison.")},
        {"filter.and",
            QT_TRANSLATE_NOOP("Sentences",
                "Leave 'and' out: all conditions in a row have to hold. To look for the word, put it in double "
                "quotes.")},
        {"filter.or",
            QT_TRANSLATE_NOOP("Sentences",
                "A filter has no 'or'. Commas separate the alternatives of one condition: 'state:failed,stopped'. To "
                "look "
                "for the word, put it in double quotes.")},
        {"filter.quote", QT_TRANSLATE_NOOP("Sentences", "The closing double quote is missing.")},
    };
    return rows;
}

} // namespace trainyard::sentences
