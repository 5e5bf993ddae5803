// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/helpers/agentdriver.h"
#include "tests/helpers/testprocesses.h"

#include <QByteArray>
#include <QList>
#include <QTemporaryDir>

#include <memory>
#include <string>
#include <vector>

// A home of its own, an agent in it, and what tests of tries ask for.
class AgentFixture
{
public:
    std::unique_ptr<QTemporaryDir> home;
    std::unique_ptr<AgentDriver> agent; // not started yet

    bool begin();
    void end(); // ends also what a failed test left running
    std::unique_ptr<AgentDriver> newAgent() const;

    // A number that no other process of this machine has in its arguments: NAP in a script becomes it, so that what is
    // left of the script can be found.
    QByteArray nap;

    std::string folder(const char *name) const; // of a try
    trainyard::contract::Launch launchOf(const char *name, const std::string &script) const;
    std::optional<trainyard::contract::Exited> runToEnd(const trainyard::contract::Launch &launch, int ms = 15000);
    // Starts it and waits until it has written this, and nothing else.
    bool runUntil(const trainyard::contract::Launch &launch, const QByteArray &output);
    // So many looks at the host, as far apart as was asked for.
    bool waitForSamples(int count);
    // Asks for the end; what the agent answers. The grace is much longer than a test waits.
    std::optional<trainyard::contract::Observed> stop(
        const trainyard::contract::Launch &launch, std::int64_t graceMs = 60000);
};

// In the work folder that a try has when the job names none.
std::string workFile(const trainyard::contract::Launch &launch, const char *name);
bool makeWorkFile(const trainyard::contract::Launch &launch, const char *name); // empty; the folder is there
// For a script with `read < fifo`: makes that before the launch, then lets the script go on.
bool makeFifo(const trainyard::contract::Launch &launch);
bool writeToFifo(const trainyard::contract::Launch &launch);

QByteArray fileText(const std::string &folder, const char *name);
QByteArray outputOf(const std::string &folder);
std::vector<trainyard::contract::IndexRecord> indexOf(const std::string &folder);
// The index covers the output exactly.
bool indexIsWhole(const std::string &folder, quint64 size);
