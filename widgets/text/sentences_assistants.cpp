// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/sentencetables.h"

#include <QtGlobal>

namespace trainyard::sentences
{

std::span<const SentenceRow> assistants()
{
    static const SentenceRow rows[] = {
        {"assistant.decided",
            QT_TRANSLATE_NOOP("Sentences", "The proposal {id} no longer waits for an approval: {state}.")},
        {"assistant.expired", QT_TRANSLATE_NOOP("Sentences", "The proposal {id} has expired. Propose the job again.")},
        {"assistant.not-approved",
            QT_TRANSLATE_NOOP("Sentences",
                "The proposal {id} has not been approved yet. The user can do that in the window or with 'trainyardctl "
                "approvals approve {id}'.")},
        {"assistant.not-one", QT_TRANSLATE_NOOP("Sentences", "Only the server of an assistant can ask for that.")},
        {"assistant.not-yours",
            QT_TRANSLATE_NOOP("Sentences", "An assistant can propose to stop only the jobs that it has submitted.")},
        {"assistant.off",
            QT_TRANSLATE_NOOP("Sentences",
                "Assistants may not submit anything. The user can allow it with 'trainyardctl settings "
                "assistants.submit ask'.")},
        {"assistant.over-gpus",
            QT_TRANSLATE_NOOP("Sentences",
                "The jobs and approved proposals of assistants may ask for {most|GPU|GPUs} at a time "
                "(assistants.maxGpus). They have {used}, and this job asks for {wanted}.")},
        {"assistant.over-jobs",
            QT_TRANSLATE_NOOP(
                "Sentences", "Assistants may have {most|job|jobs} at a time (assistants.maxJobs), and have {used}.")},
        {"assistant.over-jobs-approved",
            QT_TRANSLATE_NOOP("Sentences",
                "Assistants may have {most|job|jobs} at a time (assistants.maxJobs). They have {used|job|jobs}, and "
                "{approved|approved proposal|approved proposals} still to be submitted.")},
        {"assistant.refused", QT_TRANSLATE_NOOP("Sentences", "The user has refused the proposal {id}.")},
        {"assistant.secrets-given",
            QT_TRANSLATE_NOOP(
                "Sentences", "An assistant cannot give the values of secrets. The user gives them with the approval.")},
        {"assistant.too-fast",
            QT_TRANSLATE_NOOP(
                "Sentences", "Only {most} proposals are accepted in a minute. Wait before the next one.")},
        {"assistant.too-long",
            QT_TRANSLATE_NOOP("Sentences", "The proposed job is longer than {most} bytes, or its parameters are.")},
        {"assistant.too-many",
            QT_TRANSLATE_NOOP("Sentences",
                "{most} proposals are waiting already, which is the maximum. Wait until the user has decided about "
                "them.")},
        {"assistant.unknown", QT_TRANSLATE_NOOP("Sentences", "There is no proposal {id}.")},
        {"assistant.used",
            QT_TRANSLATE_NOOP("Sentences",
                "The proposal {id} has already been carried out. An approval is valid for one submission.")},
        {"assistant.wrong-digest",
            QT_TRANSLATE_NOOP(
                "Sentences", "The digest is not that of the proposal {id}: what was shown is not what is asked for.")},
    };
    return rows;
}

} // namespace trainyard::sentences
