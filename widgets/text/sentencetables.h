// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/text/sentences.h"

#include <QList>

#include <span>

namespace trainyard::sentences
{

// All of them. No code is in two.
QList<std::span<const SentenceRow>> tables();

// One function per topic, each in sentences_<topic>.cpp. A new table is declared here and listed in sentences.cpp.
std::span<const SentenceRow> app(); // files, command line
std::span<const SentenceRow> agent(); // what the helper on a host says
std::span<const SentenceRow> designer(); // the designer page
std::span<const SentenceRow> legacy(); // jobs of version 1 and what became of them
std::span<const SentenceRow> batch(); // batch scripts, likewise
std::span<const SentenceRow> clusters(); // clusters, and why jobs wait and fail there
std::span<const SentenceRow> engine(); // the engine itself: its start, requests, settings and store
std::span<const SentenceRow> assistants(); // what assistants propose
std::span<const SentenceRow> submission(); // jobs that are submitted and changed, and what they ask for
std::span<const SentenceRow> waits(); // why jobs and tasks wait
std::span<const SentenceRow> ends(); // how tasks are started and end, and why they fail
std::span<const SentenceRow> hosts(); // hosts, their ports and the way to them
std::span<const SentenceRow> taskFiles(); // work folders, data, checkpoints and results
std::span<const SentenceRow> health(); // what is wrong with a job that runs
std::span<const SentenceRow> metrics(); // files of metrics
std::span<const SentenceRow> filter(); // what is wrong with a filter of jobs
std::span<const SentenceRow> yaml(); // what is wrong with the text
std::span<const SentenceRow> job(); // what is wrong with the job
std::span<const SentenceRow> portability(); // what would surprise elsewhere
std::span<const SentenceRow> modelErrors(); // rendering, paths, masking
std::span<const SentenceRow> fixes(); // titles of quick fixes
std::span<const SentenceRow> exports(); // jobs for other systems
std::span<const SentenceRow> sweep(); // sweeps and groups of jobs
std::span<const SentenceRow> shortForms(); // CODE.short: what is said of a place at that place
std::span<const SentenceRow> window(); // what is said otherwise in the window, of any topic

} // namespace trainyard::sentences
