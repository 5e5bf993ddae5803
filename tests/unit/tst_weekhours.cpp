// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/weekhours.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace trainyard::core;

class TstWeekHours : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void texts_data();
    void texts();
    void wrong_data();
    void wrong();
    void ends_data();
    void ends();
    void wholeWeek_data();
    void wholeWeek();
};

void TstWeekHours::texts_data()
{
    QTest::addColumn<QString>("text");
    const auto row = [](const char *given, const QString &text) { QTest::newRow(given) << text; };
    row("Mo-Fr 09:00-17:00", u"Mon-Fri 09:00-17:00"_s);
    row("9-17 Mon-Fri", u"Mon-Fri 09:00-17:00"_s);
    row("monday - FRIDAY  9 - 17:30", u"Mon-Fri 09:00-17:30"_s);
    row("Sa 22:00-06:00", u"Sat 22:00-06:00"_s);
    row("Fr-Mo 0-24", u"Fri-Mon 00:00-24:00"_s);
    row("9-17", u"09:00-17:00"_s);
    row("Mo-Su 9-17", u"09:00-17:00"_s);
    row("We-Tu 9-17", u"09:00-17:00"_s); // the week has no first day
    row("Mo-Fr 9-17; Sat 10-12", u"Mon-Fri 09:00-17:00; Sat 10:00-12:00"_s);
    row("Mo 9-17,Tu 9-12", u"Mon 09:00-17:00; Tue 09:00-12:00"_s);
}

void TstWeekHours::texts()
{
    QFETCH(QString, text);
    const std::optional<WeekHours> hours = weekHours(QString::fromLatin1(QTest::currentDataTag()));
    QVERIFY(hours);
    QCOMPARE(weekHoursText(*hours), text);
    const std::optional<WeekHours> again = weekHours(text);
    QVERIFY(again && weekHoursText(*again) == text);
}

void TstWeekHours::wrong_data()
{
    QTest::addColumn<QString>("text");
    for (const char *text : {"", " ", "Mo-Fr", "9", "9-", "25-26", "24:30-3", "9:60-10", "9-18 Xxx", "M 9-18",
             "9-18 Mon-", "Mo 9-17 Tu", "Mo,Tu 9-17", "9-17;", "Mondays 9-17", "9-17 12-14", "9.00-17.00"}) {
        QTest::addRow("'%s'", text) << QString::fromLatin1(text);
    }
}

void TstWeekHours::wrong()
{
    QFETCH(QString, text);
    QVERIFY(!weekHours(text));
}

void TstWeekHours::ends_data()
{
    QTest::addColumn<QString>("hours");
    QTest::addColumn<QString>("now");
    QTest::addColumn<QString>("until");
    const auto row = [](const char *hours, const char *now, const char *until) {
        QTest::addRow("%s at %s", hours, now)
            << QString::fromLatin1(hours) << QString::fromLatin1(now) << QString::fromLatin1(until);
    };
    // 2026-11-20 is a Friday.
    row("Mo-Fr 09:00-17:00", "2026-11-20T08:59:59", "");
    row("Mo-Fr 09:00-17:00", "2026-11-20T09:00:00", "17:00");
    row("Mo-Fr 09:00-17:00", "2026-11-20T16:59:59", "17:00");
    row("Mo-Fr 09:00-17:00", "2026-11-20T17:00:00", "");
    row("Mo-Fr 09:00-17:00", "2026-11-21T12:00:00", "");
    // Over midnight it is the day on which it begins.
    row("Fr 22-6", "2026-11-20T05:00:00", "");
    row("Fr 22-6", "2026-11-20T23:00:00", "06:00");
    row("Fr 22-6", "2026-11-21T05:59:00", "06:00");
    row("Fr 22-6", "2026-11-21T06:00:00", "");
    row("Su 22-6", "2026-11-23T05:00:00", "06:00");
    // Where one ends another may go on, and what is more than a day away has its day.
    row("Fr 9-17; Fr 17-20", "2026-11-20T12:00:00", "20:00");
    row("Fr 9-17; Fr 18-20", "2026-11-20T12:00:00", "17:00");
    row("Fr 22-24; Sa-Su 0-24; Mo 0-7", "2026-11-20T22:30:00", "Mon 07:00");
    row("Mo-Fr 0-24", "2026-11-18T12:00:00", "Fri 24:00");
    row("Mo-Su 0-24", "2026-11-18T12:00:00", "never");
}

void TstWeekHours::ends()
{
    QFETCH(QString, hours);
    QFETCH(QString, now);
    QFETCH(QString, until);
    const std::optional<WeekHours> parsed = weekHours(hours);
    QVERIFY(parsed);
    const auto end = hoursEnd(*parsed, QDateTime::fromString(now, Qt::ISODate));
    QCOMPARE(!end ? QString() : end->never ? u"never"_s : end->until, until);
}

void TstWeekHours::wholeWeek_data()
{
    QTest::addColumn<bool>("whole");
    QTest::newRow("0-24") << true;
    QTest::newRow("9-9") << true;
    QTest::newRow("Mo-Fr 0-24; Sa-Su 0-24") << true;
    QTest::newRow("0-12; 12-24") << true;
    QTest::newRow("12-24; 0-12") << true;
    QTest::newRow("Mo-Sa 0-24") << false;
    QTest::newRow("Tu-Su 0-24") << false;
    QTest::newRow("0-23:59") << false;
    QTest::newRow("Mo 9-17") << false;
}

void TstWeekHours::wholeWeek()
{
    QFETCH(bool, whole);
    QCOMPARE(isWholeWeek(*weekHours(QString::fromLatin1(QTest::currentDataTag()))), whole);
}

TRAINYARD_TEST(TstWeekHours)
#include "tst_weekhours.moc"
