// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/legacynames.h"

#include "model/base/ascii.h"

#include <QRegularExpression>
#include <QSet>

using namespace Qt::StringLiterals;

namespace trainyard::legacy
{

namespace
{

constexpr qsizetype maxNameLength = 255;
constexpr qsizetype maxRoleLength = 63; // what a cluster can start

QString wordsOnly(const QString &text, bool dash)
{
    QString result;
    for (const QChar c : text) {
        result += ascii::isWord(c.unicode()) || (dash && c == u'-') ? c : QChar(u'_');
    }
    return result;
}

// A name must not begin with a digit, nor be nothing.
QString begun(const QString &name, const QString &prefix)
{
    return name.isEmpty() || name.at(0).isDigit() ? prefix + name : name;
}

QString squeezed(const QString &name)
{
    QString result;
    for (const QChar c : name.toLower()) {
        if (ascii::isLower(c.unicode()) || ascii::isDigit(c.unicode())) {
            result += c;
        }
    }
    return begun(result, u"role"_s).left(maxRoleLength);
}

} // namespace

QString jobName(const QString &old)
{
    const QString name = wordsOnly(old, true).left(maxNameLength);
    return name.isEmpty() ? u"job"_s : name;
}

QStringList roleNames(const QStringList &old)
{
    QHash<QString, int> uses;
    for (const QString &name : old) {
        ++uses[squeezed(name)];
    }
    QStringList result;
    QSet<QString> taken;
    for (const QString &name : old) {
        QString candidate = squeezed(name);
        if (uses.value(candidate) > 1) {
            candidate = begun(wordsOnly(name, false), u"role_"_s);
        }
        const QString base = candidate;
        for (int number = 2; taken.contains(candidate); ++number) {
            candidate = base + QString::number(number);
        }
        taken.insert(candidate);
        result.append(candidate);
    }
    return result;
}

QString portLabel(const QString &old) { return begun(wordsOnly(old, false), u"_"_s).left(maxNameLength); }

QString renameRoleVariables(const QString &commands, const QString &from, const QString &to)
{
    if (from == to || from.isEmpty() || !commands.contains(from)) {
        return commands;
    }
    const QString name = QRegularExpression::escape(from);
    // The name ends where the rest of the variable's begins; "_0_" and "_$i_" are numbers of tasks.
    const QRegularExpression variable(
        u"\\b(PAI_TASK_ROLE_)%1(?=_HOST_LIST)|\\b(PAI_(?:TASK_ROLE_TASK_COUNT|RESOURCE|MIN_FAILED_TASK_COUNT|"
        "MIN_SUCCEEDED_TASK_COUNT)_)%1(?![A-Za-z0-9_])|\\b(PAI_(?:HOST_IP|PORT_LIST)_)%1(?=_)|"
        "\\b(PAI_)%1(?=_[0-9$]\\S*?_PORT)"_s.arg(name));
    QString result = commands;
    return result.replace(variable, u"\\1\\2\\3\\4"_s + to);
}

QString renameLabelVariables(const QString &commands, const QString &from, const QString &to)
{
    if (from == to || from.isEmpty() || !commands.contains(from)) {
        return commands;
    }
    const QString name = QRegularExpression::escape(from);
    const QRegularExpression variable(
        u"\\b(PAI_CONTAINER_HOST_)%1(?=_PORT_LIST)|\\b(PAI_PORT_LIST_\\w+?_)%1(?![A-Za-z0-9_])"_s.arg(name));
    QString result = commands;
    return result.replace(variable, u"\\1\\2"_s + to);
}

} // namespace trainyard::legacy
