// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/why/workwords.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

namespace
{

constexpr qsizetype longestWorkLine = 1000;

bool drawsAgain(const QString &text)
{
    static const QRegularExpression drawnAgain(u"\\d%\\|| ?it/s\\b|\\bs/it\\b|\\Awandb: "_s);
    return drawnAgain.match(text).hasMatch();
}

// A step of the work that the program reports as done.
bool tellsStep(const QString &text)
{
    static const QRegularExpression step(
        u"\\A\\s*(?:\\[?\\d+/\\d+(?![\\d/])|(?:epoch|step|iter\\w*|batch|train\\w*|valid\\w*|eval\\w*)\\b.*\\d)"
        "|\\b(?:loss|acc|accuracy|perplexity)\\b\\W{1,3}[-+]?\\d"_s,
        QRegularExpression::CaseInsensitiveOption);
    return step.match(text).hasMatch() && !drawsAgain(text);
}

bool tellsBegin(const QString &text)
{
    static const QRegularExpression begin(u"\\A\\W*(?:re-?)?(?:start|train|continu|resum|initiali[sz]|begin|launch|"
                                          u"evaluat|test|validat|predict|export)\\w*"
                                          "ing\\b"_s,
        QRegularExpression::CaseInsensitiveOption);
    return begin.match(text).hasMatch();
}

} // namespace

bool reportsWork(const QString &text)
{
    static const QRegularExpression report(
        u"\\A\\s*(?:\\d+%|\\[?\\d+[/:\\]]|[Ee]poch\\b|[Ss]tep\\b|[Ii]ter|[Tt]rain\\w*\\b.*\\d|[-=*#|+_.>~]{3}|[{\\[<])"
        "|\\b(?:loss|acc|accuracy|lr|score|error(?: rate)?(?!\\W{1,3}\\d+:(?!\\s*[-+]?\\d))|rmse|mae|auc|f1|perplexity|took|elapsed)\\b\\W{1,3}[-+]?\\d"_s,
        QRegularExpression::CaseInsensitiveOption);
    return report.match(text).hasMatch();
}

bool isDrawnAgain(QByteArrayView words) { return drawsAgain(QString::fromUtf8(headOf(words, longestWorkLine))); }

bool tellsRecovery(QByteArrayView words)
{
    static const QRegularExpression again(
        u"\\b(?:re-?connected|re-?established|recovered|succeeded|back online|is back|resumed|connected again"
        "|(?:connection|service|link|upload|download) (?:restored|complete(?:d)?|succeeded|ok))\\b"_s,
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression denied(
        u"\\b(?:not|never|no|cannot|could ?n[o']t|none|if|when|until|unless|before|fail\\w*|errors?|unable)\\b|n't\\b"_s,
        QRegularExpression::CaseInsensitiveOption);
    const QString text = QString::fromUtf8(headOf(words, longestWorkLine));
    return again.match(text).hasMatch() && !denied.match(text).hasMatch();
}

bool isRestartedBetween(const QList<WhyLine> &lines, qsizetype from, qsizetype to)
{
    constexpr qsizetype mostLines = 1000, longest = 120; // a sentence that is longer tells of more than that
    static const QRegularExpression again(
        u"\\b(?:retrying|re-?start(?:ing|ed)|re-?running|re-?launch(?:ing|ed)|re-?queue(?:d|ing)|attempt #?\\d)\\b"_s,
        QRegularExpression::CaseInsensitiveOption);
    for (qsizetype i = std::max(from, to - mostLines); i < to; ++i) {
        const QByteArrayView words = lines.at(i).words;
        if (words.size() <= longest && again.match(QString::fromUtf8(words)).hasMatch()) {
            return true;
        }
    }
    return false;
}

bool isMereInformation(QByteArrayView words)
{
    static const QRegularExpression level(u"\\b(?:INFO|DEBUG)\\b|\"level(?:name)?\": ?\"(?:info|debug|INFO|DEBUG)\""_s);
    return level.match(QString::fromUtf8(headOf(words, longestWorkLine))).hasMatch();
}

bool judgesMeasure(const QString &text)
{
    static const QRegularExpression judgement(
        u"\\b(?:requir\\w*|reject\\w*|must|threshold|minimum|at least|at most|refus\\w*|abort\\w*|giv(?:es|ing) up"
        "|insufficient|unacceptabl[ey]|too (?:low|high|many|few|large|small))\\b"
        "|\\b(?:is|was|are|were|falls|fell|stays|stayed|remains|remained|drops|dropped)\\b[^.,;]*"
        "\\b(?:below|above|beneath|(?:less|lower|smaller|greater|higher|larger|more|worse) than)\\b"_s,
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression number(u"\\d"_s);
    return number.match(text).hasMatch() && judgement.match(text).hasMatch();
}

bool goesOnBetween(const QList<WhyLine> &lines, qsizetype from, qsizetype to, int enough)
{
    int steps = 0;
    for (qsizetype i = from; i < to && steps < enough; ++i) {
        const QString text = QString::fromUtf8(headOf(lines.at(i).words, longestWorkLine));
        steps += tellsStep(text) && !judgesMeasure(text) ? 1 : tellsBegin(text) ? enough : 0;
    }
    return steps >= enough;
}

} // namespace trainyard::core
