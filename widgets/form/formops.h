// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/yaml/yamledit.h"

namespace trainyard
{

class FormContext;

// Edits that the form puts together from what the document has.

// Renames what has its name at `path` (a role, a parameter or a secret by its key; the name of a prerequisite or a
// deployment) and everything that refers to it. An invalid name is written nevertheless, alone: the checks say what is
// wrong with it. Returns nothing if another entry has the name already. Pass the result to context.edit() next, which
// then reports where else the name occurs.
QList<edit::Op> renameOps(FormContext &context, const YamlPath &path, const QString &to);

// `stem`, or with the first number that makes it new; a number at its end is counted on.
QString freshName(const QString &stem, const QStringList &taken);

// The name of the secret that a text refers to, when it is nothing but <% $secrets.NAME %>.
QString secretIn(const QString &text);
// Sets a password at `place`: its value goes to the secrets, under the name it has there or a new one, and a reference
// to the place. A text with a template is written as it is.
QList<edit::Op> setPassword(
    const FormContext &context, const YamlPath &place, const QString &stem, const QString &text);

} // namespace trainyard
