// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/commandquoting.h"

#include <QRegularExpression>

namespace trainyard
{

using namespace Qt::StringLiterals;

Quoting quotingAt(QStringView command, qsizetype at)
{
    Quoting now = Quoting::None;
    for (qsizetype i = 0; i < at; ++i) {
        const QChar c = command.at(i);
        const bool isEscape = c == u'\\' && now != Quoting::Single && now != Quoting::Comment;
        if (isEscape) {
            ++i;
        } else if (now == Quoting::None) {
            const bool beginsWord = i == 0 || command.at(i - 1).isSpace() || command.at(i - 1) == u';';
            now = c == u'\''              ? Quoting::Single
                : c == u'"'               ? Quoting::Double
                : c == u'#' && beginsWord ? Quoting::Comment
                                          : now;
        } else if ((now == Quoting::Single && c == u'\'') || (now == Quoting::Double && c == u'"')
            || (now == Quoting::Comment && c == u'\n')) {
            now = Quoting::None;
        }
    }
    return now;
}

bool isChangedByShell(const QString &value, Quoting quoting)
{
    static const QRegularExpression plain(u"[\\s`\"'\\\\;&|<>()]|\\$[\\w({@*#?$!-]"_s);
    static const QRegularExpression inDouble(u"[`\"]|\\\\[$`\"\\\\\n]|\\$[\\w({@*#?$!-]"_s);
    switch (quoting) {
    case Quoting::None:
        return plain.match(value).hasMatch();
    case Quoting::Double:
        return inDouble.match(value).hasMatch();
    case Quoting::Single:
        return value.contains(u'\'');
    case Quoting::Comment:
        break;
    }
    return false;
}

QString withoutBlanksBehind(QString value)
{
    while (!value.isEmpty() && value.back().isSpace()) {
        value.chop(1);
    }
    return value;
}

} // namespace trainyard
