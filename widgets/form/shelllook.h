// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/shellfindings.h"

#include <QHash>
#include <QObject>
#include <QSet>

#include <functional>

QT_BEGIN_NAMESPACE
class QTimer;
QT_END_NAMESPACE

namespace trainyard
{

/**
 * What bash says of the commands of a document, for checkShell(), which asks with each key. Bash is started on another
 * thread, and only once the commands have rested for a moment: while they are typed, they are not complete. Until it
 * has said something of them, they have the fault that the commands of the same role had before. GUI thread only.
 */
class ShellLook : public QObject
{
    Q_OBJECT
public:
    using FaultOf = std::function<ShellFault(const QString &script)>; // called on that thread
    static constexpr int usualRestMs = 1000;
    explicit ShellLook(QObject *parent, FaultOf faultOf = shellFaultOf, int restMs = usualRestMs);

    // Looks up the scripts of one check. Do not keep it.
    KnownShellFault faults();

Q_SIGNALS:
    void changed(); // a check would have another result

private:
    std::optional<ShellFault> fault(const QString &role, const QString &script);
    std::optional<ShellFault> formerFault(const QString &role, const QString &script);
    void look();
    void take(const QHash<QString, ShellFault> &seen);

    FaultOf m_faultOf;
    QTimer *m_rest;
    QSet<QString> m_wanted, m_before; // by the newest check, and by the one before
    QHash<QString, ShellFault> m_known;
    // The newest commands of each role, with what bash has found in them or in those that they were made from.
    struct Former {
        QString script;
        ShellFault fault;
    };
    QHash<QString, Former> m_former; // by role
    QSet<QString> m_roles; // of the newest check
    QSet<QString> m_presumed; // scripts that the newest check was told a former fault of
    bool m_isLooking = false;
};

} // namespace trainyard
