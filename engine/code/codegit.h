// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <QByteArray>
#include <QElapsedTimer>
#include <QStringList>

#include <atomic>

namespace trainyard
{

// Asks git about a folder without running anything that its repository names, taking a lock or fetching. For any
// thread.
class CodeGit
{
public:
    // `isCancelled` may be null. The patience is for all questions together.
    CodeGit(qint64 patienceMs, const std::atomic<bool> *isCancelled)
        : m_patienceMs(patienceMs), m_isCancelled(isCancelled)
    {
        m_age.start();
    }
    // Its output: at most `mostBytes` of it, if not 0, and one byte more if there is more. code.git-missing,
    // code.git-failed, code.slow, code.cancelled.
    Result<QByteArray> ask(const QString &folder, const QStringList &arguments, qsizetype mostBytes = 0) const;
    bool isOver() const { return m_age.elapsed() > m_patienceMs || isCancelled(); }
    bool isCancelled() const { return m_isCancelled && m_isCancelled->load(); }

    static Error failed(const QString &folder, const QByteArray &said);
    static constexpr qsizetype mostNames = 1'000'000; // that are read

private:
    qint64 m_patienceMs;
    const std::atomic<bool> *m_isCancelled;
    QElapsedTimer m_age;
};

} // namespace trainyard
