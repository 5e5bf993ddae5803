// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metricfiles/decoder.h"
#include "engine/metricfiles/format.h"

#include <memory>
#include <string>

namespace trainyard::metricfiles
{

// Reads a file of metrics while a program writes it: each call of read() gives what is new. It never blocks and never
// writes, and needs memory for the names of the series and one record only.
class FileReader
{
public:
    struct How {
        Format format = Format::None; // None: it is recognized
        bool followsLink = true; // at the end of the path; where it leads is noted
        bool takesExports = true; // that Trainyard itself has made; otherwise neither these nor empty files
        bool isOnlySeen = false; // it was not named by a user: JSON counts only as recognizeFound() has it
    };
    // `problem` is set when nothing is returned.
    static std::unique_ptr<FileReader> open(const std::string &path, const How &how, Note &problem);
    // Takes the descriptor over; the path serves for names only.
    static std::unique_ptr<FileReader> fromDescriptor(
        int descriptor, const std::string &path, Format format, Note &problem);

    // Reads about `budget` bytes; State::More says that there is more at once.
    Report read(Sink &sink, std::size_t budget = 4U << 20);

    // The program that wrote the file has ended: a last line without a line feed counts where it is whole.
    void setOver();

    Format format() const { return m_format; }
    std::uint64_t bytesRead() const { return m_source.bytesRead(); }

private:
    FileReader(Source &&source, const std::string &path, Format format);
    static std::unique_ptr<FileReader> make(Source &&source, const std::string &path, const How &how, Note &problem);
    std::unique_ptr<Decoder> newDecoder() const;

    Source m_source;
    std::string m_path;
    Format m_format;
    Output m_output;
    std::unique_ptr<Decoder> m_decoder;
    State m_state = State::More;
};

} // namespace trainyard::metricfiles
