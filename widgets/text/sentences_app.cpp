// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/sentencetables.h"

#include <QtGlobal>

namespace trainyard::sentences
{

std::span<const SentenceRow> app()
{
    static const SentenceRow rows[] = {
        {"file.unreadable", QT_TRANSLATE_NOOP("Sentences", "Cannot read {file}: {reason}")},
        {"file.is-folder", QT_TRANSLATE_NOOP("Sentences", "{file} is a folder; a job is a YAML file.")},
        {"file.too-large",
            QT_TRANSLATE_NOOP("Sentences", "{file} is larger than {limit} bytes; a job is far smaller.")},
        {"file.unwritable", QT_TRANSLATE_NOOP("Sentences", "Cannot write {file}: {reason}")},
    };
    return rows;
}

} // namespace trainyard::sentences
