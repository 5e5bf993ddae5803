// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>

namespace trainyard
{

// The stretches of files of which a shown log is made, in about four bytes a stretch: a week of several tasks that take
// turns has millions. Offsets count the bytes of what is shown. Pure: no file, no clock.
class LogRuns
{
public:
    static constexpr int lineBreak = -1; // a part with a line feed that is in no file

    struct Run {
        qint64 at = 0; // offset in what is shown
        int part = 0; // which of the files
        qint64 from = 0; // offset in it
        qint64 length = 0;
        friend bool operator==(const Run &, const Run &) = default;
    };

    void clear();
    void append(int part, qint64 from, qint64 length);
    void appendBreak() { append(lineBreak, 0, 1); }
    qint64 size() const { return m_size; }
    // The runs that contain these bytes, complete and in order; fewer at the end.
    QList<Run> at(qint64 offset, qint64 length) const;
    // The bytes of what is shown that begin there, by the runs that hold them; up to a run that cannot be read whole.
    // `readRun(run, skip, length)` reads from one of them.
    template <typename ReadRun>
    static QByteArray read(const QList<Run> &runs, qint64 offset, qint64 length, const ReadRun &readRun)
    {
        QByteArray bytes;
        for (const Run &run : runs) {
            const qint64 skip = qMax<qint64>(0, offset - run.at);
            const qint64 wanted = qMin(run.length - skip, length - bytes.size());
            const QByteArray part = readRun(run, skip, wanted);
            bytes += part;
            if (part.size() < wanted) {
                break;
            }
        }
        return bytes;
    }

private:
    static constexpr int runsOfABlock = 128;
    struct Block {
        qint64 at = 0;
        qsizetype byte = 0; // where its runs begin
    };
    void encode(const Run &run);
    const QList<Run> &decoded(qsizetype block) const;

    QByteArray m_bytes;
    QList<Block> m_blocks;
    int m_runsInBlock = 0;
    QList<qint64> m_expected; // where a part goes on, by its number and one; -1: not in this block
    Run m_last; // not encoded yet, as it may grow
    qint64 m_size = 0;
    mutable QList<Run> m_decoded;
    mutable qsizetype m_decodedBlock = -1;
};

} // namespace trainyard
