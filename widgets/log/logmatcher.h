// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/log/bytescan.h"

#include <QList>
#include <QRegularExpression>
#include <QString>

#include <optional>

namespace trainyard
{

// Matches a search term in a log.
struct LogQuery {
    QString text;
    bool isPattern = false;
    bool matchCase = false;
    bool isEmpty() const { return text.isEmpty(); }
    QRegularExpression expression() const; // invalid when the pattern is
    friend bool operator==(const LogQuery &, const LogQuery &) = default;
};

// Finds the lines with a hit in blocks of a log. Terminal sequences do not count as text. Plain ASCII text is searched
// in the bytes, several times faster than by a regular expression; of an expression that needs such a text, only lines
// with the text are looked at. All other queries, and odd blocks, are searched as text; all of this finds the same.
// Pure: no file, no clock.
class LogMatcher
{
public:
    LogMatcher() = default;
    explicit LogMatcher(const LogQuery &query);
    explicit LogMatcher(const QRegularExpression &expression) : m_expression(expression) { }

    bool isValid() const { return m_expression.isValid(); }

    struct Found {
        QList<qint64> lines; // numbers of the lines with a hit, rising, each once
        qint64 lineFeeds = 0; // of the block; with Limit::First only up to its hit
    };
    enum class Limit { All, First };
    // Searches a block of whole lines; `firstLine` is the number of the first one.
    Found find(const QByteArray &block, qint64 firstLine, Limit limit = Limit::All) const;

private:
    void findLineByLine(const QString &text, qsizetype from, qint64 firstLine, Limit limit, Found &found) const;
    Found findInText(const QByteArray &block, qint64 firstLine, Limit limit) const;
    Found findInBytes(const QByteArray &block, qint64 firstLine, Limit limit) const;
    bool isHit(const QByteArray &block, qsizetype begin, qsizetype end) const;
    bool canSearchBytes(const QByteArray &block) const;

    QRegularExpression m_expression;
    std::optional<ByteFinder> m_bytes;
    bool m_isWhole = true; // what is found in the bytes is a hit; else its line is one when the expression matches
    bool m_hasLookalikes = false; // a letter that characters outside of ASCII equal without case
};

} // namespace trainyard
