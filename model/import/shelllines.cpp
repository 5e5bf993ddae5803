// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/import/shelllines.h"

#include <QHash>

#include <array>

namespace trainyard::batch
{
namespace
{

// The end of a heredoc.
struct HereEnd {
    QByteArray word;
    bool stripsTabs = false; // "<<-"
    bool isQuoted = false; // its text is not expanded, so '\' joins no lines
};

QByteArray withoutTabs(const QByteArray &line)
{
    qsizetype tabs = 0;
    while (tabs < line.size() && line.at(tabs) == '\t') {
        ++tabs;
    }
    return line.sliced(tabs);
}

bool endsHere(const QByteArray &line, const HereEnd &end)
{
    return end.stripsTabs ? withoutTabs(line) == end.word : line == end.word;
}

bool endsWithBackslash(const QByteArray &line)
{
    qsizetype count = 0;
    while (count < line.size() && line.at(line.size() - 1 - count) == '\\') {
        ++count;
    }
    return count % 2 == 1;
}

// The open constructs at the position of the shell.
enum class Open {
    Quote, // '
    DollarQuote, // $'
    DoubleQuote,
    Backquote,
    Parenthesis, // of a subshell or a substitution
    Arithmetic, // ((
    Term, // a parenthesis in arithmetic
    Brace, // ${
};

class Reader
{
public:
    Reader(const QByteArrayList &lines, bool joinsQuotes) : m_lines(lines), m_joinsQuotes(joinsQuotes)
    {
        for (qsizetype i = 0; i < lines.size(); ++i) {
            m_lastPlace[lines.at(i)] = i;
            m_lastPlaceWithoutTabs[withoutTabs(lines.at(i))] = i;
        }
    }
    QList<ShellLine> read();
    bool hasOpenQuotes() const { return isIn(Open::Quote) || isIn(Open::DollarQuote) || isIn(Open::DoubleQuote); }

private:
    bool isIn(Open open) const { return m_counts.at(std::size_t(open)) > 0; }
    bool isTop(Open open) const { return !m_open.isEmpty() && m_open.constLast() == open; }
    bool readsCommands() const { return m_open.isEmpty() || isTop(Open::Parenthesis) || isTop(Open::Backquote); }
    void push(Open open)
    {
        m_open.append(open);
        ++m_counts.at(std::size_t(open));
    }
    void pop() { --m_counts.at(std::size_t(m_open.takeLast())); }
    char at(qsizetype i) const { return i < m_text.size() ? m_text.at(i) : '\0'; }
    void readLine();
    void readCharacter();
    void readDollar();
    void readParenthesis();
    void readHereWord();

    const QByteArrayList &m_lines;
    const bool m_joinsQuotes;
    QHash<QByteArray, qsizetype> m_lastPlace, m_lastPlaceWithoutTabs; // of each line
    QList<Open> m_open;
    std::array<int, std::size_t(Open::Brace) + 1> m_counts{}; // how many of each are open
    QList<HereEnd> m_found, m_ends; // of the line that is read; whose text is read
    QByteArray m_text; // of the line
    qsizetype m_line = 0, m_at = 0;
    bool m_isJoined = false; // by '\' at the end of the line above
};

// At "<<".
void Reader::readHereWord()
{
    HereEnd end;
    qsizetype i = m_at + 2;
    end.stripsTabs = at(i) == '-';
    i += end.stripsTabs ? 1 : 0;
    while (at(i) == ' ' || at(i) == '\t') {
        ++i;
    }
    char quote = 0;
    for (; i < m_text.size(); ++i) {
        const char c = m_text.at(i);
        if (quote) {
            if (c == quote) {
                quote = 0;
            } else {
                end.word += c;
            }
        } else if (c == '\'' || c == '"') {
            quote = c;
            end.isQuoted = true;
        } else if (c == '\\') {
            end.isQuoted = true;
            if (++i < m_text.size()) {
                end.word += m_text.at(i);
            }
        } else if (QByteArrayView(" \t;&|<>()`").contains(c)) {
            break;
        } else {
            end.word += c;
        }
    }
    const bool isEnded = (end.stripsTabs ? m_lastPlaceWithoutTabs : m_lastPlace).value(end.word, -1) > m_line;
    if (isEnded && (end.isQuoted || !end.word.isEmpty())) {
        m_found.append(end);
    }
    m_at = i - 1;
}

void Reader::readDollar()
{
    const char next = at(m_at + 1);
    if (next == '(') {
        const bool isArithmetic = at(m_at + 2) == '(';
        push(isArithmetic ? Open::Arithmetic : Open::Parenthesis);
        m_at += isArithmetic ? 2 : 1;
    } else if (next == '{') {
        push(Open::Brace);
        ++m_at;
    } else if (next == '\'' && readsCommands()) {
        push(Open::DollarQuote);
        ++m_at;
    } else if (next == '#') { // no comment
        ++m_at;
    }
}

void Reader::readParenthesis()
{
    const bool opens = m_text.at(m_at) == '(', isDouble = at(m_at + 1) == m_text.at(m_at);
    if (isTop(Open::Arithmetic) || isTop(Open::Term)) {
        if (opens) {
            push(Open::Term);
        } else {
            m_at += isTop(Open::Arithmetic) && isDouble ? 1 : 0;
            pop();
        }
    } else if (opens) {
        push(isDouble ? Open::Arithmetic : Open::Parenthesis);
        m_at += isDouble ? 1 : 0;
    } else if (isTop(Open::Parenthesis)) { // else of a pattern of `case`
        pop();
    }
}

// The text outside of quotes.
void Reader::readCharacter()
{
    const char c = m_text.at(m_at);
    const bool isLetter = isTop(Open::Brace) && isIn(Open::DoubleQuote); // where ' is one
    if (c == '\'' && !isLetter) {
        push(Open::Quote);
    } else if (c == '"') {
        push(Open::DoubleQuote);
    } else if (c == '}' && isTop(Open::Brace)) {
        pop();
    } else if ((c == '(' || c == ')') && !isTop(Open::Brace)) {
        readParenthesis();
    } else if (c == '<' && at(m_at + 1) == '<' && readsCommands()) {
        if (at(m_at + 2) == '<') {
            m_at += 2;
        } else {
            readHereWord();
        }
    } else if (c == '#' && readsCommands()
        && (m_at == 0 || QByteArrayView(" \t;&|()`").contains(m_text.at(m_at - 1)))) {
        m_at = m_text.size(); // a comment
    }
}

void Reader::readLine()
{
    m_isJoined = false;
    for (m_at = 0; m_at < m_text.size(); ++m_at) {
        const char c = m_text.at(m_at);
        if (isTop(Open::Quote)) {
            if (c == '\'') {
                pop();
            }
        } else if (c == '\\') {
            m_isJoined = m_at + 1 == m_text.size();
            ++m_at;
        } else if (isTop(Open::DollarQuote)) {
            if (c == '\'') {
                pop();
            }
        } else if (c == '`') {
            if (isIn(Open::Backquote)) {
                while (!isTop(Open::Backquote)) {
                    pop();
                }
                pop();
            } else {
                push(Open::Backquote);
            }
        } else if (c == '$') {
            readDollar();
        } else if (isTop(Open::DoubleQuote)) {
            if (c == '"') {
                pop();
            }
        } else {
            readCharacter();
        }
    }
}

QList<ShellLine> Reader::read()
{
    QList<ShellLine> all;
    for (m_line = 0; m_line < m_lines.size(); ++m_line) {
        m_text = m_lines.at(m_line);
        ShellLine line;
        line.isInside = !m_open.isEmpty();
        if (!m_ends.isEmpty()) {
            line.isText = true;
            if (!m_isJoined && endsHere(m_text, m_ends.constFirst())) {
                m_ends.removeFirst();
            } else {
                m_isJoined = !m_ends.constFirst().isQuoted && endsWithBackslash(m_text);
            }
            all.append(line);
            continue;
        }
        readLine();
        if (!m_joinsQuotes) {
            m_open.clear();
            m_counts.fill(0);
        }
        const bool isQuoted = isTop(Open::Quote) || isTop(Open::DollarQuote) || isTop(Open::DoubleQuote);
        line.isContinued = m_isJoined || hasOpenQuotes();
        if (!m_isJoined && !isQuoted) { // else the text begins further below
            m_ends = m_found;
            m_found.clear();
        }
        all.append(line);
    }
    return all;
}

} // namespace

QList<ShellLine> readShellLines(const QByteArrayList &lines)
{
    Reader reader(lines, true);
    const QList<ShellLine> read = reader.read();
    return reader.hasOpenQuotes() ? Reader(lines, false).read() : read;
}

} // namespace trainyard::batch
