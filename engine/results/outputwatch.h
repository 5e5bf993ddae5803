// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/results/progressrate.h"

#include <QJsonObject>
#include <QObject>
#include <QThread>

#include <memory>

namespace trainyard
{

// What one try says so far.
struct OutputReading {
    QJsonObject results; // OutputResults::toJson(), of its output and of its files of metrics
    ProgressRate progress;
    bool isCaughtUp = false; // all that was there was read
    bool isOver = false; // nothing more comes
};

// Reads the outputs and the metrics of tries for their results and progress, as long as they grow, on a thread of its own that gives
// way to everything else: it has the lowest priority, and rests four times as long as it works.
class OutputWatch : public QObject
{
    Q_OBJECT
public:
    OutputWatch();
    ~OutputWatch() override;

    // `key` is the caller's, each only once; `folder` that of the try.
    void watch(quint64 key, const QString &folder);
    // Nothing of it is told after this. One that is over is forgotten by itself.
    void forget(quint64 key);

Q_SIGNALS:
    // When it has changed, at most every two seconds for each; always once when it is over.
    void told(quint64 key, const trainyard::OutputReading &reading);

private:
    class Worker;
    QThread m_thread;
    Worker *m_worker;
};

} // namespace trainyard
