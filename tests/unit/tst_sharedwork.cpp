// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/sharedwork.h"
#include "tests/helpers/testregistry.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Which hosts had a work folder by a shared file system, in a file that outlives the engine.
class TstSharedWork : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void isKept()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(u"shared.json"_s);
        SharedWork shared(path);
        QVERIFY(!shared.isShared(u"me@lab1"_s, u"/proj"_s));
        shared.note(u"me@lab1"_s, u"/proj/"_s, true);
        shared.note(u"me@lab1"_s, u"/other"_s, true);
        const SharedWork again(path);
        QVERIFY(again.isShared(u"me@lab1"_s, u"/proj"_s));
        QVERIFY(again.isShared(u"me@lab1"_s, u"/other"_s));
        QVERIFY(!again.isShared(u"me@lab1"_s, u"/proj/sub"_s));
        QVERIFY(!again.isShared(u"me@lab2"_s, u"/proj"_s));
        shared.note(u"me@lab1"_s, u"/proj"_s, false); // it was copied the last time
        const SharedWork after(path);
        QVERIFY(!after.isShared(u"me@lab1"_s, u"/proj"_s));
        QVERIFY(after.isShared(u"me@lab1"_s, u"/other"_s));
    }

    void oddFiles_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("no JSON") << QByteArray("x");
        QTest::newRow("other types") << QByteArray(R"({"me@lab1": {"/proj": true}})");
        QTest::newRow("a list") << QByteArray(R"(["/proj"])");
    }
    void oddFiles()
    {
        QFETCH(QByteArray, text);
        const QTemporaryDir folder;
        QFile file(folder.filePath(u"shared.json"_s));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
        file.close();
        SharedWork shared(file.fileName());
        QVERIFY(!shared.isShared(u"me@lab1"_s, u"/proj"_s));
        shared.note(u"me@lab1"_s, u"/proj"_s, true);
        QVERIFY(SharedWork(file.fileName()).isShared(u"me@lab1"_s, u"/proj"_s));
    }

    void staysSmall()
    {
        const QTemporaryDir folder;
        SharedWork shared(folder.filePath(u"shared.json"_s));
        for (int i = 0; i < 300; ++i) {
            shared.note(u"lab1"_s, u"/proj%1"_s.arg(i), true);
        }
        QVERIFY(!shared.isShared(u"lab1"_s, u"/proj0"_s));
        QVERIFY(shared.isShared(u"lab1"_s, u"/proj299"_s));
    }
};

TRAINYARD_TEST(TstSharedWork)
#include "tst_sharedwork.moc"
