// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/base/textrange.h"
#include "model/yaml/yamldocument.h"
#include "model/yaml/yamlops.h"

namespace trainyard
{

// What the operations do, in short:
// - SetText keeps the style that is there when it can hold the text (also the layout of a folded scalar where words are
//   the same); otherwise plain, then single, then double quotes. More than one line becomes a literal block.
// - A value set in place of another keeps its anchor; a tag goes, except !!str for a text.
// - Remove takes the entry's own comments with it: the lines directly above at the same indentation (not above the
//   first key of the document, and not what looks like a commented-out entry), the one behind it, deeper ones below. A
//   map or list that would be left empty goes too, up to the root: nothing empty is ever written.
// - Move takes an entry with its own comments; what stands between entries stays where it is.
// - ReplaceText falls back to SetText where a part is written in another way than it reads (an escape, a folded blank).
// - A duplicate has no anchors; aliases inside of it refer to those of the original.
// - evenShared: an alias that repeats the place elsewhere does not make the edit fail.
//
// The smallest text edits that do it. Guarded: the result is parsed again and must equal the old document everywhere
// but at the addressed path, with all other comments kept; otherwise nothing is returned but the reason. Never damages:
// refuses rather than guesses. Errors, all with {path}:
// edit.broken-document    the text has a syntax error or was not read
// edit.no-such-path       nothing there, or a scalar where a map or list is needed
// edit.root               the whole document cannot be set, removed or moved
// edit.exists             (key?) the key is there already
// edit.bad-index          behind the end of the list
// edit.bad-value          not one flow YAML node on one line
// edit.not-editable       a duplicate or complex key, or a place whose extent is not certain
// edit.through-alias      (name) the path goes through *name
// edit.anchor-in-use      (name) the change would show at *name too, or leave it without its anchor
// edit.would-change-more, edit.would-lose-comment   the guard refused
Result<TextEdits> planEdit(const YamlDocument &document, const edit::Op &op);

// Edits with the document that they make. The guard has parsed it, so that the text need not be parsed again after the
// edits.
struct PlannedChange {
    TextEdits edits; // relative to the document that they were planned for
    YamlDocument document;
};

// Plans several operations in order, each on the result of those before; all or none.
Result<PlannedChange> planChange(const YamlDocument &document, const QList<edit::Op> &ops);
Result<TextEdits> planEdits(const YamlDocument &document, const QList<edit::Op> &ops);

// The text edits of a fix of this document's own diagnostics.
Result<TextEdits> planFix(const YamlDocument &document, const Fix &fix);

} // namespace trainyard
