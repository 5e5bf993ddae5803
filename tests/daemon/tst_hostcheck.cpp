// SPDX-License-Identifier: GPL-3.0-or-later
// Checks of hosts that are connected: a second connection says what is found, and the one in use stays.
#include "engine/client/settings.h"
#include "engine/pool/hostpool.h"
#include "tests/helpers/faketransport.h"
#include "tests/helpers/testregistry.h"

#include <QPointer>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace trainyard;
using namespace Qt::StringLiterals;

class TstHostCheck : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_settings = std::make_unique<Settings>(m_folder->filePath(u"engine.json"_s));
        HostPool::Options options;
        options.stateFolder = options.configFolder = options.runtimeFolder = m_folder->path();
        options.makeTransport = [this](const QString &host) {
            return std::make_unique<FakeTransport>(host == "local"_L1 ? &m_local : &m_transports);
        };
        m_pool = std::make_unique<HostPool>(options, *m_settings);
        QVERIFY(m_pool->load());
        m_pool->start();
        const Result<PoolHost *> added = m_pool->add(u"lab1"_s, u"ada@lab1"_s);
        QVERIFY(added);
        m_host = *added;
        QCOMPARE(m_transports.size(), 1);
        greet(m_transports.first());
        QVERIFY(m_host->agent->isOnline());
    }
    void cleanup()
    {
        m_pool.reset();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QVERIFY(m_transports.isEmpty() && m_local.isEmpty());
    }
    void passes();
    void failsBesideTheConnectionInUse();
    void isSharedByWhoAsk();
    void endsWithTheConnectionInUse_data();
    void endsWithTheConnectionInUse();
    void waitsForAPerson();

private:
    static void greet(FakeTransport *agent)
    {
        agent->banner();
        QVERIFY(agent->asked<contract::HelloRequest>());
        agent->say(agent->asked<contract::HelloRequest>()->first, contract::HelloReply());
        QVERIFY(agent->asked<contract::InventoryRequest>());
        agent->say(agent->asked<contract::InventoryRequest>()->first, contract::Inventory());
    }
    // The first check of a test: its transport.
    FakeTransport *check()
    {
        m_pool->check(*m_host);
        return m_transports.value(1);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Settings> m_settings;
    QList<FakeTransport *> m_local, m_transports; // of this computer, and of lab1
    std::unique_ptr<HostPool> m_pool;
    PoolHost *m_host = nullptr;
};
TRAINYARD_TEST(TstHostCheck)

void TstHostCheck::passes()
{
    QSignalSpy progress(m_pool.get(), &HostPool::progressed);
    QVERIFY(!m_host->check);
    FakeTransport *second = check();
    QVERIFY(second && second->isStarted);
    QVERIFY(m_host->check && m_host->check->state() == StepState::Running);
    QVERIFY(progress.size() > 0); // who asks for it sees that it is under way
    progress.clear();
    greet(second);
    QCOMPARE(m_host->check->state(), StepState::Passed);
    QVERIFY(progress.size() > 0);
    QCOMPARE(m_host->check->steps().last().state, StepState::Passed);
    QTRY_COMPARE(m_transports.size(), 1); // it is closed again
    QVERIFY(m_host->agent->isOnline());
}

// Tasks and logs go on over the connection in use.
void TstHostCheck::failsBesideTheConnectionInUse()
{
    QSignalSpy states(m_pool.get(), &HostPool::stateChanged);
    FakeTransport *first = m_transports.first();
    int answers = 0;
    m_host->agent->request(contract::Observe{"/a"}, [&](const contract::Message &answer) {
        answers += std::holds_alternative<contract::Observed>(answer) ? 1 : 100;
    });
    FakeTransport *second = check();
    QVERIFY(second);
    second->end(u"host.unreachable"_s);
    QCOMPARE(m_host->check->state(), StepState::Failed);
    QCOMPARE(m_host->check->error().code, u"host.unreachable"_s);
    const QList<HostStep> steps = m_host->check->steps();
    QVERIFY(std::any_of(steps.cbegin(), steps.cend(),
        [](const HostStep &step) { return step.state == StepState::Failed && step.code == "host.unreachable"_L1; }));
    QTRY_COMPARE(m_transports, QList{first});
    QVERIFY(m_host->agent->isOnline());
    QCOMPARE(states.size(), 0);
    QCOMPARE(answers, 0);
    first->say(first->asked<contract::Observe>()->first, contract::Observed());
    QCOMPARE(answers, 1);
    // The next one says what is found then.
    m_pool->check(*m_host);
    QCOMPARE(m_host->check->state(), StepState::Running);
    greet(m_transports.value(1));
    QCOMPARE(m_host->check->state(), StepState::Passed);
}

void TstHostCheck::isSharedByWhoAsk()
{
    check();
    m_pool->check(*m_host);
    QCOMPARE(m_transports.size(), 2);
    m_pool->check(*m_pool->find(u"local"_s)); // which has no second way to it
    QVERIFY(!m_pool->find(u"local"_s)->check && m_local.size() == 1);
}

void TstHostCheck::endsWithTheConnectionInUse_data()
{
    QTest::addColumn<QString>("how");
    for (const char *how : {"cut", "target", "removed"}) {
        QTest::newRow(how) << QString::fromLatin1(how);
    }
}

// What is found says nothing any more: the steps of the next connection do.
void TstHostCheck::endsWithTheConnectionInUse()
{
    QFETCH(QString, how);
    const QPointer<FakeTransport> second = check();
    QVERIFY(second);
    if (how == "cut"_L1) {
        m_transports.first()->end(u"host.cut"_s);
        QVERIFY(!m_host->check);
    } else if (how == "target"_L1) {
        QVERIFY(m_pool->setTarget(*m_host, u"ada@lab2"_s));
        QVERIFY(!m_host->check);
    } else {
        QVERIFY(m_pool->remove(*m_host));
    }
    QTRY_VERIFY(!second);
    if (how != "removed"_L1) {
        m_pool->check(*m_host); // it is not connected: there is nothing beside which it could be tried
        QVERIFY(!m_host->check);
    }
}

// The time that it has does not run while somebody is asked.
void TstHostCheck::waitsForAPerson()
{
    HostQuestions &questions = m_pool->questions();
    questions.setCanAsk(true);
    check();
    SshTransport ssh({});
    questions.watch(&ssh, m_host->id);
    Q_EMIT ssh.asked(1, u"Password:"_s, u"password"_s);
    QCOMPARE(questions.all().size(), 1);
    QVERIFY(m_host->check->waitsForPerson());
    QVERIFY(questions.answer(questions.all().first().id, u"4711"_s));
    QVERIFY(!m_host->check->waitsForPerson());
}

#include "tst_hostcheck.moc"
