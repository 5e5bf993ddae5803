// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/jobdocument.h"
#include "model/template/unresolved.h"
#include "tests/helpers/testregistry.h"
#include "widgets/text/unresolvedtexts.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// References in the commands of a job that refer to nothing.
class TstUnresolved : public QObject
{
    Q_OBJECT

    static QByteArray jobWith(const QByteArray &command, const QByteArray &more = {})
    {
        return "protocolVersion: 2\nname: train\ntype: job\n"
               "parameters: {lr: 0.1, batch: {size: 8}}\n"
            + more
            + "taskRoles:\n  w:\n    instances: 1\n    resourcePerInstance: {cpu: 1, memoryMB: 100, gpu: 0}\n"
              "    commands:\n      - |\n        "
            + command + "\n";
    }

private Q_SLOTS:
    void found_data()
    {
        QTest::addColumn<QByteArray>("command");
        QTest::addColumn<QByteArray>("more");
        QTest::addColumn<QStringList>("keys");
        const QByteArray secrets = "secrets: {token: \"******\"}\n";
        QTest::newRow("none") << QByteArray("train <% $parameters.lr %> <% $secrets.token %>") << secrets
                              << QStringList();
        QTest::newRow("a parameter, twice") << QByteArray("a <% $parameters.lrr %> '<% $parameters.lrr %>'")
                                            << QByteArray() << QStringList{u"$parameters.lrr"_s};
        QTest::newRow("inside of a parameter")
            << QByteArray("a <% $parameters.batch.size %> <% $parameters.batch.count %>") << QByteArray()
            << QStringList{u"$parameters.batch.count"_s};
        QTest::newRow("a secret, without any")
            << QByteArray("a <% $secrets.token %>") << QByteArray() << QStringList{u"$secrets.token"_s};
        QTest::newRow("another secret") << QByteArray("a <% $secrets.tokn %>") << secrets
                                        << QStringList{u"$secrets.tokn"_s};
        QTest::newRow("all secrets are masked")
            << QByteArray("a <% $secrets.any %>") << QByteArray("secrets: \"******\"\n") << QStringList();
        QTest::newRow("a template of the user's own")
            << QByteArray("echo '<% name %>' > page.erb") << QByteArray() << QStringList();
        QTest::newRow("no data are chosen")
            << QByteArray("ls <% $data.uri.0 %>") << QByteArray() << QStringList{u"$data.uri.0"_s};
    }
    void found()
    {
        QFETCH(const QByteArray, command);
        QFETCH(const QByteArray, more);
        QFETCH(const QStringList, keys);
        const ParseOutcome outcome = parseJob(jobWith(command, more));
        QVERIFY(outcome.spec);
        QStringList all;
        for (const UnresolvedReference &each : unresolvedReferences(*outcome.spec)) {
            all.append(each.key);
        }
        QCOMPARE(all, keys);
    }

    // What bash is left with behind "%>", which it reads as a redirection.
    void tokensBehind_data()
    {
        QTest::addColumn<QByteArray>("command");
        QTest::addColumn<QStringList>("before");
        QTest::newRow("the end") << QByteArray("a --lr <% $parameters.lrr %>") << QStringList{u"newline"_s};
        QTest::newRow("the end of a line")
            << QByteArray("a --lr <% $parameters.lrr %> \\\n        b") << QStringList(); // a backslash joins the lines
        QTest::newRow("a comment") << QByteArray("a <% $parameters.lrr %> # b") << QStringList{u"newline"_s};
        QTest::newRow("a file") << QByteArray("a <% $parameters.lrr %> > b") << QStringList{u">"_s};
        QTest::newRow("more of a file") << QByteArray("a <% $parameters.lrr %> >> b") << QStringList{u">>"_s};
        QTest::newRow("a pipe") << QByteArray("a <% $parameters.lrr %> | b") << QStringList{u"|"_s};
        QTest::newRow("a list, then nothing")
            << QByteArray("a <% $parameters.lrr %> && b <% $parameters.lrr %>") << QStringList{u"&&"_s, u"newline"_s};
        QTest::newRow("a word") << QByteArray("a <% $parameters.lrr %> b") << QStringList();
        QTest::newRow("at once") << QByteArray("a <% $parameters.lrr %>> b") << QStringList();
        QTest::newRow("quoted") << QByteArray("a '<% $parameters.lrr %>'") << QStringList();
    }
    void tokensBehind()
    {
        QFETCH(const QByteArray, command);
        QFETCH(const QStringList, before);
        const ParseOutcome outcome = parseJob(jobWith(command, {}));
        QVERIFY(outcome.spec);
        const QList<UnresolvedReference> found = unresolvedReferences(*outcome.spec);
        QCOMPARE(found.size(), 1);
        QCOMPARE(found.constFirst().before, before);
    }

    void theNearestNameIsTold()
    {
        QCOMPARE(unresolvedText(jobWith("echo 'lr=<% $parameters.lrr %>' > cfg.txt")),
            u"There is no parameter lrr, so <% $parameters.lrr %> remains in the commands as it is; did you mean lr?"_s);
        QCOMPARE(unresolvedText(jobWith("echo '<% $secrets.token %>'")),
            u"There is no secret token, so <% $secrets.token %> remains in the commands as it is."_s);
        QCOMPARE(unresolvedText(jobWith("echo <% $parameters.lr %>")), QString());
    }
};
TRAINYARD_TEST(TstUnresolved)

#include "tst_unresolved.moc"
