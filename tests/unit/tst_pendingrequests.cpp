// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/connectionlosses.h"
#include "engine/client/pendingrequests.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

#include <memory>

using namespace trainyard;
using namespace Qt::StringLiterals;

// What becomes of the requests of a client when its connection is lost, and when the next one is made.
class TstPendingRequests : public QObject
{
    Q_OBJECT

    PendingRequest request(const QString &name, bool isSubmission = false)
    {
        PendingRequest who;
        who.context = this;
        who.isSubmission = isSubmission;
        who.reply = [this, name](const Result<QJsonValue> &answer) {
            m_answers.append(name + u": "_s + (answer ? u"ok"_s : answer.error().code));
        };
        return who;
    }
    QStringList m_answers;

private Q_SLOTS:
    void failing_data()
    {
        QTest::addColumn<QString>("code");
        QTest::addColumn<bool>("comesBack");
        QTest::addColumn<QStringList>("expected");
        QTest::newRow("lost, and made again")
            << u"engine.gone"_s << true << QStringList{u"a: engine.gone"_s, u"b: engine.submit-unknown"_s};
        QTest::newRow("lost for good") << u"engine.gone"_s << false
                                       << QStringList{
                                              u"a: engine.gone"_s, u"b: engine.submit-unknown"_s, u"c: engine.gone"_s};
        QTest::newRow("it does not answer") << u"engine.not-answering"_s << true
                                            << QStringList{u"a: engine.not-answering"_s,
                                                   u"b: engine.submit-unanswered"_s, u"c: engine.not-answering"_s};
        QTest::newRow("it cannot be started")
            << u"engine.not-started"_s << true
            << QStringList{u"a: engine.not-started"_s, u"b: engine.not-started"_s, u"c: engine.not-started"_s};
    }

    // "b" may have been taken in by the engine, and "c", a submission as well, was never sent.
    void failing()
    {
        QFETCH(QString, code);
        QFETCH(bool, comesBack);
        m_answers.clear();
        PendingRequests requests;
        PendingRequest own = request(u"own"_s);
        own.isOwn = true;
        requests.add(1, request(u"a"_s));
        requests.add(2, own);
        requests.add(3, request(u"b"_s, true));
        requests.queue(request(u"c"_s, true), {});
        QVERIFY(requests.isAnyAwaited());
        requests.failAll({code, {}}, comesBack);
        m_answers.sort();
        QTEST(m_answers, "expected");
        QVERIFY(!requests.isAnyAwaited());
        QVERIFY(requests.find(2)); // it is forgotten with its connection
        requests.dropOwn();
        QVERIFY(!requests.find(2));
        QCOMPARE(requests.isAnyQueued(), m_answers.size() == 2);
    }

    void answerMayDeleteThem()
    {
        m_answers.clear();
        auto requests = std::make_unique<PendingRequests>();
        PendingRequest last = request(u"a"_s);
        last.reply = [&requests](const Result<QJsonValue> &) { requests.reset(); };
        requests->add(1, last);
        requests->failAll({u"engine.gone"_s, {}}, true);
        QVERIFY(!requests);
    }

    void lossesAreMadeUpForLater()
    {
        ConnectionLosses losses;
        QList<int> pauses;
        for (int i = 0; i < 7; ++i) {
            losses.count(false, false);
            pauses.append(losses.pauseMs());
        }
        QCOMPARE(pauses, (QList<int>{0, 50, 100, 200, 400, 400, 400}));
        QCOMPARE(losses.inVain(), 7);
        losses.count(true, false); // it was ready for a moment: still in a row, and not in vain
        QCOMPARE(losses.pauseMs(), 400);
        QCOMPARE(losses.inVain(), 0);
        losses.count(true, true);
        QCOMPARE(losses.pauseMs(), 0);
        losses.count(false, false);
        losses.count(false, false);
        losses.forget();
        QCOMPARE(losses.inVain(), 0);
        losses.count(false, false);
        QCOMPARE(losses.pauseMs(), 0);
    }
};

TRAINYARD_TEST(TstPendingRequests)
#include "tst_pendingrequests.moc"
