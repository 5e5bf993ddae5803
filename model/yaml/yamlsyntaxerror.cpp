// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/yaml/yamlsyntaxerror.h"

#include "model/base/utf8.h"
#include "model/yaml/tabindent.h"
#include "model/yaml/yamlcolon.h"
#include "model/yaml/yamllex.h"
#include "model/yaml/yamlprescan.h"
#include "model/yaml/yamlstray.h"
#include "model/yaml/yamltree.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <istream>
#include <streambuf>

namespace trainyard::yamltree
{
namespace
{

// yaml-cpp's messages as words of ours that stay the same.
QString reasonOf(const std::string &message)
{
    static const QList<QPair<QByteArray, QString>> reasons{
        {"illegal map key", QStringLiteral("map-key")},
        {"illegal map value", QStringLiteral("map-value")},
        {"illegal block entry", QStringLiteral("list-item")},
        {"illegal flow end", QStringLiteral("bracket")},
        {"end of sequence flow", QStringLiteral("flow-list-end")},
        {"end of map flow", QStringLiteral("flow-map-end")},
        {"end of sequence", QStringLiteral("list-end")},
        {"end of map", QStringLiteral("map-end")},
        {"illegal document indicator", QStringLiteral("document-mark")},
        {"unexpected character in block", QStringLiteral("block-header")},
        {"bad character found while scanning hex", QStringLiteral("escape")},
        {"invalid unicode", QStringLiteral("escape")},
        {"unknown escape", QStringLiteral("escape")},
        {"illegal character found while scanning alias", QStringLiteral("alias")},
        {"alias not found", QStringLiteral("alias")},
        {"illegal character found while scanning anchor", QStringLiteral("anchor")},
        {"anchor not found", QStringLiteral("anchor")},
        {"illegal character found while scanning tag", QStringLiteral("tag")},
        {"end of verbatim tag", QStringLiteral("tag")},
        {"cannot assign multiple tags", QStringLiteral("two-tags")},
        {"cannot assign multiple anchors", QStringLiteral("two-anchors")},
        {"repeated", QStringLiteral("directive")},
        {"bad YAML version", QStringLiteral("directive")},
        {"YAML directives", QStringLiteral("directive")},
        {"TAG directives", QStringLiteral("directive")},
        {"unknown token", QStringLiteral("character")},
    };
    for (const auto &[prefix, reason] : reasons) {
        if (message.compare(0, size_t(prefix.size()), prefix.constData()) == 0) {
            return reason;
        }
    }
    return QStringLiteral("other");
}

Diagnostic withoutColon(const QByteArray &bytes, ByteRange line)
{
    if (const auto blank = withoutBlank(bytes, line)) {
        return *blank;
    }
    Diagnostic diagnostic
        = yamlDiagnostic("yaml.syntax", line, {{QStringLiteral("reason"), QStringLiteral("no-colon")}});
    if (const auto colon = colonAfterWord(bytes, line)) {
        Fix fix;
        fix.title = QStringLiteral("fix.add-colon");
        fix.edits = {*colon};
        diagnostic.fixes.append(fix);
    }
    return diagnostic;
}

Fix dashBefore(ByteRange line)
{
    Fix fix;
    fix.title = QStringLiteral("fix.add-dash");
    fix.edits = {TextEdit{{line.begin, line.begin}, "- "}};
    return fix;
}

} // namespace

std::optional<Diagnostic> withoutBlank(const QByteArray &bytes, ByteRange line)
{
    const std::optional<TextEdit> blank = blankAfterColon(bytes, line);
    if (!blank) {
        return std::nullopt;
    }
    Diagnostic diagnostic
        = yamlDiagnostic("yaml.syntax", line, {{QStringLiteral("reason"), QStringLiteral("no-blank")}});
    Fix fix;
    fix.title = QStringLiteral("fix.add-blank");
    fix.edits = {*blank};
    diagnostic.fixes.append(fix);
    return diagnostic;
}

std::optional<ByteRange> indentationTab(const QByteArray &bytes, qsizetype pos)
{
    qsizetype line = yamllex::lineBegin(bytes, std::min(pos, bytes.size()));
    for (int lines = 0; lines < 3; ++lines) {
        for (qsizetype i = line; yamllex::isBlank(yamllex::at(bytes, i)); ++i) {
            if (bytes.at(i) == '\t') {
                qsizetype end = i;
                while (yamllex::at(bytes, end) == '\t') {
                    ++end;
                }
                return ByteRange{i, end};
            }
        }
        if (line == 0) {
            break;
        }
        line = yamllex::lineBegin(bytes, line - 1);
    }
    return std::nullopt;
}

Diagnostic syntaxError(const QByteArray &bytes, const QByteArray &input, const YAML::Exception &error, qsizetype offset,
    const PlaceOfOpen &placeOf)
{
    const qsizetype pos = std::clamp<qsizetype>(offset + std::max(error.mark.pos, 0), 0, bytes.size());
    const ByteRange at{pos, std::min(pos + 1, bytes.size())};
    if (error.msg == "bad file") {
        return yamlDiagnostic("yaml.too-deep", at, {{QStringLiteral("limit"), maxDepth}}, false);
    }
    if (error.msg == "the referenced anchor is not defined") {
        qsizetype end = pos;
        while (!yamllex::isBlankOrEnd(bytes, end) && !yamllex::isFlowIndicator(bytes.at(end))) {
            ++end;
        }
        return yamlDiagnostic("yaml.unknown-alias", {pos, end},
            {{QStringLiteral("name"), textFromUtf8(bytes.mid(pos + 1, end - pos - 1))}});
    }
    if (const auto tab = indentationTab(input, pos)) {
        Diagnostic diagnostic = yamlDiagnostic("yaml.tab-indent", *tab, {}, false);
        if (const std::optional<TextEdits> edits = spacesForTabs(bytes, *tab)) {
            Fix fix;
            fix.title = QStringLiteral("fix.replace-tabs");
            fix.edits = *edits;
            diagnostic.fixes.append(fix);
        }
        return diagnostic;
    }
    QString reason = strayReason(bytes, pos, reasonOf(error.msg));
    if (reason == QLatin1String("map-value") || reason == QLatin1String("map-end")) {
        const std::optional<UnmarkedItem> item = lineWithoutDash(bytes, pos);
        if (item && !item->mayBeKey) {
            Diagnostic diagnostic
                = yamlDiagnostic("yaml.syntax", item->line, {{QStringLiteral("reason"), QStringLiteral("no-dash")}});
            diagnostic.fixes.append(dashBefore(item->line));
            return diagnostic;
        }
        if (const auto line = lineWithoutColon(bytes, pos)) {
            Diagnostic diagnostic = withoutColon(bytes, *line);
            if (item) {
                diagnostic.fixes.append(dashBefore(item->line));
            }
            return diagnostic;
        }
    }
    if (reason == QLatin1String("map-end") && isKeyInList(bytes, pos)) {
        reason = QStringLiteral("list-end"); // the parser has left the list already, but the list is what is seen above
    }
    // Where it is open, not where something else follows that cannot stand in it.
    const bool isList = reason == QLatin1String("flow-list-end");
    const auto bracket = isList || reason == QLatin1String("flow-map-end") ? placeOf(isList ? '[' : '{') : std::nullopt;
    Diagnostic diagnostic = yamlDiagnostic(
        "yaml.syntax", bracket ? ByteRange{*bracket, *bracket + 1} : at, {{QStringLiteral("reason"), reason}});
    const auto quoted = reason == QLatin1String("map-value") ? textInQuotes(bytes, pos) : std::nullopt;
    if (quoted) {
        Fix fix;
        fix.title = quoted->isItem ? QStringLiteral("fix.quote-command") : QStringLiteral("fix.quote-value");
        if (!quoted->isItem) {
            fix.args = {{QStringLiteral("field"), textFromUtf8(quoted->key)}};
        }
        fix.edits = {quoted->edit};
        diagnostic.fixes.append(fix);
    }
    return diagnostic;
}

} // namespace trainyard::yamltree
