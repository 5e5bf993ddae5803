// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/next.h"
#include "model/base/result.h"

#include <QByteArray>
#include <QList>
#include <QString>
#include <QStringList>

#include <optional>

// What happens to a job when its tasks end so and so, played against the pure core with a world that grants everything
// at once. Read from JSON (a list of objects) or from the table format of tests/data/scenarios.txt.
namespace scenarios
{

struct Happening {
    bool isStop = false;
    int attempt = 0;
    QString role;
    int index = 0;
    int tryIndex = 0;
    int code = 0;
    QString tick; // those with the same tick are noticed together; empty: alone
};

struct Expected {
    QString state;
    std::optional<int> exitCode;
    int attempts = 0;
    QStringList killed; // role/index#try@attempt, sorted
    std::optional<int> charged; // job retries
    std::optional<QString> trigger; // "role/index rule", empty: none
    std::optional<QList<int>> attemptCodes;
    std::optional<QList<bool>> backoff;
    QStringList tasks; // "role/index code tries charged" of the newest attempt; only those named
};

struct Scenario {
    QString id;
    trainyard::core::JobPolicy policy;
    QList<Happening> events;
    bool isJudged = false; // whether it says what is expected
    Expected expected;
};

struct Outcome {
    QString state;
    std::optional<int> exitCode;
    int attempts = 0;
    QStringList killed;
    int retries = 0, charged = 0;
    QString trigger;
    QList<int> attemptCodes;
    QList<bool> backoff;
    QStringList tasks;
    QByteArray toLine(const QString &id) const; // {id, state, exitCode, attempts, killed, retries}
};

// "scenario.invalid" {what}: which scenario and field cannot be played, as a sentence.
trainyard::Result<QList<Scenario>> fromJson(const QByteArray &json);
trainyard::Result<QList<Scenario>> fromTable(const QByteArray &text);
// Exactly what OpenPAI does: no cap, no pause.
trainyard::core::RetryLimits openPaiRetryLimits();
Outcome play(const Scenario &scenario, const trainyard::core::RetryLimits &guards);
// Empty: as expected. Else what differs.
QString difference(const Expected &expected, const Outcome &outcome);

} // namespace scenarios
