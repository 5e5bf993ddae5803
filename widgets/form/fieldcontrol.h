// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace trainyard
{

class FormContext;
class FormField;

// The control for a field of the job ("/taskRoles/*/data"), of the kind, range and default that the field reference
// gives it. It has no path yet. `label` is the text of a check box, `nothing` that of a choice without a name.
FormField *fieldControl(FormContext *context, const QString &pointer, const QString &objectName, const QString &label,
    const QString &nothing);

} // namespace trainyard
