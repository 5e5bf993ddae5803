// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>

namespace trainyard
{

// Follows bash text line by line and knows whether the command that was begun goes on: a loop, a condition, a function,
// a here-document, an open quote or bracket, a line that ends in a backslash or a pipe. It understands as much as is
// needed for that; a text that bash itself would refuse counts as open.
class ShellLines
{
public:
    void addLine(QByteArrayView line);
    bool isOpen() const;

private:
    struct HereDocument {
        QByteArray end;
        bool stripsTabs = false;
    };
    void scan(QByteArrayView line);
    void takeWord(const QByteArray &word, bool quoted);
    qsizetype takeHereDocument(QByteArrayView line, qsizetype at);
    char top() const { return m_open.isEmpty() ? '\0' : m_open.back(); }
    bool isArithmetic() const { return m_open.contains('A'); }
    void pop(char kind);

    // The open constructs, innermost last: quotes ' " `, brackets ( { [, ${ as $, (( as A, and if, do and case as i d
    // c.
    QByteArray m_open;
    QList<HereDocument> m_documents;
    bool m_continues = false; // the last line ends in a way that asks for another one
    bool m_atCommand = true; // the next word may be a keyword
    bool m_namesFunction = false;
};

// Whether a text of several lines is one command, no part of which is a command by itself.
bool isOneCommand(QByteArrayView text);

} // namespace trainyard
