// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/textrange.h"
#include "model/yaml/yamlops.h"

#include <QJsonObject>

namespace trainyard
{

enum class Severity { Error, Warning, Note };

// A fix that removes the cause of a diagnostic. `title` is a code for widgets/text ("fix.define-image", args {name}).
// Most fixes are symbolic: planning one costs a parse of the text and is done only when it is applied (planFix in
// model/yaml/yamledit.h).
struct Fix {
    QString title;
    QJsonObject args;
    TextEdits edits; // where bytes are replaced and there is nothing to plan; else empty
    QList<edit::Op> ops = {};
};

// A finding about the user's input: the work was done, and this is what is wrong with the input. `code` is dotted,
// stable and never reused ("role.image.undefined").
struct Diagnostic {
    QString code;
    Severity severity = Severity::Error;
    ByteRange at; // bytes of the document; an empty range points between two bytes
    YamlPath path; // of the node meant, or of the parent of what is missing
    QJsonObject args; // for the sentence; never a secret
    QList<Fix> fixes;
    bool strict = false; // an OpenPAI server refuses the job because of this
};

} // namespace trainyard
