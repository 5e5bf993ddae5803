// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/listedcommand.h"

#include "model/template/pluginsteps.h"
#include "model/template/render.h"

#include <QRegularExpression>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

// Whether the shell reads on in the next line: an odd number of backslashes ends this one.
bool goesOnBelow(QStringView line)
{
    qsizetype slashes = 0;
    while (slashes < line.size() && line.at(line.size() - 1 - slashes) == u'\\') {
        ++slashes;
    }
    return slashes % 2 == 1;
}

// Whether another command may follow without a semicolon: "do", "&&", "{".
bool endsOpen(const QString &text)
{
    static const QRegularExpression open(uR"((?:[;&|({]|(?:^|[\s;])(?:do|then|else))$)"_s);
    return open.match(text).hasMatch();
}

bool runsNothing(const QString &line)
{
    static const QRegularExpression options(uR"(^set(?:\s+[-+][A-Za-z]*o\s+\w+|\s+[-+][A-Za-z]+)+$)"_s);
    return line.isEmpty() || line.startsWith(u'#') || options.match(line).hasMatch();
}

} // namespace

QString listedCommand(const JobSpec &job)
{
    if (job.taskRoles.isEmpty()) {
        return {};
    }
    const Result<ComposedRole> composed = composeRole(job, job.taskRoles.constFirst(), {.strict = isStrict(job)});
    if (!composed) {
        return {};
    }
    QString listed;
    bool isContinuation = false;
    for (const QStringView each : QStringView(composed->userScript).tokenize(u'\n')) {
        const bool goesOn = goesOnBelow(each);
        const QString line = each.chopped(goesOn ? 1 : 0).trimmed().toString();
        if (isContinuation || !runsNothing(line)) {
            const bool isApart = !isContinuation && !listed.isEmpty() && !endsOpen(listed);
            listed += (isApart ? u"; "_s : listed.isEmpty() || line.isEmpty() ? QString() : u" "_s) + line;
        }
        isContinuation = goesOn && (isContinuation || !line.startsWith(u'#'));
        if (listed.size() > longestListedCommand) {
            return QString(listed.left(longestListedCommand - 1).trimmed() + QChar(0x2026));
        }
    }
    return listed;
}

} // namespace trainyard
