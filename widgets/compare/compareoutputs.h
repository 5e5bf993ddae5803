// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/outputtries.h"
#include "widgets/compare/compareruns.h"
#include "widgets/plot/curveline.h"

#include <QSet>

namespace trainyard
{

class CurveStore;

// What the outputs and files of the compared runs tell: the curves of those that are drawn. It reads only while
// the user looks.
class CompareOutputs : public QObject
{
    Q_OBJECT
public:
    CompareOutputs(CompareRuns *runs, QObject *parent);

    void setWatching(bool on);
    void readDrawn();
    // The tries of each of the tasks of a run, in their order, when asked for by wanted(); may be told again.
    bool setTries(const QString &uuid, const QList<QList<OutputTry>> &tasks); // whether they are others now
    // Nothing where the run has no such curve. Holds until leaving().
    const series::Series *series(qsizetype run, const QString &metric, CurveAlong along) const;
    QList<TryBegin> tryBegins(qsizetype run, const QString &metric) const; // over which that goes on; figures do not
    qint64 startOf(qsizetype run) const; // ms UTC
    QStringList names() const; // of all curves
    bool isFigure(const QString &name) const; // of a machine: it has a time and no step
    bool hasEpochs() const;
    bool hasTimes() const;
    bool isReading() const; // more curves may come at once
    // Those that several jobs wrote, so that their values count for none of them. Of runs without any result, some are
    // read for it.
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
