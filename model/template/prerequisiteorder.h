// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/jobspec.h"

#include <QHash>

// The order in which the prerequisites of a job require each other, and what each of them sees of the others. Internal
// to model/template; expandPrerequisites() is in render.h.
namespace trainyard
{

using PrerequisitesByName = QHash<QString, const Prerequisite *>; // they belong to the job

// By name alone; of several types the later item wins, as in JobSpec::prerequisite, but in one pass for all.
PrerequisitesByName prerequisitesByName(const JobSpec &job);

// The keys of `this` inside a prerequisite: its own, then those of the prerequisites that it requires, in order.
Value selfScope(const Prerequisite &item, const PrerequisitesByName &table);

// Whether a text of an item names another one of its keys: <% this.server %>.
bool mentionsItself(const Value &item);

// An item's texts may be made of its other keys: "uri: <% this.server %>/data". One pass, as everywhere.
Value filledKeys(const Value &self);

} // namespace trainyard
