// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/sentencetables.h"

#include <QtGlobal>

namespace trainyard::sentences
{

std::span<const SentenceRow> designer()
{
    static const SentenceRow rows[] = {
        {"file.no-path", QT_TRANSLATE_NOOP("Sentences", "The document has no file yet; use Save as.")},
        {"document.too-large",
            QT_TRANSLATE_NOOP("Sentences",
                "This text is larger than 1 MiB, far more than a job, so it has no form and is not checked.")},
        {"document.slow",
            QT_TRANSLATE_NOOP(
                "Sentences", "Checking this text takes too long: it can be edited as text, without form and checks.")},
        {"edit.read-only", QT_TRANSLATE_NOOP("Sentences", "Nothing was changed: the form cannot edit this document.")},
        {"edit.outdated",
            QT_TRANSLATE_NOOP("Sentences", "Nothing was changed, because the text has changed since. Try again.")},
        {"keyring.none", QT_TRANSLATE_NOOP("Sentences", "No keyring on this desktop answers.")},
        {"keyring.not-read",
            QT_TRANSLATE_NOOP(
                "Sentences", "This desktop's keyring did not give the value. Unlock it and try again. {reason}")},
        {"keyring.refused",
            QT_TRANSLATE_NOOP(
                "Sentences", "This desktop's keyring did not take the value. Unlock it and try again. {reason}")},
        {"keyring.not-deleted",
            QT_TRANSLATE_NOOP(
                "Sentences", "This desktop's keyring did not delete the value. Unlock it and try again. {reason}")},
        {"keyring.no-job-name",
            QT_TRANSLATE_NOOP(
                "Sentences", "Give the job a name first: values are kept in the keyring by the name of their job.")},
    };
    return rows;
}

} // namespace trainyard::sentences
