// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/why/datalines.h"
#include "engine/core/why/errorwords.h"
#include "engine/core/why/rootsearch.h"
#include "engine/core/why/setaside.h"
#include "engine/core/why/workwords.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

// What a program has survived, or only shows.
namespace trainyard::core
{

// Whether a program only shows the text of a sign, such as what a model has written: its work went on, in lines of
// another mark.
bool RootSearch::isOnlyShown(const WhySign &sign) const
{
    constexpr qsizetype longestLine = 400;
    const QByteArrayView words = m_lines.at(sign.line).words;
    if (m_many || sign.block >= 0 || !isShownText(words) || !goesOnBetween(m_lines, sign.last + 1, m_lines.size())) {
        return false;
    }
    const QByteArrayView mark = words.startsWith('[') ? words.first(words.indexOf(']') + 1) : QByteArrayView();
    return mark.isEmpty() || std::none_of(m_lines.cbegin() + sign.last + 1, m_lines.cend(), [&](const WhyLine &line) {
        return line.words.startsWith(mark)
            && reportsWork(QString::fromUtf8(headOf(line.words.sliced(mark.size()).trimmed(), longestLine)));
    });
}

// Whether a sign that the program may only tell of is one of several of different causes: a program ends for one. A
// crash that a sentence tells of is another one if the run ended by itself.
bool RootSearch::isOneOfMany(qsizetype index) const
{
    constexpr qsizetype neighbours = 3;
    const WhySign &sign = m_signs.at(index);
    if (!sign.isTold || m_many) {
        return false;
    }
    if (sign.role == FailureCause::Role::Crash && isOtherDeath(sign)) {
        return true;
    }
    const qsizetype from = std::max<qsizetype>(0, index - neighbours),
                    to = std::min(m_signs.size(), index + neighbours + 1);
    return std::any_of(m_signs.cbegin() + from, m_signs.cbegin() + to,
        [&](const WhySign &other) { return other.isTold && other.cause != sign.cause; });
}

// Whether the program has said other things since a text of which it may only tell. What it ends with stands at its
// end.
bool RootSearch::isToldBefore(const WhySign &sign) const
{
    constexpr int most = 5;
    if (!sign.isTold || m_many) {
        return false;
    }
    int said = 0;
    auto block = std::lower_bound(m_blocks.cbegin(), m_blocks.cend(), sign.last + 1,
        [](const PythonBlock &each, qsizetype line) { return each.last < line; });
    for (qsizetype i = sign.last + 1; i < m_lines.size() && said <= most; ++i) {
        while (block != m_blocks.cend() && block->last < i) {
            ++block;
        }
        if (block != m_blocks.cend() && block->first <= i) {
            i = block->last;
            continue;
        }
        said += isBlank(m_lines.at(i)) ? 0 : 1;
    }
    return said > most;
}

// "[2/5] upload failed: ..." and "[3/5] uploaded": what a counter stands before goes on with the next number.
static bool isCountedOn(const QList<WhyLine> &lines, const WhySign &sign, qsizetype to)
{
    constexpr qsizetype longestHead = 40;
    static const QRegularExpression counter(u"\\A[(\\[]?(\\d{1,6})/(\\d{1,6})[)\\]:]? "_s);
    const auto countOf
        = [&](const WhyLine &line) { return counter.match(QString::fromUtf8(headOf(line.words, longestHead))); };
    const QRegularExpressionMatch own = countOf(lines.at(sign.line));
    return own.hasMatch() && std::any_of(lines.cbegin() + sign.last + 1, lines.cbegin() + to, [&](const WhyLine &line) {
        const QRegularExpressionMatch next = countOf(line);
        return next.hasMatch() && next.captured(2) == own.captured(2)
            && next.captured(1).toInt() > own.captured(1).toInt() && !isErrorForm(line.words);
    });
}

// Whether the program says before a line that it works again. What an exception ended does not.
bool RootSearch::isRecoveredFrom(const WhySign &sign, qsizetype until) const
{
    constexpr qsizetype mostLines = 300;
    const bool mayRecover = !m_many && !sign.fatal && !sign.isThrown && sign.role != FailureCause::Role::Decisive
        && sign.role != FailureCause::Role::Report;
    const qsizetype to = std::clamp(until, sign.last + 1, sign.last + 1 + mostLines);
    return mayRecover
        && (isCountedOn(m_lines, sign, to)
            || std::any_of(m_lines.cbegin() + sign.last + 1, m_lines.cbegin() + to,
                [](const WhyLine &line) { return tellsRecovery(line.words); }));
}

// Whether a logger that wrote an error writes on below the level of warnings.
bool RootSearch::isLoggedOver(const WhySign &sign) const
{
    constexpr qsizetype enough = 2;
    static const QRegularExpression logged(u"\\bERROR\\b"_s);
    constexpr qsizetype longestHead = 200;
    if (m_many || sign.block >= 0 || sign.fatal
        || !logged.match(QString::fromUtf8(headOf(m_lines.at(sign.line).words, longestHead))).hasMatch()) {
        return false;
    }
    return std::count_if(m_lines.cbegin() + sign.last + 1, m_lines.cend(), [](const WhyLine &line) {
        return isMereInformation(line.words);
    }) >= enough;
}

// Lines of the program's own behind a sign, up to two; of several processes, of the one that wrote the sign. What is
// drawn again while a program ends tells nothing.
int RootSearch::toldBehind(const WhySign &sign) const
{
    constexpr int enough = 2;
    int told = 0;
    const QByteArrayView stream = m_lines.at(sign.line).stream;
    if (m_many && stream.isEmpty()) {
        return told;
    }
    for (qsizetype i = sign.last + 1; i < m_lines.size() && told < enough; ++i) {
        if (m_many && m_lines.at(i).stream != stream) {
            continue;
        }
        const QByteArrayView words = m_lines.at(i).words;
        told += (written(i, i + 1, 0) > 0 && !isDrawnAgain(words)) || takesOtherWay(words) ? 1 : 0;
    }
    return told;
}

// Python ends with 1 after an exception that nothing handled: with another status it has survived it, or it is unknown
// what ended it. Launchers have statuses of their own, and what still waits for its threads may be stopped meanwhile.
bool RootSearch::isOtherEnd(qsizetype index, qsizetype last) const
{
    constexpr int ofPython = 1, ofXargs = 123, interrupted = 130, killed = 137, terminated = 143;
    const WhySign &sign = m_signs.at(index);
    if (sign.block < 0 || m_many || !m_status || *m_status == ofPython || *m_status == ofXargs) {
        return false;
    }
    // What reports a process has a status of its own.
    if (index != last && m_signs.at(last).role == FailureCause::Role::Report) {
        return false;
    }
    const bool isStopped = *m_status == interrupted || *m_status == killed || *m_status == terminated;
    if (index == last && isStopped) {
        return toldBehind(sign) > 0;
    }
    return index == last || endedAfter(m_blocks.at(sign.block), m_lines, m_signs.at(last)) != DyingProgram::Same;
}

// Whether the kernel tells of a program that it has killed, and the work of the run went on.
bool RootSearch::isOtherProgram(const WhySign &sign) const
{
    return !m_many && sign.role == FailureCause::Role::Decisive && sign.args.contains("program"_L1)
        && isOtherDeath(sign) && goesOnAfter(sign, m_lines.size());
}

// Whether a line tells of the death of a program by a signal, and the run has ended by itself.
bool RootSearch::isOtherDeath(const WhySign &sign) const
{
    constexpr int lastOwnStatus = 123; // beyond: of `timeout`, of shells, signals
    // The kernel names a program that it has killed, which may be any one of the host.
    const bool isOfKernel = sign.role == FailureCause::Role::Decisive && sign.args.contains("program"_L1);
    return sign.block < 0
        && (sign.role == FailureCause::Role::Crash || sign.role == FailureCause::Role::Abort || isOfKernel) && m_status
        && *m_status > 0 && *m_status <= lastOwnStatus;
}

// Whether the program went on after an error until another one: its work did, or it had survived the same before.
bool RootSearch::wasSurvived(qsizetype index, qsizetype until) const
{
    const WhySign &sign = m_signs.at(index);
    if (goesOnBetween(m_lines, sign.last + 1, m_signs.at(until).line)) {
        return true;
    }
    const QJsonValue said = sign.args.value("said"_L1);
    for (qsizetype i = index - 1, end = firstStep(index); i >= end && !m_many && sign.block >= 0; --i) {
        const WhySign &before = m_signs.at(i);
        if (before.block >= 0 && before.args.value("said"_L1) == said && written(before.last + 1, sign.line, 0) > 0) {
            return true;
        }
    }
    return false;
}

} // namespace trainyard::core
