// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/safefixes.h"

#include "app/cli/findings.h"
#include "model/base/lineindex.h"
#include "model/protocol/findings.h"
#include "model/yaml/yamledit.h"
#include "widgets/text/texts.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

constexpr int mostFixes = 100; // each parses the text again
constexpr qsizetype mostParsed = qsizetype(64) << 20; // bytes in all

// Whether the name is the other one with a slip of the fingers. With other digits it is another thing: beta1 and beta2.
bool isMisspelt(const QString &written, const QString &meant)
{
    static const QRegularExpression digits(u"[0-9]"_s);
    return !nearest(written, {meant}).isEmpty() && QString(written).remove(digits) != QString(meant).remove(digits);
}

bool keepsTheMeaning(const Diagnostic &diagnostic, const Fix &fix)
{
    const QString meant = fix.args.value("name"_L1).toString();
    const QString written = meant.startsWith(u'$') // the scope of a reference
        ? diagnostic.args.value("reference"_L1).toString().section(u'.', 0, 0)
        : diagnostic.args.value("name"_L1).toString();
    if (diagnostic.args.contains("read"_L1) && diagnostic.args.value("read"_L1) != diagnostic.args.value("value"_L1)) {
        return false; // 0755 is 493 now: whether it is meant as a text is not known
    }
    if (fix.title == "fix.did-you-mean"_L1 && !isMisspelt(written, meant)) {
        return false; // it may be offered only because there is no other
    }
    if (fix.title == "fix.refer-to"_L1 && !isMisspelt(fix.args.value("other"_L1).toString(), meant)) {
        return false;
    }
    if (diagnostic.code == "field.integer-as-text"_L1) { // a number in quotes, not what only reads as one: "0x10"
        return diagnostic.args.value("value"_L1) == fix.args.value("value"_L1);
    }
    static const QSet<QString> safe{u"fix.add-blank"_s, u"fix.add-colon"_s, u"fix.did-you-mean"_s,
        u"fix.index-brackets"_s, u"fix.make-list"_s, u"fix.odd-characters"_s, u"fix.quote"_s, u"fix.quote-command"_s,
        u"fix.quote-value"_s, u"fix.refer-to"_s, u"fix.rename-key"_s, u"fix.replace-tabs"_s};
    return safe.contains(fix.title);
}

// Its first fix, if that is safe and the only one of its kind.
const Fix *safeFix(const Diagnostic &diagnostic)
{
    if (diagnostic.fixes.isEmpty() || isSecretValue(diagnostic.path)) {
        return nullptr;
    }
    const Fix &first = diagnostic.fixes.constFirst();
    const auto alike = std::count_if(diagnostic.fixes.cbegin(), diagnostic.fixes.cend(),
        [&first](const Fix &fix) { return fix.title == first.title; });
    return alike == 1 && keepsTheMeaning(diagnostic, first) ? &first : nullptr;
}

qsizetype errorsOf(const ParseOutcome &outcome)
{
    return std::count_if(outcome.diagnostics.cbegin(), outcome.diagnostics.cend(),
        [](const Diagnostic &each) { return each.severity == Severity::Error; });
}

// Behind a mistake in the YAML nothing is checked, and more may show up once it is gone.
bool isBetter(const ParseOutcome &before, const ParseOutcome &after)
{
    if (before.document.isWellFormed() && before.document.isComplete()) {
        return after.document.isWellFormed() && errorsOf(after) <= errorsOf(before);
    }
    return after.document.bytes() != before.document.bytes();
}

} // namespace

FixedText withSafeFixes(const QByteArray &bytes, CheckMode mode, const CatalogueLookup &catalogue)
{
    FixedText fixed{bytes, {}};
    ParseOutcome now = parseJob(bytes, mode, catalogue);
    QSet<QString> tried; // each once: one that does not help is not made again
    qsizetype parsed = bytes.size();
    for (bool isChanged = true; isChanged && fixed.made.size() < mostFixes;) {
        isChanged = false;
        for (const Diagnostic &diagnostic : std::as_const(now.diagnostics)) {
            const Fix *fix = safeFix(diagnostic);
            const QString title = fix ? fixTitle(*fix) : QString();
            const QString name = diagnostic.code + u' ' + diagnostic.path.toPointer() + u' ' + title + u' '
                + QString::number(fixed.bytes.size() - diagnostic.at.begin); // which edits before it leave as it is
            if (!fix || tried.contains(name) || parsed > mostParsed) {
                continue;
            }
            tried.insert(name);
            const Result<TextEdits> edits = planFix(now.document, *fix);
            if (!edits || edits->isEmpty()) {
                continue;
            }
            const QByteArray text = applyEdits(fixed.bytes, *edits);
            ParseOutcome next = parseJob(text, mode, catalogue);
            parsed += text.size();
            if (text == fixed.bytes || !isBetter(now, next)) {
                continue;
            }
            fixed.made.append({int(LineIndex(fixed.bytes).at(diagnostic.at.begin).line), diagnostic.code, title});
            fixed.bytes = text;
            now = std::move(next);
            isChanged = true;
            break; // the findings are others now
        }
    }
    return fixed;
}

} // namespace trainyard::cli
