// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/belowmisspelt.h"

#include "model/yaml/yamledit.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

constexpr int mostRenamed = 20; // each parses the text again

// A key with another name: as the text has it, and as it is meant.
struct Misspelt {
    YamlPath written, meant;
    TextEdits edits;
};

// Where a place of the new text was in the old one; what the edits have put there has the place of what it replaces.
qsizetype placeBefore(const TextEdits &edits, qsizetype place)
{
    qsizetype grown = 0;
    for (const TextEdit &edit : edits) {
        const qsizetype begin = edit.range.begin + grown;
        if (place < begin) {
            break;
        }
        if (place < begin + edit.text.size()) {
            return edit.range.begin + std::min(place - begin, edit.range.length());
        }
        grown += edit.text.size() - edit.range.length();
    }
    return place - grown;
}

YamlPath pathBefore(const Misspelt &key, const YamlPath &path)
{
    YamlPath before = path.startsWith(key.meant) ? key.written : path;
    for (qsizetype i = key.meant.size(); path.startsWith(key.meant) && i < path.size(); ++i) {
        const QString *name = std::get_if<QString>(&path.at(i));
        before = name ? before.child(*name) : before.child(std::get<qsizetype>(path.at(i)));
    }
    return before;
}

// The first key that is a required field with another name; nothing where there is none.
std::optional<Misspelt> misspeltIn(const ParseOutcome &outcome)
{
    for (const Diagnostic &diagnostic : outcome.diagnostics) {
        const QString similar = diagnostic.args.value("similar"_L1).toString();
        const bool isRequired = diagnostic.code.endsWith("-similar"_L1) && diagnostic.severity == Severity::Error;
        const auto fix = std::find_if(diagnostic.fixes.cbegin(), diagnostic.fixes.cend(),
            [](const Fix &each) { return each.title == "fix.rename-key"_L1; });
        if (!isRequired || similar.isEmpty() || fix == diagnostic.fixes.cend()) {
            continue;
        }
        if (const Result<TextEdits> edits = planFix(outcome.document, *fix); edits && !edits->isEmpty()) {
            return Misspelt{diagnostic.path, diagnostic.path.parent().child(similar), *edits};
        }
    }
    return std::nullopt;
}

} // namespace

void addFindingsBelow(ParseOutcome &outcome, CheckMode mode, const CatalogueLookup &catalogue)
{
    QList<Diagnostic> found;
    QList<Misspelt> corrected;
    ParseOutcome now = outcome;
    while (corrected.size() < mostRenamed) {
        const std::optional<Misspelt> key = misspeltIn(now);
        const bool isAgain = key && std::any_of(corrected.cbegin(), corrected.cend(), [&key](const Misspelt &each) {
            return each.written == key->written;
        });
        if (!key || isAgain) {
            break;
        }
        corrected.append(*key);
        now = parseJob(applyEdits(now.document.bytes(), key->edits), mode, catalogue);
        for (Diagnostic below : std::as_const(now.diagnostics)) {
            if (below.path.size() <= key->meant.size() || !below.path.startsWith(key->meant)) {
                continue;
            }
            for (auto each = corrected.crbegin(); each != corrected.crend(); ++each) {
                below.path = pathBefore(*each, below.path);
                below.at = {placeBefore(each->edits, below.at.begin), placeBefore(each->edits, below.at.end)};
            }
            below.fixes.clear();
            found.append(below);
        }
    }
    if (found.isEmpty()) {
        return;
    }
    outcome.diagnostics += found;
    std::stable_sort(outcome.diagnostics.begin(), outcome.diagnostics.end(),
        [](const Diagnostic &a, const Diagnostic &b) { return a.at.begin < b.at.begin; });
}

} // namespace trainyard::cli
