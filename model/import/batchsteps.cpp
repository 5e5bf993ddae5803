// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/import/batchsteps.h"

#include "model/template/pluginsteps.h"

#include <QRegularExpression>

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

// How much deeper the shell is in loops, conditions and functions after a line.
int depthChange(const QByteArray &text)
{
    static const QRegularExpression quoted(u"'[^']*'|\"(?:[^\"\\\\]|\\\\.)*\"|(?:^|\\s)#.*"_s);
    static const QStringList openers{u"if"_s, u"for"_s, u"while"_s, u"until"_s, u"case"_s, u"select"_s};
    static const QStringList closers{u"fi"_s, u"done"_s, u"esac"_s};
    QString bare = QString::fromUtf8(text);
    bare.remove(quoted);
    int change = 0;
    bool isFirst = true; // of a command, where its words are keywords
    const QStringList words = bare.replace(u';', u" ; "_s).split(QRegularExpression(u"\\s+"_s), Qt::SkipEmptyParts);
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

std::optional<Step> stepOf(const QByteArray &text)
{
    const QList<Word> words = wordsIn(text);
    QStringList read;
    for (const Word &word : words) {
        read.append(shellWords(QString::fromUtf8(text.mid(word.begin, word.end - word.begin))).value(0));
    }
    if (read.value(0) != "srun"_L1 || read.contains(u"--"_s)) {
        return std::nullopt;
    }
    Step step;
    qsizetype used = 0;
    step.options = readOptions(read.sliced(1), {}, &used);
    const qsizetype first = used + 1;
    const bool isKnown = std::none_of(step.options.cbegin(), step.options.cend(),
        [](const Option &option) { return option.meaning == Meaning::Unknown || option.name == "--multi-prog"_L1; });
    if (!isKnown || first >= words.size() || text.at(words.at(first).begin) == '$'
        || text.mid(words.at(first).begin).startsWith("\"$")) {
        return std::nullopt;
    }
    step.command = text.mid(words.at(first).begin).trimmed();
    if (step.command.endsWith('&') && !step.command.endsWith("&&")) {
        step.command = step.command.chopped(1).trimmed();
        step.isInBackground = true;
    }
    return step.command.isEmpty() ? std::nullopt : std::optional(step);
}

// How often srun is called in a line.
qsizetype callsIn(const QByteArray &text)
{
    static const QRegularExpression call(u"(?:^|[\\s;&|({!`])srun(?=\\s|$)"_s);
    qsizetype count = 0;
    const QList<QByteArray> lines = text.split('\n');
    for (const QByteArray &line : lines) {
        if (!line.trimmed().startsWith('#')) {
            auto it = call.globalMatch(QString::fromUtf8(line));
            for (; it.hasNext(); it.next()) {
                ++count;
            }
        }
    }
    return count;
}

} // namespace

qint64 Step::component() const { return option(Meaning::Component).toLongLong(); }

QString Step::option(Meaning meaning) const
{
    const auto found = std::find_if(
        options.crbegin(), options.crend(), [meaning](const Option &option) { return option.meaning == meaning; });
    return found == options.crend() ? QString() : found->value;
}

Steps stepsOf(const Script &script)
{
    Steps all;
    int depth = 0;
    for (qsizetype i = 0; i < script.lines.size(); ++i) {
        const QByteArray &text = script.lines.at(i).text;
        if (script.lines.at(i).isText) {
            continue;
        }
        const qsizetype calls = callsIn(text);
        const std::optional<Step> step
            = calls == 1 && depth == 0 && !script.lines.at(i).isInside ? stepOf(text) : std::nullopt;
        if (step) {
            all.steps.append(*step);
            all.steps.last().line = i;
        } else {
            all.hasOthers = all.hasOthers || calls > 0;
            depth = std::max(0, depth + depthChange(text));
        }
    }
    return all;
}

bool isWait(const Line &line)
{
    static const QRegularExpression form(u"^\\s*wait(?:\\s+-n)?\\s*(?:#.*)?$"_s);
    return form.match(QString::fromUtf8(line.text)).hasMatch();
}

QStringList variablesOf(const Script &script)
{
    static const QRegularExpression form(u"\\bSLURM_[A-Z0-9_]+"_s);
    QStringList names;
    for (const Line &line : script.lines) {
        if (!line.isText && line.text.trimmed().startsWith('#')) {
            continue;
        }
        auto it = form.globalMatch(QString::fromUtf8(line.text));
        while (it.hasNext()) {
            if (const QString name = it.next().captured(); !names.contains(name)) {
                names.append(name);
            }
        }
    }
    return names;
}

bool asksForHosts(const Script &script)
{
    return std::any_of(script.lines.cbegin(), script.lines.cend(),
        [](const Line &line) { return line.text.contains("scontrol show hostname"); });
}

} // namespace trainyard::batch
