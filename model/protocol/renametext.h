// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QSet>
#include <QString>
#include <QStringList>

// Finds the mentions of a name in a text. Internal to model/protocol.
namespace trainyard::renametext
{

struct Hit {
    qsizetype begin = 0;
    qsizetype end = 0;
    QString text; // what comes in its place
};

// In tags <% scope.path %>: `path` leads to what is renamed, its last part is the name.
QList<Hit> inTemplates(const QString &text, const QString &scope, const QStringList &path, const QString &to);
// Whether a tag can contain the name: it has no blanks, dots or brackets.
bool isReachable(const QString &name);

// A role in variables of the PAI_* families, and in comparisons with a variable that holds the task's role.
class RoleFinder
{
public:
    RoleFinder(const QString &from, const QString &to, const QStringList &otherRoles);
    QList<Hit> hits(const QString &text) const;
    // The number of further words that may be the role, although that is not certain.
    int mentions(const QString &text, const QList<Hit> &hits) const;

private:
    void find(const QString &text, const QString &spelling, bool squeezed, QList<Hit> &hits) const;
    bool isLongerName(const QString &text, qsizetype begin, const QString &spelling) const;

    QString m_from;
    QString m_to;
    QString m_squeezedFrom; // empty when it is the same or another role's
    QString m_squeezedTo; // empty when another role has it
    QSet<QString> m_others; // all spellings of other roles
};

} // namespace trainyard::renametext
