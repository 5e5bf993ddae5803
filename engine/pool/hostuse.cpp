// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/hostuse.h"

#include "engine/api/joblabels.h"
#include "engine/core/peeraddress.h"
#include "engine/core/weekhours.h"

#include <QRegularExpression>

namespace trainyard
{

using namespace Qt::StringLiterals;

static bool isLabel(const QString &word)
{
    static const QRegularExpression shape(u"\\A[^\\s,;]{1,64}\\z"_s);
    return shape.match(word).hasMatch();
}

Result<HostUse> changedUse(HostUse use, const api::HostChange &change)
{
    const QStringList added = normalTags(change.addLabels, Qt::CaseSensitive);
    for (const QString &label : added) {
        if (!isLabel(label)) {
            return fail(u"host.bad-label"_s, {{u"label"_s, label}});
        }
    }
    for (const QString &label : normalTags(change.removeLabels, Qt::CaseSensitive)) {
        use.labels.removeAll(label);
    }
    use.labels = normalTags(use.labels + added, Qt::CaseSensitive);
    use.drained = change.drained.value_or(use.drained);
    if (change.address) {
        const QString address = change.address->trimmed();
        if (!address.isEmpty() && !core::isAddress(address) && !core::isInterfaceName(address)) {
            return fail(u"host.bad-address"_s, {{u"address"_s, address}});
        }
        use.address = address;
    }
    if (change.hours && change.hours->trimmed().isEmpty()) {
        use.hours.clear();
    } else if (change.hours) {
        const std::optional<core::WeekHours> hours = core::weekHours(*change.hours);
        if (!hours) {
            return fail(u"host.bad-hours"_s, {{u"hours"_s, *change.hours}});
        }
        if (core::isWholeWeek(*hours)) {
            return fail(u"host.always-closed"_s, {{u"hours"_s, *change.hours}});
        }
        use.hours = core::weekHoursText(*hours);
    }
    return use;
}

} // namespace trainyard
