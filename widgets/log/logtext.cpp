// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/logtext.h"

#include "widgets/text/scriptnames.h"

#include <QRegularExpression>

#include <algorithm>

namespace trainyard
{
namespace
{
constexpr qint64 shownBytes = 32 << 10;
constexpr qint64 tailBytes = 8 << 10;
constexpr int tabWidth = 8;

struct Pen {
    int colour = -1;
    bool bold = false;
    int ground = -1;
    bool reversed = false;
    bool italic = false;
    bool underlined = false;
    friend bool operator==(const Pen &, const Pen &) = default;
};

Pen penOf(const LogText::Run &run)
{
    return {run.colour, run.bold, run.ground, run.reversed, run.italic, run.underlined};
}

// Colours of SGR 38/48: 5;n or 2;r;g;b. Leaves `i` at the last parameter used.
int extendedColour(const QList<int> &p, qsizetype &i)
{
    if (i + 2 < p.size() && p.at(i + 1) == 5) {
        i += 2;
        const int n = std::clamp(p.at(i), 0, 255);
        if (n < 16) {
            return n;
        }
        if (n >= 232) {
            const int grey = 8 + (n - 232) * 10;
            return 0x1000000 | (grey << 16) | (grey << 8) | grey;
        }
        const auto level = [](int v) { return v == 0 ? 0 : 55 + 40 * v; };
        const int c = n - 16;
        return 0x1000000 | (level(c / 36) << 16) | (level(c / 6 % 6) << 8) | level(c % 6);
    }
    if (i + 4 < p.size() && p.at(i + 1) == 2) {
        const int rgb = (std::clamp(p.at(i + 2), 0, 255) << 16) | (std::clamp(p.at(i + 3), 0, 255) << 8)
            | std::clamp(p.at(i + 4), 0, 255);
        i += 4;
        return 0x1000000 | rgb;
    }
    i = p.size();
    return -1;
}

void applySgr(const QList<int> &p, Pen &pen)
{
    for (qsizetype i = 0; i < p.size(); ++i) {
        const int code = p.at(i);
        if (code == 0) {
            pen = {};
        } else if (code == 1) {
            pen.bold = true;
        } else if (code == 22) {
            pen.bold = false;
        } else if (code == 3 || code == 23) {
            pen.italic = code == 3;
        } else if (code == 4 || code == 21 || code == 24) {
            pen.underlined = code != 24;
        } else if (code >= 30 && code <= 37) {
            pen.colour = code - 30;
        } else if (code >= 90 && code <= 97) {
            pen.colour = code - 90 + 8;
        } else if (code == 39) {
            pen.colour = -1;
        } else if (code == 38) {
            pen.colour = extendedColour(p, i);
        } else if (code == 48) {
            pen.ground = extendedColour(p, i);
        } else if (code >= 40 && code <= 47) {
            pen.ground = code - 40;
        } else if (code >= 100 && code <= 107) {
            pen.ground = code - 100 + 8;
        } else if (code == 49) {
            pen.ground = -1;
        } else if (code == 7 || code == 27) {
            pen.reversed = code == 7;
        }
    }
}

// Length of the sequence that begins with ESC at `at`; `sgr` is set when it is one that sets colours. No line feed is
// in it, whatever a program writes: lines are counted by them.
qsizetype escapeLength(const QString &text, qsizetype at, QList<int> *sgr)
{
    const qsizetype n = text.size();
    if (at + 1 >= n) {
        return 1;
    }
    const char16_t kind = text.at(at + 1).unicode();
    if (kind == u'\n') {
        return 1;
    }
    if (kind == u'[') {
        QList<int> parameters;
        int value = 0;
        for (qsizetype i = at + 2; i < n; ++i) {
            const char16_t c = text.at(i).unicode();
            if (c >= u'0' && c <= u'9') {
                value = std::min(value * 10 + (c - u'0'), 65535);
            } else if (c == u';' || c == u':') {
                parameters.append(value);
                value = 0;
            } else if (c >= 0x40 && c <= 0x7e) {
                parameters.append(value);
                if (c == u'm' && sgr) {
                    *sgr = parameters;
                }
                return i + 1 - at;
            } else if (c < 0x20) {
                return i - at;
            }
        }
        return n - at;
    }
    if (kind == u']') { // window title and links: up to BEL or ESC backslash
        for (qsizetype i = at + 2; i < n; ++i) {
            if (text.at(i).unicode() == 7) {
                return i + 1 - at;
            }
            if (text.at(i).unicode() == u'\n') {
                return i - at;
            }
            if (text.at(i).unicode() == 0x1b) { // which may begin another one
                return i + 1 < n && text.at(i + 1).unicode() == u'\\' ? i + 2 - at : i - at;
            }
        }
        return n - at;
    }
    if (kind == u'(' || kind == u')') {
        return at + 2 < n && text.at(at + 2).unicode() != u'\n' ? 3 : 2;
    }
    return 2;
}
} // namespace

bool keepLastState(QByteArray &bytes)
{
    while (bytes.endsWith('\r')) {
        bytes.chop(1);
    }
    const qsizetype at = bytes.lastIndexOf('\r');
    if (at < 0) {
        return false;
    }
    bytes.remove(0, at + 1);
    return true;
}

QList<RawLine> splitInterval(LogSource &source, const LogIndex::Interval &interval)
{
    QList<RawLine> lines;
    if (interval.lines == 0) {
        return lines;
    }
    lines.reserve(interval.lines);
    const qint64 span = interval.end - interval.begin;
    const QByteArray bytes = source.read(interval.begin, std::min(span, LogIndex::checkpointBytes + shownBytes));
    qsizetype at = 0;
    while (lines.size() + 1 < interval.lines) {
        const qsizetype newline = bytes.indexOf('\n', at);
        if (newline < 0) {
            break; // the file shrank meanwhile
        }
        RawLine line{interval.begin + at, newline - at, bytes.mid(at, newline - at), false, false};
        line.isProgress = keepLastState(line.bytes);
        lines.append(line);
        at = newline + 1;
    }
    // The last line may have any length.
    RawLine last;
    last.offset = interval.begin + at;
    last.length = std::max<qint64>(0, interval.end - last.offset);
    last.bytes = bytes.mid(at);
    if (last.length <= last.bytes.size()) {
        last.bytes.truncate(last.length);
        if (last.bytes.endsWith('\n')) {
            last.bytes.chop(1);
            --last.length;
        }
        last.isProgress = keepLastState(last.bytes);
    } else {
        QByteArray tail = source.read(interval.end - tailBytes, tailBytes);
        if (tail.endsWith('\n')) {
            tail.chop(1);
            --last.length;
        }
        if (keepLastState(tail)) {
            last.bytes = tail;
            last.isProgress = true;
        } else {
            last.bytes.truncate(shownBytes);
            last.isCut = true;
        }
    }
    lines.append(last);
    while (lines.size() < interval.lines) {
        lines.append(RawLine{interval.end, 0, {}, false, false});
    }
    return lines;
}

LogText decodeLine(const RawLine &line)
{
    LogText result;
    QByteArray bytes = line.bytes;
    qsizetype folderAt = 0; // in what is decoded
    if (const auto folder = scriptFolderIn(bytes)) {
        result.folder = QString::fromUtf8(bytes.sliced(folder->at, folder->length));
        folderAt = QString::fromUtf8(bytes.first(folder->at)).size();
        bytes.remove(folder->at, folder->length);
    }
    // Most lines are nothing but what can be read.
    if (std::all_of(bytes.cbegin(), bytes.cend(), [](char c) { return c >= 0x20 && c < 0x7f; })) {
        result.text = QString::fromLatin1(bytes);
        result.folderAt = folderAt;
        return result;
    }
    const QString raw = QString::fromUtf8(bytes);
    QString &text = result.text;
    text.reserve(raw.size());
    Pen pen;
    bool coloured = false;
    const auto put = [&](QChar c) {
        if (result.runs.isEmpty() || penOf(result.runs.constLast()) != pen) {
            result.runs.append(
                {text.size(), 0, pen.colour, pen.bold, pen.ground, pen.reversed, pen.italic, pen.underlined});
        }
        ++result.runs.last().length;
        text.append(c);
    };
    for (qsizetype i = 0; i < raw.size();) {
        result.folderAt = i <= folderAt ? text.size() : result.folderAt;
        const QChar c = raw.at(i);
        const char16_t u = c.unicode();
        if (u == 0x1b) {
            QList<int> sgr;
            i += escapeLength(raw, i, &sgr);
            if (!sgr.isEmpty()) {
                applySgr(sgr, pen);
                coloured = coloured || pen != Pen{};
            }
            continue;
        }
        if (u == u'\t') {
            do {
                put(QLatin1Char(' '));
            } while (text.size() % tabWidth != 0);
        } else if (u == u'\b') {
            if (!text.isEmpty()) { // terminals move back, the next character overwrites
                text.chop(1);
                if (--result.runs.last().length == 0) {
                    result.runs.removeLast();
                }
            }
        } else if (u < 0x20 && u != u'\n') {
            put(QChar(char16_t(0x2400 + u))); // a picture of the control character
        } else {
            put(c);
        }
        ++i;
    }
    result.folderAt = std::min(result.folderAt, text.size()); // what was behind it may be taken back
    if (!coloured) {
        result.runs.clear();
    }
    return result;
}

QString withoutEscapes(const QString &text)
{
    QString result;
    result.reserve(text.size());
    for (qsizetype i = 0; i < text.size();) {
        if (text.at(i).unicode() == 0x1b) {
            i += escapeLength(text, i, nullptr);
        } else {
            result.append(text.at(i++));
        }
    }
    return result;
}

} // namespace trainyard
