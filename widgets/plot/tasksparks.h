// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/readingthread.h"

#include <QHash>
#include <QList>
#include <QObject>

#include <memory>

namespace trainyard
{

// How busy tasks are, for the little lines of a table: the use of their GPUs, or without GPUs that of processors, over
// the last ten minutes that were measured. It reads only visible tasks, on a separate thread.
class TaskSparks : public QObject
{
    Q_OBJECT
public:
    struct Spark {
        QList<qreal> values; // oldest first, 0 to 100; of processors 100 is the most that was used
        int percent = 0; // newest; of processors it counts cores, so that it may be above 100
        bool isGpu = false;
        friend bool operator==(const Spark &, const Spark &) = default;
    };

    explicit TaskSparks(QObject *parent);
    ~TaskSparks() override;

    // By the keys of the tasks: the folders of their tries. Others are forgotten.
    void watch(const QHash<QString, QString> &folders);
    const Spark *of(const QString &key) const; // null: nothing was measured, or is read yet

Q_SIGNALS:
    void changed(const QString &key);

private:
    class Worker;
    std::shared_ptr<WayBack> m_wayBack;
    Worker *m_worker;
    ReadingThread m_thread;
    QHash<QString, QString> m_folders;
    QHash<QString, Spark> m_sparks;
};

} // namespace trainyard
