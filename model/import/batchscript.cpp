// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/import/batchscript.h"

#include "model/import/shelllines.h"
#include "model/template/pluginsteps.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::batch
{
namespace
{

constexpr qsizetype mostIds = 10'000;

struct Known {
    const char *name;
    char letter; // 0: none
    bool takesValue;
    Meaning meaning;
};

// The options of sbatch and srun of Slurm 22.05 to 25.05.
constexpr Known knownOptions[] = {
    {"job-name", 'J', true, Meaning::Name},
    {"nodes", 'N', true, Meaning::Nodes},
    {"ntasks", 'n', true, Meaning::Tasks},
    {"ntasks-per-node", 0, true, Meaning::TasksPerNode},
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
    {"array", 'a', true, Meaning::Array},
    {"output", 'o', true, Meaning::Output},
    {"error", 'e', true, Meaning::Output},
    {"dependency", 'd', true, Meaning::Dependency},
    {"het-group", 0, true, Meaning::Component},
    {"pack-group", 0, true, Meaning::Component},
    {"mpi", 0, true, Meaning::Mpi},
    {"account", 'A', true, Meaning::Other},
    {"acctg-freq", 0, true, Meaning::Other},
    {"bb", 0, true, Meaning::Other},
    {"bbf", 0, true, Meaning::Other},
    {"batch", 0, true, Meaning::Other},
    {"begin", 'b', true, Meaning::Other},
    {"cluster-constraint", 0, true, Meaning::Other},
    {"clusters", 'M', true, Meaning::Other},
    {"comment", 0, true, Meaning::Other},
    {"constraint", 'C', true, Meaning::Other},
    {"container", 0, true, Meaning::Other},
    {"container-image", 0, true, Meaning::Other},
    {"container-mounts", 0, true, Meaning::Other},
    {"container-name", 0, true, Meaning::Other},
    {"container-workdir", 0, true, Meaning::Other},
    {"container-writable", 0, false, Meaning::Other},
    {"contiguous", 0, false, Meaning::Other},
    {"core-spec", 'S', true, Meaning::Other},
    {"cores-per-socket", 0, true, Meaning::Other},
    {"cpu-bind", 0, true, Meaning::Other},
    {"cpu-freq", 0, true, Meaning::Other},
    {"cpus-per-gpu", 0, true, Meaning::Other},
    {"deadline", 0, true, Meaning::Other},
    {"delay-boot", 0, true, Meaning::Other},
    {"distribution", 'm', true, Meaning::Other},
    {"exact", 0, false, Meaning::Other},
    {"exclude", 'x', true, Meaning::Other},
    {"exclusive", 0, false, Meaning::Other},
    {"export", 0, true, Meaning::Other},
    {"export-file", 0, true, Meaning::Other},
    {"extra-node-info", 'B', true, Meaning::Other},
    {"get-user-env", 0, false, Meaning::Other},
    {"gid", 0, true, Meaning::Other},
    {"gpu-bind", 0, true, Meaning::Other},
    {"gpu-freq", 0, true, Meaning::Other},
    {"gpus-per-socket", 0, true, Meaning::Other},
    {"gres-flags", 0, true, Meaning::Other},
    {"hint", 0, true, Meaning::Other},
    {"hold", 'H', false, Meaning::Other},
    {"input", 'i', true, Meaning::Other},
    {"jobid", 0, true, Meaning::Other},
    {"kill-on-bad-exit", 'K', false, Meaning::Other},
    {"kill-on-invalid-dep", 0, true, Meaning::Other},
    {"label", 'l', false, Meaning::Other},
    {"licenses", 'L', true, Meaning::Other},
    {"mail-type", 0, true, Meaning::Other},
    {"mail-user", 0, true, Meaning::Other},
    {"mcs-label", 0, true, Meaning::Other},
    {"mem-bind", 0, true, Meaning::Other},
    {"mincpus", 0, true, Meaning::Other},
    {"multi-prog", 0, false, Meaning::Other},
    {"network", 0, true, Meaning::Other},
    {"nice", 0, false, Meaning::Other},
    {"no-container-mount-home", 0, false, Meaning::Other},
    {"no-kill", 'k', false, Meaning::Other},
    {"no-requeue", 0, false, Meaning::Other},
    {"nodefile", 'F', true, Meaning::Other},
    {"nodelist", 'w', true, Meaning::Other},
    {"ntasks-per-core", 0, true, Meaning::Other},
    {"ntasks-per-gpu", 0, true, Meaning::Other},
    {"ntasks-per-socket", 0, true, Meaning::Other},
    {"open-mode", 0, true, Meaning::Other},
    {"overcommit", 'O', false, Meaning::Other},
    {"overlap", 0, false, Meaning::Other},
    {"oversubscribe", 's', false, Meaning::Other},
    {"parsable", 0, false, Meaning::Other},
    {"partition", 'p', true, Meaning::Other},
    {"power", 0, true, Meaning::Other},
    {"prefer", 0, true, Meaning::Other},
    {"priority", 0, true, Meaning::Other},
    {"profile", 0, true, Meaning::Other},
    {"propagate", 0, false, Meaning::Other},
    {"pty", 0, false, Meaning::Other},
    {"qos", 'q', true, Meaning::Other},
    {"quiet", 'Q', false, Meaning::Other},
    {"reboot", 0, false, Meaning::Other},
    {"relative", 'r', true, Meaning::Other},
    {"requeue", 0, false, Meaning::Other},
    {"reservation", 0, true, Meaning::Other},
    {"signal", 0, true, Meaning::Other},
    {"sockets-per-node", 0, true, Meaning::Other},
    {"spread-job", 0, false, Meaning::Other},
    {"switches", 0, true, Meaning::Other},
    {"thread-spec", 0, true, Meaning::Other},
    {"threads-per-core", 0, true, Meaning::Other},
    {"time-min", 0, true, Meaning::Other},
    {"tmp", 0, true, Meaning::Other},
    {"tres-per-task", 0, true, Meaning::Other},
    {"uid", 0, true, Meaning::Other},
    {"unbuffered", 'u', false, Meaning::Other},
    {"use-min-nodes", 0, false, Meaning::Other},
    {"verbose", 'v', false, Meaning::Other},
    {"wait", 0, false, Meaning::Other},
    {"wait-all-nodes", 0, true, Meaning::Other},
    {"wckey", 0, true, Meaning::Other},
};

const Known *byName(const QString &name)
{
    const auto found = std::find_if(std::begin(knownOptions), std::end(knownOptions),
        [&name](const Known &known) { return name == QLatin1String(known.name); });
    return found == std::end(knownOptions) ? nullptr : &*found;
}

const Known *byLetter(QChar letter)
{
    const auto found = std::find_if(std::begin(knownOptions), std::end(knownOptions),
        [letter](const Known &known) { return known.letter && letter == QLatin1Char(known.letter); });
    return found == std::end(knownOptions) ? nullptr : &*found;
}

// The words of an option's line, without a comment behind them.
QStringList wordsOfDirective(const QByteArray &text)
{
    QStringList words = shellWords(QString::fromUtf8(text));
    const auto comment
        = std::find_if(words.cbegin(), words.cend(), [](const QString &word) { return word.startsWith(u'#'); });
    words.resize(comment - words.cbegin());
    return words;
}

bool isOptionLine(const QByteArray &text)
{
    return text.startsWith("#SBATCH") && (text.size() == 7 || text.at(7) == ' ' || text.at(7) == '\t');
}

} // namespace

QList<Option> readOptions(const QStringList &words, const ByteRange &at, qsizetype *used)
{
    QList<Option> options;
    qsizetype i = 0;
    while (i < words.size() && words.at(i).size() > 1 && words.at(i).startsWith(u'-')) {
        const QString &word = words.at(i++);
        Option option;
        option.at = at;
        const Known *known = nullptr;
        bool hasValue = false;
        if (word.startsWith("--"_L1)) {
            const qsizetype equals = word.indexOf(u'=');
            option.name = equals < 0 ? word : word.left(equals);
            option.value = equals < 0 ? QString() : word.mid(equals + 1);
            hasValue = equals >= 0;
            known = byName(option.name.sliced(2));
        } else {
            option.name = word.left(2);
            option.value = word.mid(2);
            hasValue = !option.value.isEmpty();
            known = byLetter(word.at(1));
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

bool isBatchScript(const QByteArray &bytes)
{
    if (!bytes.startsWith("#!")) {
        return false;
    }
    const Script script = readBatchScript(bytes);
    return script.components.size() > 1 || !script.components.constFirst().isEmpty();
}

Script readBatchScript(const QByteArray &bytes)
{
    Script script;
    script.components.append(QList<Option>());
    QByteArrayList texts;
    QList<ByteRange> places;
    for (qsizetype begin = 0; begin < bytes.size();) {
        qsizetype end = bytes.indexOf('\n', begin);
        end = end < 0 ? bytes.size() : end;
        places.append({begin, end});
        texts.append(bytes.mid(begin, end - begin));
        if (texts.constLast().endsWith('\r')) {
            texts.last().chop(1);
        }
        begin = end + 1;
    }
    const QList<ShellLine> read = readShellLines(texts);
    bool isHead = true, isContinued = false; // by the line above
    for (qsizetype i = 0; i < texts.size(); ++i) {
        const QByteArray &text = texts.at(i);
        const ByteRange at = places.at(i);
        const bool continues = isContinued;
        isContinued = read.at(i).isContinued;
        if (i == 0 && text.startsWith("#!")) {
            script.interpreter = QString::fromUtf8(text.mid(2)).trimmed();
            continue;
        }
        const bool isOption = isOptionLine(text) && !read.at(i).isText && !continues;
        if (isOption && !isHead) { // a comment to the shell
            script.late.append(at);
        } else if (isOption) {
            const QStringList words = wordsOfDirective(text.mid(7));
            if (words.size() == 1 && (words.at(0) == "hetjob"_L1 || words.at(0) == "packjob"_L1)) {
                script.components.append(QList<Option>());
            } else {
                qsizetype used = 0;
                script.components.last() += readOptions(words, at, &used);
                if (used < words.size()) { // no option, and no value of one
                    script.components.last().append({Meaning::Unknown, words.at(used), {}, at});
                }
            }
            continue;
        }
        const QByteArray trimmed = text.trimmed();
        isHead = isHead && (trimmed.isEmpty() || trimmed.startsWith('#'));
        if (script.lines.isEmpty() && trimmed.isEmpty()) {
            continue;
        }
        if (continues && !read.at(i).isText && !script.lines.isEmpty()) {
            script.lines.last().text += '\n' + text;
            script.lines.last().at.end = at.end;
        } else {
            script.lines.append({text, at, read.at(i).isText, read.at(i).isInside});
        }
    }
    const auto isBlank = [](const Line &line) { return !line.isText && line.text.trimmed().isEmpty(); };
    while (!script.lines.isEmpty() && isBlank(script.lines.constLast())) {
        script.lines.removeLast();
    }
    return script;
}

std::optional<qint64> timeOf(const QString &value)
{
    if (value.compare("UNLIMITED"_L1, Qt::CaseInsensitive) == 0
        || value.compare("INFINITE"_L1, Qt::CaseInsensitive) == 0 || value == "0"_L1) {
        return 0;
    }
    // minutes, minutes:seconds, hours:minutes:seconds, days-hours, days-hours:minutes, days-hours:minutes:seconds
    static const QRegularExpression form(u"^(?:(\\d{1,6})-)?(\\d{1,8})(?::(\\d{1,4}))?(?::(\\d{1,4}))?$"_s);
    const QRegularExpressionMatch match = form.match(value.trimmed());
    if (!match.hasMatch()) {
        return std::nullopt;
    }
    const auto part = [&match](int group) { return match.captured(group).toLongLong(); };
    const bool hasDays = !match.captured(1).isEmpty();
    if (hasDays) {
        return part(1) * 86'400 + part(2) * 3600 + part(3) * 60 + part(4);
    }
    const bool hasHours = !match.captured(4).isEmpty();
    return hasHours ? part(2) * 3600 + part(3) * 60 + part(4) : part(2) * 60 + part(3);
}

std::optional<qint64> memoryOf(const QString &value)
{
    static const QRegularExpression form(u"^(\\d{1,12})([KkMmGgTt]?)[Bb]?$"_s);
    const QRegularExpressionMatch match = form.match(value.trimmed());
    if (!match.hasMatch()) {
        return std::nullopt;
    }
    const qint64 number = match.captured(1).toLongLong();
    const QString unit = match.captured(2).toUpper();
    return unit == "K"_L1 ? (number + 1023) / 1024
        : unit == "G"_L1  ? number * 1024
        : unit == "T"_L1  ? number * 1024 * 1024
                          : number;
}

std::optional<qint64> countOf(const QString &value)
{
    static const QRegularExpression form(u"^(\\d{1,9})([kKmM]?)(?:-\\d{1,9}[kKmM]?)?$"_s);
    const QRegularExpressionMatch match = form.match(value.trimmed());
    if (!match.hasMatch()) {
        return std::nullopt;
    }
    const QString unit = match.captured(2).toLower();
    const qint64 number = match.captured(1).toLongLong() * (unit == "k"_L1 ? 1024 : unit == "m"_L1 ? 1024 * 1024 : 1);
    return number > 0 ? std::optional(number) : std::nullopt;
}

std::optional<GpuCount> gpusOf(const QString &value)
{
    static const QRegularExpression form(u"^(?:([A-Za-z_][\\w.-]*):)?(\\d{1,6})$"_s);
    GpuCount all;
    const QStringList parts = value.split(u',');
    for (const QString &part : parts) {
        const QRegularExpressionMatch match = form.match(part.trimmed());
        if (!match.hasMatch()) {
            return std::nullopt;
        }
        all.count += match.captured(2).toLongLong();
        all.type = all.type.isEmpty() ? match.captured(1) : all.type;
    }
    return all;
}

std::optional<GpuCount> gpusInGres(const QString &value)
{
    GpuCount all;
    const QStringList parts = value.split(u',');
    for (const QString &part : parts) {
        QStringList words = part.trimmed().section(u'(', 0, 0).split(u':');
        if (words.constFirst() != "gpu"_L1) {
            continue;
        }
        words.removeFirst();
        const std::optional<GpuCount> one = words.isEmpty() ? std::optional(GpuCount{1, {}})
            : words.size() == 1 && !words.at(0).isEmpty() && !words.at(0).at(0).isDigit()
            ? std::optional(GpuCount{1, words.at(0)})
            : gpusOf(words.join(u':'));
        if (!one) {
            return std::nullopt;
        }
        all.count += one->count;
        all.type = all.type.isEmpty() ? one->type : all.type;
    }
    return all;
}

std::optional<ArrayIds> arrayOf(const QString &value)
{
    static const QRegularExpression limit(u"^(.*)%(\\d{1,9})$"_s);
    static const QRegularExpression form(u"^(\\d{1,9})(?:-(\\d{1,9})(?::(\\d{1,9}))?)?$"_s);
    ArrayIds all;
    QString list = value.trimmed();
    if (const QRegularExpressionMatch match = limit.match(list); match.hasMatch()) {
        list = match.captured(1);
        all.most = match.captured(2).toLongLong();
    }
    const QStringList parts = list.split(u',');
    for (const QString &part : parts) {
        const QRegularExpressionMatch match = form.match(part.trimmed());
        if (!match.hasMatch()) {
            return std::nullopt;
        }
        const qint64 from = match.captured(1).toLongLong();
        const qint64 to = match.captured(2).isEmpty() ? from : match.captured(2).toLongLong();
        const qint64 step = match.captured(3).isEmpty() ? 1 : match.captured(3).toLongLong();
        if (to < from || step < 1 || (to - from) / step + all.ids.size() >= mostIds) {
            return std::nullopt;
        }
        for (qint64 id = from; id <= to; id += step) {
            all.ids.append(id);
        }
    }
    return all;
}

} // namespace trainyard::batch
