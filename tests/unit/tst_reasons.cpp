// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/reasons.h"
#include "tests/helpers/testregistry.h"
#include "widgets/text/sentences.h"
#include "widgets/text/texts.h"

#include <QJsonDocument>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

class TstReasons : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void everyOneIsReadBack();
    void bytes_data();
    void bytes();
    void ofANewerEngine();
};

namespace
{

// Of each type of the variant the value with which it begins.
template <typename... Rs> std::vector<reason::Any> oneOfEach(const std::variant<Rs...> *)
{
    return {reason::Any(Rs())...};
}

QByteArray jsonOf(const Error &error) { return QJsonDocument(error.args).toJson(QJsonDocument::Compact); }

} // namespace

// Two with the same code, or one that the reader does not know, would be taken for another.
void TstReasons::everyOneIsReadBack()
{
    const std::vector<reason::Any> all = oneOfEach(static_cast<const reason::Any *>(nullptr));
    QVERIFY(all.size() > 30);
    for (const reason::Any &each : all) {
        const Error error = errorOf(each);
        const reason::Any again = reason::any(error.code, error.args);
        QVERIFY2(again.index() == each.index(), qPrintable(error.code));
        QCOMPARE(errorOf(again), error);
        QVERIFY2(error.code.isEmpty() || hasSentence(error.code), qPrintable(error.code));
    }
}

void TstReasons::bytes_data()
{
    QTest::addColumn<Error>("error");
    QTest::addColumn<QByteArray>("args");

    reason::GpusOfHost host{.host = u"h1"_s, .free = 1, .total = 4, .foreign = 1, .held = 0, .excluded = 0, .hours = 1};
    host.until = u"18:00"_s;
    host.jobs = {3, 7};
    host.lost = {2};
    reason::Way way;
    way.ends = {3, 7};
    way.any = true;
    way.lost = {{u"h1"_s, 2}};
    const reason::WaitGpu gpu{.wanted = 4,
        .free = 1,
        .total = 4,
        .host = u"h1"_s,
        .hosts = {host},
        .unblock = {QList{way}, QList<qint64>{9}}};
    QTest::newRow("GPUs")
        << errorOf(gpu)
        << R"({"before":[9],"free":1,"host":"h1","hosts":[{"excluded":0,"foreign":1,"free":1,"held":0,)"
           R"("host":"h1","hours":1,"jobs":[3,7],"lost":[2],"total":4,"until":"18:00"}],"total":4,)"
           R"("wanted":4,"ways":[{"any":true,"ends":[3,7],"lost":[{"host":"h1","index":2}]}]})"_ba;
    const reason::PortOfHost port{u"h1"_s, 8080, 3};
    QTest::newRow("port") << errorOf(reason::WaitPort{.first = port, .hosts = {port}, .more = {}, .unblock = {}})
                          << R"({"host":"h1","hosts":[{"host":"h1","job":3,"port":8080}],"job":3,"port":8080})"_ba;
    const reason::WaitRetry retry{.due = 1000,
        .number = 2,
        .limit = 5,
        .exit = 137,
        .status = 9,
        .role = u"w"_s,
        .index = 0,
        .why = reason::Why{u"exit.user"_s, {{u"status"_s, 3}}}};
    QTest::newRow("retry") << errorOf(retry)
                           << R"({"code":137,"due":1000,"index":0,"limit":5,"number":2,"role":"w","status":9,)"
                              R"("why":{"args":{"status":3},"code":"exit.user"}})"_ba;
    QTest::newRow("refusal") << errorOf(reason::RefuseGpu{u"w"_s, 4, 2, u"h1"_s, {}, {}})
                             << R"({"host":"h1","most":2,"role":"w","wanted":4})"_ba;
    QTest::newRow("port of another try") << errorOf(reason::FixedPortHeld{{u"h1"_s, u"ssh"_s, 22}, u"1-2"_s})
                                         << R"({"holder":"1-2","host":"h1","label":"ssh","port":22})"_ba;
}

// They are in stores, and other versions read them.
void TstReasons::bytes()
{
    QFETCH(const Error, error);
    QTEST(jsonOf(error), "args");
    QCOMPARE(errorOf(reason::any(error.code, error.args)), error);
}

void TstReasons::ofANewerEngine()
{
    const QJsonObject args{{u"moon"_s, u"full"_s}};
    const reason::Any any = reason::any(u"wait.moon"_s, args);
    QVERIFY(std::holds_alternative<reason::Other>(any));
    QCOMPARE(errorOf(any), (Error{u"wait.moon"_s, args}));
    // What is missing or of another type reads as not there.
    const auto wait = reason::as<reason::WaitGpu>(u"wait.gpu"_s, {{u"wanted"_s, u"four"_s}, {u"ways"_s, 3}});
    QVERIFY(wait && wait->wanted == 0 && !wait->unblock.ways && wait->hosts.isEmpty());
    QVERIFY(!reasonText(u"wait.gpu"_s, {{u"wanted"_s, u"four"_s}}).isEmpty());
}

TRAINYARD_TEST(TstReasons)
#include "tst_reasons.moc"
