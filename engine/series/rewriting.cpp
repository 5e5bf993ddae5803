// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/series/rewriting.h"

#include "engine/series/seriesset.h"

#include <algorithm>
#include <cstdio>

namespace trainyard::series
{

namespace
{

std::string unfinishedPath(const std::string &path) { return path + ".new"; }
std::string wholePath(const std::string &path) { return path + ".rewritten"; }

} // namespace

// The one that may make a writer of a fresh file beside the old one.
class Rewriting
{
public:
    Rewriting(const std::string &path, std::int64_t now, const std::vector<ThinRule> &rules)
        : m_path(path), m_set(path), m_now(now), m_rules(rules)
    {
    }

    Error write(const std::string &path)
    {
        if (const Reader::Change change = m_set.poll(); change.error.fault != Fault::None) {
            return change.error;
        }
        if (!isReadToItsEnd()) {
            return {Fault::Gap, 0}; // the rest would be lost
        }
        Error error;
        m_to = Writer::openFile(path, true, error);
        if (!m_to) {
            return error;
        }
        const Cursor read = m_set.reader().cursor();
        putBlock(BlockKind::Origin, encodeOrigin({read.generation, read.offset}), m_to->m_out);
        for (std::uint32_t id = 0; id < m_set.infos().size(); ++id) {
            const Info &info = m_set.infos()[id];
            if (info.name.empty()) {
                continue; // its name was lost, and with it what it is
            }
            if (info.onlyLast) {
                copyLast(info, id);
                continue;
            }
            if (info.mayThin && !m_rules.empty()) {
                if (info.part == Part::Value) {
                    thin(info, id);
                }
                continue;
            }
            if (const auto to = m_to->define(info)) {
                m_copied.push_back({id, *to});
            }
        }
        copy();
        return m_isWhole ? m_to->sync() : Error{Fault::Gap, 0};
    }

    // The writer of the file at `from`, to which the name of the other writer's file is given.
    static Error take(std::unique_ptr<Writer> &writer, const std::string &from)
    {
        if (writer->isWaiting()) {
            return {Fault::Gap, 0}; // it is in neither file
        }
        File there;
        Error error = there.openToRead(from); // to open it to write would make one
        there.close();
        std::unique_ptr<Writer> to;
        if (error.fault == Fault::None) {
            to = Writer::openFile(from, false, error);
        }
        if (!to) {
            return error;
        }
        if (to->m_origin != Origin{writer->m_generation, writer->m_end}) {
            return {Fault::Gap, 0}; // another process was late with it, and more came meanwhile
        }
        if ((error = replaceFile(from, writer->path())).fault != Fault::None) {
            return error;
        }
        to->m_path = writer->path();
        to->m_smallKept = to->m_smallBytes;
        for (std::size_t id = 0; id < writer->m_pending.size(); ++id) {
            Run &waiting = writer->m_pending[id];
            const auto known = to->define(writer->m_infos[id]);
            if (known && waiting.size() > 0) {
                to->append(*known, waiting.xs, waiting.times, waiting.values);
            }
            waiting = {}; // the old writer flushes at its end
        }
        writer->m_pendingPoints = 0;
        writer->m_out.clear();
        writer = std::move(to);
        return {};
    }

private:
    static constexpr Part parts[] = {Part::Mean, Part::Min, Part::Max, Part::Count};

    class IntoWriter : public Reader::Sink
    {
    public:
        IntoWriter(Writer &to, std::uint32_t id) : m_to(to), m_id(id) { }
        void take(
            std::span<const double> xs, std::span<const std::int64_t> times, std::span<const double> values) override
        {
            m_to.append(m_id, xs, times, values);
            m_count += xs.size();
        }
        void takeVoid(double x) override { m_to.voidFrom(m_id, x); }
        std::uint64_t count() const { return m_count; }

    private:
        Writer &m_to;
        std::uint32_t m_id;
        std::uint64_t m_count = 0;
    };

    // A file server that cannot read looks like an end of the file.
    bool isReadToItsEnd() const
    {
        File file;
        return file.openToRead(m_path).fault == Fault::None
            && file.size() == static_cast<std::int64_t>(m_set.reader().cursor().offset);
    }

    struct Copied {
        std::uint32_t from = 0, to = 0;
        Reader::Place place = {};
        std::uint64_t count = 0;
    };

    // A run of each in turn, so that those of the same rows meet in one block.
    void copy()
    {
        while (!m_copied.empty()) {
            m_copied.erase(std::remove_if(m_copied.begin(), m_copied.end(),
                               [this](Copied &each) {
                                   IntoWriter sink(*m_to, each.to);
                                   const bool isMore = m_set.reader().load(each.from, sink, each.place, 1);
                                   each.count += sink.count();
                                   if (!isMore) {
                                       expect(each.from, each.count);
                                   }
                                   return !isMore;
                               }),
                m_copied.end());
        }
    }

    // A reader leaves out what it cannot read at the moment; here it would be gone for good.
    void expect(std::uint32_t id, std::uint64_t count)
    {
        m_isWhole = m_isWhole && count == m_set.reader().summary(id).count;
    }

    void copyLast(const Info &info, std::uint32_t id)
    {
        const Series &points = m_set.series(id);
        expect(id, points.size() + points.voidPoints().size());
        const auto to = m_to->define(info);
        if (const std::optional<Point> last = points.last(); last && to) {
            m_to->append(*to, *last);
        }
        m_set.forget(id);
    }

    void thin(const Info &info, std::uint32_t id)
    {
        Thinned all;
        const Series &points = m_set.series(id);
        expect(id, points.size() + points.voidPoints().size());
        for (std::size_t i = 0; i < points.size(); ++i) {
            all.points.push_back(points.at(i));
        }
        m_set.forget(id);
        std::vector<const Series *> old;
        for (const Part part : parts) {
            if (const auto known = m_set.find(info.name, part)) {
                old.push_back(&m_set.series(*known));
                expect(*known, old.back()->size() + old.back()->voidPoints().size());
            }
        }
        if (old.size() == std::size(parts)) {
            std::size_t count = old[0]->size();
            for (const Series *each : old) {
                count = std::min(count, each->size());
            }
            for (std::size_t i = 0; i < count; ++i) {
                all.buckets.push_back({old[0]->at(i).time, old[0]->at(i).value, old[1]->at(i).value,
                    old[2]->at(i).value, static_cast<std::uint64_t>(std::max(0.0, old[3]->at(i).value))});
            }
        }
        const Thinned less = thinned(all, m_now, m_rules);
        if (const auto to = m_to->define(info)) {
            for (const Point &point : less.points) {
                m_to->append(*to, point);
            }
        }
        for (const Part part : parts) {
            Info partInfo = info;
            partInfo.part = part;
            const auto to = less.buckets.empty() ? std::nullopt : m_to->define(partInfo);
            for (const Bucket &bucket : less.buckets) {
                if (to) {
                    m_to->append(*to, {static_cast<double>(bucket.time), bucket.time, valueOf(bucket, part)});
                }
            }
        }
    }

    static double valueOf(const Bucket &bucket, Part part)
    {
        switch (part) {
        case Part::Min:
            return bucket.min;
        case Part::Max:
            return bucket.max;
        case Part::Count:
            return static_cast<double>(bucket.count);
        case Part::Mean:
        case Part::Value:
            break;
        }
        return bucket.mean;
    }

    const std::string &m_path;
    SeriesSet m_set;
    std::vector<Copied> m_copied;
    std::int64_t m_now;
    const std::vector<ThinRule> &m_rules;
    std::unique_ptr<Writer> m_to;
    bool m_isWhole = true; // all that is in the file was read
};

Error writeRewritten(const std::string &path, std::int64_t now, const std::vector<ThinRule> &rules)
{
    Error error;
    {
        Rewriting rewriting(path, now, rules);
        error = rewriting.write(unfinishedPath(path));
    }
    return error.fault == Fault::None ? replaceFile(unfinishedPath(path), wholePath(path)) : error;
}

Error takeRewritten(std::unique_ptr<Writer> &writer)
{
    const Error error = Rewriting::take(writer, wholePath(writer->path()));
    if (error.fault != Fault::None) {
        dropRewritten(writer->path());
    }
    return error;
}

void dropRewritten(const std::string &path)
{
    std::remove(unfinishedPath(path).c_str());
    std::remove(wholePath(path).c_str());
}

Error rewrite(std::unique_ptr<Writer> &writer, std::int64_t now, const std::vector<ThinRule> &rules)
{
    Error error = writer->flush();
    if (error.fault == Fault::None) {
        error = writeRewritten(writer->path(), now, rules);
    }
    if (error.fault == Fault::None) {
        error = takeRewritten(writer);
    } else {
        dropRewritten(writer->path());
    }
    return error;
}

} // namespace trainyard::series
