// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/diff/diffrows.h"

namespace trainyard
{
namespace
{
constexpr qsizetype leastFolded = 4; // a fold must be worth its row

class Rows
{
public:
    Rows(qsizetype context, const QList<qsizetype> &opened) : m_context(context), m_opened(opened) { }

    void equal(qsizetype oldBegin, qsizetype newBegin, qsizetype count, bool first, bool last)
    {
        const qsizetype head = first ? 0 : m_context;
        const qsizetype tail = last ? 0 : m_context;
        const qsizetype folded = count - head - tail;
        if (folded < leastFolded || m_opened.contains(oldBegin + head)) {
            lines(oldBegin, newBegin, count);
            return;
        }
        lines(oldBegin, newBegin, head);
        all.append({DiffRow::Kind::Fold, oldBegin + head, newBegin + head, -1, folded});
        lines(oldBegin + count - tail, newBegin + count - tail, tail);
    }
    QList<DiffRow> all;

private:
    void lines(qsizetype oldBegin, qsizetype newBegin, qsizetype count)
    {
        for (qsizetype i = 0; i < count; ++i) {
            all.append({DiffRow::Kind::Equal, oldBegin + i, newBegin + i});
        }
    }
    qsizetype m_context;
    const QList<qsizetype> &m_opened;
};
} // namespace

QList<DiffRow> diffRows(const QByteArray &oldText, const QByteArray &newText, const LineDiff &diff, bool sideBySide,
    qsizetype context, const QList<qsizetype> &opened)
{
    Rows rows(context, opened);
    qsizetype oldAt = 0;
    qsizetype newAt = 0;
    for (qsizetype number = 0; number < diff.changes.size(); ++number) {
        const LineChange &change = diff.changes.at(number);
        rows.equal(oldAt, newAt, change.oldBegin - oldAt, number == 0, false);
        const auto pairs = alignChange(oldText, newText, diff, change);
        // In one column partners stand together, as long as nothing without a partner comes between them.
        qsizetype begin = 0;
        while (begin < pairs.size()) {
            const bool paired = pairs.at(begin).first >= 0 && pairs.at(begin).second >= 0;
            if (sideBySide) {
                const auto &[oldLine, newLine] = pairs.at(begin);
                rows.all.append({paired ? DiffRow::Kind::Changed
                        : oldLine >= 0  ? DiffRow::Kind::Removed
                                        : DiffRow::Kind::Added,
                    oldLine, newLine, number});
                ++begin;
                continue;
            }
            qsizetype end = begin;
            while (end < pairs.size() && (pairs.at(end).first >= 0 && pairs.at(end).second >= 0) == paired) {
                ++end;
            }
            for (qsizetype i = begin; i < end; ++i) {
                if (pairs.at(i).first >= 0) {
                    rows.all.append(
                        {DiffRow::Kind::Removed, pairs.at(i).first, paired ? pairs.at(i).second : -1, number});
                }
            }
            for (qsizetype i = begin; i < end; ++i) {
                if (pairs.at(i).second >= 0) {
                    rows.all.append(
                        {DiffRow::Kind::Added, paired ? pairs.at(i).first : -1, pairs.at(i).second, number});
                }
            }
            begin = end;
        }
        oldAt = change.oldEnd;
        newAt = change.newEnd;
    }
    rows.equal(oldAt, newAt, diff.oldLines.size() - oldAt, diff.changes.isEmpty(), true);
    return rows.all;
}

} // namespace trainyard
