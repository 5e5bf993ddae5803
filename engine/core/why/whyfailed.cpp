// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/why/whyfailed.h"

#include "engine/core/tracebacks.h"
#include "engine/core/why/cuttraceback.h"
#include "engine/core/why/errorwords.h"
#include "engine/core/why/lastrun.h"
#include "engine/core/why/lastwords.h"
#include "engine/core/why/loggedjson.h"
#include "engine/core/why/ownframe.h"
#include "engine/core/why/setaside.h"
#include "engine/core/why/shellerrors.h"
#include "engine/core/why/signdetails.h"
#include "engine/core/why/whydeaths.h"
#include "engine/core/why/whylinks.h"
#include "engine/core/why/whymemory.h"
#include "engine/core/why/whyroot.h"
#include "engine/core/why/whystatus.h"
#include "engine/core/why/workwords.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

namespace
{

// The end is searched first, and the whole output only if the end shows nothing.
constexpr qsizetype endOfOutput = 1024 * 1024;
constexpr qsizetype longestEvidence = 1000;

using Role = FailureCause::Role;

constexpr auto certain = whystatus::certain;
constexpr auto likely = whystatus::likely;
constexpr auto unknown = whystatus::unknown;

void takeFrame(FailureFacts &facts, const WhyFrame &frame)
{
    facts.file = frame.file;
    facts.fileLine = frame.line;
    facts.function = frame.function;
}

class Verdict
{
public:
    Verdict(const FailureCauses &causes, std::optional<int> status, QByteArrayView text, qint64 firstLine,
        const FailedRun &run)
        : m_text(text), m_status(status), m_lines(saidLinesOf(text, firstLine)), m_blocks(pythonBlocksIn(m_lines)),
          m_signs(ignoringLines(whySignsIn(causes, text, quietLines(), m_blocks), m_lines, run.steps.ignored)),
          m_cut(status == 0 ? std::nullopt : cutTraceback())
    {
        m_begin = lastRunBegin(m_lines, m_blocks, m_signs);
        m_ownBegin = std::max(m_begin, behindNumber(run.steps.last));
        if (run.errors) {
            m_errors = ErrorLines{lineOfNumber(run.errors->lastLine), run.errors->isOnlyOne};
        }
    }
    FailureFacts facts() const;
    // The errors that a traceback without its last line would have named are not known.
    void considerCut(FailureFacts &facts, const WhyRoot &root) const;
    bool showsNothing() const { return rootOf(m_lines, m_blocks, m_signs, m_begin, m_status).sign < 0; }

private:
    const QList<WhyLine> &quietLines();
    FailureFacts factsOf(const WhyRoot &root, const LastWords &words) const;
    FailureFacts factsOfStatus() const;
    FailureFacts factsOfWords(const LastWords &words) const;
    LastWords wordsBefore(qsizetype report) const;
    LastWords ownWords(qsizetype root) const;
    std::optional<CutTraceback> cutTraceback() const;
    bool isLeftFor(const LastWords &words, const WhyRoot &root) const;
    const WhySign *lastWarning() const;
    qsizetype behindNumber(qint64 number) const;
    qsizetype lineOfNumber(qint64 number) const;
    void addEvidence(FailureFacts &facts, qsizetype line) const;
    QString certaintyOf(const WhyRoot &root, const LastWords &words) const;
    bool isFollowed(const WhyRoot &root, const LastWords &words) const;

    const QByteArrayView m_text;
    const std::optional<int> m_status;
    QList<WhyLine> m_lines;
    const QList<PythonBlock> m_blocks;
    const WhySigns m_signs;
    const std::optional<CutTraceback> m_cut;
    qsizetype m_begin = 0;
    qsizetype m_ownBegin = 0; // behind what the steps before the commands have printed
    std::optional<ErrorLines> m_errors;
};

// What was read with its error is complete, unless the output ends in the middle of what may be a longer name.
std::optional<CutTraceback> Verdict::cutTraceback() const
{
    const std::optional<CutTraceback> cut = cutTracebackIn(m_lines);
    if (!cut || (cut->isInName && !m_text.endsWith('\n'))) {
        return cut;
    }
    const bool isWhole = std::any_of(m_blocks.cbegin(), m_blocks.cend(), [&](const PythonBlock &block) {
        return !block.errors.isEmpty() && block.first <= cut->head && cut->head <= block.last;
    });
    return isWhole ? std::nullopt : cut;
}

// What Python only reports before it continues or ends, such as "Exception ignored in", is no last word of the program.
const QList<WhyLine> &Verdict::quietLines()
{
    for (const PythonBlock &block : m_blocks) {
        for (qsizetype i = block.first; block.context == PythonBlock::Context::Ignored && i <= block.last; ++i) {
            m_lines[i].words = {};
        }
    }
    return m_lines;
}

qsizetype Verdict::behindNumber(qint64 number) const
{
    const auto after = std::upper_bound(m_lines.cbegin(), m_lines.cend(), number,
        [](qint64 wanted, const WhyLine &line) { return wanted < line.number; });
    return std::distance(m_lines.cbegin(), after);
}

// The last state of a progress bar, whose states have one number; -1: it is not among the lines.
qsizetype Verdict::lineOfNumber(qint64 number) const
{
    const qsizetype index = behindNumber(number) - 1;
    return index >= 0 && m_lines.at(index).number == number ? index : -1;
}

void Verdict::addEvidence(FailureFacts &facts, qsizetype line) const
{
    facts.line = m_lines.at(line).number;
    const WhyLine &shown = m_lines.at(line);
    facts.text
        = QString::fromUtf8(headOf(m_text.sliced(shown.begin, shown.end - shown.begin), longestEvidence)).trimmed();
}

// Whether the program has said something of its own after a sign that may be the reason of its end instead.
bool Verdict::isFollowed(const WhyRoot &root, const LastWords &words) const
{
    if (m_signs.hasManyProcesses) {
        return false;
    }
    const WhySign &sign = m_signs.all.at(root.sign);
    const bool isLate
        = m_errors && m_errors->last > sign.last; // on the same output as the error, and so surely after it
    const bool isReason = words.kind == LastWords::Kind::Reason && words.line > sign.last;
    const qsizetype said = isReason ? words.line : isLate ? m_errors->last : -1;
    if (said < 0 || root.told == 0 || isQuietLine(m_lines.at(said).words) || isGivingUp(m_lines.at(said).words)) {
        return false;
    }
    // Below an error in words, one line may go on with them.
    return sign.block >= 0 || (isReason && root.told > 1);
}

QString Verdict::certaintyOf(const WhyRoot &root, const LastWords &words) const
{
    const WhySign &sign = m_signs.all.at(root.sign);
    if (sign.role == Role::Report && sign.cause.isEmpty()) {
        return unknown;
    }
    const bool isProven = !sign.likely && !sign.generic && !sign.survived && !root.explains && root.isNear
        && !root.mayFollow && !root.mayBeSurvived && !isFollowed(root, words) && !(sign.isBare && root.told > 0);
    // A shell that could not find a command ends with 127 if that ended it.
    const bool isOfShell = (sign.cause == "command-missing"_L1 || sign.cause == "not-executable"_L1
                               || sign.cause == "interpreter-missing"_L1)
        && sign.block < 0 && m_status && *m_status != 126 && *m_status != 127;
    const bool looksBad = sign.block >= 0 || isErrorForm(m_lines.at(sign.line).words);
    return isProven && !isOfShell && looksBad ? certain : likely;
}

FailureFacts Verdict::factsOf(const WhyRoot &root, const LastWords &words) const
{
    const WhySign &sign = m_signs.all.at(root.sign);
    FailureFacts facts;
    facts.cause = !sign.cause.isEmpty() ? sign.cause
        : sign.role == Role::Report     ? u"process-failed"_s
        : sign.block >= 0               ? u"user-code-error"_s
                                        : u"program-error"_s;
    facts.certainty = certaintyOf(root, words);
    facts.follows = sign.role == Role::Peer || (sign.role == Role::Report && sign.cause.isEmpty());
    facts.transient = sign.transient;
    if (sign.cause.isEmpty() && sign.block < 0) {
        facts.transient
            = sign.role == Role::Report ? std::nullopt : std::optional(asksToTryAgain(m_lines.at(sign.line).words));
    }
    facts.args = sign.args;
    if (sign.isOfLibrary && facts.certainty == certain) {
        facts.certainty = likely;
        facts.args.insert(unnamedKey, true);
    }
    addEvidence(facts, sign.shown >= 0 ? sign.shown : sign.line);
    const bool isOfStep = sign.line < m_ownBegin;
    // With another status than Python's, an exception before the last error was handled.
    const bool isAlone = sign.generic && sign.block < 0 && !m_signs.hasManyProcesses && m_status.value_or(1) > 1;
    const std::optional<WhyFrame> frame
        = isAlone ? sign.frame : ownFrameOf(sign, m_lines, m_blocks, m_signs, isOfStep ? m_begin : m_ownBegin);
    if (frame) {
        takeFrame(facts, *frame);
    }
    // A shell that could not open a file for a command ends with another status than for a command.
    const bool isOfCommand = facts.cause == "command-missing"_L1 || facts.cause == "not-executable"_L1;
    const std::optional<ShellError> shell
        = isOfCommand && sign.block < 0 ? shellErrorIn(m_lines.at(sign.line).words) : std::nullopt;
    const QString file = !shell ? QString() : !shell->missingFile.isEmpty() ? shell->missingFile : shell->deniedFile;
    if (!file.isEmpty() && m_status && *m_status != 126 && *m_status != 127) {
        facts.cause = shell->missingFile.isEmpty() ? u"permission-denied"_s : u"file-missing"_s;
        const bool isOver = root.isNear && !root.mayBeSurvived && !isFollowed(root, words);
        facts.certainty = isOver && !root.explains ? certain : likely;
        facts.args.insert(u"file"_s, file);
        if (!shell->missingFile.isEmpty() && file.contains(u'/')) {
            facts.args.insert(u"opened"_s, file); // for reading or for writing: the shell says the same
        }
    }
    if (root.earlier >= 0) {
        facts.args.insert(u"earlier"_s, m_signs.all.at(root.earlier).args.value("said"_L1));
    }
    return facts;
}

// A warning of the program itself, if it is among the last lines.
const WhySign *Verdict::lastWarning() const
{
    constexpr qsizetype lastLines = 10;
    for (auto sign = m_signs.all.crbegin(); sign != m_signs.all.crend(); ++sign) {
        if (sign->line < m_begin || sign->line + lastLines < m_lines.size()) {
            break;
        }
        // If the work continued after it, it was only a warning.
        if (sign->weak && !sign->isOfIgnored && !sign->cause.isEmpty() && !isRecoveredLine(m_lines.at(sign->line).words)
            && !goesOnBetween(m_lines, sign->last + 1, m_lines.size())) {
            return &*sign;
        }
    }
    return nullptr;
}

// What a process said last before a launcher reports that it failed.
LastWords Verdict::wordsBefore(qsizetype report) const
{
    // What the launcher writes about itself, such as its own traceback, says nothing.
    const auto isOfLauncher = [&](qsizetype line) {
        // Fortran begins each line with one space.
        const QByteArrayView words = m_lines.at(line).words;
        const bool isOfFortran = words.startsWith(' ') && !words.startsWith("  ");
        return isQuietLine(isOfFortran ? words.sliced(1) : words)
            || std::any_of(m_blocks.cbegin(), m_blocks.cend(),
                [&](const PythonBlock &block) { return block.first <= line && line <= block.last; })
            || std::any_of(m_signs.all.cbegin(), m_signs.all.cend(),
                [&](const WhySign &sign) { return sign.line <= line && line <= sign.last; });
    };
    constexpr qsizetype mostLines = 500;
    qsizetype end = report;
    while (end > std::max(m_ownBegin, report - mostLines) && isOfLauncher(end - 1)) {
        --end;
    }
    const LastWords words = lastWordsOf(m_lines.first(end), m_ownBegin, {}, m_status.value_or(0));
    return words.line == end - 1 ? words : LastWords();
}

// Whether the last words count more than a sign before them, whose program did not end the run.
bool Verdict::isLeftFor(const LastWords &words, const WhyRoot &root) const
{
    const WhySign &sign = m_signs.all.at(root.sign);
    // A shell goes on after many of its errors.
    const bool isOfShell = sign.cause == "shell-error"_L1 && sign.generic;
    const bool isReason
        = words.kind == LastWords::Kind::Reason && (root.isOtherEnd || !isGivingUp(m_lines.at(words.line).words));
    // Right below a text that is told, words may go on with it.
    const bool isContinued = sign.isTold && words.line == sign.last + 1;
    return root.isOutlived && words.line > sign.last && !isContinued && (isReason || isOfShell);
}

// For outputs in which nothing has the form of an error, and whose status is the program's own.
FailureFacts Verdict::factsOfWords(const LastWords &words) const
{
    FailureFacts facts;
    if (words.line >= 0) {
        addEvidence(facts, words.line);
        facts.onlyLast = words.kind == LastWords::Kind::Other;
    }
    const WhySign *warning = lastWarning();
    if (words.kind == LastWords::Kind::Difference) {
        facts.cause = u"files-differ"_s;
        facts.certainty = likely;
        facts.transient = false;
        return facts;
    }
    // A program that gives up has said why before, unless it says what a measure should be.
    const bool isOfWarning = warning && isGivingUp(m_lines.at(words.line).words) && !judgesMeasure(facts.text);
    if (words.kind == LastWords::Kind::Reason && !isOfWarning) {
        facts.cause = u"program-error"_s;
        facts.certainty = likely;
        facts.transient = asksToTryAgain(m_lines.at(words.line).words);
        facts.args.insert(u"said"_s, facts.text);
        return facts;
    }
    if (warning) {
        facts.cause = warning->cause;
        facts.certainty = likely;
        facts.transient = warning->transient;
        facts.args = warning->args;
        addEvidence(facts, warning->line);
        facts.onlyLast = false;
        return facts;
    }
    facts.cause = m_status == 0 ? u"no-failure"_s : u"unknown"_s;
    facts.certainty = unknown;
    const bool isEmpty = std::all_of(m_lines.cbegin() + std::min(m_ownBegin, m_lines.size()), m_lines.cend(), isBlank);
    if (isEmpty) {
        facts.args.insert(u"empty"_s, true); // nothing that could be read
    }
    // A program that ends with such a status and without a word has no other way to say it.
    if (m_status == 1 && !m_cut) {
        facts.args.insert(u"silent"_s, *m_status);
    }
    return facts;
}

FailureFacts Verdict::factsOfStatus() const
{
    FailureFacts facts;
    qsizetype last = -1;
    for (qsizetype i = m_lines.size() - 1; i >= 0 && last < 0; --i) {
        last = isBlank(m_lines.at(i)) ? -1 : i;
    }
    if (last >= 0) {
        addEvidence(facts, last);
        facts.onlyLast = true;
    }
    const auto meaning = std::find_if(whystatus::meanings.begin(), whystatus::meanings.end(),
        [&](const whystatus::Meaning &each) { return each.status == m_status; });
    if (meaning != whystatus::meanings.end()) {
        facts.cause = meaning->cause;
        facts.certainty = meaning->certainty;
        facts.transient = meaning->transient;
        if (*m_status == 137) {
            facts.args.insert(u"killed"_s, u"SIGKILL"_s);
            facts.args.insert(u"unsaid"_s, *m_status); // nothing but the status says so: any program may give it
        }
        return facts;
    }
    return factsOfWords(ownWords(-1));
}

// A line of which the program only tells what it says is none of its own words.
LastWords Verdict::ownWords(qsizetype root) const
{
    const LastWords words = lastWordsOf(m_lines, m_ownBegin, m_errors, m_status.value_or(0));
    const bool isTold = std::any_of(m_signs.all.cbegin(), m_signs.all.cend(), [&](const WhySign &sign) {
        return sign.line == words.line && sign.isTold && (root < 0 || &sign != &m_signs.all.at(root));
    });
    return isTold && words.kind == LastWords::Kind::Reason ? lastWordsOf(m_lines, m_ownBegin, m_errors, 0) : words;
}

FailureFacts Verdict::facts() const
{
    const WhyRoot root = rootOf(m_lines, m_blocks, m_signs, m_begin, m_status);
    const LastWords words = ownWords(root.sign);
    // A program that `timeout` ends did not end by itself, whatever it has said.
    const bool isTimeout
        = m_status == whystatus::endOfTimeout && (root.sign < 0 || m_signs.all.at(root.sign).role != Role::Decisive);
    const bool isLeft = root.sign >= 0 && isLeftFor(words, root);
    FailureFacts facts = m_status == 0 || isTimeout || root.sign < 0 ? factsOfStatus()
        : isLeft                                                     ? factsOfWords(words)
                                                                     : factsOf(root, words);
    if (isLeft) {
        facts.args.insert(u"earlier"_s, m_signs.all.at(root.sign).args.value("said"_L1));
    }
    if (facts.cause == "process-failed"_L1) {
        const LastWords before = wordsBefore(m_signs.all.at(root.sign).line);
        if (before.kind == LastWords::Kind::Reason) {
            facts = factsOfWords(before);
            facts.follows = true; // what another task shows for certain says more
        }
    }
    // A launcher ends by the signal of the process that it reports.
    if (facts.cause == "process-failed"_L1 && m_status && *m_status > 128) {
        const FailureFacts signal = factsOfStatus();
        if (signal.cause != "unknown"_L1) {
            facts.cause = signal.cause;
            facts.certainty = likely;
            facts.transient = signal.transient;
        }
    }
    if (m_cut) {
        considerCut(facts, root);
    }
    if (m_status) {
        facts.args.insert(u"status"_s, *m_status);
    }
    return facts;
}

void Verdict::considerCut(FailureFacts &facts, const WhyRoot &root) const
{
    const auto shown = std::find_if(
        m_lines.cbegin(), m_lines.cend(), [&](const WhyLine &line) { return line.number == facts.line; });
    const bool isOfOther = m_signs.hasManyProcesses && shown != m_lines.cend() && shown->stream != m_cut->stream;
    if (isOfOther) {
        return;
    }
    facts.args.insert(u"cut"_s, true);
    const bool isDecisive = root.sign >= 0 && m_signs.all.at(root.sign).role == Role::Decisive;
    facts.certainty = facts.certainty == certain && !isDecisive ? QString(likely) : facts.certainty;
    if (facts.file.isEmpty() && m_cut->own) {
        takeFrame(facts, *m_cut->own);
    }
}

} // namespace

FailureFacts whyFailed(const FailureCauses &causes, const FailedRun &run)
{
    const std::optional<int> status = whystatus::asShell(run.status);
    const QByteArrayView searched = run.output.last(std::min(run.output.size(), whySearchedBytes));
    const auto verdictOf = [&](QByteArrayView part) {
        // The bytes before a part are complete lines.
        const QByteArrayView before = run.output.first(part.data() - run.output.data());
        const qint64 first = run.firstLine + std::count(before.begin(), before.end(), '\n');
        QByteArray plain = part.indexOf('\x1b') >= 0 ? withoutColours(part) : part.toByteArray();
        plain = hasLoggedJson(plain) ? withoutLoggedJson(plain) : plain;
        blankOwnLines(plain);
        FailedRun said = run;
        if (cutCommandEcho(plain) && said.errors) { // bash writes it to standard error
            said.errors->lastLine = std::min(said.errors->lastLine, first + plain.count('\n') - 1);
        }
        const Verdict verdict(causes, status, plain, first, said);
        return std::pair(verdict.facts(), verdict.showsNothing());
    };
    const auto wholeLines = [](QByteArrayView part, QByteArrayView of) {
        const qsizetype newline = part.size() == of.size() ? -1 : part.indexOf('\n');
        return newline < 0 ? part : part.sliced(newline + 1);
    };
    const QByteArrayView all = wholeLines(searched, run.output);
    const QByteArrayView end = wholeLines(all.last(std::min(all.size(), endOfOutput)), all);
    auto [facts, isSilent] = verdictOf(end);
    if (isSilent && end.size() < all.size()) {
        facts = verdictOf(all).first;
    }
    if (run.outOfMemory) {
        FailureFacts known;
        known.cause = u"host-oom"_s;
        known.certainty = certain;
        known.transient = false;
        known.line = facts.line;
        known.text = facts.text;
        known.onlyLast = facts.onlyLast;
        if (!facts.onlyLast) {
            known.args = {{u"said"_s, facts.text}};
        }
        return known;
    }
    considerMemory(facts, run.memory);
    return facts;
}

} // namespace trainyard::core
