// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/yaml/yamledit.h"

#include "model/yaml/yamlguard.h"
#include "model/yaml/yamlplan.h"

#include <QSet>

#include <algorithm>
#include <limits>

namespace trainyard
{

namespace
{

using yamlguard::Change;
using yamlplan::Changes;

const YamlPath &pathOf(const edit::Op &op)
{
    return std::visit([](const auto &each) -> const YamlPath & { return each.path; }, op);
}

Result<Changes> plan(const YamlDocument &document, const edit::Op &op)
{
    const YamlPath &path = pathOf(op);
    const bool blank = !document.root()
        && std::all_of(document.diagnostics().cbegin(), document.diagnostics().cend(),
            [](const Diagnostic &each) { return each.code == QLatin1String("yaml.empty"); });
    if (!document.isComplete() && !blank) {
        return fail(QStringLiteral("edit.broken-document"), {{QStringLiteral("path"), path.toPointer()}});
    }
    return std::visit(yamlplan::Planner(document, path), op);
}

struct Outcome {
    TextEdits edits;
    YamlDocument next;
};

// The first of the changes that passes the guard is made.
Result<Outcome> perform(const YamlDocument &document, const edit::Op &op)
{
    const Result<Changes> changes = plan(document, op);
    if (!changes) {
        return tl::unexpected(changes.error());
    }
    if (changes->isEmpty()) {
        return Outcome{{}, document};
    }
    QString code;
    for (Change change : *changes) {
        change.edits = yamlguard::minimal(document.bytes(), change.edits);
        const Result<YamlDocument> next = yamlguard::check(document, {change});
        if (next) {
            return Outcome{change.edits, *next};
        }
        code = next.error().code;
    }
    return fail(code, {{QStringLiteral("path"), pathOf(op).toPointer()}});
}

// Operations on scalars and keys that are there, each at a place of its own, can be planned on one document and guarded
// once: a name with two hundred references is renamed as fast as one without.
class Batch
{
public:
    explicit Batch(const YamlDocument &document) : m_document(document) { }

    // False: the operation does not fit in with those before it.
    bool add(const edit::Op &op)
    {
        const bool simple = std::holds_alternative<edit::SetText>(op) || std::holds_alternative<edit::SetValue>(op)
            || std::holds_alternative<edit::ReplaceText>(op) || std::holds_alternative<edit::RenameKey>(op);
        if (!simple) {
            return false;
        }
        const Result<Changes> changes = plan(m_document, op);
        if (!changes) {
            return false;
        }
        if (changes->isEmpty()) { // unless one before it changes just that
            return m_renamed.isEmpty() && !m_paths.contains(pathOf(op));
        }
        const Change &change = changes->first();
        const YamlNode *place = change.place;
        if (!place || place->kind != YamlNode::Kind::Scalar || !place->parent || m_places.contains(place)) {
            return false;
        }
        // Behind a key that has another name by now a path means something else.
        for (const YamlNode *node = place; node; node = node->parent) {
            if (m_renamed.contains(node)) {
                return false;
            }
        }
        m_places.insert(place);
        m_paths.insert(pathOf(op));
        if (std::holds_alternative<edit::RenameKey>(op)) {
            m_renamed.insert(place->parent->entries.at(place->position).value);
        }
        m_changes.append(change);
        return true;
    }

    Result<Outcome> perform() const
    {
        if (m_changes.isEmpty()) {
            return Outcome{{}, m_document};
        }
        const Result<YamlDocument> next = yamlguard::check(m_document, m_changes);
        if (!next) {
            return tl::unexpected(next.error());
        }
        TextEdits edits;
        for (const Change &change : m_changes) {
            edits += change.edits;
        }
        return Outcome{yamlguard::minimal(m_document.bytes(), edits), *next};
    }

private:
    YamlDocument m_document;
    QList<Change> m_changes;
    QSet<const YamlNode *> m_places;
    QSet<YamlPath> m_paths; // to these
    QSet<const YamlNode *> m_renamed; // values of renamed keys
};

// The text of after some edits as pieces of the text before them and new bytes between.
struct Piece {
    ByteRange old;
    QByteArray text; // used when `old` is empty
    qsizetype length() const { return old.length() > 0 ? old.length() : text.size(); }
    Piece part(qsizetype from, qsizetype to) const
    {
        return old.length() > 0 ? Piece{{old.begin + from, old.begin + to}, {}} : Piece{{}, text.mid(from, to - from)};
    }
};

QList<Piece> edited(const QList<Piece> &pieces, const TextEdits &edits)
{
    QList<Piece> result;
    qsizetype next = 0; // of pieces
    qsizetype inside = 0; // of that piece
    qsizetype at = 0; // of the text
    const auto copy = [&](qsizetype until, bool keep) {
        while (at < until && next < pieces.size()) {
            const Piece &piece = pieces.at(next);
            const qsizetype take = std::min(piece.length() - inside, until - at);
            if (keep) {
                result.append(piece.part(inside, inside + take));
            }
            at += take;
            inside += take;
            if (inside == piece.length()) {
                ++next;
                inside = 0;
            }
        }
    };
    for (const TextEdit &each : edits) {
        copy(each.range.begin, true);
        copy(each.range.end, false);
        if (!each.text.isEmpty()) {
            result.append({{}, each.text});
        }
    }
    copy(std::numeric_limits<qsizetype>::max(), true);
    return result;
}

TextEdits asEdits(const QList<Piece> &pieces, qsizetype size)
{
    TextEdits edits;
    qsizetype done = 0;
    QByteArray text;
    const auto flush = [&](qsizetype until) {
        if (until > done || !text.isEmpty()) {
            edits.append({{done, until}, text});
        }
        text.clear();
    };
    for (const Piece &piece : pieces) {
        if (piece.old.length() == 0) {
            text += piece.text;
            continue;
        }
        flush(piece.old.begin);
        done = piece.old.end;
    }
    flush(size);
    return edits;
}

} // namespace

Result<TextEdits> planEdit(const YamlDocument &document, const edit::Op &op) { return planEdits(document, {op}); }

Result<TextEdits> planFix(const YamlDocument &document, const Fix &fix)
{
    return fix.ops.isEmpty() ? Result<TextEdits>(fix.edits) : planEdits(document, fix.ops);
}

Result<TextEdits> planEdits(const YamlDocument &document, const QList<edit::Op> &ops)
{
    return planChange(document, ops).map(&PlannedChange::edits);
}

Result<PlannedChange> planChange(const YamlDocument &document, const QList<edit::Op> &ops)
{
    QList<Piece> pieces;
    if (!document.bytes().isEmpty()) {
        pieces.append(Piece{{0, document.bytes().size()}, QByteArray()});
    }
    YamlDocument current = document;
    const auto take = [&](const Outcome &outcome) {
        pieces = edited(pieces, outcome.edits);
        current = outcome.next;
    };
    for (qsizetype i = 0; i < ops.size();) {
        qsizetype end = i;
        if (ops.size() - i > 1) {
            Batch batch(current);
            while (end < ops.size() && batch.add(ops.at(end))) {
                ++end;
            }
            if (end - i > 1) {
                if (const Result<Outcome> outcome = batch.perform()) {
                    take(*outcome);
                    i = end;
                    continue;
                }
            }
        }
        // One by one: an operation that stands alone, or a batch of which one needs another way to be written.
        for (end = std::max(end, i + 1); i < end; ++i) {
            const Result<Outcome> outcome = perform(current, ops.at(i));
            if (!outcome) {
                return tl::unexpected(outcome.error());
            }
            take(*outcome);
        }
    }
    return PlannedChange{yamlguard::minimal(document.bytes(), asEdits(pieces, document.bytes().size())), current};
}

} // namespace trainyard
