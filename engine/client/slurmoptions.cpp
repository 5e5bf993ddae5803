// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/slurmoptions.h"

#include "engine/client/settings.h"

#include <QProcess>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

// Short options of sbatch that take a value, by their long names.
QString longSbatchName(QChar letter)
{
    switch (letter.unicode()) {
    case 'A':
        return u"account"_s;
    case 'p':
        return u"partition"_s;
    case 'q':
        return u"qos"_s;
    case 't':
        return u"time"_s;
    case 'C':
        return u"constraint"_s;
    case 'w':
        return u"nodelist"_s;
    case 'x':
        return u"exclude"_s;
    case 'M':
        return u"clusters"_s;
    case 'L':
        return u"licenses"_s;
    case 'G':
        return u"gpus"_s;
    case 'J':
        return u"job-name"_s;
    case 'N':
        return u"nodes"_s;
    case 'a':
        return u"array"_s;
    case 'c':
        return u"cpus-per-task"_s;
    case 'd':
        return u"dependency"_s;
    case 'e':
        return u"error"_s;
    case 'i':
        return u"input"_s;
    case 'n':
        return u"ntasks"_s;
    case 'o':
        return u"output"_s;
    default:
        return {};
    }
}

// Options that a job sets itself, or on which following it depends.
bool isOwnedByJobs(const QString &option)
{
    static const QSet<QString> owned{u"array"_s, u"batch"_s, u"chdir"_s, u"clusters"_s, u"comment"_s,
        u"cpus-per-task"_s, u"dependency"_s, u"error"_s, u"export"_s, u"export-file"_s, u"gpus"_s, u"gpus-per-node"_s,
        u"gpus-per-socket"_s, u"gpus-per-task"_s, u"gres"_s, u"hold"_s, u"input"_s, u"job-name"_s,
        u"kill-on-invalid-dep"_s, u"mem"_s, u"mem-per-cpu"_s, u"mem-per-gpu"_s, u"nodes"_s, u"no-requeue"_s,
        u"ntasks"_s, u"ntasks-per-core"_s, u"ntasks-per-gpu"_s, u"ntasks-per-node"_s, u"open-mode"_s, u"output"_s,
        u"parsable"_s, u"quiet"_s, u"requeue"_s, u"signal"_s, u"test-only"_s, u"tres-per-task"_s, u"wait"_s, u"wrap"_s};
    return owned.contains(option);
}

} // namespace

QString slurmTargetId(const QString &name) { return slurmKind + u':' + name; }

bool sharesSlurmFolders(const QString &target, const Settings &settings)
{
    const QString head = slurmTargetId({});
    return target.startsWith(head) && settings.text(slurmLoginKey(target.sliced(head.size()))).isEmpty();
}

QString slurmOptionsKey(const QString &name) { return u"slurm."_s + name; }

QString slurmFolderKey(const QString &name) { return u"slurmFolder."_s + name; }

QString slurmLoginKey(const QString &name) { return u"slurmLogin."_s + name; }

QString slurmImagesKey(const QString &name) { return u"slurmImages."_s + name; }

QString slurmModulesKey(const QString &name) { return u"slurmModules."_s + name; }

Result<QStringList> slurmModules(const QString &line)
{
    static const QRegularExpression between(u"[,\\s]+"_s), name(u"\\A[A-Za-z0-9_][A-Za-z0-9_.+:@/=~^-]{0,199}\\z"_s);
    const QStringList words
        = line.trimmed() == noSlurmModules ? QStringList() : line.split(between, Qt::SkipEmptyParts);
    for (const QString &word : words) {
        if (!name.match(word).hasMatch()) {
            return fail(u"slurm.module-strange"_s, {{u"module"_s, word}});
        }
    }
    return words;
}

Result<void> checkSlurmImages(const QString &word)
{
    if (word.isEmpty() || word == noSlurmImages || word == apptainerImages || word == pyxisImages) {
        return {};
    }
    return fail(u"slurm.images-strange"_s, {{u"word"_s, word}});
}

Result<void> checkTargetName(const QString &name)
{
    static const QRegularExpression pattern(u"\\A[A-Za-z0-9][A-Za-z0-9_-]{0,39}\\z"_s);
    if (!pattern.match(name).hasMatch()) {
        return fail(u"slurm.bad-name"_s, {{u"name"_s, name}});
    }
    return {};
}

Result<QStringList> slurmOptions(const QString &line)
{
    QStringList options;
    // The value for a cluster without options, because an empty setting would not exist.
    const QStringList words = line == noSlurmOptions ? QStringList() : QProcess::splitCommand(line);
    for (qsizetype i = 0; i < words.size(); ++i) {
        const QString &word = words.at(i);
        QString name, value;
        bool hasValue = false;
        if (word.startsWith("--"_L1) && word.size() > 2) {
            name = word.section(u'=', 0, 0).mid(2);
            hasValue = word.contains(u'=');
            value = word.section(u'=', 1);
        } else if (word.startsWith(u'-') && word.size() > 1) {
            name = longSbatchName(word.at(1));
            hasValue = word.size() > 2;
            value = word.mid(2);
        }
        const bool isNextValue = !hasValue && i + 1 < words.size() && !words.at(i + 1).startsWith(u'-');
        if (isNextValue) {
            value = words.at(++i);
            hasValue = true;
        }
        static const QRegularExpression letters(u"\\A[a-z][a-z-]*\\z"_s);
        if (!letters.match(name).hasMatch() || value.contains(u'\n')) {
            return fail(u"slurm.option-strange"_s, {{u"option"_s, word}});
        }
        if (name == "clusters"_L1) {
            return fail(u"slurm.option-clusters"_s, {{u"option"_s, QString(u"--"_s + name)}});
        }
        if (isOwnedByJobs(name)) {
            return fail(u"slurm.option-owned"_s, {{u"option"_s, QString(u"--"_s + name)}});
        }
        options.append(u"--"_s + name + (hasValue ? QString(u'=' + value) : QString()));
    }
    return options;
}

QString slurmOptionWord(const QString &word)
{
    const bool isPlain = !word.isEmpty()
        && std::none_of(word.begin(), word.end(), [](QChar each) { return each.isSpace() || each == u'"'; });
    QString quoted = word;
    return isPlain ? word : u'"' + quoted.replace(u'"', u"\"\"\""_s) + u'"'; // as QProcess::splitCommand() reads it
}

} // namespace trainyard
