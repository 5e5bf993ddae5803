// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/yaml/yamldocument.h"

#include <QByteArray>
#include <QList>

// How a text can be written as a YAML scalar. Internal to model/yaml.
namespace trainyard::yamlencode
{

// A scalar in two parts: the text after "key: ", and the lines of a block scalar below, each of which begins with a
// line break. The line's comment is between the two.
struct Encoded {
    QByteArray head;
    QByteArray body;
};

struct Request {
    QByteArray text;
    bool flow = false; // inside brackets: one line, no block scalar
    bool key = false;
    bool json = false; // in double quotes, with JSON's escapes only
    qsizetype base = 0; // column of the block collection around it
    qsizetype contentColumn = 2; // where lines of a block scalar begin
    QByteArray lineBreak = "\n";
    // The present value. Its style is kept if it can hold the text.
    YamlNode::Style style = YamlNode::Style::Plain;
    QByteArray oldHead;
    QByteArray oldBody;
    QByteArray oldText;
    bool replaces = false; // false: there is no present value, and the old* fields have no meaning
};

// The ways to write the text, the best first; never empty. Each gives the text back when it is read at the same
// location.
QList<Encoded> encodings(const Request &request);

bool plainHolds(const QByteArray &text, bool flow);
QByteArray doubleQuoted(const QByteArray &text);
QByteArray singleQuoted(const QByteArray &text);
QByteArray jsonQuoted(const QByteArray &text);

} // namespace trainyard::yamlencode
