// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/import/batchscript.h"

namespace trainyard::batch
{

// A step: a line that is nothing but "srun OPTIONS COMMAND", outside of loops, conditions and functions.
struct Step {
    QList<Option> options;
    QByteArray command; // without srun, its options and the '&' of a step in the background
    bool isInBackground = false;
    qsizetype line = 0; // of Script::lines
    qint64 component() const; // of a heterogeneous job
    QString option(Meaning meaning) const; // the last value; empty: none
};

struct Steps {
    QList<Step> steps;
    bool hasOthers = false; // srun stands elsewhere too, or with what cannot be read
};

Steps stepsOf(const Script &script);
// Whether a line only waits for steps in the background.
bool isWait(const Line &line);

// The names of variables that Slurm sets and the script uses: "SLURM_PROCID".
QStringList variablesOf(const Script &script);
// Whether it asks for the names of its hosts ("scontrol show hostnames").
bool asksForHosts(const Script &script);

} // namespace trainyard::batch
