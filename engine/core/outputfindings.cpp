// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/outputfindings.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

namespace
{

// What ended a program stands at its end; what was said before may have been survived.
constexpr qsizetype searchedBytes = 256 * 1024;
constexpr qsizetype longestText = 400;
constexpr QByteArrayView tracebackMark = "Traceback (most recent call last):";

QByteArrayView lineAt(QByteArrayView text, qsizetype begin)
{
    const qsizetype end = text.indexOf('\n', begin);
    QByteArrayView line = text.sliced(begin, (end < 0 ? text.size() : end) - begin);
    return line.endsWith('\r') ? line.chopped(1) : line;
}

bool isLibrary(QByteArrayView file)
{
    return file.startsWith('<') || file.indexOf(QByteArrayView("site-packages")) >= 0
        || file.indexOf(QByteArrayView("dist-packages")) >= 0 || file.indexOf(QByteArrayView("/lib/python3")) >= 0
        || file.indexOf(QByteArrayView("/lib64/python3")) >= 0;
}

// One traceback from its first line on.
std::optional<PythonError> parseTraceback(QByteArrayView output, qsizetype mark)
{
    static const QRegularExpression frame(u"\\A\\s+File \"([^\"]+)\", line (\\d+)(?:, in (.+))?\\z"_s);
    static const QRegularExpression error(u"\\A([A-Za-z_][\\w.]*)(?:: ?(.*))?\\z"_s);
    // Launchers put the rank before each line.
    const qsizetype begin = mark == 0 ? 0 : output.first(mark).lastIndexOf('\n') + 1;
    const QByteArrayView prefix = output.sliced(begin, mark - begin);
    std::optional<PythonError> own, any;
    for (qsizetype at = output.indexOf('\n', mark); at >= 0 && at + 1 < output.size();
         at = output.indexOf('\n', at + 1)) {
        QByteArrayView line = lineAt(output, at + 1);
        if (!line.startsWith(prefix)) {
            continue; // of another process
        }
        line = line.sliced(prefix.size());
        if (line.startsWith(' ')) {
            const QRegularExpressionMatch match = frame.match(QString::fromUtf8(line));
            if (match.hasMatch()) {
                any = PythonError{{}, {}, match.captured(1), match.captured(3), match.captured(2).toInt()};
                if (!isLibrary(match.captured(1).toUtf8())) {
                    own = any;
                }
            }
            continue;
        }
        const QRegularExpressionMatch match
            = error.match(QString::fromUtf8(line.first(std::min<qsizetype>(line.size(), 4096))));
        if (!any || !match.hasMatch()) {
            return std::nullopt;
        }
        PythonError found = own ? *own : *any;
        found.type = match.captured(1);
        found.message = match.captured(2).left(longestText);
        return found;
    }
    return std::nullopt; // cut off
}

} // namespace

std::optional<PythonError> pythonError(QByteArrayView output)
{
    const QByteArrayView tail = output.size() > searchedBytes ? output.last(searchedBytes) : output;
    std::optional<PythonError> ofLauncher;
    for (qsizetype mark = tail.lastIndexOf(tracebackMark); mark >= 0;
         mark = mark == 0 ? -1 : tail.first(mark).lastIndexOf(tracebackMark)) {
        const std::optional<PythonError> found = parseTraceback(tail, mark);
        if (!found) {
            continue;
        }
        // These only tell that another process has failed, whose own words come before.
        if (!found->type.endsWith("ChildFailedError"_L1) && !found->type.endsWith("CalledProcessError"_L1)
            && !found->type.endsWith("ProcessExitedException"_L1)) {
            return found;
        }
        ofLauncher = ofLauncher ? ofLauncher : found;
    }
    return ofLauncher;
}

std::optional<OutputFinding> findingOf(const ExitRules &rules, QByteArrayView output)
{
    const QByteArrayView tail = output.size() > searchedBytes ? output.last(searchedBytes) : output;
    for (const ExitFinding &rule : rules.findings()) {
        for (qsizetype at = tail.indexOf(rule.hint); at >= 0; at = tail.indexOf(rule.hint, at + rule.hint.size())) {
            const qsizetype begin = at == 0 ? 0 : tail.first(at).lastIndexOf('\n') + 1;
            const QByteArrayView line = lineAt(tail, begin);
            const QRegularExpressionMatch match
                = rule.pattern.match(QString::fromUtf8(line.first(std::min<qsizetype>(line.size(), 16384))));
            if (!rule.pattern.pattern().isEmpty() && !match.hasMatch()) {
                at = std::max(at, begin + line.size() - rule.hint.size());
                continue;
            }
            OutputFinding found{rule.name, rule.reason, rule.solution, line.trimmed().toByteArray().left(longestText)};
            for (QString *text : {&found.reason, &found.solution}) {
                text->replace(u"{1}"_s, match.captured(1).left(longestText));
            }
            return found;
        }
    }
    return std::nullopt;
}

} // namespace trainyard::core
