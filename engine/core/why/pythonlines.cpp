// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/why/pythonlines.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

namespace
{

constexpr qsizetype longestRead = 2000; // of a line

} // namespace

QString readWords(QByteArrayView words) { return QString::fromUtf8(headOf(words, longestRead)); }

bool isBlankWords(QByteArrayView words)
{
    const QByteArrayView trimmed = words.trimmed();
    return trimmed.isEmpty() || trimmed == QByteArrayView("\"\"\"");
}

bool isMarks(QByteArrayView words)
{
    const QByteArrayView trimmed = words.trimmed();
    return !trimmed.isEmpty()
        && std::all_of(trimmed.begin(), trimmed.end(), [](char c) { return c == '^' || c == '~' || c == ' '; });
}

bool isRuleOfMessage(QByteArrayView words)
{
    const QByteArrayView trimmed = words.trimmed();
    return trimmed.size() > 3 && std::all_of(trimmed.begin(), trimmed.end(), [](char c) {
        return c == '*' || c == '=' || c == '-' || c == '#';
    });
}

std::optional<WhyFrame> frameIn(QByteArrayView words)
{
    static const QRegularExpression ofPython(
        u"\\A(?:(?:\\s+|> )File \"([^\"]+)\", line (\\d+)(?:,\\s*in (.+))?|File \"([^\"]+)\", line (\\d+),\\s*in (\\S.*))\\z"_s);
    static const QRegularExpression ofOthers(
        u"\\A(?:File |│ (?:❱ )?)([~/][^:\\s]*\\.py|Cell In\\[\\d+\\]):(\\d+),? in (\\S+)|\\A(Cell In\\[\\d+\\]), line (\\d+)"_s);
    const bool isOfPython = words.indexOf(QByteArrayView("File \"")) >= 0;
    if (!isOfPython && !words.startsWith("File ") && !words.startsWith("Cell In[") && !words.startsWith("│ ")) {
        return std::nullopt;
    }
    const QRegularExpressionMatch match = (isOfPython ? ofPython : ofOthers).match(readWords(words));
    if (!match.hasMatch()) {
        return std::nullopt;
    }
    return match.hasCaptured(4) ? WhyFrame{match.captured(4), match.captured(6), match.captured(5).toInt()}
                                : WhyFrame{match.captured(1), match.captured(3), match.captured(2).toInt()};
}

std::optional<WhyError> errorIn(QByteArrayView words, bool follows)
{
    static const QRegularExpression pattern(u"\\A([A-Za-z_][\\w.]*(?:\\([\\w.]+\\))?):?(?:\\z| (.*)|: (.*)|:\\z)"_s);
    static const QRegularExpression sure(
        u"(?:Error|Exception|Exit|Interrupt|Warning|Iteration|Timeout|Expired|Failed|Failure|Group|Fault|NotFound"
        "|Missing|Refused|Abort|Aborted|Empty|Full|Traceback|Raised\\w*|Exited\\w*)(?:\\([\\w.]+\\))?\\z"_s);
    const QString text = readWords(words);
    const QRegularExpressionMatch match = pattern.match(text);
    if (!match.hasMatch()) {
        return std::nullopt;
    }
    const QString type = match.captured(1);
    const bool hasColon = type.size() < text.size() && text.at(type.size()) == u':';
    const bool isOnlyType = type.size() == text.size();
    if (!hasColon && !isOnlyType) {
        return std::nullopt;
    }
    const QString name = type.section(u'.', -1);
    // A logger's level is no exception: "ERROR: training failed".
    static const QSet<QString> levels{
        u"ERROR"_s, u"FATAL"_s, u"CRITICAL"_s, u"WARNING"_s, u"WARN"_s, u"INFO"_s, u"DEBUG"_s, u"NOTE"_s};
    if (levels.contains(type)) {
        return std::nullopt;
    }
    const bool isNamed = sure.match(type).hasMatch();
    const bool canBeOne = !name.isEmpty() && (name.at(0).isUpper() || type.contains(u'.'));
    if (!isNamed && !(follows && canBeOne && (hasColon || type.contains(u'.')))) {
        return std::nullopt;
    }
    WhyError error;
    error.type = type;
    error.message = hasColon ? text.mid(type.size() + 1).trimmed() : QString();
    return error;
}

bool isCleanupName(const QString &name)
{
    static const QRegularExpression cleanup(
        u"\\A_*(?:a?exit|del|a?close\\w*|\\w*clean_?up\\w*|clean|tear_?down\\w*|tearDown\\w*|shutdown|release\\w*|"
        u"rollback"
        "|finali[sz]e\\w*|dispose|terminate|kill|unlink|rmtree|remove\\w*|delete\\w*|restore\\w*|unlock|disconnect"
        "|destroy\\w*|finish\\w*|stop\\w*|flush)_*\\z"_s);
    return cleanup.match(name).hasMatch();
}

QString calledIn(QByteArrayView words)
{
    static const QRegularExpression call(u"\\A\\s*(?:await )?[\\w.\\[\\]'\"]*?(\\w+)\\("_s);
    return call.match(readWords(words)).captured(1);
}

std::optional<WhyError::Via> linkIn(QByteArrayView words)
{
    const QByteArrayView line = words.trimmed();
    if (line.startsWith("During handling of the above exception")) {
        return WhyError::Via::During;
    }
    if (line.startsWith("The above exception was the direct cause")) {
        return WhyError::Via::Direct;
    }
    return std::nullopt;
}

bool isLibraryFile(const QString &file)
{
    static const std::array parts{"site-packages"_L1, "dist-packages"_L1, "/lib/python2"_L1, "/lib/python3"_L1,
        "/lib64/python2"_L1, "/lib64/python3"_L1, "/lib/multiprocessing/"_L1, "torchinductor_"_L1,
        "__autograph_generated_file"_L1, "/huggingface/modules/"_L1, "\\lib\\"_L1, "/Frameworks/Python.framework/"_L1,
        "/runfiles/"_L1, "/pyspark.zip/"_L1, "/spark/python/"_L1, "-src.zip/"_L1};
    static const std::array compiled{".pyx"_L1, ".pxi"_L1, ".h"_L1, ".hpp"_L1, ".cc"_L1, ".cpp"_L1, ".cu"_L1};
    if (file.startsWith(u'<') || file.startsWith("Cell In["_L1)
        || std::any_of(compiled.begin(), compiled.end(), [&](QLatin1StringView end) { return file.endsWith(end); })) {
        return true;
    }
    // The programs that packages install: /opt/conda/bin/torchrun.
    const QString folder = file.section(u'/', -2, -2);
    return (folder == "bin"_L1 && !file.endsWith(".py"_L1))
        || std::any_of(parts.begin(), parts.end(), [&](QLatin1StringView part) { return file.contains(part); });
}

} // namespace trainyard::core
