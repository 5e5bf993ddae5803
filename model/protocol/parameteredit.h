// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/value.h"
#include "model/yaml/yamlops.h"

namespace trainyard
{

// Gives a parameter of a job this value: a text, a number or a truth value.
edit::Op parameterEdit(const QString &name, const Value &value);

} // namespace trainyard
