// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QString>

namespace trainyard
{

// With so much free space on its disk the store is written, and has its reserve again.
inline constexpr qint64 storePlentyBytes = qint64(32) << 20;

// Keeps some room on the store's disk. Without it, on a disk that a task has filled, neither the end of that task nor
// the removal of a job could be written.
class StoreReserve
{
public:
    StoreReserve() = default;
    explicit StoreReserve(const QString &file) : m_file(file) { }

    // Takes the room when there is none yet and the disk has plenty. May be called at any time; it checks seldom.
    void keep();
    // Gives half of it to the next writes, and the rest later, since the program that fills the disk may be quicker the
    // first time. Returns false when there is none left.
    bool give();

private:
    QString m_file;
    QElapsedTimer m_sinceLook;
    int m_halves = 0;
};

} // namespace trainyard
