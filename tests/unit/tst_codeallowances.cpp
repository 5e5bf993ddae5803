// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/codeallowances.h"
#include "tests/helpers/testregistry.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// What was said of large work folders, in a file that outlives the engine.
class TstCodeAllowances : public QObject
{
    Q_OBJECT

    static CodeLimits wide(const CodeAllowances &allowances, const QString &folder)
    {
        return allowances.widened({100, 10}, folder);
    }

private Q_SLOTS:
    void isKept()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(u"config/allowed.json"_s);
        CodeAllowances allowances(path);
        QCOMPARE(wide(allowances, u"/proj"_s).bytes, 100);
        allowances.allow(u"/proj/"_s, 300, 4, 1);
        const CodeAllowances again(path);
        QCOMPARE(wide(again, u"/proj"_s).bytes, 600); // until it has doubled
        QCOMPARE(wide(again, u"/proj"_s).files, 10); // never less than the settings allow
        QCOMPARE(wide(again, u"/proj/sub"_s).bytes, 100);
        allowances.allow(u"/proj"_s, 10, 400, 2); // the newest word counts
        QCOMPARE(wide(again, u"/proj"_s).bytes, 100);
        QCOMPARE(wide(again, u"/proj"_s).files, 800);
    }

    void oddFiles_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("no JSON") << QByteArray("x");
        QTest::newRow("other types") << QByteArray(R"({"folders": {"/proj": 5}})");
        QTest::newRow("below zero") << QByteArray(R"({"folders": {"/proj": {"bytes": -5, "files": "y"}}})");
    }
    void oddFiles()
    {
        QFETCH(QByteArray, text);
        const QTemporaryDir folder;
        QFile file(folder.filePath(u"allowed.json"_s));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
        file.close();
        CodeAllowances allowances(file.fileName());
        QCOMPARE(wide(allowances, u"/proj"_s).bytes, 100);
        allowances.allow(u"/proj"_s, 300, 4, 1);
        QCOMPARE(wide(CodeAllowances(file.fileName()), u"/proj"_s).bytes, 600);
    }

    // Where the file cannot be written, the word counts as long as the engine runs.
    void countsUnwritten()
    {
        CodeAllowances allowances(u"/dev/null/allowed.json"_s);
        allowances.allow(u"/proj"_s, 300, 4, 1);
        QCOMPARE(wide(allowances, u"/proj"_s).bytes, 600);
    }

    void oldestGo()
    {
        const QTemporaryDir folder;
        QJsonObject said;
        for (int i = 0; i < 1000; ++i) {
            said.insert(
                u"/proj"_s + QString::number(i), QJsonObject{{u"bytes"_s, 300}, {u"files"_s, 4}, {u"at"_s, i + 1}});
        }
        QFile file(folder.filePath(u"allowed.json"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QVERIFY(file.write(QJsonDocument(QJsonObject{{u"folders"_s, said}}).toJson()) > 0);
        file.close();
        CodeAllowances allowances(file.fileName());
        QCOMPARE(wide(allowances, u"/proj0"_s).bytes, 600);
        allowances.allow(u"/proj1000"_s, 300, 4, 1001);
        QCOMPARE(wide(allowances, u"/proj0"_s).bytes, 100);
        QCOMPARE(wide(allowances, u"/proj1"_s).bytes, 600);
        QCOMPARE(wide(allowances, u"/proj1000"_s).bytes, 600);
    }
};

TRAINYARD_TEST(TstCodeAllowances)
#include "tst_codeallowances.moc"
