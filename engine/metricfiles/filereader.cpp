// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metricfiles/filereader.h"

#include "engine/metricfiles/eventfile.h"
#include "engine/metricfiles/jsonfiles.h"
#include "engine/metricfiles/mlflowfile.h"
#include "engine/metricfiles/ownexport.h"
#include "engine/metricfiles/sacredfile.h"
#include "engine/metricfiles/table.h"
#include "engine/metricfiles/wandbfile.h"

#include <utility>

namespace trainyard::metricfiles
{

std::unique_ptr<FileReader> FileReader::open(const std::string &path, const How &how, Note &problem)
{
    std::optional<Source> source = Source::open(path, how.followsLink, problem);
    return source ? make(std::move(*source), path, how, problem) : nullptr;
}

std::unique_ptr<FileReader> FileReader::fromDescriptor(
    int descriptor, const std::string &path, Format format, Note &problem)
{
    std::optional<Source> source = Source::fromDescriptor(descriptor, problem);
    return source ? make(std::move(*source), path, {format}, problem) : nullptr;
}

std::unique_ptr<FileReader> FileReader::make(Source &&source, const std::string &path, const How &how, Note &problem)
{
    Format format = how.format;
    if (format == Format::None) {
        const std::string_view head = source.view(0, recognizedHead);
        const bool maybeState = how.isOnlySeen && path.ends_with(".json"); // such as a checkpoint that is being written
        format = maybeState ? recognizeFound(path, head) : recognize(path, head);
    }
    const bool maybeExport = !how.takesExports && (format == Format::Table || format == Format::JsonLines);
    const std::string_view head = maybeExport ? source.view(0, recognizedHead) : std::string_view();
    if (format == Format::None || (maybeExport && (head.empty() || isOwnExport(head)))) { // it does not say yet
        problem = {note::unknown, 0, {}};
        return nullptr;
    }
    std::unique_ptr<FileReader> reader(new FileReader(std::move(source), path, format));
    if (!reader->m_source.link().empty()) {
        reader->m_output.note(note::link, 0, reader->m_source.link());
    }
    return reader;
}

FileReader::FileReader(Source &&source, const std::string &path, Format format)
    : m_source(std::move(source)), m_path(path), m_format(format)
{
    m_decoder = newDecoder();
}

std::unique_ptr<Decoder> FileReader::newDecoder() const
{
    switch (m_format) {
    case Format::None:
    case Format::EventFile:
        break;
    case Format::WandbFile:
        return std::make_unique<WandbFile>();
    case Format::Table:
        return std::make_unique<TableFile>();
    case Format::JsonLines:
        return std::make_unique<JsonLinesFile>();
    case Format::TrainerState:
        return std::make_unique<TrainerStateFile>();
    case Format::SacredMetrics:
        return std::make_unique<SacredFile>();
    case Format::JsonResults:
        return std::make_unique<JsonResultsFile>();
    case Format::MlflowMetric:
        return std::make_unique<MlflowFile>(m_path);
    }
    return std::make_unique<EventFile>();
}

void FileReader::setOver()
{
    if (!m_source.isOver()) {
        m_source.setOver();
        m_state = m_state == State::Waiting ? State::More : m_state; // it may be enough now
    }
}

Report FileReader::read(Sink &sink, std::size_t budget)
{
    m_output.begin(sink);
    const Source::Change change = m_source.refresh();
    if (change == Source::Change::Replaced || (change != Source::Change::None && m_decoder->isDocument())) {
        m_source.rewind();
        m_state = State::More;
        if (!m_decoder->isDocument()) {
            m_output.startOver();
            m_output.note(note::writtenAnew, 0);
            m_decoder = newDecoder();
        }
    }
    // A file that has not changed since its end was reached costs two calls of the kernel.
    if (change != Source::Change::None || m_state == State::More) {
        m_state = m_decoder->decode(m_source, m_output, budget);
        m_source.remember();
    }
    Report report;
    report.state = m_state;
    report.position = m_source.position();
    report.size = m_source.size();
    m_output.end(report);
    return report;
}

} // namespace trainyard::metricfiles
