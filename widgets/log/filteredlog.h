// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/log/logmatcher.h"
#include "widgets/log/logsource.h"

namespace trainyard
{

// Shows only the lines of another log in which something is found, with this many lines before and after each; an empty
// line separates groups. Sources of one factory share what they found.
class FilteredLog final : public LogSource
{
public:
    static LogSourceFactory factory(const LogSourceFactory &whole, const LogQuery &query, int context);
    qint64 size() override;
    QByteArray read(qint64 offset, qint64 length) override;
    std::optional<Origin> originAt(qint64 offset) override;
    bool isComplete() override;
    QList<Live> liveLines() override;
    quint64 liveState() override { return m_whole->liveState(); }
    bool hasMore() override;
    quint64 restarts() override;
    Numbers numbers() const override;
    std::optional<qint64> wholeLineAt(qint64 offset) override;

private:
    struct Shared;
    FilteredLog(std::unique_ptr<LogSource> whole, std::shared_ptr<Shared> shared);
    void advance();
    bool readBlock(qint64 size, bool isComplete); // false: there is none now
    std::unique_ptr<LogSource> m_whole;
    std::shared_ptr<Shared> m_shared;
};

} // namespace trainyard
