// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/sentencetables.h"

#include <QtGlobal>

namespace trainyard::sentences
{

// clang-format off
std::span<const SentenceRow> sweep()
{
    static const SentenceRow rows[] = {
        {"sweep.no-values", QT_TRANSLATE_NOOP("Sentences", "{name} has no values. Write a list such as 16,32 or a range such as 1e-4..1e-1:log:5.")},
        {"sweep.empty-value", QT_TRANSLATE_NOOP("Sentences", "A value of {name} is empty. Remove the comma, or write \"\" for an empty text.")},
        {"sweep.not-number", QT_TRANSLATE_NOOP("Sentences", "'{value}' is not a number, but {name} is one in the job.")},
        {"sweep.not-commas", QT_TRANSLATE_NOOP("Sentences", "'{value}' is not one number, but {name} is in the job. Write commas between values.")},
        {"sweep.not-boolean", QT_TRANSLATE_NOOP("Sentences", "'{value}' is neither true nor false, as {name} is in the job.")},
        {"sweep.not-one-value", QT_TRANSLATE_NOOP("Sentences", "{name} is a list or a map in the job, and only texts, numbers and truth values can be given in the command. Change it in the text of the job, as with: trainyardctl edit -i --set '/parameters/{name}=[1, 2]' FILE")},
        {"sweep.twice", QT_TRANSLATE_NOOP("Sentences", "{name} has the value '{value}' twice. To repeat runs, give them a parameter such as seed=1,2,3.")},
        {"sweep.same-values", QT_TRANSLATE_NOOP("Sentences", "Two runs have the same values: {values}. To repeat runs, give them a parameter such as seed=1,2.")},
        {"sweep.bad-range", QT_TRANSLATE_NOOP("Sentences", "The values of {name} are not a range. Write LOW..HIGH:STEP, LOW..HIGH:lin:N or LOW..HIGH:log:N.")},
        {"sweep.range-order", QT_TRANSLATE_NOOP("Sentences", "The range of {name} must end with a greater number than it begins with.")},
        {"sweep.bad-step", QT_TRANSLATE_NOOP("Sentences", "'{value}' is not the step of a range. For {name}, write a number greater than 0, or lin:N or log:N for N values.")},
        {"sweep.bad-count", QT_TRANSLATE_NOOP("Sentences", "The range of {name} needs a count from 2 to {most}, as in lin:5.")},
        {"sweep.log-sign", QT_TRANSLATE_NOOP("Sentences", "A range by magnitude needs numbers greater than 0 for {name}.")},
        {"sweep.whole-too-few", QT_TRANSLATE_NOOP("Sentences", "There are only {found} different whole numbers for {count} values of {name}. Ask for fewer, or write 1.0 instead of 1 to allow fractions.")},
        {"sweep.too-close", QT_TRANSLATE_NOOP("Sentences", "There are not {count} different numbers between the ends of the range of {name}. Ask for fewer.")},
        {"sweep.too-many-values", QT_TRANSLATE_NOOP("Sentences", "The range of {name} has {count} values; at most {most} are possible.")},
        {"sweep.open-quote", QT_TRANSLATE_NOOP("Sentences", "A quoted value of {name} does not end with a quote followed by a comma.")},
        {"sweep.not-scalar", QT_TRANSLATE_NOOP("Sentences", "{name} is a list or a map in the job. Only texts, numbers and truth values can be swept.")},
        {"sweep.no-parameters", QT_TRANSLATE_NOOP("Sentences", "A sweep needs at least one parameter with values.")},
        {"sweep.too-many", QT_TRANSLATE_NOOP("Sentences", "The sweep has {jobs} jobs; at most {most} are possible. Give fewer values, or draw some at random.")},
        {"sweep.no-count", QT_TRANSLATE_NOOP("Sentences", "The range of {name} does not say how many values it has. Add a step or a count, such as :lin:5, or draw values at random.")},
        {"sweep.zip-lengths", QT_TRANSLATE_NOOP("Sentences", "{name} has {count|value|values} and {other} has {otherCount|value|values}. To pair them, give as many of each.")},
        {"sweep.random-count", QT_TRANSLATE_NOOP("Sentences", "The number of random jobs must be from 1 to {most}.")},
        {"sweep.random-too-many", QT_TRANSLATE_NOOP("Sentences", "{wanted} different jobs cannot be drawn: there are {possible}. Ask for fewer, or give more values.")},
        {"group.unknown", QT_TRANSLATE_NOOP("Sentences", "There are no jobs of a group {group}.")},
        {"sweep.group-known", QT_TRANSLATE_NOOP("Sentences", "The group {group} already has a job #{job} with other values. Choose another name for this sweep.")},
        {"stop-worse.bad-rule", QT_TRANSLATE_NOOP("Sentences", "'{text}' is not a metric and a step, such as loss@100. Put '-' in front where less is better, '+' where more is.")},
        {"stop-worse.no-group", QT_TRANSLATE_NOOP("Sentences", "Only jobs of a group are compared with each other. Give the job a group, or leave out the rule that stops the worse ones.")},
        {"submit.bad-group", QT_TRANSLATE_NOOP("Sentences", "'{group}' is not a valid name for a group of jobs. Use 1 to 255 letters, digits, '_' and '-'.")},
        {"wait.group", QT_TRANSLATE_NOOP("Sentences", "Only {limit|job|jobs} of the group {group} may run at the same time; this one waits for its turn.")},
        {"stop.worse", QT_TRANSLATE_NOOP("Sentences", "Stopped by the rule of its group: {metric} {best} up to step {step} is worse than the median {median} of {others} other jobs.")},
        {"stop.worse.not-finite", QT_TRANSLATE_NOOP("Sentences", "Stopped by the rule of its group: {metric} was not a number up to step {step}, while the median of {others} other jobs is {median}.")},
    };
    return rows;
}
// clang-format on

} // namespace trainyard::sentences
