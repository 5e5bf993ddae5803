// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "model/base/result.h"

namespace trainyard
{

// How far a connection to a host has come, step by step. Times are steady milliseconds.
class HostTrail
{
public:
    explicit HostTrail(bool isLocal) : m_isLocal(isLocal) { }
    void begin(qint64 now); // all steps wait but the first
    // The step has passed, and those before it. Facts of a step that has passed already are replaced.
    void pass(const QString &id, const QJsonObject &facts, qint64 now);
    // How far a step is that has not passed yet. Those before it may still be under way.
    void advance(const QString &id, const QJsonObject &facts);
    // The step that `why` is about has failed; without such a step, the last one that was under way.
    void fail(const Error &why, qint64 now);
    const QList<HostStep> &steps() const { return m_steps; }

private:
    bool m_isLocal;
    QList<HostStep> m_steps;
    qint64 m_since = 0; // the step under way
};

} // namespace trainyard
