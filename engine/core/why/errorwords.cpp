// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/why/errorwords.h"

#include "engine/core/why/whylines.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

static constexpr qsizetype longestErrorWords = 1000;

bool isErrorForm(QByteArrayView words)
{
    static const QRegularExpression bad(
        u"error|fatal|fail|cannot|can[’']t|could not|unable|denied|killed|abort|fault|exception|not found|has no |no "
        u"such|refused"
        "|unreachable|unknown|invalid|missing|exceed|cancelled|terminat|signal|conflict|required|too "
        "|unsupported|mismatch"
        "|expired|unbound|incompatible|not enough|out of memory|no space|in use|not "
        "allowed|corrupt|what\\(\\):|panicked"
        "|assert|overflow|double free|smashing|caught|unrecognized|out-of-memory|oom|xid|illegal|\\bnan\\b|undefined|substitution|division by|operand|unexpected|readonly|no rule|no targets|closed"_s,
        QRegularExpression::CaseInsensitiveOption);
    return bad.match(QString::fromUtf8(headOf(words, longestErrorWords))).hasMatch();
}

bool asksToTryAgain(QByteArrayView words)
{
    static const QRegularExpression passing(
        u"\\b(?:try (?:it )?again|(?<!-)retry(?:ing)?(?= (?:in|after|later)\\b)|please retry"
        "|(?<!or )(?<!and )later(?! than\\b)|temporarily|temporary (?:failure|error|problem)|transient|busy"
        "|timed? ?-?out|overloaded|unavailable|in use|interrupted)\\b"_s,
        QRegularExpression::CaseInsensitiveOption);
    return passing.match(QString::fromUtf8(headOf(words, longestErrorWords))).hasMatch();
}

bool looksLikeError(const QString &text)
{
    static const QRegularExpression error(
        u"\\A(?:[\\w./-]+: )?(?:fatal(?: "
        u"error)?|FATAL|[Ee]rror|ERROR|panic|PANIC|CRITICAL|[Ff]ailed|Abort|Exception)\\b "
        u"?[:\\]\\[!(]"
        "|\\AException in thread \"|\\A(?:[A-Za-z_]\\w*\\.)*\\w*(?:Error|Exception)(?:: "
        "|\\s*\\z)|\\A\\[?E\\d{4}|\\A\\[(?:ERROR|FATAL|E)\\b|\\A\\[[\\d/:. -]+\\] \\[E\\] "
        "|\\A[\\w./-]+ error: |\\AE: |\\A(?:PHP )?(?:Fatal|Parse) error: |\\b(?:ERROR|FATAL|CRITICAL)\\b|\\AError in "
        "[^:]+:|\\AFAILED \\S+|\\A\\S.* at \\S+ line \\d+\\.\\z|\\A\\S+: (?:cannot|can't|could not|unable to|failed "
        "to) "
        "|\\A[a-z][\\w-]*: \\S.* failed: \\S.* \\(\\d+\\)\\z"
        "|\\A(?:\\[[^\\]\\s]+\\] )?\\*\\*\\* MPI_ERR_(?!OTHER)\\w+: "
        "|\\A[A-Z][\\w/+-]* (?:[Ee]rror|ERROR|FATAL) ?: |\\Aforrtl: (?:severe|error) \\(|\\A\\[E::|\\AError "
        "termination "
        "|\\A(?:\\S*/)?(?:lua[\\w.]*|th): \\S+\\.lua:\\d+: "
        "|\\Anpm (?:ERR!|error) (?!code |errno |syscall |path |dest |A complete log|Log files)\\S"
        "|\\A\\S+:\\d+:\\d+: runtime error: "_s);
    // "Error 403: ..." has a number of its own.
    static const QRegularExpression metric(
        u"\\b(?:[Ee]rror(?: rate)?|ERROR rate)[:= ]+(?!\\d+:(?!\\s*[-+]?\\d))[-+]?[\\d.]+"_s);
    return error.match(text).hasMatch() && (!metric.match(text).hasMatch() || text.startsWith("[E::"_L1));
}

bool isFatalLogLine(QByteArrayView words)
{
    static const QRegularExpression fatal(u"\\AF(?:\\d{4} [\\d:.]+ +\\d+)? \\S+\\.\\w+:\\d+\\] \\S"_s);
    return fatal.match(QString::fromUtf8(headOf(words, longestErrorWords))).hasMatch();
}

bool isErrorHeadline(QByteArrayView words)
{
    constexpr qsizetype longestHeadline = 300;
    static const QRegularExpression headline(
        u"\\AThe following tests FAILED:\\s*\\z|\\AError executing job with overrides: "
        u"\\[.*\\]\\s*\\z|\\A\\s*(?:[-=*#>!]+\\s*)?(?:[A-Z]\\w*\\s+)?(?:(?:FATAL|[Ff]atal|INTERNAL|[Ii]nternal|IO|[Rr]"
        u"un-?time)\\s+)*"
        "(?:ERROR|[Ee]rror|EXCEPTION)(?: in routine\\s+\\S+)?(?:\\s*\\([^)]*\\))?\\s*(?::\\s*(?:\\([^)]*\\))?|[-=*#!]+)\\s*\\z"_s);
    return headline.match(QString::fromUtf8(headOf(words, longestHeadline))).hasMatch();
}

bool isErrorHeadlineOfR(QByteArrayView words)
{
    constexpr qsizetype longestHeadline = 300;
    static const QRegularExpression headline(u"\\AError in (?:[\\w.:$@]+\\(|`[^`]+`).*:\\s*\\z"_s);
    return headline.match(QString::fromUtf8(headOf(words, longestHeadline))).hasMatch();
}

} // namespace trainyard::core
