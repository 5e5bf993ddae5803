// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/yaml/yamledit.h"

#include "model/yaml/yamlguard.h"
#include "model/yaml/yamlplan.h"

#include <algorithm>
#include <limits>

namespace trainyard
{

namespace
{

Result<yamlplan::Outcome> plan(const YamlDocument &document, const edit::Op &op)
{
    const YamlPath &path = std::visit([](const auto &each) -> const YamlPath & { return each.path; }, op);
    const bool blank = !document.root()
        && std::all_of(document.diagnostics().cbegin(), document.diagnostics().cend(),
            [](const Diagnostic &each) { return each.code == QLatin1String("yaml.empty"); });
    if (!document.isComplete() && !blank) {
        return fail(QStringLiteral("edit.broken-document"), {{QStringLiteral("path"), path.toPointer()}});
    }
    return std::visit(yamlplan::Planner(document, path), op);
}

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
    QList<Piece> pieces;
    if (!document.bytes().isEmpty()) {
        pieces.append(Piece{{0, document.bytes().size()}, QByteArray()});
    }
    YamlDocument current = document;
    for (const edit::Op &op : ops) {
        const Result<yamlplan::Outcome> outcome = plan(current, op);
        if (!outcome) {
            return tl::unexpected(outcome.error());
        }
        pieces = edited(pieces, outcome->edits);
        current = outcome->next;
    }
    return yamlguard::minimal(document.bytes(), asEdits(pieces, document.bytes().size()));
}

} // namespace trainyard
