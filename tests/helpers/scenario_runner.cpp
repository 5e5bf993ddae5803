// SPDX-License-Identifier: GPL-3.0-or-later
// scenario_runner FILE: plays the scenarios of a JSON file and prints one JSON line for each
// ({id, state, exitCode, attempts, killed, retries}). Exit status 1 when an outcome is not the expected one.
#include "tests/helpers/scenarios.h"

#include <QFile>
#include <QJsonDocument>

#include <cstdio>

int main(int argc, char **argv)
{
    QFile file(argc == 2 ? QString::fromLocal8Bit(argv[1]) : QString());
    if (argc != 2 || !file.open(QIODevice::ReadOnly)) {
        std::fprintf(stderr, "usage: scenario_runner FILE.json\n");
        return 2;
    }
    const auto list = scenarios::fromJson(file.readAll());
    if (!list) {
        std::fprintf(stderr, "%s: not a list of scenarios\n", argv[1]);
        return 2;
    }
    int wrong = 0;
    for (const scenarios::Scenario &scenario : *list) {
        const scenarios::Outcome outcome = scenarios::play(scenario, trainyard::core::openPaiGuardRails());
        const QByteArray line = QJsonDocument(outcome.toJson(scenario.id)).toJson(QJsonDocument::Compact);
        std::printf("%s\n", line.constData());
        const QString difference = scenarios::difference(scenario.expected, outcome);
        if (!difference.isEmpty()) {
            ++wrong;
            std::fprintf(stderr, "%s: %s\n", qPrintable(scenario.id), qPrintable(difference));
        }
    }
    std::fprintf(stderr, "%d scenarios, %d wrong\n", int(list->size()), wrong);
    return wrong == 0 ? 0 : 1;
}
