// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/mcpprotocol.h"
#include "widgets/text/terminaltext.h"

#include <QByteArrayView>
#include <QJsonValue>
#include <QString>

#include <deque>
#include <optional>

namespace trainyard::cli::mcp
{

inline constexpr qsizetype mostAnswerBytes = 32 * 1024; // of what a tool has found
inline constexpr qsizetype mostLineCharacters = 2000; // of a line or a value; the rest is counted

// The text of a program or a person in the form for an assistant: without escape sequences, control characters, and
// characters that are invisible or change the direction of text, in which instructions could hide. For a line that a
// progress bar has redrawn, it is the newest text. Newlines and tabs stay.
QString plainText(const QString &text);
// The same for each string and each name in a value; long strings are shortened.
QJsonValue plainValue(const QJsonValue &value);
QString shortened(const QString &text, qsizetype most = mostLineCharacters);

// The result of a tool.
struct Found {
    QJsonObject data;
    QString shown = {}; // for people and models; empty: the data
    bool isError = false;
    bool isOurs = false; // text of this program, not of jobs, hosts and people
    bool isUnknown = false; // the error is that there is no such job, task or file
};

// The answer to the client. Text of others is plain and between two marks with a random number, below a sentence that
// says that it is data.
ToolAnswer guarded(const Found &found, const QString &number);
QString untrustedNotice();

// As many rows as an answer can bear, from row `from` on, and what follows: {KEY: rows, total, next}.
QJsonObject page(const QString &key, const QJsonArray &rows, qsizetype from, qsizetype limit);

// The requested part of an output: its last lines, those from a line on, or only lines with a text.
struct WantedLines {
    qsizetype lines = 100;
    std::optional<qint64> from = {}; // from 1
    QString search = {};
};

// Reads an output and keeps what is wanted of it, whatever its size.
class LineWindow
{
public:
    explicit LineWindow(const WantedLines &wanted) : m_wanted(wanted) { }
    void take(QByteArrayView bytes);
    void finish(); // nothing follows
    bool isFull() const { return m_isFull; } // nothing that follows changes the result
    // {lines: [{line, text}], ...}. The numbers of lines are known unless only the end of the output was read.
    QJsonObject data() const;
    QString shown() const;

private:
    struct Line {
        qint64 number = 0;
        QString text;
    };
    void takeFiltered(const QByteArray &bytes);
    void takePart(QByteArrayView part);
    void endLine();
    bool isTail() const { return !m_wanted.from && m_wanted.search.isEmpty(); }

    WantedLines m_wanted;
    LogFilter m_filter;
    QByteArray m_begun; // of a line
    qsizetype m_dropped = 0; // bytes of it that were not kept
    std::deque<Line> m_kept;
    qsizetype m_bytes = 0; // of m_kept
    qint64 m_read = 0; // lines
    qint64 m_next = 0; // the first line that found no room any more
    bool m_isFull = false;
};

} // namespace trainyard::cli::mcp
