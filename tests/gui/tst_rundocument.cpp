// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/documentchecks.h"
#include "app/gui/controllers/rundocument.h"
#include "app/gui/session.h"
#include "model/protocol/jobname.h"
#include "model/yaml/yamldocument.h"
#include "tests/helpers/testregistry.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

#include <memory>

using namespace Qt::StringLiterals;
using namespace trainyard;

class TstRunDocument : public QObject
{
    Q_OBJECT

    static DocumentQuestion questionOf(const QString &file)
    {
        DocumentQuestion question;
        question.job.summary.uuid = u"this"_s;
        question.job.summary.name = u"train"_s;
        question.job.summary.file = file;
        question.job.yaml = "protocolVersion: 2\ntype: job\nname: train\n"
                            "taskRoles:\n  worker:\n    commands:\n      - python train.py\n";
        return question;
    }

    static bool write(const QString &path, const QByteArray &bytes)
    {
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
    }

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

    // A retry had the text of another document: the values of secrets are looked for in that one.
    void documentOfTheNewestText()
    {
        const QString first = u"/home/ada/train.pai.yaml"_s, second = u"/home/ada/other.yaml"_s;
        JobDetail job;
        job.summary.uuid = u"this"_s;
        job.summary.file = first;
        job.yaml = "name: train\n";
        const OpenDocument submitted{first, first, {}, {u"this"_s}, "name: changed\n"};
        const OpenDocument other{second, second, u"this"_s, {}, "name: train\n"};
        const OpenDocument draft{{}, {}, {}, {}, "name: train\n"};
        QCOMPARE(fileOfText(job), first);
        QCOMPARE(documentOfText(job, {other, submitted}), qsizetype(1));
        job.textFile = first;
        QCOMPARE(documentOfText(job, {other, submitted}), qsizetype(1));
        job.textFile = second;
        QCOMPARE(fileOfText(job), second);
        QCOMPARE(documentOfText(job, {other, submitted}), qsizetype(0));
        QCOMPARE(documentOfText(job, {submitted}), qsizetype(-1)); // the file is read
        job.textFile = u"-"_s;
        QCOMPARE(fileOfText(job), QString());
        QCOMPARE(documentOfText(job, {draft, submitted}), qsizetype(0));
        QCOMPARE(documentOfText(job, {submitted}), qsizetype(-1));
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

    void unchangedTexts_data()
    {
        QTest::addColumn<QByteArray>("written");
        QTest::addColumn<QJsonValue>("value");
        QTest::newRow("True") << QByteArray("True") << QJsonValue(true);
        QTest::newRow("FALSE") << QByteArray("FALSE") << QJsonValue(false);
        QTest::newRow("hexadecimal") << QByteArray("0x10") << QJsonValue(16);
        QTest::newRow("grouped") << QByteArray("1_000") << QJsonValue(1000);
        QTest::newRow("octal") << QByteArray("0755") << QJsonValue(493);
        QTest::newRow("sexagesimal") << QByteArray("1:30") << QJsonValue(90);
        QTest::newRow("infinite") << QByteArray(".inf") << QJsonValue(QJsonValue::Null);
        QTest::newRow("quoted") << QByteArray("'0x10'") << QJsonValue(u"0x10"_s);
    }

    // The engine lists every plain parameter of a job, overridden or not.
    void unchangedTexts()
    {
        QFETCH(QByteArray, written);
        QFETCH(QJsonValue, value);
        JobDetail job;
        job.yaml = "name: train\nparameters:\n  p: " + written + '\n';
        job.summary.parameters = {{u"p"_s, value}};
        QVERIFY(!hasOtherText(job, job.yaml));
        QVERIFY(hasOtherText(job, job.yaml + "# more\n"));
    }

    void namesOfTheSubmission()
    {
        const QByteArray document = "protocolVersion: 2\ntype: job\n# mine\nname: my train\n";
        JobDetail job;
        job.summary.name = u"train-7"_s;
        job.yaml = withJobName(document, job.summary.name);
        QVERIFY(job.yaml != document);
        QVERIFY(!hasOtherText(job, document));
        QVERIFY(hasOtherText(job, document + "# more\n"));
        job.yaml = "protocolVersion: 2\ntype: job\nname: train\n"; // a valid one stays in the text
        QVERIFY(!hasOtherText(job, job.yaml));
    }

    void filesOfRuns()
    {
        const QTemporaryDir dir;
        const DocumentQuestion question = questionOf(dir.filePath(u"job.yaml"_s));
        const QString &file = question.job.summary.file;
        QVERIFY(!answerOf(question).differs); // there is none
        QVERIFY(write(file, question.job.yaml));
        QVERIFY(!answerOf(question).differs);
        QVERIFY(write(file, question.job.yaml + "# changed\n"));
        QVERIFY(answerOf(question).differs);
        QVERIFY(write(file, question.job.yaml + "# " + QByteArray(maxCheckedBytes, 'x') + '\n')); // too long
        QVERIFY(jobFileText(file).isEmpty());
        QVERIFY(!answerOf(question).differs);
    }

    // To read a pipe that nobody writes into would take forever.
    void pipesAreNoDocuments()
    {
        const QTemporaryDir dir;
        const DocumentQuestion question = questionOf(dir.filePath(u"pipe"_s));
        QCOMPARE(::mkfifo(QFile::encodeName(question.job.summary.file).constData(), 0600), 0);
        QVERIFY(!answerOf(question).differs);
        QVERIFY(jobFileText(dir.path()).isEmpty());
    }

    void openDocumentsGoBeforeFiles()
    {
        const QTemporaryDir dir;
        DocumentQuestion question = questionOf(dir.filePath(u"job.yaml"_s));
        const QString &file = question.job.summary.file;
        QVERIFY(write(file, question.job.yaml));
        question.documents = {{file, file, {}, {}, question.job.yaml + "# changed\n"}};
        QVERIFY(answerOf(question).differs);
        question.documents.first().runs = {question.job.summary.uuid}; // the right one to go on with
        QVERIFY(!answerOf(question).differs);
    }

    void answersAreKept()
    {
        const QTemporaryDir dir;
        DocumentQuestion question = questionOf(dir.filePath(u"job.yaml"_s));
        const QString &file = question.job.summary.file;
        QVERIFY(write(file, question.job.yaml));
        DocumentAnswer former = answerOf(question);
        QVERIFY(!former.differs && !former.basis.isEmpty());
        former.differs = true; // tells whether it is found once more
        QVERIFY(answerOf(question, former).differs);
        question.documents = {{file, file, {}, {}, question.job.yaml}};
        QVERIFY(!answerOf(question, former).differs);
        question.documents.clear();
        QVERIFY(write(file, question.job.yaml + '\n'));
        former.differs = false;
        QVERIFY(answerOf(question, former).differs);
    }

    void answersComeLater()
    {
        const QTemporaryDir dir;
        DocumentQuestion question = questionOf(dir.filePath(u"job.yaml"_s));
        const QString &file = question.job.summary.file;
        QVERIFY(write(file, question.job.yaml));
        DocumentChecks checks;
        QObject one, other, dropped;
        auto gone = std::make_unique<QObject>();
        QList<bool> ofOne, ofOther;
        bool isOfNone = false;
        checks.ask(&dropped, question, [&](bool) { isOfNone = true; });
        checks.ask(gone.get(), question, [&](bool) { isOfNone = true; });
        checks.ask(&one, question, [&](bool differs) { ofOne.append(differs); });
        question.documents = {{file, file, {}, {}, question.job.yaml + "# changed\n"}};
        checks.ask(&one, question, [&](bool differs) { ofOne.append(differs); }); // only the newest one counts
        checks.ask(&other, question, [&](bool differs) { ofOther.append(differs); });
        checks.drop(&dropped); // it is under way
        gone.reset();
        QVERIFY(ofOne.isEmpty() && ofOther.isEmpty());
        QTRY_COMPARE(ofOther, QList<bool>{true});
        QCOMPARE(ofOne, QList<bool>{true});
        QVERIFY(!isOfNone);
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
