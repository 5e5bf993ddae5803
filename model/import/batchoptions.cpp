// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/import/batchoptions.h"

#include "model/base/shellquote.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::batch
{
namespace
{

enum class For { Both, Sbatch, Srun };

struct Known {
    const char *name;
    char letter; // 0: none
    bool takesValue;
    Meaning meaning;
    For program = For::Both;
};

// The options of sbatch and srun of Slurm 22.05 to 25.05, and of its plugin pyxis. A value that need not be there is
// never the next word.
constexpr Known knownOptions[] = {
    {"job-name", 'J', true, Meaning::Name},
    {"nodes", 'N', true, Meaning::Nodes},
    {"ntasks", 'n', true, Meaning::Tasks},
    {"ntasks-per-node", 0, true, Meaning::TasksPerNode},
    {"tasks-per-node", 0, true, Meaning::TasksPerNode},
    {"cpus-per-task", 'c', true, Meaning::Cpus},
    {"mem", 0, true, Meaning::Memory},
    {"mem-per-cpu", 0, true, Meaning::MemoryPerCpu},
    {"mem-per-gpu", 0, true, Meaning::MemoryPerGpu},
    {"gpus", 'G', true, Meaning::Gpus},
    {"gpus-per-node", 0, true, Meaning::GpusPerNode},
    {"gpus-per-task", 0, true, Meaning::GpusPerTask},
    {"gres", 0, true, Meaning::Gres},
    {"time", 't', true, Meaning::Time},
    {"chdir", 'D', true, Meaning::Folder},
    {"array", 'a', true, Meaning::Array, For::Sbatch},
    {"output", 'o', true, Meaning::Output},
    {"error", 'e', true, Meaning::Output},
    {"dependency", 'd', true, Meaning::Dependency},
    {"het-group", 0, true, Meaning::Component},
    {"pack-group", 0, true, Meaning::Component},
    {"mpi", 0, true, Meaning::Mpi},
    {"account", 'A', true, Meaning::Other},
    {"acctg-freq", 0, true, Meaning::Other},
    {"batch", 0, true, Meaning::Other, For::Sbatch},
    {"bb", 0, true, Meaning::Other},
    {"bbf", 0, true, Meaning::Other},
    {"bcast-exclude", 0, true, Meaning::Other, For::Srun},
    {"bcast", 0, false, Meaning::Other, For::Srun},
    {"begin", 'b', true, Meaning::Other},
    {"cluster-constraint", 0, true, Meaning::Other},
    {"clusters", 'M', true, Meaning::Other},
    {"comment", 0, true, Meaning::Other},
    {"compress", 0, false, Meaning::Other, For::Srun},
    {"constraint", 'C', true, Meaning::Other},
    {"container", 0, true, Meaning::Other},
    {"container-entrypoint", 0, false, Meaning::Other},
    {"container-env", 0, true, Meaning::Other},
    {"container-id", 0, true, Meaning::Other},
    {"container-image", 0, true, Meaning::Image},
    {"container-mount-home", 0, false, Meaning::Other},
    {"container-mounts", 0, true, Meaning::Mounts},
    {"container-name", 0, true, Meaning::Other},
    {"container-readonly", 0, false, Meaning::Other},
    {"container-remap-root", 0, false, Meaning::Other},
    {"container-save", 0, true, Meaning::Other},
    {"container-workdir", 0, true, Meaning::FolderInside},
    {"container-writable", 0, false, Meaning::Other},
    {"contiguous", 0, false, Meaning::Other},
    {"core-spec", 'S', true, Meaning::Other},
    {"cores-per-socket", 0, true, Meaning::Other},
    {"cpu-bind", 0, true, Meaning::Other},
    {"cpu-freq", 0, true, Meaning::Other},
    {"cpus-per-gpu", 0, true, Meaning::CpusPerGpu},
    {"deadline", 0, true, Meaning::Other},
    {"delay-boot", 0, true, Meaning::Other},
    {"disable-status", 'X', false, Meaning::Other, For::Srun},
    {"distribution", 'm', true, Meaning::Other},
    {"epilog", 0, true, Meaning::Other, For::Srun},
    {"exact", 0, false, Meaning::Other},
    {"exclude", 'x', true, Meaning::Other},
    {"exclusive", 0, false, Meaning::Exclusive, For::Sbatch},
    {"exclusive", 0, false, Meaning::Other, For::Srun},
    {"export", 0, true, Meaning::Export},
    {"export-file", 0, true, Meaning::Other},
    {"external-launcher", 0, false, Meaning::Other, For::Srun},
    {"extra", 0, true, Meaning::Other},
    {"extra-node-info", 'B', true, Meaning::Other},
    {"get-user-env", 0, false, Meaning::Other},
    {"gid", 0, true, Meaning::Other},
    {"gpu-bind", 0, true, Meaning::Other},
    {"gpu-freq", 0, true, Meaning::Other},
    {"gpus-per-socket", 0, true, Meaning::Other},
    {"gres-flags", 0, true, Meaning::Other},
    {"hint", 0, true, Meaning::Other},
    {"hold", 'H', false, Meaning::Other},
    {"ignore-pbs", 0, false, Meaning::Other, For::Sbatch},
    {"immediate", 'I', false, Meaning::Other, For::Srun},
    {"input", 'i', true, Meaning::Input},
    {"interactive", 0, false, Meaning::Other, For::Srun},
    {"jobid", 0, true, Meaning::Other},
    {"kill-on-bad-exit", 'K', false, Meaning::Other},
    {"kill-on-invalid-dep", 0, true, Meaning::Other, For::Sbatch},
    {"label", 'l', false, Meaning::Other},
    {"licenses", 'L', true, Meaning::Other},
    {"mail-type", 0, true, Meaning::Other},
    {"mail-user", 0, true, Meaning::Other},
    {"mcs-label", 0, true, Meaning::Other},
    {"mem-bind", 0, true, Meaning::Other},
    {"mincpus", 0, true, Meaning::Other},
    {"msg-timeout", 0, true, Meaning::Other, For::Srun},
    {"multi-prog", 0, false, Meaning::Other},
    {"network", 0, true, Meaning::Other},
    {"nice", 0, false, Meaning::Other},
    {"no-allocate", 'Z', false, Meaning::Other, For::Srun},
    {"no-container-entrypoint", 0, false, Meaning::Other},
    {"no-container-mount-home", 0, false, Meaning::Other},
    {"no-container-remap-root", 0, false, Meaning::Other},
    {"no-kill", 'k', false, Meaning::Other},
    {"no-requeue", 0, false, Meaning::Other},
    {"nodefile", 'F', true, Meaning::Other},
    {"nodelist", 'w', true, Meaning::Other},
    {"ntasks-per-core", 0, true, Meaning::Other},
    {"ntasks-per-gpu", 0, true, Meaning::TasksPerGpu},
    {"ntasks-per-socket", 0, true, Meaning::Other},
    {"oom-kill-step", 0, false, Meaning::Other},
    {"open-mode", 0, true, Meaning::Other},
    {"overcommit", 'O', false, Meaning::Other},
    {"overlap", 0, false, Meaning::Other},
    {"oversubscribe", 's', false, Meaning::Other},
    {"parsable", 0, false, Meaning::Other},
    {"partition", 'p', true, Meaning::Other},
    {"power", 0, true, Meaning::Other},
    {"prefer", 0, true, Meaning::Other},
    {"preserve-env", 'E', false, Meaning::Other, For::Srun},
    {"priority", 0, true, Meaning::Other},
    {"profile", 0, true, Meaning::Other},
    {"prolog", 0, true, Meaning::Other, For::Srun},
    {"propagate", 0, false, Meaning::Other},
    {"pty", 0, false, Meaning::Other},
    {"qos", 'q', true, Meaning::Other},
    {"quiet", 'Q', false, Meaning::Other},
    {"quit-on-interrupt", 0, false, Meaning::Other, For::Srun},
    {"reboot", 0, false, Meaning::Other},
    {"relative", 'r', true, Meaning::Other},
    {"requeue", 0, false, Meaning::Other},
    {"reservation", 0, true, Meaning::Other},
    {"resv-ports", 0, false, Meaning::Other, For::Srun},
    {"segment", 0, true, Meaning::Other},
    {"send-libs", 0, false, Meaning::Other, For::Srun},
    {"signal", 0, true, Meaning::Signal},
    {"slurmd-debug", 0, true, Meaning::Other, For::Srun},
    {"sockets-per-node", 0, true, Meaning::Other},
    {"spread-job", 0, false, Meaning::Other},
    {"stepmgr", 0, false, Meaning::Other},
    {"switches", 0, true, Meaning::Other},
    {"task-epilog", 0, true, Meaning::Other, For::Srun},
    {"task-prolog", 0, true, Meaning::Other, For::Srun},
    {"test-only", 0, false, Meaning::Other},
    {"thread-spec", 0, true, Meaning::Other},
    {"threads-per-core", 0, true, Meaning::Other},
    {"threads", 'T', true, Meaning::Other, For::Srun},
    {"time-min", 0, true, Meaning::Other},
    {"tmp", 0, true, Meaning::Other},
    {"treewidth", 0, true, Meaning::Other, For::Srun},
    {"tres-per-task", 0, true, Meaning::TresPerTask},
    {"uid", 0, true, Meaning::Other},
    {"unbuffered", 'u', false, Meaning::Other},
    {"use-min-nodes", 0, false, Meaning::Other},
    {"verbose", 'v', false, Meaning::Other},
    {"wait", 'W', false, Meaning::Other, For::Sbatch},
    {"wait-all-nodes", 0, true, Meaning::Other},
    {"wait", 'W', true, Meaning::Other, For::Srun},
    {"wckey", 0, true, Meaning::Other},
    {"whole", 0, false, Meaning::Other, For::Srun},
    {"wrap", 0, true, Meaning::Other, For::Sbatch},
    {"x11", 0, false, Meaning::Other, For::Srun},
};

bool isFor(const Known &known, Program program)
{
    return known.program == For::Both || (known.program == For::Srun) == (program == Program::Srun);
}

const Known *byName(const QString &name, Program program)
{
    const auto found = std::find_if(std::begin(knownOptions), std::end(knownOptions),
        [&](const Known &known) { return isFor(known, program) && name == QLatin1String(known.name); });
    return found == std::end(knownOptions) ? nullptr : &*found;
}

const Known *byLetter(QChar letter, Program program)
{
    const auto found = std::find_if(std::begin(knownOptions), std::end(knownOptions), [&](const Known &known) {
        return known.letter && isFor(known, program) && letter == QLatin1Char(known.letter);
    });
    return found == std::end(knownOptions) ? nullptr : &*found;
}

bool mayHaveValue(char letter) { return letter == 'K' || letter == 'I'; } // right behind it

// Whether another option follows in the same word: "-lN1" is "-l -N1".
bool isJoined(const QString &word, Program program)
{
    const Known *known = word.size() > 2 && word.at(1) != u'-' ? byLetter(word.at(1), program) : nullptr;
    return known && !known->takesValue && !mayHaveValue(known->letter);
}

} // namespace

QList<Option> readOptions(const QStringList &words, const ByteRange &at, Program program, qsizetype *used)
{
    QList<Option> options;
    qsizetype i = 0;
    while (i < words.size() && words.at(i).size() > 1 && words.at(i).startsWith(u'-')) {
        QString word = words.at(i++);
        if (word == "--"_L1) {
            break;
        }
        Option option;
        option.at = at;
        const Known *known = nullptr;
        while (isJoined(word, program)) {
            options.append({byLetter(word.at(1), program)->meaning, word.left(2), {}, at});
            word.remove(1, 1);
        }
        bool hasValue = false;
        if (word.startsWith("--"_L1)) {
            const qsizetype equals = word.indexOf(u'=');
            option.name = equals < 0 ? word : word.left(equals);
            option.value = equals < 0 ? QString() : word.mid(equals + 1);
            hasValue = equals >= 0;
            known = byName(option.name.sliced(2), program);
        } else {
            option.name = word.left(2);
            option.value = word.mid(2);
            hasValue = !option.value.isEmpty();
            known = byLetter(word.at(1), program);
        }
        option.meaning = known ? known->meaning : Meaning::Unknown;
        if (known && known->takesValue && !hasValue && i < words.size()) {
            option.value = words.at(i++);
        }
        options.append(option);
    }
    *used = i;
    return options;
}

QByteArrayList srunOptionsWithValue()
{
    QByteArrayList all;
    for (const Known &known : knownOptions) {
        if (known.takesValue && known.letter && isFor(known, Program::Srun)) {
            all.append(QByteArray("-") + known.letter);
        }
    }
    for (const Known &known : knownOptions) {
        if (known.takesValue && isFor(known, Program::Srun)) {
            all.append(QByteArray("--") + known.name);
        }
    }
    return all;
}

QByteArray srunLettersWithoutValue()
{
    QByteArray all;
    for (const Known &known : knownOptions) {
        if (known.letter && !known.takesValue && isFor(known, Program::Srun) && !mayHaveValue(known.letter)) {
            all += known.letter;
        }
    }
    return all;
}

QList<std::pair<QString, QString>> assignmentsOf(const QString &value)
{
    static const QRegularExpression form(u"^([A-Za-z_]\\w*)=(.*)$"_s, QRegularExpression::DotMatchesEverythingOption);
    QList<std::pair<QString, QString>> all;
    const QStringList parts = value.split(u',');
    for (const QString &part : parts) {
        if (const QRegularExpressionMatch match = form.match(part); match.hasMatch()) {
            all.append({match.captured(1), match.captured(2)});
        }
    }
    return all;
}

QByteArray assignmentText(const QString &name, const QString &value)
{
    return name.toUtf8() + '=' + expandedWord(value);
}

QByteArray expandedWord(const QString &value)
{
    if (!value.contains(u'$')) {
        return shellQuote(value.toUtf8());
    }
    QString text = value;
    return '"' + text.replace(u'\\', u"\\\\"_s).replace(u'"', u"\\\""_s).toUtf8() + '"';
}

} // namespace trainyard::batch
