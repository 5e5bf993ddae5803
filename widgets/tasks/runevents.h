// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/tasks/runstory.h"

namespace trainyard
{

// Something that happened to a run. Values only; runEventText() has the words.
struct RunEvent {
    enum class Kind {
        Proposed, // by an assistant
        Approved,
        Submitted,
        Waits, // from then on, perhaps still
        AttemptStarted,
        TaskStarted, // a try of it
        TaskEnded,
        Paused,
        Resumed,
        Health, // a mark
        HostLost, // out of reach
        HostBack,
        AttemptEnded, // of one moment, after the task that ended it
        JobEnded,
        RemovalAnnounced
    };
    Kind kind = Kind::Submitted;
    qint64 at = 0; // ms UTC
    int attempt = -1; // from 0; -1: it is about none
    QString role = {};
    int index = -1, number = -1; // of the task and of its try, from 0
    int count = 1; // tasks of the role to which the same happened at that time; `index` is the first
    State state = State::Unknown; // after it
    std::optional<int> exitCode = {}, rawExit = {};
    QString host = {}; // id; empty: none, or several
    QList<int> gpus = {};
    qint64 ms = 0; // how long it waited or took, pauses included
    qint64 pausedMs = 0; // of these
    QString reason = {}; // code of a sentence
    QJsonObject args = {};
    std::optional<HealthMark> mark = {}; // of Health
};

// In the order of time. Tasks of a role that started together, or ended alike at the same time, are one event.
QList<RunEvent> runEvents(const RunStory &story);

QString runEventText(const RunEvent &event, const RunStory &story);

} // namespace trainyard
