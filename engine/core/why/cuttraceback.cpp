// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/why/cuttraceback.h"

#include "engine/core/why/pythonlines.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

std::optional<CutTraceback> cutTracebackIn(const QList<WhyLine> &lines)
{
    constexpr qsizetype mostLines = 400;
    static const QRegularExpression partOfName(u"\\A[A-Za-z_][\\w.]*\\z"_s);
    CutTraceback cut;
    bool hasLines = false;
    for (qsizetype i = lines.size() - 1; i >= 0 && i + mostLines > lines.size(); --i) {
        const QByteArrayView words = lines.at(i).words;
        if (words.trimmed().isEmpty()) {
            continue;
        }
        cut.stream = hasLines ? cut.stream : lines.at(i).stream;
        if (lines.at(i).stream != cut.stream) {
            return std::nullopt;
        }
        if (words.indexOf(tracebackMark) >= 0) {
            cut.head = i;
            return cut;
        }
        // The line that names the error may lack all but its first letters.
        const bool isCutName = !hasLines && partOfName.match(readWords(words)).hasMatch();
        const bool isBoxed = words.startsWith("│") || words.startsWith("╭");
        if (!isCutName && !isBoxed && !words.startsWith("  ")) {
            return std::nullopt;
        }
        cut.isInName = cut.isInName || (isCutName && !errorIn(words, false));
        hasLines = true;
        const std::optional<WhyFrame> frame = cut.own ? std::nullopt : frameIn(words);
        cut.own = frame && !isLibraryFile(frame->file) ? frame : cut.own;
    }
    return std::nullopt;
}

} // namespace trainyard::core
