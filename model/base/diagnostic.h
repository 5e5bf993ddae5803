// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/textrange.h"
#include "model/yaml/yamlops.h"

#include <QJsonObject>

namespace trainyard
{

enum class Severity { Error, Warning, Note };

// What removes the cause. `title` is a code for widgets/text ("fix.define-image", args {name}). Most fixes are
// symbolic: planning them costs a parse of the text and is done only when one is asked for (planFix in
// model/yaml/yamledit.h).
struct Fix {
    QString title;
    QJsonObject args;
    TextEdits edits; // where bytes are replaced and there is nothing to plan; else empty
    QList<edit::Op> ops = {};
};

// "Did it, and here is what is wrong with your input." `code` is dotted, stable and never reused
// ("role.image.undefined").
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
