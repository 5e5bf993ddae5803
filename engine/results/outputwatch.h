// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/results/outputreading.h"

#include <QObject>
#include <QThread>

#include <memory>

namespace trainyard
{

// Reads the outputs of tries for their results and progress, and with what they use of their hosts for their health, as
// long as they grow, on a thread of its own that gives way to everything else: it has a low priority, and rests
// four times as long as it works; of a try that has ended, as long as it works. Outputs are read by turns, so that a
// short one never waits for a long one.
class OutputWatch : public QObject
{
    Q_OBJECT
public:
    OutputWatch();
    ~OutputWatch() override;

    // `key` is the caller's, each only once; `folder` that of the try.
    void watch(quint64 key, const QString &folder, const OutputRules &rules);
    // A client shows what it says now: how far it is is told within half a second, as long as these are few.
    void follow(quint64 key, bool on);
    // The try has ended: what is left of it is read at once.
    void hurry(quint64 key);
    // Nothing is reported about it after this. One that has ended is forgotten by itself.
    void forget(quint64 key);

Q_SIGNALS:
    // When it has changed, at most every two seconds for each; always once when it has ended.
    void told(quint64 key, const trainyard::OutputReading &reading);
    // Sent between two of those while an output is followed: nothing else of its reading has to be known again.
    void advanced(quint64 key, const trainyard::ProgressRate &progress);

private:
    class Worker;
    QThread m_thread;
    Worker *m_worker;
};

} // namespace trainyard
