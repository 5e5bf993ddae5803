// SPDX-License-Identifier: GPL-3.0-or-later
// scenario_runner FILE: plays the scenarios of a JSON file against the pure core, without our guard rails, and prints
// one JSON line for each ({id, state, exitCode, attempts, killed, retries}). Exit status 1 when an outcome is not the
// one that the file expects (those without an `expect` are only played), 2 when the file cannot be played.
#include "tests/helpers/scenarios.h"

#include <QFile>
#include <QJsonObject>

#include <algorithm>
#include <cstdio>

int main(int argc, char **argv)
{
    if (argc != 2) {
        std::fprintf(stderr, "usage: scenario_runner FILE.json\n");
        return 2;
    }
    QFile file(QString::fromLocal8Bit(argv[1]));
    if (!file.open(QIODevice::ReadOnly)) {
        std::fprintf(stderr, "scenario_runner: %s: %s.\n", argv[1], qPrintable(file.errorString()));
        return 2;
    }
    const auto list = scenarios::fromJson(file.readAll());
    if (!list) {
        const QString what = list.error().args.value(QStringLiteral("what")).toString();
        std::fprintf(stderr, "scenario_runner: %s: %s\n", argv[1], qPrintable(what));
        return 2;
    }
    int wrong = 0;
    for (const scenarios::Scenario &scenario : *list) {
        const scenarios::Outcome outcome = scenarios::play(scenario, scenarios::openPaiRetryLimits());
        std::printf("%s\n", outcome.toLine(scenario.id).constData());
        const QString difference = scenario.isJudged ? scenarios::difference(scenario.expected, outcome) : QString();
        if (!difference.isEmpty()) {
            ++wrong;
            std::fprintf(stderr, "%s: %s\n", qPrintable(scenario.id), qPrintable(difference));
        }
    }
    const auto judged
        = std::count_if(list->cbegin(), list->cend(), [](const scenarios::Scenario &one) { return one.isJudged; });
    std::fprintf(stderr, "%d scenarios, %d judged, %d wrong\n", int(list->size()), int(judged), wrong);
    return wrong == 0 ? 0 : 1;
}
