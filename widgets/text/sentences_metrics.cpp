// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/sentencetables.h"

#include <QtGlobal>

namespace trainyard::sentences
{

std::span<const SentenceRow> metrics()
{
    static const SentenceRow rows[] = {
        {"metrics.pattern-invalid",
            QT_TRANSLATE_NOOP(
                "Sentences", "The regular expression of the metric {name} is not valid: {message}. It is left out.")},
        {"metrics.pattern-groups",
            QT_TRANSLATE_NOOP("Sentences",
                "The regular expression of the metric {name} has no group that holds the value, such as (\\S+). It is "
                "left out.")},
        {"metrics.option-invalid",
            QT_TRANSLATE_NOOP("Sentences", "The regular expression of the metric {name} is not valid: {message}.")},
        {"metrics.option-groups",
            QT_TRANSLATE_NOOP("Sentences",
                "The regular expression of the metric {name} has no group that holds the value, such as (\\S+).")},
        {"metrics.pattern-form",
            QT_TRANSLATE_NOOP("Sentences",
                "{text} is not a pattern: write NAME=EXPRESSION, for example --pattern 'quality=quality -> (\\S+)'.")},
        {"metricfile.unreadable", QT_TRANSLATE_NOOP("Sentences", "Cannot read {file}: {text}")},
        {"metricfile.not-regular",
            QT_TRANSLATE_NOOP("Sentences",
                "{file} is a folder, a pipe or a device, not a file of metrics. Name the file that the program "
                "writes.")},
        {"metricfile.unknown",
            QT_TRANSLATE_NOOP("Sentences",
                "{file} is not a recognized file of metrics: TensorBoard events, .wandb, a table with a header, JSON "
                "lines, trainer_state.json, an object of numbers or a metric of MLflow. Read the output of a program "
                "with --log.")},
        {"metricfile.own-export",
            QT_TRANSLATE_NOOP("Sentences",
                "{file} is a table that Trainyard saved, not a file of a run. Open the jobs from whose values it was "
                "made.")},
        {"metricdatabase.unreadable", QT_TRANSLATE_NOOP("Sentences", "Cannot read the database {file}: {reason}")},
        {"metricdatabase.locked",
            QT_TRANSLATE_NOOP(
                "Sentences", "The database {file} is locked by a program that writes to it. Try again in a moment.")},
        {"metricdatabase.unknown",
            QT_TRANSLATE_NOOP("Sentences", "{file} is not a recognized database of metrics: MLflow's or Trackio's.")},
        {"metricfile.link", QT_TRANSLATE_NOOP("Sentences", "{file} is a link to {text}.")},
        {"metricfile.written-anew",
            QT_TRANSLATE_NOOP("Sentences", "{file} was rewritten by its program, so it was read again.")},
        {"metricfile.cut",
            QT_TRANSLATE_NOOP("Sentences",
                "{file} ends within a record, at byte {offset}: its program is still writing, or was stopped. "
                "Everything before it was read.")},
        {"metricfile.bad-checksum",
            QT_TRANSLATE_NOOP("Sentences",
                "The record at byte {offset} of {file} is damaged: its checksum is wrong. Its values are left out.")},
        {"metricfile.bad-length",
            QT_TRANSLATE_NOOP("Sentences",
                "{file} is damaged at byte {offset}, where the length of a record should be. What follows cannot be "
                "read.")},
        {"metricfile.bad-header",
            QT_TRANSLATE_NOOP("Sentences", "{file} does not begin as a file of its kind. It cannot be read.")},
        {"metricfile.bad-record",
            QT_TRANSLATE_NOOP("Sentences",
                "The record at byte {offset} of {file} cannot be understood. Some of its values may be left out.")},
        {"metricfile.long-record",
            QT_TRANSLATE_NOOP("Sentences", "The record at byte {offset} of {file} is too long. It is left out.")},
        {"metricfile.long-name",
            QT_TRANSLATE_NOOP("Sentences",
                "The name of the series at byte {offset} of {file} is longer than 1,024 bytes. The series is left "
                "out.")},
        {"metricfile.no-header",
            QT_TRANSLATE_NOOP("Sentences",
                "{file} has no header: the first line of a table of metrics names its columns. Add such a line.")},
        {"metricfile.too-large",
            QT_TRANSLATE_NOOP("Sentences", "{file} is larger than {text} bytes, the most that is read at once.")},
        {"metricfile.too-many-series",
            QT_TRANSLATE_NOOP("Sentences", "{file} has more than {text} series. The others are left out.")},
        {"metricfile.folder-unreadable", QT_TRANSLATE_NOOP("Sentences", "Cannot search {file}: {text}")},
        {"metricfile.folder-odd",
            QT_TRANSLATE_NOOP("Sentences",
                "{file} contains a pipe or a device that is named like a file of metrics: {text}. It is left out.")},
        {"metricfile.shared-folder",
            QT_TRANSLATE_NOOP("Sentences",
                "Another job runs in {file}, too. Files of metrics there count for this job only while one of its "
                "processes has them open; name others under extras.trainyard.metrics.")},
        {"metricfile.shared-file",
            QT_TRANSLATE_NOOP("Sentences",
                "Other jobs wrote {file} while this job ran, so the values in it are left out for all of these jobs, "
                "and only what they print counts. Let each job write into a folder of its own, such as "
                "\"runs/$TRAINYARD_JOB_ID\".")},
        {"metricfile.tasks-file",
            QT_TRANSLATE_NOOP("Sentences",
                "Several tasks of this job wrote files such as {file} at the same time, and none of them was seen with "
                "such a file open. Whose values they are is not known, so they are left out, and only what the tasks "
                "print counts. Print the values as well, or keep such a file open while the task runs.")},
        {"metricfile.later-file",
            QT_TRANSLATE_NOOP("Sentences",
                "A later job has been writing {file} since this one ended. Of this job, only what had been read before "
                "is kept. Let each job write into a folder of its own, such as \"runs/$TRAINYARD_JOB_ID\".")},
        {"metricfile.gone",
            QT_TRANSLATE_NOOP("Sentences",
                "{file} was removed while the task ran, so the values that had been read from it are left out.")},
        {"metricfile.less-than-output",
            QT_TRANSLATE_NOOP("Sentences",
                "{file} has fewer values of {name} than the output, and ends at an earlier step, so the values of the "
                "output count.")},
        {"metricfile.many-files",
            QT_TRANSLATE_NOOP("Sentences", "The task has more than {text} files of metrics. The others are left out.")},
        {"metricfile.many-notes",
            QT_TRANSLATE_NOOP("Sentences", "Further remarks about the files of metrics are left out: {text}.")},
        {"metricfile.many-entries",
            QT_TRANSLATE_NOOP("Sentences",
                "{file} has more than {text} entries below it. The others were not searched; name a deeper folder.")},
        {"metricfile.deep-folders",
            QT_TRANSLATE_NOOP("Sentences",
                "Folders deeper than five levels below {file} were not searched: {text}. Name a deeper folder.")},
        {"metricfile.links-left-out", QT_TRANSLATE_NOOP("Sentences", "Links below {file} were not followed: {text}.")},
    };
    return rows;
}

} // namespace trainyard::sentences
