// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/threads.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/stuckfolder.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/readingthread.h"
#include "widgets/log/logfeed.h"
#include "widgets/plot/metricsfeed.h"
#include "widgets/plot/tasksparks.h"

#include <QDir>
#include <QSemaphore>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <functional>
#include <memory>

using namespace trainyard;
using namespace Qt::StringLiterals;

// Threads that read files, when nobody wants what they read any more.
class TstReadingThread : public QObject
{
    Q_OBJECT

    struct Gate {
        QSemaphore reads, mayRead;
        std::atomic<bool> isGone = false;
    };
    // One that reads for as long as its gate is closed, and then answers.
    class Reader : public QObject
    {
    public:
        Reader(std::shared_ptr<Gate> gate, std::function<void()> answer)
            : m_gate(std::move(gate)), m_answer(std::move(answer))
        {
        }
        ~Reader() override
        {
            m_gate->isGone = true;
            threads::give();
        }
        void read()
        {
            m_gate->reads.release();
            m_gate->mayRead.acquire();
            m_answer();
        }

    private:
        std::shared_ptr<Gate> m_gate;
        std::function<void()> m_answer;
    };

    static qsizetype threadCount()
    {
        return QDir(u"/proc/self/task"_s).entryList(QDir::Dirs | QDir::NoDotAndDotDot).size();
    }

private Q_SLOTS:
    void answersWhoIsThere()
    {
        const auto gate = std::make_shared<Gate>();
        QObject receiver;
        int answers = 0;
        const auto back = std::make_shared<WayBack>(&receiver);
        auto *reader = new Reader(gate, [back, &answers] { back->callLater([&answers] { ++answers; }); });
        {
            const ReadingThread thread(u"reading"_s, reader, back);
            gate->mayRead.release();
            threads::callLater(reader, [reader] { reader->read(); });
            QTRY_COMPARE(answers, 1);
        }
        QTRY_VERIFY(gate->isGone);
    }

    // What it reads comes after its owner is gone: it answers nobody, and is gone itself.
    void oneThatIsLeftBehindEndsWithItsWork()
    {
        const auto gate = std::make_shared<Gate>();
        QObject receiver;
        int answers = 0;
        {
            const auto back = std::make_shared<WayBack>(&receiver);
            auto *reader = new Reader(gate, [back, &answers] { back->callLater([&answers] { ++answers; }); });
            const ReadingThread thread(u"reading"_s, reader, back);
            threads::callLater(reader, [reader] { reader->read(); });
            QVERIFY(gate->reads.tryAcquire(1, 5000));
        }
        QVERIFY(!gate->isGone);
        gate->mayRead.release();
        QTRY_VERIFY(gate->isGone);
        QCoreApplication::processEvents();
        QCOMPARE(answers, 0);
    }

    void deadDiskHoldsNoFeed_data()
    {
        QTest::addColumn<QString>("feed");
        QTest::newRow("log") << u"log"_s;
        QTest::newRow("metrics") << u"metrics"_s;
        QTest::newRow("sparks") << u"sparks"_s;
    }
    // Closing a page whose files are on a disk that never answers closes it.
    void deadDiskHoldsNoFeed()
    {
        QFETCH(const QString, feed);
        QTemporaryDir home;
        StuckFolder disk(home.filePath(u"dead"_s));
        SKIP_UNLESS_THERE(disk);
        const QString folder = home.filePath(u"dead/0"_s);
        const qsizetype before = threadCount();
        auto page = std::make_unique<QObject>();
        if (feed == "log"_L1) {
            auto *log = new LogFeed(page.get());
            log->open(TryLogSource::factory(folder, LogSource::Filter::Both));
        } else if (feed == "metrics"_L1) {
            auto *metrics = new MetricsFeed(page.get());
            metrics->setWatching(true);
            metrics->add(0, {.earlier = {}, .newest = folder}, MetricPatterns());
        } else {
            auto *sparks = new TaskSparks(page.get());
            sparks->watch({{u"worker/0"_s, folder}});
        }
        QTRY_VERIFY(disk.waiting() > 0);
        page.reset();
        disk.release();
        QTRY_VERIFY(threadCount() <= before);
    }
};

TRAINYARD_GUI_TEST(TstReadingThread)
#include "tst_readingthread.moc"
