// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/shelllines.h"

#include <utility>

namespace trainyard
{
namespace
{

bool isBlankByte(char c) { return c == ' ' || c == '\t'; }
bool endsShellWord(char c) { return isBlankByte(c) || QByteArrayView(";&|()<>").contains(c); }

} // namespace

void ShellLines::addLine(QByteArrayView line)
{
    if (!m_documents.isEmpty()) {
        const HereDocument &document = m_documents.constFirst();
        QByteArrayView text = line;
        while (document.stripsTabs && text.startsWith('\t')) {
            text = text.sliced(1);
        }
        if (text == document.end) {
            m_documents.removeFirst();
        }
        return;
    }
    scan(line);
}

bool ShellLines::isOpen() const { return !m_open.isEmpty() || !m_documents.isEmpty() || m_continues; }

void ShellLines::pop(char kind)
{
    if (top() == kind) {
        m_open.chop(1);
    }
}

void ShellLines::scan(QByteArrayView line)
{
    const bool begins = !m_continues || m_atCommand;
    m_continues = false;
    m_atCommand = begins;
    QByteArray word;
    bool quoted = false; // a part of the word is
    bool wasEmptyBrackets = false; // "()" directly before: the body of a function follows
    bool isJoined = false; // with the next line, by a backslash
    const auto endWord = [&] {
        if (!word.isEmpty() || quoted) {
            takeWord(word, quoted);
            word.clear();
            quoted = false;
        }
    };
    for (qsizetype i = 0; i < line.size(); ++i) {
        const char c = line[i];
        const char next = i + 1 < line.size() ? line[i + 1] : '\0';
        if (top() == '\'') {
            m_open.chop(c == '\'' ? 1 : 0);
            continue;
        }
        if (top() == 'Q') { // $'…', with escapes
            i += c == '\\' ? 1 : 0;
            m_open.chop(c == '\'' ? 1 : 0);
            continue;
        }
        if (c == '\\') {
            if (i + 1 == line.size()) {
                isJoined = true;
                break;
            }
            quoted = true;
            ++i;
            continue;
        }
        if (c == '`') {
            if (top() == '`') {
                m_open.chop(1);
            } else {
                m_open += '`';
            }
            quoted = true;
            continue;
        }
        if (c == '$' && (next == '(' || next == '{')) {
            const bool sums = next == '(' && i + 2 < line.size() && line[i + 2] == '(';
            quoted = true;
            if (next == '(') {
                endWord(); // what is inside begins a command of its own
                m_atCommand = true;
            }
            m_open += sums ? 'A' : next == '(' ? 'S' : '$';
            i += sums ? 2 : 1;
            continue;
        }
        if (top() == '"') {
            m_open.chop(c == '"' ? 1 : 0);
            continue;
        }
        if (c == '"' || (c == '\'' && top() != '$')) {
            m_open += c == '\'' && i > 0 && line[i - 1] == '$' ? 'Q' : c;
            quoted = true;
            continue;
        }
        if (top() == '$') {
            m_open.chop(c == '}' ? 1 : 0);
            continue;
        }
        if (isArithmetic()) {
            if (c == '(') {
                m_open += '(';
            } else if (c == ')' && top() == 'A') {
                m_open.chop(1);
                i += next == ')' ? 1 : 0;
                m_continues = false;
            } else if (c == ')') {
                pop('(');
            }
            continue;
        }
        if (c == '#' && word.isEmpty() && !quoted) {
            break; // a comment
        }
        if (!endsShellWord(c)) {
            word += c;
            wasEmptyBrackets = false;
            continue;
        }
        endWord();
        if (isBlankByte(c)) {
            continue;
        }
        m_continues = false;
        wasEmptyBrackets = false;
        switch (c) {
        case '(':
            if (next == ')') {
                ++i;
                wasEmptyBrackets = true;
            } else if (next == '(' && top() != '[') {
                m_open += 'A';
                ++i;
            } else {
                m_open += '(';
            }
            m_atCommand = true;
            break;
        case ')':
            m_atCommand = top() != 'S';
            pop(top() == 'S' ? 'S' : '('); // else the end of a pattern of case
            break;
        case '<':
            if (next == '<' && top() != '[') {
                const bool isString = i + 2 < line.size() && line[i + 2] == '<';
                i = isString ? i + 2 : takeHereDocument(line, i + 2);
            }
            break;
        case '>':
            i += next == '&' || next == '|' ? 1 : 0; // 2>&1 begins no command
            break;
        default: // ; & |
            m_atCommand = true;
            if ((c == '&' && next == '>') || (c == '&' && i > 0 && (line[i - 1] == '<' || line[i - 1] == '>'))) {
                m_atCommand = false;
                break;
            }
            m_continues = c == '|' || (c == '&' && next == '&');
            i += next == c || (c == '|' && next == '&') ? 1 : 0;
            break;
        }
    }
    endWord();
    m_continues = m_continues || isJoined || wasEmptyBrackets;
    if (!m_continues) {
        m_atCommand = true;
    }
}

void ShellLines::takeWord(const QByteArray &word, bool quoted)
{
    const bool isBegin = std::exchange(m_atCommand, false);
    m_continues = false;
    if (top() == '[') {
        if (word == "]]" && !quoted) {
            m_open.chop(1);
        }
        return;
    }
    if (std::exchange(m_namesFunction, false)) {
        m_atCommand = true; // the body follows
        m_continues = true;
        return;
    }
    if (!isBegin || quoted) {
        return;
    }
    struct Keyword {
        const char *word;
        char opens;
        char closes;
        bool commandFollows;
    };
    static constexpr Keyword keywords[] = {{"if", 'i', 0, true}, {"then", 0, 0, true}, {"elif", 0, 0, true},
        {"else", 0, 0, true}, {"fi", 0, 'i', false}, {"for", 'd', 0, false}, {"select", 'd', 0, false},
        {"while", 'd', 0, true}, {"until", 'd', 0, true}, {"do", 0, 0, true}, {"done", 0, 'd', false},
        {"case", 'c', 0, false}, {"esac", 0, 'c', false}, {"{", '{', 0, true}, {"}", 0, '{', false},
        {"[[", '[', 0, false}, {"!", 0, 0, true}, {"time", 0, 0, true}};
    for (const Keyword &keyword : keywords) {
        if (word == keyword.word) {
            if (keyword.opens) {
                m_open += keyword.opens;
            }
            if (keyword.closes) {
                pop(keyword.closes);
            }
            m_atCommand = keyword.commandFollows;
            return;
        }
    }
    m_namesFunction = word == "function";
}

// From behind "<<": its last byte that was read.
qsizetype ShellLines::takeHereDocument(QByteArrayView line, qsizetype at)
{
    HereDocument document;
    if (at < line.size() && line[at] == '-') {
        document.stripsTabs = true;
        ++at;
    }
    while (at < line.size() && isBlankByte(line[at])) {
        ++at;
    }
    char quote = '\0';
    for (; at < line.size(); ++at) {
        const char c = line[at];
        if (quote) {
            if (c == quote) {
                quote = '\0';
            } else {
                document.end += c;
            }
        } else if (c == '\'' || c == '"') {
            quote = c;
        } else if (endsShellWord(c)) {
            break;
        } else if (c != '\\') {
            document.end += c;
        }
    }
    if (!document.end.isEmpty()) {
        m_documents.append(document);
    }
    return at - 1;
}

bool isOneCommand(QByteArrayView text)
{
    ShellLines lines;
    qsizetype begin = 0;
    for (;;) {
        const qsizetype end = text.indexOf('\n', begin);
        lines.addLine(text.sliced(begin, (end < 0 ? text.size() : end) - begin));
        if (end < 0) {
            return !lines.isOpen();
        }
        if (!lines.isOpen()) {
            return false;
        }
        begin = end + 1;
    }
}

} // namespace trainyard
