// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/jobdocument.h"

#include <optional>

namespace trainyard
{

class DocumentTab;
class Workbench;

// The job of a document, with the items of the catalogue written into it, so that it runs the same again. Brings its
// tab to the front. Nothing, and a message with the tab, if it cannot run.
std::optional<ParseOutcome> runnableJob(DocumentTab *tab, Workbench *workbench);

} // namespace trainyard
