// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/exitclassifier.h"
#include "engine/pool/livetry.h"

#include <QDateTime>
#include <QThreadPool>

namespace trainyard
{

// What the end of a try means, by the exit rules and by what its output says. A long output is read on a thread of its
// own; the answer comes then.
class ExitJudge : public QObject
{
    Q_OBJECT
public:
    explicit ExitJudge(const QString &configFolder);
    ~ExitJudge() override;
    // `event`: the end, without its result. `log`: the folder with the output of the try, empty when that says nothing.
    void judge(const core::event::TryEnded &event, const contract::ExitRecord &record, const QString &host,
        const QString &log, bool upstreamOrder);

Q_SIGNALS:
    void judged(const trainyard::core::event::TryEnded &event);
    void gpuBusy(const QString &host, const QString &uuid); // its keeper found that somebody else has it
    void gpusLost(const QString &host, const QStringList &uuids); // fell off the bus while it ran

private:
    void readExitRules(); // the user's, when the file has changed
    QString m_configFolder;
    std::pair<qint64, QDateTime> m_rulesStamp{-2, {}};
    QThreadPool m_threads; // few, so that few such outputs are in memory
};

} // namespace trainyard
