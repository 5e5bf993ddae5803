// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/yaml/yamledit.h"

namespace trainyard
{

class FormContext;

// Edits that the form puts together from what the document has.

// The key of a role, and the places that name it: deployments, plugins, the scheduler's block.
QList<edit::Op> renameRole(const FormContext &context, const QString &from, const QString &to);
// The name of a prerequisite, and the roles and prerequisites that refer to it.
QList<edit::Op> renamePrerequisite(const FormContext &context, const YamlPath &item, const QString &to);
// The name of a deployment, and the default that names it.
QList<edit::Op> renameDeployment(const FormContext &context, const YamlPath &item, const QString &to);

// `stem`, or with the first number that makes it new; a number at its end is counted on.
QString freshName(const QString &stem, const QStringList &taken);

// The name of the secret that a text refers to, when it is nothing but <% $secrets.NAME %>.
QString secretIn(const QString &text);
// Sets a password at `place`: its value goes to the secrets, under the name it has there or a new one, and a reference
// to the place. A text with a template is written as it is.
QList<edit::Op> setPassword(
    const FormContext &context, const YamlPath &place, const QString &stem, const QString &text);

} // namespace trainyard
