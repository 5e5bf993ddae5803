// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/why/lineprefixes.h"

#include <algorithm>

namespace trainyard::core
{

namespace
{

constexpr qsizetype longestPrefix = 160;

bool isDigit(char c) { return c >= '0' && c <= '9'; }

// "2026-04-01T13:09:27.155Z ", "[2026-04-01 13:09:27,155] ": its length, or 0.
qsizetype timeAhead(QByteArrayView line)
{
    const qsizetype from = line.startsWith('[') ? 1 : 0;
    constexpr QByteArrayView shape = "dddd-dd-dd?dd:dd:dd";
    if (line.size() < from + shape.size()) {
        return 0;
    }
    for (qsizetype i = 0; i < shape.size(); ++i) {
        const char c = line[from + i];
        const bool fits = shape[i] == 'd' ? isDigit(c) : shape[i] == '?' ? c == 'T' || c == ' ' : c == shape[i];
        if (!fits) {
            return 0;
        }
    }
    qsizetype at = from + shape.size();
    while (at < line.size() && (isDigit(line[at]) || QByteArrayView(".,:+-Z").contains(line[at]))) {
        ++at;
    }
    if (from == 1) {
        if (at >= line.size() || line[at] != ']') {
            return 0;
        }
        ++at;
    }
    return at < line.size() && line[at] == ' ' ? at + 1 : at == line.size() ? at : 0;
}

// "host python3[412]: ", as a journal names the program of a line: its length, or 0. The kernel has no number.
qsizetype programAhead(QByteArrayView line)
{
    const QByteArrayView head = line.first(std::min(line.size(), longestPrefix));
    const qsizetype host = head.indexOf(' '), end = host <= 0 ? -1 : head.indexOf(": ", host);
    const QByteArrayView program = end < 0 ? QByteArrayView() : head.sliced(host + 1, end - host - 1);
    const qsizetype bracket = program.indexOf('[');
    const bool isNumbered = bracket > 0 && program.endsWith(']') && bracket + 2 < program.size()
        && std::all_of(program.cbegin() + bracket + 1, program.cend() - 1, isDigit);
    const bool isProgram = program.indexOf(' ') < 0 && (isNumbered || program == QByteArrayView("kernel"));
    return isProgram ? end + 2 : 0;
}

// "Jun 13 23:04:43 host python3[412]: ": its length, or 0.
qsizetype journalAhead(QByteArrayView line)
{
    constexpr QByteArrayView shape = "Aaa nd dd:dd:dd ";
    if (line.size() < shape.size()) {
        return 0;
    }
    for (qsizetype i = 0; i < shape.size(); ++i) {
        const char c = line[i];
        const bool fits = shape[i] == 'A' ? c >= 'A' && c <= 'Z'
            : shape[i] == 'a'             ? c >= 'a' && c <= 'z'
            : shape[i] == 'd'             ? isDigit(c)
            : shape[i] == 'n'             ? isDigit(c) || c == ' '
                                          : c == shape[i];
        if (!fits) {
            return 0;
        }
    }
    const qsizetype program = programAhead(line.sliced(shape.size()));
    return program > 0 ? shape.size() + program : 0;
}

// "stderr F ", which a container runtime puts behind the time: its length, or 0.
qsizetype runtimeAhead(QByteArrayView line)
{
    constexpr qsizetype length = 9;
    const bool isStream = line.startsWith("stdout ") || line.startsWith("stderr ");
    return isStream && line.size() >= length && (line[7] == 'F' || line[7] == 'P') && line[8] == ' ' ? length : 0;
}

// A bar of progress that the program has left without ending its line: "  3%|## | 12/400 [00:03<01:33,  4.15it/s]": its
// length, or 0 if nothing is behind it.
qsizetype barAhead(QByteArrayView line)
{
    constexpr qsizetype longestBar = 300;
    const QByteArrayView head = line.first(std::min(line.size(), longestBar));
    const qsizetype percent = head.indexOf("%|"), counts = percent < 0 ? -1 : head.indexOf("| ", percent + 2);
    const qsizetype rate = counts < 0 ? -1 : std::max(head.indexOf("it/s", counts), head.indexOf("s/it", counts));
    const qsizetype close = rate < 0 ? -1 : head.indexOf(']', rate);
    if (percent < 1 || !isDigit(head[percent - 1]) || close < 0 || close + 1 == line.size()) {
        return 0;
    }
    const char next = line[close + 1];
    return next == ' ' || next == ',' || isDigit(next) ? 0 : close + 1;
}

// "[rank1]: ", "[1,0]<stderr>:": its length, or 0.
qsizetype rankAhead(QByteArrayView line)
{
    const qsizetype close = line.first(std::min(line.size(), qsizetype(24))).indexOf(']');
    if (!line.startsWith('[') || close < 0) {
        return 0;
    }
    const QByteArrayView inside = line.sliced(1, close - 1);
    if (inside.startsWith("rank") && inside.size() > 4 && isDigit(inside[4])) {
        const bool hasColon = close + 1 < line.size() && line[close + 1] == ':';
        const qsizetype after = close + (hasColon ? 2 : 1);
        return after + (hasColon && after < line.size() && line[after] == ' ' ? 1 : 0);
    }
    const qsizetype comma = inside.indexOf(',');
    if (comma > 0 && isDigit(inside[0]) && line.sliced(close + 1).startsWith("<std")) {
        const qsizetype end = line.indexOf(">:", close);
        return end < 0 || end > close + 10 ? 0 : end + 2;
    }
    return 0;
}

// "(EngineCore_0 pid=367) ", "(raylet) ": its length, or 0.
qsizetype actorAhead(QByteArrayView line)
{
    const QByteArrayView head = line.first(std::min(line.size(), longestPrefix));
    const qsizetype close = head.indexOf(") ");
    if (!line.startsWith('(') || close < 0) {
        return 0;
    }
    const QByteArrayView inside = head.sliced(1, close - 1);
    const bool isActor = inside.indexOf("pid=") >= 0 || inside == QByteArrayView("raylet")
        || inside.startsWith("autoscaler") || inside.startsWith("gcs_server");
    return isActor ? close + 2 : 0;
}

// "#9 7.31 " and "#9 " of an image that is built: its length, or 0.
qsizetype buildStepAhead(QByteArrayView line)
{
    if (!line.startsWith('#')) {
        return 0;
    }
    const auto pastDigits = [&](qsizetype at) {
        while (at < line.size() && isDigit(line[at])) {
            ++at;
        }
        return at;
    };
    const qsizetype step = pastDigits(1);
    if (step == 1 || step >= line.size() || line[step] != ' ') {
        return 0;
    }
    const qsizetype seconds = pastDigits(step + 1);
    if (seconds == step + 1 || seconds >= line.size() || line[seconds] != '.') {
        return step + 1;
    }
    const qsizetype end = pastDigits(seconds + 1);
    return end == line.size() ? end : line[end] == ' ' ? end + 1 : step + 1;
}

// "slurmstepd: error: pyxis:     ", by which Slurm shows the log of enroot: its length, or 0.
qsizetype enrootAhead(QByteArrayView line)
{
    constexpr QByteArrayView ofDaemon = "slurmstepd: error: ", name = "pyxis:     ";
    const qsizetype from = line.startsWith(ofDaemon) ? ofDaemon.size() : 0;
    return line.sliced(from).startsWith(name) ? from + name.size() : 0;
}

// "3: " of srun --label, "worker-1  | " of compose: its length, or 0.
qsizetype labelAhead(QByteArrayView line)
{
    qsizetype at = 0;
    while (at < line.size() && at < 6 && isDigit(line[at])) {
        ++at;
    }
    if (at > 0 && line.sliced(at).startsWith(": ")) {
        return at + 2;
    }
    if (at > 0 && at + 1 == line.size() && line[at] == ':') {
        return at + 1;
    }
    const QByteArrayView head = line.first(std::min(line.size(), qsizetype(48)));
    const qsizetype bar = head.indexOf(" | ");
    if (bar <= 0 || head[0] == ' ' || head.first(bar).trimmed().indexOf(' ') >= 0 || head.first(bar).indexOf('|') >= 0
        || isDigit(head[0])) {
        return 0;
    }
    return bar + 3;
}

} // namespace

void takePrefix(WhyLine &line)
{
    qsizetype streamBegin = -1, streamEnd = 0, at = 0;
    for (int i = 0; i < 4 && at < line.words.size(); ++i) {
        const QByteArrayView rest = line.words.sliced(at);
        const qsizetype time = timeAhead(rest), bar = time > 0 ? 0 : barAhead(rest);
        if (time > 0) {
            at += time;
            const qsizetype runtime = runtimeAhead(line.words.sliced(at));
            at += runtime > 0 ? runtime : programAhead(line.words.sliced(at));
            line.isOfKernel = line.isOfKernel || line.words.first(at).endsWith(" kernel: ");
            continue;
        }
        if (const qsizetype journal = journalAhead(rest); journal > 0) {
            at += journal;
            line.isOfKernel = line.words.first(at).endsWith(" kernel: ");
            continue;
        }
        if (bar > 0) {
            at += bar;
            continue;
        }
        qsizetype length = rankAhead(rest);
        length = length > 0 ? length : actorAhead(rest);
        length = length > 0 ? length : buildStepAhead(rest);
        length = length > 0 ? length : enrootAhead(rest);
        length = length > 0 || at > 0 ? length : labelAhead(rest);
        if (length == 0) {
            break;
        }
        streamBegin = streamBegin < 0 ? at : streamBegin;
        at += length;
        streamEnd = at;
    }
    if (streamBegin >= 0) {
        line.stream = line.words.sliced(streamBegin, streamEnd - streamBegin).trimmed();
    }
    line.words = line.words.sliced(at);
}

} // namespace trainyard::core
