// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/underway.h"

namespace trainyard
{

UnderWay::Token UnderWay::begin(const QString &what, const QObject *of)
{
    const std::pair one{of, what};
    if (m_all->contains(one)) {
        return {};
    }
    m_all->insert(one);
    // An answer may come when this is gone.
    return {m_all.get(), [all = m_all, one](const void *) { all->remove(one); }};
}

} // namespace trainyard
