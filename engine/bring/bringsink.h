// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/bring/bringdisk.h"

namespace trainyard
{

// Where files that are brought come to. The answers come later or at once, each once; none comes when the sink is gone.
// Errors are those of `bringing`, host.gone, and results.host-failed {path, reason}, which passes.
class BringSink
{
public:
    template <typename T> using Answer = std::function<void(const Result<T> &)>;
    virtual ~BringSink() = default;
    virtual void tidy(const QList<BringFile> &files) = 0; // removes parts that belong to none of these
    virtual void begin(const BringFile &file, const Answer<qint64> &answer) = 0; // how much of this version is there
    virtual void add(const BringFile &file, qint64 offset, const QByteArray &bytes, const Answer<void> &answer) = 0;
    virtual void drop(const BringFile &file) = 0;
    // Gives it its name. results.mismatch {path}: what arrived is not what was sent.
    virtual void place(
        const BringFile &file, const std::optional<KnownFile> &former, const Answer<bringing::Placed> &answer)
        = 0;
};

// A folder on this computer.
class DiskSink : public QObject, public BringSink
{
    Q_OBJECT
public:
    // `order`: as in KnownFile.
    DiskSink(BringDisk &disk, const BringPlace &place, qint64 order) : m_disk(disk), m_place(place), m_order(order) { }
    void tidy(const QList<BringFile> &files) override;
    void begin(const BringFile &file, const Answer<qint64> &answer) override;
    void add(const BringFile &file, qint64 offset, const QByteArray &bytes, const Answer<void> &answer) override;
    void drop(const BringFile &file) override;
    void place(
        const BringFile &file, const std::optional<KnownFile> &former, const Answer<bringing::Placed> &answer) override;

private:
    BringDisk &m_disk;
    const BringPlace m_place;
    const qint64 m_order;
};

} // namespace trainyard
