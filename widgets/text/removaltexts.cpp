// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/removaltexts.h"

#include "widgets/text/formats.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

struct Removals {
    Q_DECLARE_TR_FUNCTIONS(trainyard::Removals)
};

} // namespace

QString removalTime(qint64 utcMilliseconds, qint64 now)
{
    constexpr int clearDays = 6; // one more is the same day of the week
    const QDateTime time = QDateTime::fromMSecsSinceEpoch(utcMilliseconds);
    const qint64 days = QDateTime::fromMSecsSinceEpoch(now).date().daysTo(time.date());
    const QString clock = time.toString(u"HH:mm"_s);
    if (days == 0) {
        return Removals::tr("today %1").arg(clock);
    }
    return days > 0 && days <= clearDays ? Removals::tr("%1 %2").arg(QLocale().toString(time, u"dddd"_s), clock)
                                         : formatTime(utcMilliseconds, now);
}

QString removalText(const PlannedRemoval &removal, qint64 now)
{
    return Removals::tr("after %1 (%2); mark it with a star to keep it")
        .arg(removalTime(removal.due, now), removal.setting);
}

QString removalText(const RemovalOutlook &outlook, qint64 now)
{
    if (outlook.jobs == 0) {
        return {};
    }
    const QString why = outlook.settings.size() == 1
        ? Removals::tr("because of the setting %1").arg(outlook.settings.constFirst())
        : Removals::tr("because of the settings %1").arg(outlook.settings.join(Removals::tr(" and ")));
    const QString size = formatBytes(outlook.bytes);
    if (outlook.from <= now) {
        return outlook.jobs == 1
            ? Removals::tr("1 ended job (%1) is removed soon, %2.").arg(size, why)
            : Removals::tr("%1 ended jobs (%2) are removed soon, %3.").arg(QString::number(outlook.jobs), size, why);
    }
    const QString from = removalTime(outlook.from, now);
    return outlook.jobs == 1 ? Removals::tr("1 ended job (%1) is removed after %2, %3.").arg(size, from, why)
                             : Removals::tr("%1 ended jobs (%2) are removed from %3 on, %4.")
                                   .arg(QString::number(outlook.jobs), size, from, why);
}

} // namespace trainyard
