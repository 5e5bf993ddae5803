// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/template/render.h"

namespace trainyard
{

// The server's command renderer to the letter: its template engine's sections, comments, delimiter changes and white
// space rules, and the accidents of looking names up in JavaScript objects. Only to show what a cluster would make of a
// job.
Result<Rendered> renderAsServer(const QString &text, const TemplateScopes &scopes);

} // namespace trainyard
