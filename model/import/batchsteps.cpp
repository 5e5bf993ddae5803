// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/import/batchsteps.h"

#include "model/template/pluginsteps.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::batch
{
namespace
{

struct Word {
    qsizetype begin = 0, end = 0;
};

// The words of a shell's line, as written.
QList<Word> wordsIn(const QByteArray &text)
{
    QList<Word> words;
    char quote = 0;
    qsizetype begin = -1;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const char c = text.at(i);
        const bool joins = c == '\\' && i + 1 < text.size() && text.at(i + 1) == '\n';
        if (!quote && (c == ' ' || c == '\t' || c == '\n' || joins)) {
            if (begin >= 0) {
                words.append({begin, i});
                begin = -1;
            }
            i += joins ? 1 : 0;
            continue;
        }
        begin = begin < 0 ? i : begin;
        if (quote) {
            i += quote == '"' && c == '\\' ? 1 : 0;
            quote = c == quote ? 0 : quote;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '\\') {
            ++i;
        }
    }
    if (begin >= 0) {
        words.append({begin, text.size()});
    }
    return words;
}

// "srun ./a & # the first" without its comment; other lines keep theirs.
QByteArray withoutCommentOfBackground(const QByteArray &text)
{
    const QList<Word> words = wordsIn(text);
    const auto comment
        = std::find_if(words.cbegin(), words.cend(), [&text](const Word &word) { return text.at(word.begin) == '#'; });
    const QByteArray before = comment == words.cend() ? text : text.first(comment->begin).trimmed();
    return before.endsWith('&') && !before.endsWith("&&") ? before : text;
}

// A line without quotes and comments.
QString bareText(const QByteArray &text)
{
    static const QRegularExpression quoted(u"'[^']*'|\"(?:[^\"\\\\]|\\\\.)*\"|\\\\.|(?:^|\\s)#.*"_s);
    return QString::fromUtf8(text).remove(quoted);
}

// Whether a line without quotes has an '&' that starts what stands before it in the background.
bool startsAny(const QString &bare)
{
    static const QRegularExpression form(u"(?<![&<>|])&(?![&>])"_s);
    return form.match(bare).hasMatch();
}

// How much deeper the shell is in loops, conditions and functions after a line.
int depthChange(const QByteArray &text)
{
    static const QStringList openers{u"if"_s, u"for"_s, u"while"_s, u"until"_s, u"case"_s, u"select"_s};
    static const QStringList closers{u"fi"_s, u"done"_s, u"esac"_s};
    const QString bare = bareText(text);
    int change = 0;
    bool isFirst = true; // of a command, where its words are keywords
    const QStringList words
        = QString(bare).replace(u';', u" ; "_s).split(QRegularExpression(u"\\s+"_s), Qt::SkipEmptyParts);
    static const QStringList before{
        u";"_s, u"then"_s, u"do"_s, u"else"_s, u"&&"_s, u"||"_s, u"{"_s, u"("_s, u"|"_s, u"!"_s};
    for (const QString &word : words) {
        if (word == "{"_L1 || (word.endsWith("{"_L1) && !word.contains(u'$'))) {
            ++change;
        } else if (word == "}"_L1) {
            --change;
        } else if (isFirst && openers.contains(word)) {
            ++change;
        } else if (isFirst && closers.contains(word)) {
            --change;
        }
        isFirst = before.contains(word);
    }
    return change;
}

// The command that runs a program as --chdir and --export say; empty: they say nothing.
QByteArray runnerOf(const QList<Option> &options)
{
    QByteArray text, folder;
    for (const Option &option : options) {
        if (option.meaning == Meaning::Folder) {
            folder = " -C " + expandedWord(option.value);
        } else if (option.meaning == Meaning::Export) {
            for (const auto &[name, value] : assignmentsOf(option.value)) {
                text += ' ' + assignmentText(name, value);
            }
        }
    }
    text.prepend(folder);
    return text.isEmpty() ? text : "env" + text + ' ';
}

// How many words stand before srun that leave it the program of the line; nothing: others.
std::optional<qsizetype> wordsBeforeSrun(const QStringList &words)
{
    static const QRegularExpression assignment(u"^[A-Za-z_]\\w*="_s);
    static const QStringList plain{u"exec"_s, u"env"_s, u"nohup"_s, u"setsid"_s};
    static const QStringList withValue{u"-s"_s, u"-k"_s, u"--signal"_s, u"--kill-after"_s, u"-n"_s};
    const auto passOptions = [&words](qsizetype &i) {
        while (words.value(i).startsWith(u'-')) {
            i += withValue.contains(words.at(i)) ? 2 : 1;
        }
    };
    qsizetype i = 0;
    while (i < words.size() && words.at(i) != "srun"_L1) {
        const QString &word = words.at(i++);
        if (word == "timeout"_L1 || word == "nice"_L1) {
            passOptions(i);
            i += word == "timeout"_L1 ? 1 : 0; // how long
        } else if (!plain.contains(word) && !assignment.match(word).hasMatch()) {
            return std::nullopt;
        }
    }
    return i < words.size() ? std::optional(i) : std::nullopt;
}

// The numbers of the components for which a part of a step is.
QList<qint64> componentsOf(const QList<Option> &options, qint64 usual)
{
    const auto found = std::find_if(
        options.crbegin(), options.crend(), [](const Option &option) { return option.meaning == Meaning::Component; });
    if (found == options.crend()) {
        return {usual};
    }
    constexpr qsizetype mostComponents = 128; // of a job of Slurm
    const QList<qint64> ids = arrayOf(found->value).value_or(ArrayIds()).ids; // they are written likewise: "0,2-3"
    return ids.size() <= mostComponents ? ids : QList<qint64>();
}

// A step, with a part for each component of a heterogeneous job for which it is; none: the line is not a step.
QList<Step> stepOf(const QByteArray &line)
{
    QByteArray text = withoutCommentOfBackground(line.trimmed());
    const bool isInBackground = text.endsWith('&') && !text.endsWith("&&");
    if (isInBackground) {
        text = text.chopped(1).trimmed();
    }
    const QList<Word> words = wordsIn(text);
    QStringList read;
    for (const Word &word : words) {
        read.append(shellWords(QString::fromUtf8(text.mid(word.begin, word.end - word.begin))).value(0));
    }
    const std::optional<qsizetype> before = wordsBeforeSrun(read);
    if (!before) {
        return {};
    }
    static const QRegularExpression more(u"[;|<>&]"_s), open(u";|(?:&&|\\|)\\s*$"_s);
    const QString bare = bareText(text);
    if (startsAny(bare)) { // "srun ./a & first=$!": a command that waits for it would not wait for a task role
        return {};
    }
    const QByteArray prefix = text.first(words.at(*before).begin);
    const auto written = [&](qsizetype i) { return text.mid(words.at(i).begin, words.at(i).end - words.at(i).begin); };
    const auto separates = [&](qsizetype i) { // and is not the command ":" of the shell
        return written(i) == ":" && written(i - 1) != "||" && written(i - 1) != "&&";
    };
    QList<Step> parts;
    bool hasColon = false;
    for (qsizetype begin = *before + 1; begin <= words.size();) {
        qsizetype end = begin, used = 0;
        while (end < words.size() && !separates(end)) {
            ++end;
        }
        hasColon = hasColon || end < words.size();
        const QList<Option> options = readOptions(read.sliced(begin, end - begin), {}, Program::Srun, &used);
        const bool isKnown = std::none_of(options.cbegin(), options.cend(), [](const Option &option) {
            return option.meaning == Meaning::Unknown || option.name == "--multi-prog"_L1;
        });
        if (!isKnown || begin + used >= end) {
            return {};
        }
        const qsizetype from = words.at(begin + used).begin;
        const QByteArray program
            = text.sliced(from, (end < words.size() ? words.at(end).begin : text.size()) - from).trimmed();
        if (program.startsWith('$') || program.startsWith("\"$")) {
            return {};
        }
        const QList<qint64> components = componentsOf(options, parts.size());
        if (components.isEmpty()) {
            return {};
        }
        for (const qint64 component : components) {
            Step step;
            step.options = options;
            step.program = program;
            step.command = prefix + runnerOf(options) + program;
            step.isInBackground = isInBackground;
            step.isWhole = !open.match(bare).hasMatch();
            step.component = component;
            parts.append(step);
        }
        begin = end + 1;
    }
    return hasColon && more.match(bare).hasMatch() ? QList<Step>() : parts;
}

// Where srun is called in a line, at most so many times; of each call, the text before it and behind it.
QList<Call> callsIn(const QByteArray &text, qsizetype most)
{
    static const QRegularExpression call(u"(?:^|[\\s;&|({!`])srun(?=\\s|$)"_s);
    static const QRegularExpression reads(u"(?:\\$\\(|`)\\s*$"_s), command(u"[;&|({!`]|\\b(?:then|do|else)\\s"_s);
    static const QStringList runners{u"exec"_s, u"env"_s, u"timeout"_s, u"nohup"_s, u"setsid"_s, u"nice"_s, u"stdbuf"_s,
        u"xargs"_s, u"command"_s, u"sudo"_s};
    constexpr qsizetype longestBefore = 500, longestOptions = 4000; // a line may have thousands of calls
    QList<Call> calls;
    const QStringList lines = QString::fromUtf8(text).replace(u"\\\n"_s, u"  "_s).split(u'\n');
    for (const QString &line : lines) {
        if (line.trimmed().startsWith(u'#')) {
            continue;
        }
        for (auto it = call.globalMatch(line); it.hasNext() && calls.size() < most;) {
            const QRegularExpressionMatch match = it.next();
            const qsizetype end = match.capturedEnd(), begin = end - 4;
            const QString before
                = line.sliced(std::max<qsizetype>(0, begin - longestBefore), std::min(begin, longestBefore));
            qsizetype used = 0;
            Call found;
            found.options = readOptions(shellWords(line.mid(end, longestOptions)), {}, Program::Srun, &used);
            found.isRead = reads.match(before).hasMatch();
            const QStringList words = shellWords(before.section(command, -1));
            const auto runner
                = std::find_if(words.cbegin(), words.cend(), [](const QString &word) { return !word.contains(u'='); });
            found.behind = runner != words.cend() && runners.contains(*runner) ? *runner : QString();
            calls.append(found);
        }
    }
    return calls;
}

} // namespace

QString Step::option(Meaning meaning) const
{
    const auto found = std::find_if(
        options.crbegin(), options.crend(), [meaning](const Option &option) { return option.meaning == meaning; });
    return found == options.crend() ? QString() : found->value;
}

Steps stepsOf(const Script &script)
{
    // Beyond these, which no person has written, a step is like one that cannot be read. A step in the background gets
    // a copy of all commands above it.
    constexpr qsizetype mostSteps = 1000, mostCalls = 2000, mostCopied = qsizetype(32) << 20;
    constexpr qsizetype aroundLine = 64; // what a line takes beside its text
    Steps all;
    int depth = 0;
    qsizetype above = 0, copied = 0;
    for (qsizetype i = 0; i < script.lines.size(); ++i) {
        const Line &line = script.lines.at(i);
        above += line.text.size() + aroundLine;
        if (line.isText) {
            continue;
        }
        QList<Call> calls = callsIn(line.text, std::max<qsizetype>(1, mostCalls - all.calls.size()));
        const bool isSingle = calls.size() == 1 && depth == 0 && !line.isInside && all.calls.size() + 1 < mostCalls;
        QList<Step> steps = isSingle ? stepOf(line.text) : QList<Step>();
        const bool isBeside = steps.size() > 1 || (!steps.isEmpty() && steps.constFirst().isInBackground);
        const qsizetype more = isBeside ? above * steps.size() : 0;
        if (all.steps.size() + steps.size() > mostSteps || copied + more > mostCopied) {
            steps.clear();
        } else {
            copied += more;
        }
        for (Call &call : calls) {
            call.line = i;
        }
        for (Step &step : steps) {
            step.line = i;
        }
        if (steps.isEmpty()) {
            all.hasOthers = all.hasOthers || !calls.isEmpty();
            depth = std::max(0, depth + depthChange(line.text));
        }
        all.steps += steps;
        all.calls += calls;
    }
    return all;
}

bool startsBackground(const Line &line) { return !line.isText && startsAny(bareText(line.text)); }

bool isWait(const Line &line)
{
    static const QRegularExpression form(u"^\\s*wait(?:\\s+-n)?\\s*(?:#.*)?$"_s);
    return form.match(QString::fromUtf8(line.text)).hasMatch();
}

bool trapsSignal(const Line &line)
{
    static const QRegularExpression form(
        u"^\\s*trap\\s.*\\s(?:SIG)?(?:TERM|INT|HUP|QUIT|USR1|USR2|15|12|10|3|2|1)\\b"_s,
        QRegularExpression::DotMatchesEverythingOption);
    return !line.isText && form.match(QString::fromUtf8(line.text)).hasMatch();
}

bool waitsForSome(const Line &line)
{
    static const QRegularExpression form(u"^\\s*wait\\s+[^#\\s]"_s);
    return form.match(QString::fromUtf8(line.text)).hasMatch();
}

QList<UsedVariable> variablesOf(const Script &script)
{
    static const QRegularExpression form(u"\\bSLURMD?_[A-Z0-9_]+"_s);
    QList<UsedVariable> all;
    QSet<QString> known; // a script may name tens of thousands
    for (const Line &line : script.lines) {
        if (!line.isText && line.text.trimmed().startsWith('#')) {
            continue;
        }
        auto it = form.globalMatch(QString::fromUtf8(line.text));
        while (it.hasNext()) {
            if (const QString name = it.next().captured(); !known.contains(name)) {
                known.insert(name);
                all.append({name, line.at});
            }
        }
    }
    return all;
}

bool asksForHosts(const Script &script)
{
    return std::any_of(script.lines.cbegin(), script.lines.cend(),
        [](const Line &line) { return line.text.contains("scontrol show hostname"); });
}

} // namespace trainyard::batch
