// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/template/render.h"

#include <QByteArray>
#include <QList>

namespace trainyard
{

// The contents of a task's script without its frame and the options at the beginning of every step or role: steps in
// their order and the commands of the role. Pure.
struct ScriptPart {
    enum class Kind { Before, Commands, After };
    Kind kind = Kind::Commands;
    QByteArray name; // of the prerequisite or plugin
    bool isIgnored = false; // its failure ends nothing
    QByteArray code;
    bool isHeaded = false; // the commands run under errexit, nounset and pipefail, which `code` leaves out
    friend bool operator==(const ScriptPart &, const ScriptPart &) = default;
};
QList<ScriptPart> scriptParts(const QByteArray &script);

// A value in the code of a part, in bytes.
struct PartValue {
    enum class Kind {
        Filled, // it replaces a reference of the job
        Secret, // still the reference: its value is filled in only when the task starts
    };
    Kind kind = Kind::Filled;
    qsizetype begin = 0;
    qsizetype length = 0;
    friend bool operator==(const PartValue &, const PartValue &) = default;
};
// In order. `composed` is the part's role without its secrets; null where it is not known: no value is found then.
QList<PartValue> partValues(const ScriptPart &part, const ComposedRole *composed);

} // namespace trainyard
