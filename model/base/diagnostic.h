// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/textrange.h"
#include "model/yaml/yamlpath.h"

#include <QJsonObject>

namespace trainyard
{

enum class Severity { Error, Warning, Note };

// A guarded edit that removes the cause. `title` is a code for widgets/text ("fix.define-image", args {name}).
struct Fix {
    QString title;
    QJsonObject args;
    TextEdits edits;
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
