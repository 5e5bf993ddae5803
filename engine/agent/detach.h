// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/agent/keeper.h"

namespace trainyard::agent
{

// Makes the calling process a keeper: it gets its own session, becomes a subreaper, ignores HUP, INT, TERM and
// PIPE, keeps no descriptor but the lock and the pipe to the agent (renumbered in `task`), and enters the try's folder.
// Returns false when the folder is gone.
bool detach(KeeperTask &task);
// Before a process is forked that becomes a program: remembers which signals are ignored here, as setting each of
// them would take longer than the rest.
void noteIgnoredSignals();
void defaultSignals(); // of that process: no signal is ignored
void closeFrom(int first); // every descriptor from this one on
// In a new process: nothing of the agent's stays open, so that no process waits for its end. 0 to 2 lead nowhere, and
// `kept` becomes 3; -1: none.
void keepOnly(int kept);
// When memory is short, the kernel ends this process rather than others of its size. 1000: whatever its size.
void raiseOomScore(int by);
std::string noteBytes(char kind, std::string_view text);
bool sendNotes(int fd, const std::string &bytes); // one or several, in one piece; false when there is no agent
bool sendNote(int fd, char kind, std::string_view text);
int writeFile(const char *path, std::string_view bytes); // new, 0600, in the current folder; 0 or errno
void appendRuntimeLog(const std::string &sentence); // in the current folder; a failure does not stop anything
std::string runtimeLogHead(const char *source); // "[now] [source] "
void appendTextToRuntimeLog(std::string_view lines);

// Removes the private key that the plugin ssh gave the task, which is of no use after its end. The current folder must
// be the try's.
void removeSshKey();

} // namespace trainyard::agent
