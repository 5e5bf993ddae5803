// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/outputfindings.h"

#include <QRegularExpression>

#include <algorithm>
#include <cstring>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

namespace
{

// Causes and tracebacks are looked for at the end; rules look at all of the output.
constexpr qsizetype endBytes = 256 * 1024;
constexpr qsizetype longestFinding = 400;
constexpr qsizetype matchedBytes = 2048;
// Longer lines are progress bars and dumps, not messages.
constexpr qsizetype longestSearchedLine = 16 * 1024;
// After so many lines of its own the program has survived what it said there.
constexpr int survivedLines = 100;
constexpr int survivedBeforeSignal = 20;

struct Line {
    qsizetype begin = 0, end = 0;
};

Line lineAround(QByteArrayView text, qsizetype at)
{
    Line line{at, at};
    while (line.begin > 0 && text[line.begin - 1] != '\n' && text[line.begin - 1] != '\r'
        && at - line.begin < longestSearchedLine) {
        --line.begin;
    }
    const qsizetype end = text.indexOf('\n', at);
    line.end = std::min(end < 0 ? text.size() : end, at + longestSearchedLine);
    return line;
}

// Where it stands last, beginning before `before`. From the end on in pieces: mostly it is not there at all, and the
// search forward is the quick one. Where it stands in every line, the last one is near.
qsizetype lastOf(QByteArrayView text, QByteArrayView needle, qsizetype before)
{
    constexpr qsizetype largestPiece = 1024 * 1024;
    for (qsizetype piece = 512; before > 0; piece = std::min(largestPiece, piece * 4)) {
        const qsizetype from = std::max<qsizetype>(0, before - piece);
        const char *const end = text.data() + std::min(text.size(), before - 1 + needle.size());
        const char *last = nullptr;
        for (const char *at = text.data() + from; at < end;) {
            const void *hit = ::memmem(at, std::size_t(end - at), needle.data(), std::size_t(needle.size()));
            if (!hit) {
                break;
            }
            last = static_cast<const char *>(hit);
            at = last + 1;
        }
        if (last) {
            return last - text.data();
        }
        before = from;
    }
    return -1;
}

// Rules whose line tells how a process died, not why: that may stand in another line.
bool tellsHow(const ExitRule &rule) { return rule.code == 222 || rule.code == 234 || rule.code == 235; }

struct Hit {
    qsizetype begin = -1; // of its line; -1: none
    QByteArray line;
    QRegularExpressionMatch match;
};

class Search
{
public:
    Search(const ExitRules &rules, int status, QByteArrayView output)
        : m_rules(rules), m_status(status), m_output(output)
    {
        if (m_output.size() > endBytes) {
            const qsizetype newline = m_output.indexOf('\n', m_output.size() - endBytes);
            m_end = newline < 0 ? m_output.size() - endBytes : newline + 1;
        }
        m_tracebacks = lastTracebacks(m_output.sliced(m_end), status, [this](QByteArrayView text) {
            return std::any_of(m_rules.findings().cbegin(), m_rules.findings().cend(),
                [&](const ExitFinding &finding) { return finding.follows && text.indexOf(finding.hint) >= 0; });
        });
        if (m_tracebacks.cause >= 0) {
            m_cause = &m_tracebacks.all.at(m_tracebacks.cause);
        }
    }

    OutputCause cause();

private:
    // Whether what this line says can have ended the program.
    bool counts(const Line &line, qsizetype at) const
    {
        const qsizetype inEnd = at - m_end;
        if (inEnd >= 0) {
            for (const Traceback &one : m_tracebacks.all) {
                if (inEnd >= one.begin && inEnd < one.end) {
                    return &one == m_cause;
                }
            }
        }
        if (!isErrorLine(m_output.sliced(line.begin, line.end - line.begin))) {
            return true;
        }
        if (m_cause) {
            return inEnd >= m_cause->begin; // the last error is the one that was not caught
        }
        if (inEnd >= 0 || line.begin == 0) {
            return true;
        }
        // The line is below a frame of a traceback that ended long before.
        const Line above = lineAround(m_output, line.begin - 1);
        return m_output.sliced(above.begin, above.end - above.begin).indexOf(QByteArrayView("    ")) < 0;
    }

    bool isInCause(qsizetype begin) const
    {
        return m_cause && begin >= m_end + m_cause->begin && begin < m_end + m_cause->end;
    }

    QByteArrayView wordsOf(const Line &line) const
    {
        QByteArrayView words = m_output.sliced(line.begin, line.end - line.begin);
        if (m_cause && m_cause->isGroup && isInCause(line.begin)) {
            // The bars of a group are not the error's words.
            qsizetype from = m_cause->prefix.size();
            while (from < words.size() && (words[from] == ' ' || words[from] == '|')) {
                ++from;
            }
            words = words.sliced(std::min(from, words.size()));
        }
        return words;
    }

    template <class Rule> Hit lastHit(const Rule &rule, qsizetype from) const
    {
        for (qsizetype at = lastOf(m_output, rule.hint, m_output.size()); at >= from;) {
            const Line line = lineAround(m_output, at);
            Hit hit;
            const QByteArrayView words = wordsOf(line);
            const bool anyway = rule.pattern.pattern().isEmpty();
            if (!anyway) {
                hit.match = rule.pattern.match(QString::fromUtf8(words));
            }
            if ((anyway || hit.match.hasMatch()) && counts(line, at)) {
                hit.begin = line.begin;
                hit.line = words.trimmed().toByteArray();
                return hit;
            }
            at = line.begin > 0 ? lastOf(m_output, rule.hint, std::min(at, line.begin)) : -1;
        }
        return {};
    }

    // Lines of the program's own behind this place, up to a few more than asked for.
    int linesAfter(qsizetype begin, int most) const
    {
        if (begin < m_end) {
            return most + 1;
        }
        int lines = 0;
        qsizetype at = m_output.indexOf('\n', begin);
        while (at >= 0 && at + 1 < m_output.size() && lines <= most) {
            const qsizetype next = at + 1;
            const qsizetype inEnd = next - m_end;
            const bool isQuoted = std::any_of(m_tracebacks.all.cbegin(), m_tracebacks.all.cend(),
                [&](const Traceback &one) { return inEnd >= one.begin && inEnd < one.end; });
            const Line line = lineAround(m_output, next);
            lines += isQuoted || isClosingLine(m_output.sliced(next, std::max<qsizetype>(0, line.end - next))) ? 0 : 1;
            at = m_output.indexOf('\n', next);
        }
        return lines;
    }

    static OutputFinding told(const ExitFinding &finding, const Hit &hit)
    {
        OutputFinding found{finding.name, finding.reason, finding.solution, hit.line.left(longestFinding)};
        for (QString *text : {&found.reason, &found.solution}) {
            text->replace(u"{1}"_s, hit.match.captured(1).left(longestFinding));
        }
        return found;
    }

    struct Found {
        const ExitFinding *finding = nullptr;
        Hit hit;
    };
    Found bestFinding() const
    {
        Found best;
        const int most = m_status > 128 ? survivedBeforeSignal : survivedLines;
        for (const ExitFinding &finding : m_rules.findings()) {
            const Hit hit = lastHit(finding, m_end);
            if (hit.begin < 0) {
                continue;
            }
            if (finding.own) {
                return {&finding, hit};
            }
            if (!isInCause(hit.begin) && linesAfter(hit.begin, most) > most) {
                continue;
            }
            const bool isBetter = !best.finding || (best.finding->follows && !finding.follows)
                || (best.finding->follows == finding.follows && hit.begin > best.hit.begin);
            if (isBetter) {
                best = {&finding, hit};
            }
        }
        return best;
    }

    // The finding in the line that made the rule hold.
    std::optional<OutputFinding> findingIn(const QByteArray &line) const
    {
        for (const ExitFinding &finding : m_rules.findings()) {
            if (line.indexOf(finding.hint) < 0) {
                continue;
            }
            Hit hit;
            hit.line = line;
            hit.match = finding.pattern.match(QString::fromUtf8(line));
            if (finding.pattern.pattern().isEmpty() || hit.match.hasMatch()) {
                return told(finding, hit);
            }
        }
        return std::nullopt;
    }

    const ExitRules &m_rules;
    const int m_status;
    const QByteArrayView m_output;
    qsizetype m_end = 0; // where the end of the output begins
    LastTracebacks m_tracebacks;
    const Traceback *m_cause = nullptr;
};

OutputCause Search::cause()
{
    OutputCause result;
    const Found found = bestFinding();
    const auto tellAll = [&] {
        if (found.finding) {
            result.finding = told(*found.finding, found.hit);
        }
        if (m_cause) {
            result.python = m_cause->error;
        }
    };
    for (const ExitRule &rule : m_rules.rules()) {
        // A user's own rules are tried as they stand; for the others this is what the raw exit alone says.
        if (!rule.own && !rule.hint.isEmpty()) {
            continue;
        }
        if (const std::optional<QByteArray> line = matchRule(rule, m_status, m_output)) {
            result.rule = &rule;
            result.line = *line;
            tellAll();
            return result;
        }
    }
    const ExitRule *last = nullptr;
    Hit lastHitOfRules;
    for (const bool isSure : {true, false}) {
        for (const ExitRule &rule : m_rules.rules()) {
            const bool fits = rule.exits.isEmpty() || rule.exits.contains(m_status);
            if (rule.own || rule.hint.isEmpty() || !fits || isSure != (rule.wins || !rule.exits.isEmpty())) {
                continue;
            }
            const Hit hit = lastHit(rule, 0);
            if (hit.begin < 0) {
                continue;
            }
            if (isSure) {
                result.rule = &rule;
                result.line = hit.line.left(matchedBytes);
                result.finding = findingIn(hit.line);
                return result;
            }
            if (!last || hit.begin > lastHitOfRules.begin) {
                last = &rule;
                lastHitOfRules = hit;
            }
        }
    }
    // The program went on after the error and then ended for another reason.
    if (last && !tellsHow(*last)) {
        const bool isOlder = found.finding && !found.finding->follows && found.hit.begin > lastHitOfRules.begin;
        const bool isSurvived = m_cause && !isInCause(lastHitOfRules.begin)
            && linesAfter(lastHitOfRules.begin, survivedLines) > survivedLines;
        last = isOlder || isSurvived ? nullptr : last;
    }
    if (!last || tellsHow(*last)) {
        tellAll();
    } else {
        result.finding = findingIn(lastHitOfRules.line);
        if (m_cause) {
            result.python = m_cause->error;
        }
    }
    if (last) {
        result.rule = last;
        result.line = lastHitOfRules.line.left(matchedBytes);
    }
    return result;
}

} // namespace

OutputCause causeOf(const ExitRules &rules, int status, QByteArrayView output)
{
    return Search(rules, status, output).cause();
}

OutputCause causeInFileOrder(const ExitRules &rules, int status, QByteArrayView output)
{
    OutputCause words = Search(rules, status, output).cause();
    for (const ExitRule &rule : rules.rules()) {
        const std::optional<QByteArray> line = matchRule(rule, status, output);
        if (!line) {
            continue;
        }
        // Only a finding of the same line explains this code.
        if (words.rule != &rule || words.line != *line) {
            words.finding.reset();
            words.python.reset();
        }
        words.rule = &rule;
        words.line = *line;
        return words;
    }
    words.rule = nullptr;
    return words;
}

std::optional<QByteArray> matchRule(const ExitRule &rule, int status, QByteArrayView output)
{
    if (!rule.exits.isEmpty() && !rule.exits.contains(status)) {
        return std::nullopt;
    }
    if (rule.hint.isEmpty()) {
        return QByteArray();
    }
    for (qsizetype at = output.indexOf(rule.hint); at >= 0;) {
        const Line line = lineAround(output, at);
        const QByteArrayView words = output.sliced(line.begin, line.end - line.begin);
        if (rule.pattern.pattern().isEmpty() || rule.pattern.match(QString::fromUtf8(words)).hasMatch()) {
            return words.trimmed().toByteArray().left(matchedBytes);
        }
        const qsizetype next = std::max<qsizetype>(line.end, at + rule.hint.size());
        at = next >= output.size() ? -1 : output.indexOf(rule.hint, next);
    }
    return std::nullopt;
}

} // namespace trainyard::core
