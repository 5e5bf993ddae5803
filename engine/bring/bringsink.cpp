// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/bring/bringsink.h"

namespace trainyard
{

void DiskSink::tidy(const QList<BringFile> &files)
{
    m_disk.run(this, [at = m_place, files] {
        bringing::tidyParts(at, files);
        return [] {};
    });
}

void DiskSink::begin(const BringFile &file, const Answer<qint64> &answer)
{
    m_disk.run(this, [at = m_place, file, answer] {
        const Result<qint64> there = bringing::beginPart(at, file);
        return [there, answer] { answer(there); };
    });
}

void DiskSink::add(const BringFile &file, qint64 offset, const QByteArray &bytes, const Answer<void> &answer)
{
    m_disk.run(this, [at = m_place, file, offset, bytes, answer] {
        const Result<void> added = bringing::addToPart(at, file, offset, bytes);
        return [added, answer] { answer(added); };
    });
}

void DiskSink::drop(const BringFile &file)
{
    m_disk.run(this, [at = m_place, file] {
        bringing::dropPart(at, file);
        return [] {};
    });
}

void DiskSink::place(
    const BringFile &file, const std::optional<KnownFile> &former, const Answer<bringing::Placed> &answer)
{
    m_disk.run(this, [at = m_place, file, former, order = m_order, answer] {
        const Result<bringing::Placed> placed = bringing::placePart(at, file, order, former);
        return [placed, answer] { answer(placed); };
    });
}

} // namespace trainyard
