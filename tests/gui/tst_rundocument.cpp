// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/rundocument.h"
#include "app/gui/session.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

class TstRunDocument : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void documentOfARun_data()
    {
        QTest::addColumn<QList<OpenDocument>>("open");
        QTest::addColumn<int>("wanted");
        const QString file = u"/home/ada/train.pai.yaml"_s;
        const OpenDocument converted{{}, file, {}, {}, "name: changed\n"};
        const OpenDocument sameText{{}, u"/elsewhere/a.yaml"_s, {}, {}, "name: train\n"};
        const OpenDocument ofAnother{{}, file, u"other"_s, {}, "name: train-2\n"};
        const OpenDocument ofThis{{}, file, u"this"_s, {}, "name: train-3\n"};
        const OpenDocument saved{u"/home/ada/b.yaml"_s, u"/home/ada/b.yaml"_s, {}, {}, "name: train\n"};
        const OpenDocument ran{
            u"/home/ada/c.yaml"_s, u"/home/ada/c.yaml"_s, u"other"_s, {u"this"_s, u"later"_s}, "name: changed\n"};
        const auto row = [](const char *name, const QList<OpenDocument> &open, int wanted) {
            QTest::newRow(name) << open << wanted;
        };
        row("none is open", {}, -1);
        row("to be saved as its file", {saved, converted}, 1);
        row("of its text", {sameText, converted}, 0);
        row("only that of another run", {ofAnother}, -1);
        row("beside that of another run", {converted, ofAnother}, 0);
        row("made from this run", {ofThis}, 0);
        row("a file of its own with the same text", {saved}, -1);
        row("submitted from it", {sameText, ran, converted}, 1);
    }

    void documentOfARun()
    {
        QFETCH(QList<OpenDocument>, open);
        JobDetail job;
        job.summary.uuid = u"this"_s;
        job.summary.file = u"/home/ada/train.pai.yaml"_s;
        job.yaml = "name: train\n";
        QTEST(int(documentOf(job, open)), "wanted");
    }

    // It was saved after it had been run, under another text or the same one.
    void documentOfARunWithoutAFile()
    {
        JobDetail job;
        job.summary.uuid = u"this"_s;
        job.yaml = "name: train\n";
        const OpenDocument saved{u"/home/ada/b.yaml"_s, u"/home/ada/b.yaml"_s, {}, {}, "name: train\n"};
        const OpenDocument other{{}, {}, {}, {}, "name: other\n"};
        QCOMPARE(documentOf(job, {saved, other}), qsizetype(0));
        job.yaml.clear();
        QCOMPARE(documentOf(job, {saved, other}), qsizetype(-1)); // nothing of it is known
    }

    void otherTexts_data()
    {
        QTest::addColumn<QByteArray>("document");
        QTest::addColumn<bool>("isOther");
        QTest::newRow("without what was overridden") << QByteArray("name: train\nparameters: {lr: 0.5}\n") << true;
        QTest::newRow("with what was overridden") << QByteArray("name: train\nparameters: {lr: 0.1}\n") << false;
        QTest::newRow("changed") << QByteArray("name: train\nparameters: {lr: 0.2}\n") << true;
        QTest::newRow("not read") << QByteArray() << false;
    }

    // The submission gave it another value than its text.
    void otherTexts()
    {
        QFETCH(QByteArray, document);
        JobDetail job;
        job.summary.parameters = {{u"lr"_s, 0.1}};
        QVERIFY(!hasOtherText(job, document)); // nothing of it is known
        job.yaml = "name: train\nparameters: {lr: 0.5}\n";
        QTEST(hasOtherText(job, document), "isOther");
    }

    void secretsMakeNoOtherText()
    {
        JobDetail job;
        const QByteArray document = "protocolVersion: 2\nname: train\nsecrets: {token: hidden-value}\n";
        job.yaml = storable(document);
        QVERIFY(!job.yaml.contains("hidden-value"));
        QVERIFY(!hasOtherText(job, document));
        QVERIFY(hasOtherText(job, document + "# more\n"));
    }
};

TRAINYARD_GUI_TEST(TstRunDocument)
#include "tst_rundocument.moc"
