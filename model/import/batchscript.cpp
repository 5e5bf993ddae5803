// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/import/batchscript.h"

#include "model/base/utf8.h"
#include "model/import/dockercall.h"
#include "model/import/shelllines.h"
#include "model/protocol/jobspec.h"
#include "model/template/pluginsteps.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::batch
{
namespace
{

constexpr qsizetype mostIds = 10'000;
constexpr qsizetype longestHead = 4096; // of a command, in which its program stands

// The words of an option's line, without a comment behind them.
QStringList wordsOfDirective(const QByteArray &text)
{
    char quote = 0;
    bool isAtWord = true;
    qsizetype end = 0;
    for (; end < text.size() && (quote || !isAtWord || text.at(end) != '#'); ++end) {
        const char c = text.at(end);
        end += c == '\\' && quote != '\'' ? 1 : 0;
        isAtWord = !quote && (c == ' ' || c == '\t');
        quote = quote ? (c == quote ? '\0' : quote) : c == '"' || c == '\'' ? c : '\0';
    }
    return shellWords(QString::fromUtf8(text.first(std::min(end, text.size()))));
}

bool isOptionLine(const QByteArray &text)
{
    return text.startsWith("#SBATCH") && (text.size() == 7 || text.at(7) == ' ' || text.at(7) == '\t');
}

// A mapping or a list of YAML, or JSON: above it, an option is a comment.
bool beginsAsData(const Script &script)
{
    static const QRegularExpression data(u"^\\s*(?:[\\w.\"'-]+\\s*:(?:\\s|$)|\\{|---|-\\s|%YAML)"_s);
    const auto first = std::find_if(script.lines.cbegin(), script.lines.cend(),
        [](const Line &line) { return !line.text.trimmed().isEmpty() && !line.text.trimmed().startsWith('#'); });
    return first != script.lines.cend() && data.match(QString::fromUtf8(first->text)).hasMatch();
}

bool beginsWithShebang(const QByteArray &bytes)
{
    return QByteArrayView(bytes).sliced(byteOrderMarkLength(bytes)).startsWith("#!");
}

// Whether its first command starts a program as people start training: by a launcher, or by Python, with an option or a
// file behind it. A sentence that begins with such a name has neither.
bool beginsAsLaunch(const QByteArray &bytes)
{
    static const QRegularExpression call(u"^(?:\\w+=\\S*\\s+)*(?:exec\\s+|time\\s+|nohup\\s+)?(?:\\S*/)?"
                                         "(?:torchrun|accelerate\\s+launch|deepspeed|srun|mpirun|mpiexec|horovodrun|"
                                         "python[\\d.]*|uv\\s+run|conda\\s+run)\\s+"
                                         "(?:\\S+\\s+)*?(?:-{1,2}\\w|\\S*[./]\\w|\\\\$)"_s);
    for (qsizetype begin = 0; begin < bytes.size();) {
        const qsizetype feed = bytes.indexOf('\n', begin);
        const qsizetype end = feed < 0 ? bytes.size() : feed;
        const QByteArray line = bytes.mid(begin, std::min(end - begin, longestHead)).trimmed();
        if (!line.isEmpty() && !line.startsWith('#')) {
            return call.match(QString::fromUtf8(line)).hasMatch();
        }
        begin = end + 1;
    }
    return false;
}

} // namespace

bool isBatchScript(const QByteArray &bytes, const QString &fileName)
{
    static const QRegularExpression shellName(
        u"\\.(?:sh|bash|sbatch|slurm)$"_s, QRegularExpression::CaseInsensitiveOption);
    const bool isNamed = shellName.match(fileName).hasMatch();
    if (!isNamed && !bytes.contains("#SBATCH")) {
        return false;
    }
    const Script script = readBatchScript(bytes);
    const bool hasOptions = script.components.size() > 1 || !script.components.constFirst().isEmpty();
    if (beginsWithShebang(bytes)) {
        return hasOptions || isNamed;
    }
    return (hasOptions || isNamed) && !beginsAsData(script);
}

bool isShellScript(const QByteArray &bytes)
{
    if (beginsAsLaunch(bytes)) {
        return true;
    }
    const bool hasInterpreter = beginsWithShebang(bytes);
    if (!hasInterpreter && !bytes.contains("docker") && !bytes.contains("podman")) {
        return false;
    }
    const Script script = readBatchScript(bytes);
    const bool callsDocker = std::any_of(script.lines.cbegin(), script.lines.cend(), [](const Line &line) {
        return !line.isText && !line.text.trimmed().startsWith('#') && hasDockerCall(line.text);
    });
    return (hasInterpreter || callsDocker) && !beginsAsData(script);
}

Script readBatchScript(const QByteArray &bytes)
{
    Script script;
    script.components.append(QList<Option>());
    QByteArrayList texts;
    QList<ByteRange> places;
    for (qsizetype begin = byteOrderMarkLength(bytes); begin < bytes.size();) {
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
                script.componentsAt = script.components.size() == 1 ? at : script.componentsAt;
                script.components.append(QList<Option>());
            } else {
                qsizetype used = 0;
                script.components.last() += readOptions(words, at, Program::Sbatch, &used);
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
        || value.compare("INFINITE"_L1, Qt::CaseInsensitive) == 0 || value == "0"_L1 || value == "-1"_L1) {
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
    static const QRegularExpression form(u"^(?:([\\w.-]+):)?(\\d{1,6})$"_s); // "3090:2"
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
    static const QRegularExpression type(u"^(?!\\d+$)[\\w.-]+$"_s); // "v100", "2080ti", "1g.5gb"; a number is how many
    GpuCount all;
    const QStringList parts = value.split(u',');
    for (const QString &part : parts) {
        QStringList words = part.trimmed().section(u'(', 0, 0).split(u':');
        if (words.constFirst() != "gpu"_L1) {
            continue;
        }
        words.removeFirst();
        const bool isType = words.size() == 1 && type.match(words.at(0)).hasMatch();
        const std::optional<GpuCount> one = words.isEmpty() ? std::optional(GpuCount{1, {}})
            : isType                                        ? std::optional(GpuCount{1, words.at(0)})
                                                            : gpusOf(words.join(u':'));
        if (!one) {
            return std::nullopt;
        }
        all.count += one->count;
        all.type = all.type.isEmpty() ? one->type : all.type;
    }
    return all;
}

std::optional<EarlySignal> signalOf(const QString &value)
{
    static const QRegularExpression form(u"^(?:([BbRr]{1,2}):)?(\\w{1,20})(?:@(\\d{1,5}))?$"_s);
    const QRegularExpressionMatch match = form.match(value.trimmed());
    const int number = match.hasMatch() ? stopSignalOf(match.captured(2)) : 0;
    EarlySignal signal;
    for (const QString &name : {u"TERM"_s, u"INT"_s, u"HUP"_s, u"QUIT"_s, u"USR1"_s, u"USR2"_s}) {
        if (number > 0 && stopSignalOf(name) == number) {
            signal.name = name;
        }
    }
    if (signal.name.isEmpty()) {
        return std::nullopt;
    }
    constexpr qint64 most = 86'400; // of a grace period
    signal.seconds = match.captured(3).isEmpty() ? signal.seconds : std::min(most, match.captured(3).toLongLong());
    signal.isForShell = match.captured(1).contains(u'B', Qt::CaseInsensitive);
    return signal;
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
    std::sort(all.ids.begin(), all.ids.end()); // "1,3,2-3": each once
    all.ids.erase(std::unique(all.ids.begin(), all.ids.end()), all.ids.end());
    return all;
}

} // namespace trainyard::batch
