// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/outputtries.h"
#include "widgets/compare/compareruns.h"
#include "widgets/plot/curveline.h"

#include <QSet>

namespace trainyard
{

class CurveStore;

// Reads the curves of the drawn runs from their outputs and files. It reads only while they are visible.
class CompareOutputs : public QObject
{
    Q_OBJECT
public:
    CompareOutputs(CompareRuns *runs, QObject *parent);

    void setWatching(bool on);
    void readDrawn();
    // The tries of each of the tasks of a run, in their order, after wanted(); may be set again.
    bool setTries(const QString &uuid, const QList<QList<OutputTry>> &tasks); // whether they are others now
    // Null if the run has no such curve. Valid until leaving().
    const series::Series *series(qsizetype run, const QString &metric, CurveAlong along) const;
    QList<TryBegin> tryBegins(qsizetype run, const QString &metric) const; // over which that goes on; figures do not
    qint64 startOf(qsizetype run) const; // ms UTC
    QStringList names() const; // of all curves
    bool isFigure(const QString &name) const; // of a machine: it has a time and no step
    bool hasEpochs() const;
    bool hasTimes() const;
    bool isReading() const; // more curves may come at once
    // The files that several jobs wrote, so that their values count for none of them. Some runs without a result are
    // read to find them.
    QStringList sharedFiles() const;

Q_SIGNALS:
    void wanted(const QString &uuid);
    void leaving(); // the series that were handed out
    void reset();
    void grew();

private:
    QString spellingOf(qsizetype run, const QString &metric, CurveAlong along) const;
    int taskWith(qsizetype run, const QString &metric, CurveAlong along) const; // in the store; -1: none has it
    CompareRuns *m_runs;
    CurveStore *m_store;
    QHash<QString, QList<QList<OutputTry>>> m_tries; // of runs; empty: asked for
    QSet<QString> m_awaited; // runs whose tries are asked for
    QHash<QString, QList<int>> m_tasks; // of runs, in the store
    bool m_isWatching = false;
};

} // namespace trainyard
