// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/import/batchscript.h"

namespace trainyard::batch
{

// A step, or a component of one: a line that is nothing but "srun OPTIONS COMMAND", outside of loops, conditions and
// functions, with nothing before srun but assignments and programs that run others: "exec", "env", "timeout 1h".
struct Step {
    QList<Option> options;
    QByteArray command; // without srun, its options and the '&' of a step in the background
    QByteArray program; // the command without what stood before srun
    bool isInBackground = false;
    bool isWhole = true; // else the line has more commands, or goes on in the next one
    qint64 component = 0; // of a heterogeneous job
    qsizetype line = 0; // of Script::lines; the components of a step have the same
    QString option(Meaning meaning) const; // the last value; empty: none
};

// A call of srun, whether or not it is a step.
struct Call {
    QList<Option> options;
    bool isRead = false; // by the shell: $(srun …)
    QString behind; // the program that runs it, and finds no function: "exec"; empty: none
    qsizetype line = 0;
};

struct Steps {
    QList<Step> steps;
    QList<Call> calls;
    bool hasOthers = false; // srun is also used elsewhere, or in a form that cannot be read
};

Steps stepsOf(const Script &script);
// Whether a line starts something in the background.
bool startsBackground(const Line &line);
// Whether a line only waits for what is in the background.
bool isWait(const Line &line);
bool waitsForSome(const Line &line); // "wait $first"

bool trapsSignal(const Line &line); // "trap save USR1"

struct UsedVariable {
    QString name;
    ByteRange at; // of the first line that names it
};
// The variables that Slurm sets and the script uses: SLURM_PROCID.
QList<UsedVariable> variablesOf(const Script &script);
// Whether it asks for the names of its hosts ("scontrol show hostnames").
bool asksForHosts(const Script &script);

} // namespace trainyard::batch
