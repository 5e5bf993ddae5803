// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/import/batchusage.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>
#include <optional>

using namespace Qt::StringLiterals;

namespace trainyard::batch
{
namespace
{

// How the tokens of well-known services begin, and go on.
const QRegularExpression &tokenForm()
{
    static const QRegularExpression form(
        u"(?<![\\w-])(hf_|sk-|gh[opsu]_|github_pat_|glpat-|xox[abp]-|AKIA)([\\w-]{8,})"_s);
    return form;
}

bool isOddWord(const QString &word)
{
    static const QRegularExpression letter(u"[A-Za-z]"_s), digit(u"\\d"_s);
    constexpr qsizetype longWord = 16;
    return word.contains(letter) && (word.contains(digit) || word.size() >= longWord);
}

// The variables to which a line assigns a text that looks like a secret, also if they have no other value. Computed
// values and those read from a file do not count.
QStringList secretsIn(const QByteArray &line)
{
    static const QRegularExpression assignment(
        uR"((?:^|[\s;&|(])([A-Za-z_]\w*)=(["']?)([^\s"'$`;&|()<>/~][^\s"'$`;&|()<>]{7,})\2(?=[\s;&|)]|$))"_s);
    // A list, "--export=ALL,NAME=VALUE", and "${NAME:-VALUE}".
    static const QRegularExpression listed(uR"re(,([A-Za-z_]\w*)(=)([^\s"'$`;&|()<>,]{8,})(?=[\s;&|),"']|$))re"_s);
    static const QRegularExpression ownValue(uR"re(\$\{([A-Za-z_]\w*):?([-=])(?![~/])([^\s"'$`;&|()<>{}]{8,})\})re"_s);
    QStringList names;
    for (const QRegularExpression *form : {&assignment, &listed, &ownValue}) {
        for (auto found = form->globalMatch(QString::fromUtf8(line)); found.hasNext();) {
            const QRegularExpressionMatch each = found.next();
            if (looksSecret(each.captured(1), each.captured(3)) && !names.contains(each.captured(1))) {
                names.append(each.captured(1));
            }
        }
    }
    return names;
}

// How a token begins that a line has elsewhere, such as in the arguments of a program; empty: it has none.
QString tokenIn(const QByteArray &line)
{
    constexpr qsizetype shortest = 16;
    for (auto found = tokenForm().globalMatch(QString::fromUtf8(line)); found.hasNext();) {
        const QRegularExpressionMatch each = found.next();
        static const QRegularExpression digit(u"\\d"_s);
        if (each.captured(2).size() >= shortest && each.captured(2).contains(digit)) {
            return each.captured(1);
        }
    }
    return {};
}

enum class SingleQuotes { Keep, Leave };

// A line as the shell expands it: without comments and escaped letters, and, unless they are kept, without texts in
// single quotes, which it leaves alone.
QString expandedText(const QByteArray &line, SingleQuotes single)
{
    const QString all = QString::fromUtf8(line);
    QString text;
    bool isDouble = false;
    for (qsizetype i = 0; i < all.size(); ++i) {
        const QChar c = all.at(i);
        const bool isAtWord = i == 0 || all.at(i - 1).isSpace() || all.at(i - 1) == u';';
        if (c == u'\\') {
            ++i;
            text += u' ';
        } else if (!isDouble && c == u'\'') {
            const qsizetype end = all.indexOf(u'\'', i + 1);
            const QString inside = all.sliced(i, (end < 0 ? all.size() : end + 1) - i);
            text += single == SingleQuotes::Keep ? inside : u"''"_s;
            i += inside.size() - 1;
        } else if (!isDouble && c == u'#' && isAtWord) {
            const qsizetype end = all.indexOf(u'\n', i);
            i = (end < 0 ? all.size() : end) - 1;
        } else {
            isDouble = c == u'"' ? !isDouble : isDouble;
            text += c;
        }
    }
    return text;
}

QStringList namesSetIn(const QString &text)
{
    // "lr=$lr" as the argument of a program sets nothing.
    static const QRegularExpression assignment(
        uR"re((?:^|[\s;&|({`,=])([A-Za-z_]\w*)(?:\[[^\]]*\])?\+?=(?!"?\$\{?\1\b(?!:?[-=?+])))re"_s);
    static const QRegularExpression loop(u"\\b(?:for|select)\\s+([A-Za-z_]\\w*)"_s);
    static const QRegularExpression taker(u"\\b(?:read|mapfile|readarray|local|declare|typeset|export|readonly|unset|"
                                          "getopts|printf\\s+-v|let)\\b([^;&|<)\\n]*)"_s);
    // "export LR=$LR" hands on what is there.
    static const QRegularExpression word(uR"re((?<![\w${-])([A-Za-z_]\w*)\b(?!="?\$\{?\1\b(?!:?[-=?+])))re"_s);
    QStringList names;
    for (const QRegularExpression *form : {&assignment, &loop}) {
        for (auto it = form->globalMatch(text); it.hasNext();) {
            names.append(it.next().captured(1));
        }
    }
    for (auto it = taker.globalMatch(text); it.hasNext();) {
        const QString words = it.next().captured(1);
        for (auto each = word.globalMatch(words); each.hasNext();) {
            names.append(each.next().captured());
        }
    }
    return names;
}

// Every shell and every login has them, or the tasks of a job.
bool isUsual(const QString &name)
{
    static const QSet<QString> names{u"HOME"_s, u"USER"_s, u"LOGNAME"_s, u"PATH"_s, u"PWD"_s, u"OLDPWD"_s, u"SHELL"_s,
        u"HOSTNAME"_s, u"HOSTTYPE"_s, u"OSTYPE"_s, u"MACHTYPE"_s, u"LANG"_s, u"LANGUAGE"_s, u"TERM"_s, u"TMPDIR"_s,
        u"UID"_s, u"EUID"_s, u"PPID"_s, u"RANDOM"_s, u"SRANDOM"_s, u"SECONDS"_s, u"LINENO"_s, u"IFS"_s, u"PIPESTATUS"_s,
        u"FUNCNAME"_s, u"OPTARG"_s, u"OPTIND"_s, u"REPLY"_s, u"MAPFILE"_s, u"EPOCHSECONDS"_s, u"EPOCHREALTIME"_s,
        u"SHLVL"_s, u"GROUPS"_s, u"PS1"_s, u"LD_LIBRARY_PATH"_s, u"LIBRARY_PATH"_s, u"CPATH"_s, u"PYTHONPATH"_s,
        u"MANPATH"_s, u"MODULEPATH"_s, u"VIRTUAL_ENV"_s, u"CUDA_VISIBLE_DEVICES"_s, u"OMP_NUM_THREADS"_s, u"_"_s};
    static const QRegularExpression families(
        u"^(?:BASH|(?:SLURMD?|SRUN|SBATCH|PAI|TRAINYARD|LC|XDG|CONDA|SSH)(?:_|$))"_s);
    return names.contains(name) || families.match(name).hasMatch();
}

// Which lines stand in functions, whose arguments are their own.
class FunctionBodies
{
public:
    bool contains(const QString &text) // the lines, one after another
    {
        static const QRegularExpression head(u"(?:^|[;\\s])(?:function\\s+[\\w-]+|[\\w-]+\\s*\\(\\s*\\))\\s*\\{?"_s);
        static const QRegularExpression expansion(u"\\$\\{[^{}]*\\}"_s);
        if (!m_isInside && !head.match(text).hasMatch()) {
            return false;
        }
        m_isInside = true;
        QString bare = text;
        constexpr int deepest = 20;
        for (int depth = 0; depth < deepest && bare.contains(expansion); ++depth) {
            bare.remove(expansion);
        }
        m_isOpen = m_isOpen || bare.contains(u'{');
        m_depth += bare.count(u'{') - bare.count(u'}');
        if (m_isOpen && m_depth <= 0) {
            *this = FunctionBodies();
        }
        return true;
    }

private:
    bool m_isInside = false, m_isOpen = false;
    qsizetype m_depth = 0;
};

bool callsMpirun(const Line &line)
{
    static const QRegularExpression call(u"(?:^|[\\s;&|({`])(?:mpirun|mpiexec|orterun)(?=\\s|$)"_s);
    return !line.isText && call.match(expandedText(line.text, SingleQuotes::Keep)).hasMatch();
}

} // namespace

bool isNameOfSecret(const QString &name)
{
    static const QRegularExpression form(u"(?:TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|ACCESS_KEY|SECRET_KEY)$"_s,
        QRegularExpression::CaseInsensitiveOption);
    return form.match(name).hasMatch();
}

bool looksSecret(const QString &name, const QString &value)
{
    static const QRegularExpression digit(u"\\d"_s);
    const QRegularExpressionMatch token = tokenForm().match(value);
    const QString rest = token.captured(2);
    const bool isWords = rest.contains(u'-') && !rest.contains(digit); // "sk-learn-env"
    return (token.capturedStart() == 0 && !isWords) || (value.size() >= 8 && isOddWord(value) && isNameOfSecret(name));
}

bool startsTasks(const Script &script) { return std::any_of(script.lines.cbegin(), script.lines.cend(), callsMpirun); }

QStringList readVariables(const Script &script, const QStringList &known, ByteRange *at)
{
    static const QRegularExpression read(u"\\$(?:\\{[#!]?)?([A-Za-z_]\\w*)"_s);
    static const QRegularExpression withOwnValue(u"\\$\\{([A-Za-z_]\\w*):?[-=?+]"_s);
    QStringList texts;
    QSet<QString> ever(known.cbegin(), known.cend()), before = ever;
    for (const Line &line : script.lines) {
        texts.append(line.isText ? QString() : expandedText(line.text, SingleQuotes::Leave));
        const QStringList names = namesSetIn(texts.constLast());
        ever.unite({names.cbegin(), names.cend()});
    }
    QStringList found;
    QSet<QString> isFound; // a script may name tens of thousands
    for (qsizetype i = 0; i < texts.size(); ++i) {
        QSet<QString> own; // "LR=${LR:-0.1}" asks whether it comes from outside
        for (auto it = withOwnValue.globalMatch(texts.at(i)); it.hasNext();) {
            own.insert(it.next().captured(1));
        }
        for (auto it = read.globalMatch(texts.at(i)); it.hasNext();) {
            const QString name = it.next().captured(1);
            const bool isFromOutside = !ever.contains(name) || (own.contains(name) && !before.contains(name));
            if (!isFromOutside || isFound.contains(name) || isUsual(name)) {
                continue;
            }
            if (found.isEmpty() && at) {
                *at = script.lines.at(i).at;
            }
            found.append(name);
            isFound.insert(name);
        }
        const QStringList names = namesSetIn(texts.at(i));
        before.unite({names.cbegin(), names.cend()});
    }
    return found;
}

QStringList readArguments(const Script &script, ByteRange *at)
{
    static const QRegularExpression read(u"\\$(?:\\{([1-9]\\d*|[@*])|([1-9]|[@*#])|\\{(#)\\})"_s);
    static const QRegularExpression sets(u"(?:^|[;\\s])set\\s+(?:-\\S+\\s+)*--(?:\\s|$)"_s);
    FunctionBodies bodies;
    QStringList found;
    for (const Line &line : script.lines) {
        const QString text = line.isText ? QString() : expandedText(line.text, SingleQuotes::Leave);
        if (bodies.contains(text)) {
            continue;
        }
        if (sets.match(text).hasMatch()) {
            break;
        }
        for (auto it = read.globalMatch(text); it.hasNext();) {
            const QRegularExpressionMatch match = it.next();
            const QString name = u'$' + match.captured(1) + match.captured(2) + match.captured(3);
            if (found.isEmpty() && at) {
                *at = line.at;
            }
            if (!found.contains(name)) {
                found.append(name);
            }
        }
    }
    return found;
}

QStringList slurmCommands(const QByteArray &line)
{
    // The command of a trap is in quotes.
    static const QRegularExpression call(
        u"(?:^|[;&|({!`]|\\btrap\\s+[\"']|\\b(?:then|do|else|if|while|until|exec|time)\\s)\\s*"
        "(sbatch|squeue|scancel|sacct|sinfo|salloc|sbcast|sstat|sattach|scontrol\\s+(?!show\\s+hostname)\\w+)(?=[\\s;&|)\"'`]|$)"_s,
        QRegularExpression::MultilineOption);
    QStringList found;
    for (auto it = call.globalMatch(expandedText(line, SingleQuotes::Keep)); it.hasNext();) {
        found.append(it.next().captured(1).simplified());
    }
    return found;
}

// A sentence names only a few; no one would read thousands of them.
QString listedNames(const QStringList &names)
{
    constexpr qsizetype most = 20;
    return names.first(std::min(names.size(), most)).join(u", "_s) + (names.size() > most ? u", …"_s : QString());
}

void sayUsage(const Script &script, const QStringList &known, Findings &findings)
{
    ByteRange at;
    if (const QStringList names = readVariables(script, known, &at); !names.isEmpty()) {
        findings.say("batch.environment", Severity::Warning, at, {{u"names"_s, listedNames(names)}});
    }
    if (const QStringList names = readArguments(script, &at); !names.isEmpty()) {
        findings.say("batch.arguments", Severity::Warning, at, {{u"names"_s, listedNames(names)}});
    }
    QStringList said;
    for (const Line &line : script.lines) {
        const QStringList secrets = secretsIn(line.text);
        for (const QString &variable : secrets) {
            findings.say("batch.secret", Severity::Warning, line.at, {{u"name"_s, variable}});
        }
        if (const QString begin = secrets.isEmpty() ? tokenIn(line.text) : QString(); !begin.isEmpty()) {
            findings.say("batch.secret-text", Severity::Warning, line.at, {{u"begin"_s, begin}});
        }
        const QStringList commands = line.isText ? QStringList() : slurmCommands(line.text);
        for (const QString &command : commands) {
            if (!said.contains(command)) {
                said.append(command);
                findings.say("batch.slurm-command", Severity::Warning, line.at, {{u"command"_s, command}});
            }
        }
    }
}

namespace
{

// An option of a launcher that says how many processes it starts on a node.
struct ProcessOption {
    QString text; // "--nproc_per_node 4"
    std::optional<qint64> processes; // nothing: one for each GPU of the host
};

std::optional<ProcessOption> processOptionIn(const QString &text)
{
    static const QRegularExpression call(
        uR"re((?<![^\s;&|(/"])(?:torchrun|torch\.distributed\.(?:run|launch)|accelerate\s+launch|deepspeed)\s[^;&\n]*)re"_s);
    static const QRegularExpression option(
        uR"re(\s(--(?:nproc[-_]per[-_]node|num[-_]processes|num[-_]gpus))(?:=|\s+)"?([^\s"]+))re"_s);
    static const QRegularExpression machines(uR"re(\s--num[-_]machines(?:=|\s+)"?(\d{1,6})(?![^\s"]))re"_s);
    static const QRegularExpression onlyProcessors(uR"re(\s--(?:use[-_])?cpu(?=\s|$))re"_s);
    static const QRegularExpression eachGpu(
        uR"re(^(?:gpu|auto|\$\{?\w*gpu\w*\}?|\$\(nvidia-smi)$)re"_s, QRegularExpression::CaseInsensitiveOption);
    const QString line = call.match(text).captured();
    const QRegularExpressionMatch found = option.match(line);
    if (!found.hasMatch() || onlyProcessors.match(line).hasMatch()) {
        return std::nullopt;
    }
    const QString value = found.captured(2), shown = found.captured(1) + u' ' + value;
    if (eachGpu.match(value).hasMatch()) {
        return ProcessOption{shown, std::nullopt};
    }
    bool isNumber = false;
    const int count = value.toInt(&isNumber);
    if (!isNumber || count < 1) {
        return std::nullopt; // only the shell knows
    }
    const int hosts = found.captured(1).contains("processes"_L1) ? machines.match(line).captured(1).toInt() : 1;
    return ProcessOption{shown, (count + std::max(hosts, 1) - 1) / std::max(hosts, 1)};
}

} // namespace

void sayOfLaunchers(const QList<Line> &lines, qint64 gpus, Findings &findings)
{
    for (const Line &line : lines) {
        const std::optional<ProcessOption> option
            = line.isText ? std::nullopt : processOptionIn(expandedText(line.text, SingleQuotes::Leave));
        if (!option || (gpus > 0 && option->processes.value_or(0) <= gpus)) {
            continue;
        }
        const char *code = !option->processes ? "batch.processes-all"
            : gpus == 0                       ? "batch.processes"
                                              : "batch.processes-more";
        findings.say(code, Severity::Warning, line.at,
            {{u"option"_s, option->text}, {u"processes"_s, option->processes.value_or(0)}, {u"gpus"_s, gpus}});
        return; // the same holds for the others
    }
}

void sayOfMpirun(const QList<Line> &lines, qint64 instances, Findings &findings)
{
    const auto found = std::find_if(lines.cbegin(), lines.cend(), callsMpirun);
    if (found != lines.cend()) {
        findings.say("batch.mpirun-each", Severity::Warning, found->at, {{u"instances"_s, instances}});
    }
}

} // namespace trainyard::batch
