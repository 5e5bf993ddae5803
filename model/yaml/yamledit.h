// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/base/textrange.h"
#include "model/yaml/yamldocument.h"

#include <variant>

namespace trainyard {

// Symbolic edits of a YAML text. Each names a place by path; missing parents of a set are created as block maps.
namespace edit {
struct SetText { YamlPath path; QString text; };          // always a string, in the style that can hold it
struct SetValue { YamlPath path; QByteArray flowYaml; };  // one flow YAML node: "4", "[a, b]", "{gpu: 1}"
struct Insert { YamlPath path; QByteArray flowYaml; };    // a list item before index (or at the end with "-" or the size); a map entry that must be new
struct InsertText { YamlPath path; QString text; };       // the same with a string
struct Remove { YamlPath path; };
struct Move { YamlPath path; qsizetype to = 0; };         // an item or entry to another place of the same parent
struct RenameKey { YamlPath path; QString key; };
using Op = std::variant<SetText, SetValue, Insert, InsertText, Remove, Move, RenameKey>;
} // namespace edit

// The smallest text edits that do it. Guarded: the result is parsed again and must equal the old document everywhere but
// at the addressed path, with all comments kept; otherwise nothing is returned but the reason (codes "edit.*":
// edit.no-such-path, edit.not-editable, edit.bad-value, edit.would-change-more, edit.would-lose-comment, ...).
// Never damages: refuse rather than guess.
Result<TextEdits> planEdit(const YamlDocument &document, const edit::Op &op);

// Several in order, each seeing the ones before; all or none. The edits are relative to `document`.
Result<TextEdits> planEdits(const YamlDocument &document, const QList<edit::Op> &ops);

} // namespace trainyard
