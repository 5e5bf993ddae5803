// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/backend/exitrulesfile.h"
#include "engine/contract/taskfolder.h"
#include "engine/core/exitclassifier.h"
#include "engine/core/next.h"
#include "engine/core/why/whyfailed.h"

#include <QObject>
#include <QThreadPool>

namespace trainyard
{

// What its record says of the end of a try, before that is judged: times, what it used, what it left.
core::event::TryEnded endByRecord(core::TaskRef task, const QUuid &tryUuid, const contract::ExitRecord &record);

// What the end of a try means, by the exit rules and by what its output says. A long output is read on a thread of its
// own; the answer comes then.
class ExitJudge : public QObject
{
    Q_OBJECT
public:
    explicit ExitJudge(ExitRulesFile &rules);
    ~ExitJudge() override;
    // What is known of a try beside its end.
    struct About {
        QString host;
        QString log; // the folder with its output; empty when that says nothing
        bool upstreamOrder = false;
        core::UsedMemory memory = {};
    };
    // `event`: the end, without its result.
    void judge(const core::event::TryEnded &event, const contract::ExitRecord &record, const About &about);

Q_SIGNALS:
    void judged(const trainyard::core::event::TryEnded &event);
    void gpuBusy(const QString &host, const QString &uuid); // its keeper found that somebody else has it
    void gpusLost(const QString &host, const QStringList &uuids); // fell off the bus while it ran

private:
    ExitRulesFile &m_rules;
    QThreadPool m_threads; // few, so that few such outputs are in memory
};

} // namespace trainyard
