// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace trainyard
{

// The pieces of a filter's text, one after the other; what they mean is decided in jobfilter.cpp.
class FilterReader
{
public:
    struct Piece {
        QString text; // without quotes
        bool isQuoted = false;
        bool isOpen = false; // its last quote is missing
        qsizetype at = 0, length = 0;
    };

    explicit FilterReader(const QString &text) : m_text(text) { }

    bool atEnd(); // after blanks
    bool skip(QChar c); // if it comes next
    qsizetype position() const { return m_at; }
    qsizetype size() const { return m_text.size(); }
    Piece head(); // up to a blank, a colon or a comparison
    Piece value(bool alsoComma = false); // up to a blank, or a comma
    // "<", "<=", ">", ">=", "=", "==" or "!=", also behind blanks; otherwise nothing, and then no character is skipped.
    std::optional<QString> comparison();

private:
    Piece upTo(const QString &signs);
    bool isComparison(qsizetype at) const;

    QString m_text;
    qsizetype m_at = 0;
};

} // namespace trainyard
