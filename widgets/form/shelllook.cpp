// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/shelllook.h"

#include "widgets/common/aside.h"

#include <QTimer>

#include <utility>

namespace trainyard
{

ShellLook::ShellLook(QObject *parent, FaultOf faultOf, int restMs)
    : QObject(parent), m_faultOf(std::move(faultOf)), m_rest(new QTimer(this))
{
    m_rest->setObjectName(QStringLiteral("shellRest"));
    m_rest->setSingleShot(true);
    m_rest->setInterval(restMs);
    connect(m_rest, &QTimer::timeout, this, &ShellLook::look);
}

KnownShellFault ShellLook::faults()
{
    m_before = std::exchange(m_wanted, {});
    m_presumed.clear();
    m_former.removeIf([this](const QHash<QString, Former>::iterator &it) { return !m_roles.contains(it.key()); });
    m_roles.clear();
    return [this](const QString &role, const QString &script) { return fault(role, script); };
}

std::optional<ShellFault> ShellLook::fault(const QString &role, const QString &script)
{
    m_wanted.insert(script);
    m_roles.insert(role);
    const auto known = m_known.constFind(script);
    if (known != m_known.cend()) {
        if (known->line > 0) {
            m_former.insert(role, {script, *known});
        } else {
            m_former.remove(role);
        }
        return *known;
    }
    // A new one has to rest. Other checks of the same text do not put it off.
    if (!m_before.contains(script) || (!m_rest->isActive() && !m_isLooking)) {
        m_rest->start();
    }
    return formerFault(role, script);
}

// A fault that went away with each key and came back would be taken for one that is gone.
std::optional<ShellFault> ShellLook::formerFault(const QString &role, const QString &script)
{
    const auto former = m_former.find(role);
    if (former == m_former.end()) {
        return std::nullopt;
    }
    m_presumed.insert(script);
    *former = {script, movedFault(former->fault, former->script, script)}; // step by step, as the text changes
    return former->fault;
}

void ShellLook::look()
{
    QSet<QString> asked = m_wanted;
    for (auto it = m_known.cbegin(); it != m_known.cend(); ++it) {
        asked.remove(it.key());
    }
    if (m_isLooking || asked.isEmpty()) {
        return;
    }
    m_isLooking = true;
    runAside(this, [this, faultOf = m_faultOf, asked]() -> std::function<void()> {
        const WaitAside waits;
        QHash<QString, ShellFault> seen;
        for (const QString &script : asked) {
            seen.insert(script, faultOf(script));
        }
        return [this, seen] { take(seen); };
    });
}

void ShellLook::take(const QHash<QString, ShellFault> &seen)
{
    m_isLooking = false;
    m_known.removeIf([this](const QHash<QString, ShellFault>::iterator &it) { return !m_wanted.contains(it.key()); });
    bool isOther = false;
    for (auto it = seen.cbegin(); it != seen.cend(); ++it) {
        m_known.insert(it.key(), it.value());
        const bool wasPresumed = m_presumed.contains(it.key());
        isOther = isOther || ((it.value().line > 0 || wasPresumed) && m_wanted.contains(it.key()));
    }
    if (isOther) {
        Q_EMIT changed();
    } else if (!m_rest->isActive()) {
        look(); // what was asked for meanwhile
    }
}

} // namespace trainyard
