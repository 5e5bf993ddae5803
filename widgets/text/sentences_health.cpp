// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/sentencetables.h"

#include <QtGlobal>

namespace trainyard::sentences
{

std::span<const SentenceRow> health()
{
    static const SentenceRow rows[] = {
        {"health.not-finite", QT_TRANSLATE_NOOP("Sentences", "{metric} is {value} since {since}.")},
        {"health.not-finite-at-step",
            QT_TRANSLATE_NOOP("Sentences", "{metric} is {value} since step {step} ({since}).")},
        {"health.not-finite-at-epoch",
            QT_TRANSLATE_NOOP("Sentences", "{metric} is {value} since epoch {step} ({since}).")},
        {"health.jump",
            QT_TRANSLATE_NOOP("Sentences", "{metric} jumped to {value} at {since}; it was about {before} before.")},
        {"health.jump-at-step",
            QT_TRANSLATE_NOOP("Sentences", "{metric} jumped to {value} at step {step}; it was about {before} before.")},
        {"health.jump-at-epoch",
            QT_TRANSLATE_NOOP(
                "Sentences", "{metric} jumped to {value} at epoch {step}; it was about {before} before.")},
        {"health.plateau",
            QT_TRANSLATE_NOOP("Sentences",
                "{metric} has not improved since {since}, for most of the run. Its best was about {best}.")},
        {"health.plateau-at-step",
            QT_TRANSLATE_NOOP("Sentences",
                "{metric} has not improved since step {step} ({since}), for most of the run. Its best was about "
                "{best}.")},
        {"health.plateau-at-epoch",
            QT_TRANSLATE_NOOP("Sentences",
                "{metric} has not improved since epoch {step} ({since}), for most of the run. Its best was about "
                "{best}.")},
        {"health.silent",
            QT_TRANSLATE_NOOP(
                "Sentences", "No output since {since}. Until then it was never silent for longer than {longest}.")},
        {"health.gpu-idle",
            QT_TRANSLATE_NOOP("Sentences", "GPU {gpus} has been at 0 % since {since}, while the task prints metrics.")},
        {"health.gpu-never",
            QT_TRANSLATE_NOOP("Sentences",
                "The task prints metrics but has never used GPU {gpus}. Does the program run on the processor only?")},
        {"health.data-bound",
            QT_TRANSLATE_NOOP("Sentences",
                "GPU {gpus} works in bursts, at {busy} % on average, while the task uses all of its "
                "{cores|core|cores}: "
                "it waits for data. Ask for more cores, or prepare the data beforehand.")},
        {"health.memory",
            QT_TRANSLATE_NOOP("Sentences",
                "Memory grows steadily, by {perHourMiB} an hour, and is at {nowMiB}. The {limitMiB} that the task "
                "asked "
                "for are full at about {when}.")},
        {"health.memory-at-step",
            QT_TRANSLATE_NOOP("Sentences",
                "Memory grows steadily, by {perHourMiB} an hour, and is at {nowMiB}. The {limitMiB} that the task "
                "asked "
                "for are full at about {when}, at step {fullStep}.")},
    };
    return rows;
}

} // namespace trainyard::sentences
