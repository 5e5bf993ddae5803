// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/diagnostic.h"

#include <QByteArrayList>
#include <QList>
#include <QString>
#include <QStringList>

#include <utility>

// The options of sbatch and srun.
namespace trainyard::batch
{

// The subject of an option of sbatch or srun. Only options that are used for making a job have their own value.
enum class Meaning {
    Name,
    Nodes,
    Tasks,
    TasksPerNode,
    Cpus, // of a task
    Memory, // of a node
    MemoryPerCpu,
    MemoryPerGpu,
    Gpus, // of all
    GpusPerNode,
    GpusPerTask,
    CpusPerGpu,
    TasksPerGpu,
    TresPerTask,
    Gres,
    Exclusive, // use of its nodes
    Time,
    Folder,
    Array,
    Output,
    Dependency,
    Component, // of a heterogeneous job, for which a step is
    Input,
    Signal, // before the end of its time
    Mpi,
    Export, // of variables to what runs
    Image, // of a container, in which what runs is
    Mounts, // into it
    FolderInside, // of it, where what runs begins
    Other, // known, and without a meaning here
    Unknown
};

struct Option {
    Meaning meaning = Meaning::Unknown;
    QString name; // as it is written: "-N", "--nodes"
    QString value; // empty: none
    ByteRange at = {}; // of its line
};

enum class Program { Sbatch, Srun }; // some options mean something else to each

// Options at the head of words; `used` is how many words they are: they end at the first word that is not an option.
// "--" ends them, too, and is counted.
QList<Option> readOptions(const QStringList &words, const ByteRange &at, Program program, qsizetype *used);

// The options of srun with a value that may be the next word: "-n", "--ntasks".
QByteArrayList srunOptionsWithValue();
// The letters of those that never have one, behind which others may follow in the same word: "-lN1".
QByteArray srunLettersWithoutValue();

// The assignments of --export: NAME=VALUE, in its order. Names alone are skipped.
QList<std::pair<QString, QString>> assignmentsOf(const QString &value);
// One such assignment for a shell, which expands the variables in the value.
QByteArray assignmentText(const QString &name, const QString &value);
QByteArray expandedWord(const QString &value); // the value alone, likewise

} // namespace trainyard::batch
