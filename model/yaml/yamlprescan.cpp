// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/yaml/yamlprescan.h"

#include "model/yaml/yamldocument.h"
#include "model/yaml/yamllex.h"

namespace trainyard
{

namespace
{

// yaml-cpp queues a whole flow collection before its first event: some 2 KB of memory for each indicator.
constexpr qsizetype maxFlowIndicators = 100'000;
constexpr int maxControlDiagnostics = 20;

// Length of the well-formed UTF-8 sequence at `pos`, or 0. Refuses overlong forms, surrogates, and above U+10FFFF.
int sequenceLength(const QByteArray &text, qsizetype pos)
{
    const auto byte = [&](qsizetype i) { return i < text.size() ? static_cast<uchar>(text.at(i)) : uchar(0); };
    const auto next = [&](qsizetype i) { return (byte(i) & 0xC0) == 0x80; };
    const uchar a = byte(pos);
    const uchar b = byte(pos + 1);
    if (a < 0x80) {
        return 1;
    }
    if (a >= 0xC2 && a <= 0xDF) {
        return next(pos + 1) ? 2 : 0;
    }
    if (a >= 0xE0 && a <= 0xEF) {
        const bool second = (a == 0xE0 ? b >= 0xA0 : true) && (a == 0xED ? b <= 0x9F : true);
        return next(pos + 1) && second && next(pos + 2) ? 3 : 0;
    }
    if (a >= 0xF0 && a <= 0xF4) {
        const bool second = (a == 0xF0 ? b >= 0x90 : true) && (a == 0xF4 ? b <= 0x8F : true);
        return next(pos + 1) && second && next(pos + 2) && next(pos + 3) ? 4 : 0;
    }
    return 0;
}

uint codePoint(const QByteArray &text, qsizetype pos, int length)
{
    const auto byte = [&](qsizetype i) { return uint(static_cast<uchar>(text.at(i))); };
    if (length == 2) {
        return ((byte(pos) & 0x1F) << 6) | (byte(pos + 1) & 0x3F);
    }
    if (length == 3) {
        return ((byte(pos) & 0x0F) << 12) | ((byte(pos + 1) & 0x3F) << 6) | (byte(pos + 2) & 0x3F);
    }
    return byte(pos);
}

bool isControl(uint code)
{
    return (code < 0x20 && code != '\t' && code != '\n' && code != '\r')
        || (code >= 0x7F && code <= 0x9F && code != 0x85) || code == 0xFFFE || code == 0xFFFF;
}

// Over-estimates: brackets in text count too. Only pathological input comes near the limit.
bool tooManyIndicators(const QByteArray &bytes, qsizetype &where)
{
    qsizetype count = 0;
    bool lineStart = true;
    for (qsizetype i = 0; i < bytes.size(); ++i) {
        const char c = bytes.at(i);
        if (c == '#' && (lineStart || yamllex::isBlank(bytes.at(i - 1)))) {
            i = yamllex::lineEnd(bytes, i) - 1;
            continue;
        }
        lineStart = yamllex::isBreak(c);
        if (yamllex::isFlowIndicator(c) && ++count > maxFlowIndicators) {
            where = i;
            return true;
        }
    }
    return false;
}

} // namespace

Diagnostic yamlDiagnostic(const char *code, ByteRange at, const QJsonObject &args, bool strict, Severity severity)
{
    Diagnostic diagnostic;
    diagnostic.code = QLatin1String(code);
    diagnostic.severity = severity;
    diagnostic.at = at;
    diagnostic.args = args;
    diagnostic.strict = strict;
    return diagnostic;
}

bool yamlPrescan(const QByteArray &bytes, QList<Diagnostic> &diagnostics)
{
    const auto starts = [&](std::initializer_list<uchar> mark) {
        qsizetype i = 0;
        for (const uchar c : mark) {
            if (i >= bytes.size() || static_cast<uchar>(bytes.at(i++)) != c) {
                return false;
            }
        }
        return true;
    };
    if (starts({0xFF, 0xFE}) || starts({0xFE, 0xFF}) || starts({0x00, 0x00, 0xFE, 0xFF})) {
        const bool wide = starts({0xFF, 0xFE, 0x00, 0x00}) || starts({0x00, 0x00, 0xFE, 0xFF});
        const QString encoding = wide ? QStringLiteral("UTF-32") : QStringLiteral("UTF-16");
        diagnostics.append(
            yamlDiagnostic("yaml.bom-utf16", {0, wide ? 4 : 2}, {{QStringLiteral("encoding"), encoding}}));
        return false;
    }
    bool readable = true;
    int controls = 0;
    bool loneReturn = false;
    for (qsizetype i = 0; i < bytes.size();) {
        const uchar c = static_cast<uchar>(bytes.at(i));
        if (c >= 0x20 && c < 0x7F) {
            ++i;
            continue;
        }
        if (c == '\r' && !loneReturn && i + 1 < bytes.size() && bytes.at(i + 1) != '\n') {
            loneReturn = true;
            diagnostics.append(yamlDiagnostic("yaml.carriage-return", {i, i + 1}, {}, false, Severity::Warning));
        }
        const int length = sequenceLength(bytes, i);
        if (length == 0) {
            qsizetype end = i + 1;
            while (end < bytes.size() && sequenceLength(bytes, end) == 0) {
                ++end;
            }
            diagnostics.append(yamlDiagnostic("yaml.not-utf8", {i, end}, {{QStringLiteral("byte"), int(c)}}));
            return false;
        }
        const uint code = codePoint(bytes, i, length);
        if (code == 0) {
            diagnostics.append(yamlDiagnostic("yaml.nul", {i, i + 1}));
            return false;
        }
        if (isControl(code)) {
            // yaml-cpp takes 0x04 for the end of its input in places.
            readable = readable && code != 0x04;
            if (++controls <= maxControlDiagnostics) {
                const QString number = QStringLiteral("U+%1").arg(code, 4, 16, QLatin1Char('0')).toUpper();
                diagnostics.append(
                    yamlDiagnostic("yaml.control-character", {i, i + length}, {{QStringLiteral("character"), number}}));
            }
        }
        i += length;
    }
    if (bytes.size() > maxCheckedBytes) {
        diagnostics.append(yamlDiagnostic("yaml.too-large", {0, 0},
            {{QStringLiteral("what"), QStringLiteral("bytes")}, {QStringLiteral("size"), bytes.size()},
                {QStringLiteral("limit"), maxCheckedBytes}},
            false));
        return false;
    }
    qsizetype where = 0;
    if (tooManyIndicators(bytes, where)) {
        diagnostics.append(yamlDiagnostic("yaml.too-large", {where, where + 1},
            {{QStringLiteral("what"), QStringLiteral("brackets")}, {QStringLiteral("limit"), maxFlowIndicators}},
            false));
        return false;
    }
    return readable;
}

} // namespace trainyard
