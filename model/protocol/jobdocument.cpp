// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/jobdocument.h"

#include "model/base/cancel.h"
#include "model/protocol/fieldreference.h"
#include "model/protocol/loginsecrets.h"
#include "model/protocol/mergeditems.h"
#include "model/protocol/newrole.h"
#include "model/protocol/oddcharacters.h"
#include "model/protocol/reader.h"
#include "model/protocol/rules.h"
#include "model/yaml/yamlmend.h"

#include <algorithm>
#include <functional>
#include <optional>

namespace trainyard
{

bool ParseOutcome::canRun() const
{
    return spec && std::none_of(diagnostics.cbegin(), diagnostics.cend(), [](const Diagnostic &each) {
        return each.severity == Severity::Error;
    });
}

namespace
{

// A second document with names and values is the job's secrets, as the runtime takes them. They can move into the job.
void offerSecrets(const YamlDocument &document, QList<Diagnostic> &diagnostics)
{
    const YamlNode *root = document.root();
    const QByteArray &bytes = document.bytes();
    const bool block = root && root->isMap() && root->style == YamlNode::Style::Block && !root->entries.isEmpty();
    if (!block || root->find("secrets") || !document.secondRoot()) {
        return;
    }
    const YamlNode *first = root->entries.first().key;
    for (Diagnostic &diagnostic : diagnostics) {
        const bool secrets = diagnostic.code == QLatin1String("yaml.second-document")
            && diagnostic.args.value(QStringLiteral("kind")).toString() == QLatin1String("flat-map");
        if (!secrets || !first || (first->at.begin > 0 && bytes.at(first->at.begin - 1) != '\n')) {
            continue;
        }
        const qsizetype mark = diagnostic.at.begin;
        const qsizetype newline = bytes.indexOf('\n', mark);
        if (newline < 0) {
            continue;
        }
        QByteArray secretLines = "secrets:\n";
        for (const QByteArray &line : bytes.mid(newline + 1).split('\n')) {
            secretLines += QByteArray(line.trimmed().isEmpty() ? "" : "  ") + line + '\n';
        }
        secretLines.chop(1);
        const TextEdits edits{{{mark, bytes.size()}, secretLines}};
        const YamlDocument after = YamlDocument::parse(applyEdits(bytes, edits));
        if (after.isWellFormed() && after.root() && after.root()->find("secrets")) {
            diagnostic.fixes.append({QStringLiteral("fix.use-as-secrets"), {}, edits});
        }
    }
}

// A key that stands twice loses either entry; a line that is indented wrongly moves to where it belongs.
void offerMending(const YamlDocument &document, QList<Diagnostic> &diagnostics)
{
    static const QStringList misplaced{QStringLiteral("map-end"), QStringLiteral("list-end"),
        QStringLiteral("list-item"), QStringLiteral("map-key"), QStringLiteral("map-value")};
    int tries = 10; // each costs a parse or two
    for (Diagnostic &diagnostic : diagnostics) {
        const bool isTwice = diagnostic.code == QLatin1String("yaml.duplicate-key");
        const bool isMisplaced = diagnostic.code == QLatin1String("yaml.syntax")
            && misplaced.contains(diagnostic.args.value(QLatin1String("reason")).toString());
        if ((!isTwice && !isMisplaced) || --tries < 0) {
            continue;
        }
        if (isMisplaced) {
            if (const auto edit = alignedLine(document, diagnostic.at.begin)) {
                diagnostic.fixes.append({QStringLiteral("fix.align-line"), {}, {*edit}});
            }
            continue;
        }
        const ByteRange other{diagnostic.args.value(QLatin1String("otherBegin")).toInteger(),
            diagnostic.args.value(QLatin1String("otherEnd")).toInteger()};
        const QJsonObject args{{QStringLiteral("field"), diagnostic.args.value(QLatin1String("key"))}};
        if (const auto edit = withoutEntry(document, diagnostic.at)) {
            diagnostic.fixes.append({QStringLiteral("fix.remove-later"), args, {*edit}});
        }
        if (const auto edit = withoutEntry(document, other)) {
            diagnostic.fixes.append({QStringLiteral("fix.remove-earlier"), args, {*edit}});
        }
    }
}

bool isFieldName(const QString &name, const std::function<bool(const ReferenceField &)> &isMeant)
{
    const QList<ReferenceField> &fields = FieldReference::bundled().fields();
    return std::any_of(fields.cbegin(), fields.cend(), [&](const ReferenceField &field) {
        return !field.pattern.isEmpty() && field.pattern.constLast() == name && isMeant(field);
    });
}

// The edit that begins a line at the second key of "cpu: 2 x: 3", whose colon is at `colon`; nothing: it is not a
// field.
std::optional<TextEdit> splitBefore(const QByteArray &bytes, qsizetype value, qsizetype colon, QString &name)
{
    const auto isBlank = [&bytes](qsizetype i) { return bytes.at(i) == ' ' || bytes.at(i) == '\t'; };
    qsizetype key = colon;
    while (key > value && !isBlank(key - 1)) {
        --key;
    }
    qsizetype blanks = key;
    while (blanks > value && isBlank(blanks - 1)) {
        --blanks;
    }
    name = QString::fromUtf8(bytes.mid(key, colon - key));
    if (blanks == value || !isFieldName(name, [](const ReferenceField &field) { return !field.forbidden; })) {
        return std::nullopt;
    }
    const qsizetype line = bytes.lastIndexOf('\n', value) + 1;
    qsizetype first = line; // where the key above stands, behind the dash of an item
    while (first < value && (bytes.at(first) == ' ' || bytes.at(first) == '-')) {
        ++first;
    }
    return TextEdit{{blanks, key}, '\n' + QByteArray(first - line, ' ')};
}

// Leaves out quick fixes for a value with a second colon: a number in quotes would be the next mistake, and a field in
// it has a line of its own.
void settleQuotes(const YamlDocument &document, QList<Diagnostic> &diagnostics)
{
    for (Diagnostic &diagnostic : diagnostics) {
        const auto quote = std::find_if(diagnostic.fixes.begin(), diagnostic.fixes.end(),
            [](const Fix &fix) { return fix.title == QLatin1String("fix.quote-value") && !fix.edits.isEmpty(); });
        if (quote == diagnostic.fixes.end()) {
            continue;
        }
        const qsizetype value = quote->edits.constFirst().range.begin;
        const QString field = quote->args.value(QLatin1String("field")).toString();
        if (isFieldName(field, [](const ReferenceField &each) { return each.type == FieldType::Integer; })) {
            diagnostic.fixes.erase(quote);
        }
        QString name;
        const std::optional<TextEdit> split = splitBefore(document.bytes(), value, diagnostic.at.begin, name);
        if (split && YamlDocument::parse(applyEdits(document.bytes(), {*split})).isWellFormed()) {
            diagnostic.fixes.prepend({QStringLiteral("fix.split-line"), {{QStringLiteral("field"), name}}, {*split}});
        }
    }
}

// An empty text can become a job, below the comments that it has.
void offerJob(const YamlDocument &document, QList<Diagnostic> &diagnostics)
{
    if (document.root() && !document.root()->scalar.isEmpty()) {
        return; // the text says "null"
    }
    for (Diagnostic &diagnostic : diagnostics) {
        if (diagnostic.code == QLatin1String("yaml.empty")) {
            diagnostic.fixes.append({QStringLiteral("fix.new-job"), {}, {}, newJobOps()});
        }
    }
}

} // namespace

ParseOutcome parseJob(const QByteArray &bytes, CheckMode mode, const CatalogueLookup &catalogue)
{
    return readJob(YamlDocument::parse(bytes), mode, catalogue);
}

ParseOutcome readJob(const YamlDocument &document, CheckMode mode, const CatalogueLookup &catalogue)
{
    ParseOutcome outcome;
    outcome.document = document;
    outcome.diagnostics = outcome.document.diagnostics();
    if (CancelScope::isCancelled()) {
        return outcome;
    }
    offerSecrets(outcome.document, outcome.diagnostics);
    offerJob(outcome.document, outcome.diagnostics);
    settleQuotes(outcome.document, outcome.diagnostics);
    offerMending(outcome.document, outcome.diagnostics);
    const bool complete = outcome.document.isComplete();
    Findings findings(outcome.document);
    JobReader reader(findings);
    outcome.spec = reader.read();
    if (reader.tooComplex()) {
        findings = Findings(outcome.document);
        findings.add(QStringLiteral("job.too-complex"), Severity::Error, ServerVerdict::Accepts, {});
    } else if (outcome.spec && complete) {
        if (CancelScope::isCancelled()) {
            return outcome;
        }
        checkJob(*outcome.spec, catalogue, findings);
        for (const auto check : {checkTemplates, checkCommands, checkPortability}) {
            if (CancelScope::isCancelled()) {
                return outcome;
            }
            check(*outcome.spec, findings);
        }
        settleSecrets(*outcome.spec, findings);
    }
    // Where reading stopped at an error, what seems to be missing may stand behind it.
    if (complete) {
        outcome.diagnostics += findings.take();
    }
    if (mode == CheckMode::Friendly) {
        // A user who lets the job run in the shell of its host knows that it needs no image; a server still refuses it.
        if (outcome.spec && outcome.spec->trainyard.runIn == QLatin1String("host")) {
            outcome.diagnostics.removeIf([](const Diagnostic &each) {
                return each.code == QLatin1String("role.image.none") && each.severity == Severity::Note;
            });
        }
        outcome.diagnostics += checkOddCharacters(outcome.document);
        outcome.diagnostics += checkMergedItems(outcome.document);
    }
    if (mode == CheckMode::Strict) {
        for (Diagnostic &diagnostic : outcome.diagnostics) {
            if (diagnostic.strict) {
                diagnostic.severity = Severity::Error;
            } else if (complete && diagnostic.severity == Severity::Error) {
                diagnostic.severity = Severity::Warning;
            }
        }
    }
    std::stable_sort(
        outcome.diagnostics.begin(), outcome.diagnostics.end(), [](const Diagnostic &a, const Diagnostic &b) {
            return a.at.begin != b.at.begin ? a.at.begin < b.at.begin : a.severity < b.severity;
        });
    return outcome;
}

} // namespace trainyard
