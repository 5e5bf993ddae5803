// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/template/render.h"

namespace trainyard
{

// Renders commands exactly as the server does: with the sections, comments, delimiter changes and white space rules of
// its template engine, and the oddities of looking names up in JavaScript objects. Used only to show what a cluster
// would make of a job.
Result<Rendered> renderAsServer(const QString &text, const TemplateScopes &scopes);

} // namespace trainyard
