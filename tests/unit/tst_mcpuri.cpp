// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/mcptools.h"
#include "app/cli/mcpuri.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace trainyard::cli::mcp;

// The addresses of what an assistant may read: each has one spelling, and everything else is none.
class TstMcpUri : public QObject
{
    Q_OBJECT

    using Kind = ResourceUri::Kind;

private Q_SLOTS:
    void addresses_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<ResourceUri>("uri");
        const auto row = [](const QString &text, const ResourceUri &uri) {
            QTest::newRow(qPrintable(text)) << QString(u"trainyard://"_s + text) << uri;
        };
        const QString uuid = u"0b6f1c9e-77aa-4c1e-9f00-0123456789ab"_s;
        row(u"jobs"_s, {});
        row(u"jobs?from=20"_s, {Kind::Jobs, {}, {}, -1, 20});
        row(u"jobs?from=0"_s, {Kind::Jobs, {}, {}, -1, 0});
        row(u"job/41"_s, {Kind::Job, u"41"_s});
        row(u"job/41?from=100"_s, {Kind::Job, u"41"_s, {}, -1, 100});
        row(u"job/0b6f1c9e"_s, {Kind::Job, u"0b6f1c9e"_s});
        row(u"job/"_s + uuid, {Kind::Job, uuid});
        row(u"job/41/yaml"_s, {Kind::Yaml, u"41"_s});
        row(u"job/41/yaml?from=500"_s, {Kind::Yaml, u"41"_s, {}, -1, 500});
        row(u"job/41/why"_s, {Kind::Why, u"41"_s});
        row(u"job/41/why/worker/0"_s, {Kind::Why, u"41"_s, u"worker"_s, 0});
        row(u"job/41/log/ps-server_2/12"_s, {Kind::Log, u"41"_s, u"ps-server_2"_s, 12});
        row(u"job/41/log/worker/0?from=7"_s, {Kind::Log, u"41"_s, u"worker"_s, 0, 7});
        row(u"job/41/metrics"_s, {Kind::Metrics, u"41"_s});
        row(u"job/41/metrics/worker/3?from=0"_s, {Kind::Metrics, u"41"_s, u"worker"_s, 3, 0});
    }
    void addresses()
    {
        QFETCH(QString, text);
        QFETCH(ResourceUri, uri);
        const std::optional<ResourceUri> parsed = ResourceUri::parse(text);
        QVERIFY(parsed);
        QVERIFY(*parsed == uri);
        QCOMPARE(parsed->text(), text); // the one spelling
        QVERIFY(!parsed->whole().from);
        QVERIFY(ResourceUri::parse(parsed->whole().text()) == parsed->whole());
    }

    // What is read of a job is what the tool of that name gives; only its text has none.
    void kindsAreTools()
    {
        for (const Kind kind : {Kind::Jobs, Kind::Job, Kind::Yaml, Kind::Why, Kind::Log, Kind::Metrics}) {
            const QString word = ResourceUri::word(kind);
            QVERIFY2(!word.isEmpty() && (toolNamed(word) != nullptr) == (kind != Kind::Yaml), qPrintable(word));
        }
    }

    void noAddresses_data()
    {
        QTest::addColumn<QString>("text");
        const QStringList wrong{u""_s, u"jobs"_s, u"trainyard:"_s, u"trainyard://"_s, u"trainyard:jobs"_s,
            u"trainyard:///jobs"_s, u"TRAINYARD://jobs"_s, u"trainyard://Jobs"_s, u"trainyard://jobs/"_s,
            u" trainyard://jobs"_s, u"trainyard://jobs\n"_s, u"trainyard://jobs "_s, u"trainyard://jobs#x"_s,
            u"trainyard://user@jobs"_s, u"trainyard://jobs:80"_s, u"trainyard://jobs?"_s, u"trainyard://jobs?from="_s,
            u"trainyard://jobs?from=-1"_s, u"trainyard://jobs?from=01"_s, u"trainyard://jobs?from=1&from=2"_s,
            u"trainyard://jobs?limit=5"_s, u"trainyard://jobs?from=10000000000"_s, u"trainyard://job"_s,
            u"trainyard://job/"_s, u"trainyard://job/0"_s, u"trainyard://job/041"_s, u"trainyard://job/-1"_s,
            u"trainyard://job/41/"_s, u"trainyard://job//41"_s, u"trainyard://job/%34%31"_s, u"trainyard://job/4%31"_s,
            u"trainyard://job/resnet"_s, u"trainyard://job/--log=x"_s, u"trainyard://job/0B6F1C9E"_s,
            u"trainyard://job/0b6f1c"_s, u"trainyard://job/41/secrets"_s, u"trainyard://job/41/yaml/worker/0"_s,
            u"trainyard://job/41/yaml?from=0"_s, u"trainyard://job/41/why?from=1"_s, u"trainyard://job/41/log"_s,
            u"trainyard://job/41/log/worker"_s, u"trainyard://job/41/log/worker/0?from=0"_s,
            u"trainyard://job/41/log/worker/00"_s, u"trainyard://job/41/log/worker/-1"_s,
            u"trainyard://job/41/log/../0"_s, u"trainyard://job/41/log/../../etc/passwd"_s,
            u"trainyard://job/../jobs"_s, u"trainyard://job/41/log/%2e%2e/0"_s, u"trainyard://job/41/log/a%2fb/0"_s,
            u"trainyard://job/41/log/worker/0/stdout"_s, u"trainyard://job/41/log/wörker/0"_s,
            u"trainyard://job/41\\log"_s, u"file:///etc/passwd"_s, u"https://jobs"_s, u"trainyard-job://jobs"_s,
            u"trainyard://job/٤١"_s};
        for (qsizetype i = 0; i < wrong.size(); ++i) {
            QTest::addRow("%d: %s", int(i), qPrintable(wrong.at(i).simplified())) << wrong.at(i);
        }
        QTest::newRow("byte 0") << QString(u"trainyard://jobs"_s + QChar(0));
        QTest::newRow("long number") << QString(u"trainyard://job/"_s + QString(10 << 20, u'1'));
        QTest::newRow("long role") << QString(u"trainyard://job/1/log/"_s + QString(256, u'a') + u"/0"_s);
    }
    void noAddresses()
    {
        QFETCH(QString, text);
        QVERIFY(!ResourceUri::parse(text));
    }
};
TRAINYARD_TEST(TstMcpUri)
#include "tst_mcpuri.moc"
