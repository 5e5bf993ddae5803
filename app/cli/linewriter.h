// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/loglinereader.h"
#include "widgets/text/linetimes.h"

#include <QString>

#include <optional>
#include <vector>

namespace trainyard::cli
{

struct LogStyle {
    LogLineReader::Streams streams;
    bool timestamps = false;
    bool labels = true; // "worker/0 | " before each line
    qint64 tail = -1; // lines of each log; -1: all
    std::optional<qint64> sinceNs; // UTC; lines that began earlier are left out
    bool exact = false; // a last line that has no newline gets none
};

// One line or a part of one, as a terminal may see it; with `isWhole` colours end with it.
QByteArray terminalLine(const QByteArray &text, bool isWhole);
// Lines of one stream, as a person reads them: those of bash name the script of the task without its folder. `begins`:
// the first is not part of a line that has begun before.
QByteArray readableLines(const QByteArray &text, bool begins);

// Writes lines of several logs to stdout, with the prefix of the style. A line that arrives in parts stays one line
// unless another one comes between.
class LineWriter
{
public:
    explicit LineWriter(const LogStyle &style);

    std::size_t addLog(const QString &label); // the number by which write() knows it
    void write(std::size_t log, const LogLineReader::Line &lines); // of one time and stream
    void flush();
    void finish(); // nothing follows: ends the colours that a program has left open

private:
    struct Label {
        QByteArray out, err;
    };
    struct Open { // a line whose end has not come
        std::size_t log = 0;
        LogReader::Stream stream = LogReader::Stream::Out;
        bool operator==(const Open &) const = default;
    };
    bool isPicture() const;
    void appendText(QByteArrayView text, bool begins); // of one line, without its newline
    QByteArray textBefore(std::size_t log, const LogLineReader::Line &lines);

    const LogStyle m_style;
    const bool m_isTerminal;
    std::vector<Label> m_labels;
    std::optional<Open> m_open;
    QByteArray m_buffer;
    bool m_hasEscapes = false; // written to a terminal
    LineTimes m_times;
};

} // namespace trainyard::cli
