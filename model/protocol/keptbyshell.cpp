// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/keptbyshell.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

// The beginning of a command: the start of the line or an operator, then keywords and assignments.
QString commandStart()
{
    return uR"((?:^|[;&|(){`])\s*(?:(?:do|then|else|elif|if|while|until|time(?:\s+-p)?|!|\{)\s+)*)"_s;
}

QRegularExpression keptForm()
{
    // Substitutions that are over; an open one begins another command.
    const QString over = uR"(\$\([^()]*\)|`[^`]*`|\$(?!\())"_s;
    const QString inDouble = uR"((?:[^"\\`$]|\\.|)"_s + over + u")"_s;
    const QString quoted = uR"(")"_s + inDouble + uR"(*"|'[^']*')"_s;
    const QString open = uR"((?:")"_s + inDouble + uR"(*|'[^']*)?)"_s; // quotes around the place
    const QString value = uR"((?:[^\s"';&|()\\`$]|\\.|)"_s + over + u"|"_s + quoted + u")*"_s;
    const QString words = uR"((?:[^"';&|()\\`$]|[<>]&|\\.|)"_s + over + u"|"_s + quoted + u")*"_s;
    const QString assignments = uR"((?:[A-Za-z_]\w*\+?=)"_s + value + uR"(\s+)*)"_s;
    const QString takers = uR"((?:(?:export|local|declare|readonly|typeset)\s+(?:\S+\s+)*)?)"_s;
    const QString builtins = uR"((?:(?:command|builtin)\s+)?(?:echo|printf|test|\[\[?|:)\s)"_s;
    return QRegularExpression(commandStart() + takers + assignments + uR"([A-Za-z_]\w*\+?=)"_s + value + open
            + uR"(\z|)"_s + commandStart() + assignments + builtins + words + open + uR"(\z|<<<\s*["']?\z)"_s,
        QRegularExpression::DotMatchesEverythingOption);
}

} // namespace

bool isKeptByShell(const QString &command, qsizetype at)
{
    static const QRegularExpression kept = keptForm();
    constexpr qsizetype longLine = 2000;
    qsizetype line = at;
    do { // a line may go on from the one before
        line = line > 0 ? command.lastIndexOf(u'\n', line - 1) : -1;
    } while (line > 0 && command.at(line - 1) == u'\\');
    const QString before = command.mid(line + 1, at - line - 1);
    return before.size() >= longLine || kept.match(before).hasMatch();
}

} // namespace trainyard
