// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace trainyard
{

// The escape sequence of a colour ("1;31") as terminalText() lets it pass. It carries a number that each process draws
// for itself, so that no text from elsewhere can contain one.
QString ownColour(const QString &parameters);

// A text that is safe for a terminal. Control characters and characters that change the direction of text become
// readable escapes: ^[ for ESC, \x9b, \u202e. Newlines, tabs and our own colours stay.
QString terminalText(const QString &text);

// JSON without the control characters that JSON allows (DEL and those from 0x80 to 0x9f). Its values are the same.
QByteArray terminalJson(const QByteArray &json);

// Makes the output of a program safe for a terminal, piece by piece. Colours, carriage returns and backspaces pass,
// every other escape sequence is left out, and other control characters become readable escapes.
class LogFilter
{
public:
    QByteArray filter(QByteArrayView bytes);
    // The rest, when nothing follows. Ends colours that are still open.
    QByteArray finish();

private:
    enum class State { Text, Escape, Sequence, String, StringEscape };
    void take(char c, QByteArray &out);
    void takeText(char c, QByteArray &out);
    void endCharacter(QByteArray &out);

    State m_state = State::Text;
    QByteArray m_sequence; // the parameters of an escape sequence
    QByteArray m_character; // the first bytes of one character
    qsizetype m_stringSize = 0;
    bool m_coloured = false;
};

} // namespace trainyard
