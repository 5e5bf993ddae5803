// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "widgets/text/sentences.h"

#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

// Sentences with counts, whose words agree with these.
class TstSentences : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void countsAgreeWithTheirWords_data()
    {
        QTest::addColumn<QString>("code");
        QTest::addColumn<QJsonObject>("args");
        QTest::addColumn<QString>("beginning");
        QTest::newRow("one ended the job") << u"legacy.kill-all"_s << QJsonObject{{u"number"_s, 1}, {u"instances"_s, 1}}
                                           << u"The job ended when 1 task had completed, with or without failure. Now "
                                              "it succeeds when 1 task has succeeded,"_s;
        QTest::newRow("several did") << u"legacy.kill-all"_s << QJsonObject{{u"number"_s, 5}, {u"instances"_s, 2}}
                                     << u"The job ended when 5 tasks had completed, with or without failure. Now it "
                                        "succeeds when 2 tasks have succeeded,"_s;
        QTest::newRow("one of any role") << u"legacy.kill-all-kept"_s << QJsonObject{{u"number"_s, 1}}
                                         << u"The job ends when 1 task of any role has completed."_s;
        QTest::newRow("several of any role") << u"legacy.kill-all-kept"_s << QJsonObject{{u"number"_s, 3}}
                                             << u"The job ends when 3 tasks of any role have completed."_s;
    }
    void countsAgreeWithTheirWords()
    {
        QFETCH(QString, code);
        QFETCH(QJsonObject, args);
        QFETCH(QString, beginning);
        const QString found = sentence(code, args);
        QVERIFY2(found.startsWith(beginning), qPrintable(found));
    }
};

TRAINYARD_TEST(TstSentences)
#include "tst_sentences.moc"
