// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/why/whysigns.h"

#include "engine/core/why/blocksigns.h"
#include "engine/core/why/causematch.h"
#include "engine/core/why/datalines.h"
#include "engine/core/why/listedsigns.h"
#include "engine/core/why/quotedwords.h"
#include "engine/core/why/setaside.h"
#include "engine/core/why/signdetails.h"
#include "engine/core/why/signreader.h"
#include "engine/core/why/whylinks.h"

#include <QHash>

#include <algorithm>
#include <cstring>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

namespace
{

// If a text stands in each line, the last ones are enough.
constexpr int mostPlaces = 400;

using Role = FailureCause::Role;
using Where = FailureCause::Where;

// Whether the client of a tracking server wrote it, which runs beside the program and after its end.
bool isOfTracker(QByteArrayView words)
{
    static const QRegularExpression tracker(u"\\A(?:\\x1b\\[[\\d;]*m)*wandb(?:\\x1b\\[[\\d;]*m)*: "_s);
    return tracker.match(QString::fromUtf8(headOf(words, longestArgument))).hasMatch();
}

} // namespace

bool SignReader::isInBlock(qsizetype index) const
{
    auto after = std::upper_bound(m_blocks.cbegin(), m_blocks.cend(), index,
        [](qsizetype line, const PythonBlock &block) { return line < block.first; });
    // Blocks of several processes overlap, but not many of them.
    for (int i = 0; i < 64 && after != m_blocks.cbegin(); ++i) {
        --after;
        if (index <= after->last && m_lines.at(index).stream == m_lines.at(after->first).stream) {
            return true;
        }
    }
    return false;
}

// Ray writes the name of an exception above the frames of its task, too.
bool SignReader::isHeadOfFrames(qsizetype index) const
{
    return index + 1 < m_lines.size() && m_lines.at(index + 1).words.startsWith("  File \"")
        && m_lines.at(index).words.indexOf("RayTaskError(") >= 0;
}

QByteArrayView SignReader::wordsAround(const WhyLine &line, qsizetype at) const
{
    if (line.words.size() <= longestWords) {
        return line.words;
    }
    const qsizetype from = std::clamp<qsizetype>(
        at - longestWords / 2, line.end - line.words.size(), std::max(line.begin, line.end - longestWords));
    return m_text.sliced(from, std::min(longestWords, line.end - from));
}

QByteArrayView SignReader::textBetween(qsizetype index, qsizetype at) const
{
    const auto place = m_places.value(index, {at, at});
    return place.second < at ? m_text.sliced(place.second, at - place.second) : QByteArrayView();
}

template <class Take> void SignReader::eachPlace(QByteArrayView hint, Take take) const
{
    QList<qsizetype> places;
    const char *const begin = m_text.data();
    const char *const end = begin + m_text.size();
    for (const char *at = begin; at < end;) {
        const void *hit = ::memmem(at, std::size_t(end - at), hint.data(), std::size_t(hint.size()));
        if (!hit) {
            break;
        }
        const qsizetype place = static_cast<const char *>(hit) - begin;
        places.append(place);
        const void *newline = ::memchr(begin + place, '\n', std::size_t(end - begin - place));
        at = newline ? static_cast<const char *>(newline) + 1 : end;
    }
    for (qsizetype i = std::max<qsizetype>(0, places.size() - mostPlaces); i < places.size(); ++i) {
        const qsizetype line = whyLineAt(m_lines, places.at(i));
        if (line >= 0) {
            take(line, places.at(i));
        }
    }
}

bool SignReader::standsAbove(QByteArrayView text, qsizetype index) const
{
    constexpr qsizetype farthest = 32 * 1024; // so long a program may explain all its options
    const qsizetype end = m_lines.at(index).begin;
    const qsizetype begin = std::max<qsizetype>(0, end - farthest);
    return text.isEmpty() || m_text.sliced(begin, end - begin).indexOf(text) >= 0;
}

// What ended the later failures says nothing about what ended the first one.
void SignReader::quoteLaterFailures()
{
    eachPlace(QByteArrayView("Root Cause (first observed failure)"), [this](qsizetype index, qsizetype) {
        for (const qsizetype line : linesOfLaterFailures(m_lines, index)) {
            m_quoted.insert(line);
        }
    });
}

void SignReader::readCauses()
{
    for (const FailureCause &cause : m_causes.causes()) {
        for (const FailureCause::Line &line : cause.lines) {
            if (line.where == Where::Python) {
                continue;
            }
            eachPlace(line.hint, [&](qsizetype index, qsizetype at) {
                const auto known = m_signs.constFind(index);
                if (known != m_signs.cend() && known->block < 0 && areListedIn(textBetween(index, at), *known, cause)
                    && argumentsOf(line, QString::fromUtf8(wordsAround(m_lines.at(index), at)))) {
                    m_signs[index].isTold = m_signs[index].likely = true;
                    return;
                }
                if ((known != m_signs.cend() && !known->weak) || m_quoted.contains(index) || isInBlock(index)) {
                    return;
                }
                const QByteArrayView words = wordsAround(m_lines.at(index), at);
                if (words.isEmpty() || words.trimmed().startsWith("raise ") || isHeadOfFrames(index)) {
                    return; // the program only shows it, or it is the source or the head of frames
                }
                const QString text = QString::fromUtf8(words);
                const std::optional<QJsonObject> args = argumentsOf(line, text);
                if (!args || !standsAbove(line.above, index)) {
                    return;
                }
                const qsizetype place = at - (words.data() - m_text.data());
                const bool isQuoted = isQuotedAt(words, place, line.hint);
                const qsizetype behind = std::clamp<qsizetype>(place + line.hint.size(), 0, words.size());
                if ((isQuoted && isOnlyQuoted(words, place)) || isEchoed(m_lines, index)
                    || isCountedAsNone(words.sliced(behind))) {
                    return;
                }
                if (isOfData(m_lines, index, at - (m_lines.at(index).words.data() - m_text.data()))) {
                    return;
                }
                WhySign sign = signOfCause({&cause, &line, *args});
                sign.line = sign.last = index;
                sign.weak = !line.warning && (isMildLine(words) || isSupposed(words, place));
                const QByteArrayView before = words.first(std::clamp<qsizetype>(place, 0, words.size()));
                if (isQuoted && (sign.weak || before.contains('`')) && !namesError(before)) {
                    return; // a logger shows what the program works on, or a text quotes code
                }
                sign.survived = isOfTracker(m_lines.at(index).words);
                const bool mayBeTold
                    = cause.role == Role::Cause || cause.role == Role::Missing || cause.role == Role::Crash;
                sign.isTold = !m_lines.at(index).isOfKernel
                    && (isQuoted || isCounted(m_lines, index) || isOfList(m_lines, index) || isInColumns(m_lines, index)
                        || isInRow(words, place) || m_lines.at(index).isShown
                        || (mayBeTold && isToldOf(words, place, line.hint)));
                sign.isBare = mayBeTold && cause.role != Role::Crash && words.startsWith("[Errno ");
                // Without the words of the system above it, the program has caught an exception of C++ and names it.
                sign.isTold = sign.isTold || words.trimmed().startsWith("what(): ");
                sign.likely = sign.likely || sign.isTold;
                sign.fatal = cause.name == "heap-corruption"_L1 || cause.name == "assertion-failed"_L1
                    || cause.name == "process-limit"_L1;
                insertText(sign.args, u"said"_s, text.trimmed());
                completeCommand(m_lines, sign);
                completeAnnounced(m_lines, sign);
                completeModules(m_lines, sign);
                sign.frame = placeNamedIn(text.trimmed(), sign);
                sign.frame = sign.frame ? sign.frame : placeAbove(m_lines, index);
                if (known == m_signs.cend() || !sign.weak) {
                    m_signs.insert(index, sign);
                    m_places.insert(index, {at, at + line.hint.size()});
                }
            });
        }
    }
}

void SignReader::readReports()
{
    for (const QByteArray &report : m_causes.reportLines()) {
        eachPlace(report, [&](qsizetype index, qsizetype) {
            if (m_signs.contains(index) || m_quoted.contains(index) || m_lines.at(index).words.isEmpty()
                || isInBlock(index)) {
                return;
            }
            WhySign sign;
            sign.line = sign.last = index;
            sign.role = Role::Report;
            sign.likely = true;
            insertText(
                sign.args, u"said"_s, QString::fromUtf8(headOf(m_lines.at(index).words, longestWords)).trimmed());
            m_signs.insert(index, sign);
        });
    }
}

// Exceptions of C++, Rust and Go that nothing caught: what they say is judged like a message of Python.
void SignReader::readExceptions()
{
    static const QRegularExpression what(u"\\A\\s*what\\(\\):\\s+(.*)"_s);
    static const QRegularExpression ended(
        u"terminat(?:e called after throwing an instance of '([^']+)'|ing (?:due to|with) uncaught exception of type "
        "([^:]+)(?:: (.*))?|e called without an active exception)|\\Athread '[^']*' (?:\\(\\d+\\) )?panicked at "
        "(?:'(.*)', )?|\\Apanic: (.*)"_s);
    static const QRegularExpression placeOfPanic(u"panicked at .*?([^\\s',]+\\.rs):(\\d+):\\d+"_s);
    for (const QByteArrayView hint : {QByteArrayView("terminate called "), QByteArrayView("uncaught exception of type"),
             QByteArrayView("panicked at "), QByteArrayView("panic: ")}) {
        eachPlace(hint, [&](qsizetype index, qsizetype at) {
            if (isInBlock(index)) {
                return;
            }
            const QRegularExpressionMatch match = ended.match(QString::fromUtf8(headOf(m_lines.at(index).words, 1000)));
            if (!match.hasMatch()) {
                return;
            }
            const QByteArrayView words = m_lines.at(index).words;
            const qsizetype from = at - (words.data() - m_text.data());
            if (isOfData(m_lines, index, from) || isOnlyQuoted(words, from) || isEchoed(m_lines, index)) {
                return;
            }
            WhyError error;
            error.type = match.captured(1) + match.captured(2);
            error.message = match.captured(3) + match.captured(4) + match.captured(5);
            error.line = index;
            // The message follows, perhaps after lines of other processes.
            for (qsizetype i = index + 1; error.message.isEmpty() && i < m_lines.size() && i < index + 8; ++i) {
                const QString text = QString::fromUtf8(headOf(m_lines.at(i).words, longestWords));
                const QRegularExpressionMatch said = what.match(text);
                const bool isOfRust = match.captured(0).startsWith("thread"_L1) && !text.startsWith(u' ');
                if (said.hasMatch() || isOfRust) {
                    error.message = said.hasMatch() ? said.captured(1) : text;
                    error.line = i;
                }
            }
            WhySign sign = signOfError(m_causes, error);
            sign.last = error.line;
            sign.isTold = m_lines.at(index).isShown || isQuotedAt(words, from, hint) || isInRow(words, from)
                || isOfList(m_lines, index) || isCounted(m_lines, index);
            sign.fatal = sign.isThrown = !sign.isTold;
            sign.likely = sign.likely || sign.isTold;
            // One that says nothing only tells that the program has ended: what it logged before says why.
            if (error.message.isEmpty() && !sign.isTold && !match.captured(1).isEmpty()) {
                sign.role = Role::Abort;
            }
            // Rust names the place: "panicked at src/main.rs:4:37:".
            const QRegularExpressionMatch place
                = placeOfPanic.match(QString::fromUtf8(headOf(m_lines.at(index).words, longestWords)));
            if (place.hasMatch() && !place.captured(1).startsWith("/rustc/"_L1)
                && !place.captured(1).contains(".cargo/registry/"_L1)) {
                sign.frame = WhyFrame{place.captured(1), {}, place.captured(2).toInt()};
            }
            m_quoted.insert(index);
            m_signs.insert(error.line, sign);
        });
    }
}

// Where the end of a text that is shown is not marked, the last line of all is taken to be the program's own.
void SignReader::believeLastLine(QList<WhySign> &signs) const
{
    for (WhySign &sign : signs) {
        const bool isLast = sign.block < 0 && m_lines.at(sign.line).isShown
            && std::all_of(m_lines.cbegin() + sign.last + 1, m_lines.cend(), isBlank);
        sign.likely = sign.likely || isLast;
        sign.isTold = sign.isTold && !isLast;
    }
}

WhySigns SignReader::signsOf()
{
    for (qsizetype i = 0; i < m_blocks.size(); ++i) {
        if (m_blocks.at(i).context != PythonBlock::Context::Ignored) {
            WhySign sign = signOfBlock(m_causes, m_blocks.at(i), i);
            sign.shown = passedOnBelow(m_lines, sign.line);
            if (m_lines.at(m_blocks.at(i).first).isShown) {
                // With the last lines of all, the program may have ended itself.
                const bool isLast = std::all_of(m_lines.cbegin() + sign.last + 1, m_lines.cend(), isBlank);
                sign.likely = true;
                sign.isTold = sign.survived = !isLast;
                sign.fatal = sign.fatal && isLast;
            }
            m_signs.insert(sign.line, sign);
        }
    }
    quoteLaterFailures();
    readExceptions();
    readStacks();
    readCauses();
    addPlaces();
    readShells();
    readReports();
    readGeneric();
    addPlaces(); // of what only looks like an error
    WhySigns signs;
    signs.all = m_signs.values();
    believeLastLine(signs.all);
    for (WhySign &sign : signs.all) {
        completeNccl(m_causes, m_lines, sign);
        completeUnpickler(m_lines, sign);
    }
    std::sort(signs.all.begin(), signs.all.end(), [](const WhySign &a, const WhySign &b) { return a.line < b.line; });
    takeParagraphs(m_lines, signs.all);
    discountKilledTasks(m_lines, signs.all);
    markListed(m_lines, signs.all);
    QByteArrayView stream;
    for (const WhyLine &line : m_lines) {
        if (!line.stream.isEmpty()
            && (line.stream.startsWith("[rank") || (!stream.isEmpty() && line.stream != stream))) {
            signs.hasManyProcesses = true;
            break;
        }
        stream = line.stream.isEmpty() ? stream : line.stream;
    }
    signs.hasManyProcesses
        = signs.hasManyProcesses || std::any_of(signs.all.cbegin(), signs.all.cend(), [&](const WhySign &sign) {
              const bool isReport = sign.role == Role::Report && sign.cause.isEmpty() && reportsSeveral(m_lines, sign);
              return !sign.weak && (isReport || sign.role == Role::Peer);
          });
    return signs;
}

WhySigns whySignsIn(
    const FailureCauses &causes, QByteArrayView text, const QList<WhyLine> &lines, const QList<PythonBlock> &blocks)
{
    return SignReader(causes, text, lines, blocks).signsOf();
}

} // namespace trainyard::core
