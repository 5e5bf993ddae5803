// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/mask.h"
#include "engine/metricfiles/point.h"
#include "engine/series/writer.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace trainyard::agent
{

// Puts what one file of metrics gives into the file of series of its try. When the file is read again from its
// beginning, by the next agent or because its program rewrote it, values that were taken already are skipped as long as
// their checksum is the same. The job's secrets are hidden in names and facts, as in its output.
class MetricIntake : public metricfiles::Sink
{
public:
    struct Taken {
        std::uint64_t count = 0; // of what the file gave: points and steps back
        std::uint64_t hash = 0; // 48 bits, which a double holds
    };
    // `writer` is there, and another one when the file was rewritten, with the same numbers of series. `ofRun` are the
    // series of the run so far, of all of its files. All three outlive this.
    MetricIntake(const std::unique_ptr<series::Writer> &writer, const contract::Secrets &secrets,
        std::set<std::uint32_t> &ofRun, int run, const Taken &before);

    enum class State {
        Same, // what is read again is the same so far, and not all of it was read yet
        Live,
        Different // nothing is taken: call begin() and read the file from its beginning
    };
    State state() const { return m_state; }
    const Taken &taken() const { return m_state == State::Live ? m_now : m_before; }
    // Makes void what this file gave. The next thing that is read is the beginning of the file.
    void begin();
    // Writes what the file gave since the last call. Rows without a time were written between these two, in ms UTC:
    // they are laid evenly into that time.
    void write(std::int64_t after, std::int64_t until);
    std::size_t takePoints() { return std::exchange(m_points, 0); } // how many were written since the last call
    std::vector<std::pair<std::string, std::string>> takeFacts() { return std::exchange(m_facts, {}); }

    void addSeries(std::uint32_t series, std::string_view name, metricfiles::SeriesKind kind) override;
    void addPoint(const metricfiles::Point &point) override;
    void voidFrom(double step) override;
    void setFact(std::string_view name, std::string_view value) override;
    void startOver() override;

private:
    struct Known {
        std::string name;
        bool isWanted = true;
        std::optional<std::uint32_t> id;
    };
    struct Waiting { // to be written: a point, or that a series is void from its x on
        std::optional<std::uint32_t> id; // nothing: all of the run are void
        double x = 0, value = 0;
        std::optional<std::int64_t> time;
        std::size_t row = 0;
    };
    bool goesOn(std::uint64_t what); // whether something new is to be written
    void takeEpoch(const metricfiles::Point &point);
    void readAgain();

    const std::unique_ptr<series::Writer> &m_writer;
    const contract::Secrets &m_secrets;
    std::set<std::uint32_t> &m_ofRun;
    int m_run;
    Taken m_before, m_now;
    State m_state;
    std::size_t m_points = 0;
    std::vector<Waiting> m_waiting;
    std::size_t m_rows = 0; // that wait
    std::uint32_t m_rowSeries = 0; // the first one of the last row
    std::vector<Known> m_known; // by the number in the file
    std::optional<std::uint32_t> m_epochs; // the series of the epochs, once the file has told one beside a step
    std::optional<std::pair<double, double>> m_epoch; // the last step, and its epoch
    std::set<std::uint32_t> m_own; // series that this file gave points to
    std::vector<std::pair<std::string, std::string>> m_facts;
};

} // namespace trainyard::agent
