// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "widgets/form/shelllook.h"

#include <QCoreApplication>
#include <QSemaphore>
#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include <atomic>
#include <memory>

using namespace trainyard;
using namespace Qt::StringLiterals;

// What a document knows of its commands, which bash reads aside.
class TstShellLook : public QObject
{
    Q_OBJECT

    struct Bash {
        std::atomic_int asked = 0, onGuiThread = 0;
        QSemaphore answers;
    };
    // A script with "(" in it is wrong.
    static ShellLook::FaultOf by(const std::shared_ptr<Bash> &bash)
    {
        return [bash](const QString &script) {
            ++bash->asked;
            bash->onGuiThread += QThread::currentThread() == qApp->thread() ? 1 : 0;
            bash->answers.acquire();
            return script.contains(u'(') ? ShellFault{1, u"syntax error"_s} : ShellFault();
        };
    }

private Q_SLOTS:
    void readsAside()
    {
        const auto bash = std::make_shared<Bash>();
        ShellLook look(nullptr, by(bash), 0);
        QSignalSpy changed(&look, &ShellLook::changed);
        QVERIFY(!look.faults()(u"w"_s, u"echo ("_s)); // it has not been read yet
        QTRY_COMPARE(bash->asked.load(), 1);
        bash->answers.release();
        QVERIFY(changed.wait());
        const std::optional<ShellFault> fault = look.faults()(u"w"_s, u"echo ("_s);
        QVERIFY(fault && fault->line == 1);
        QCOMPARE(bash->asked.load(), 1);
        QCOMPARE(bash->onGuiThread.load(), 0);
    }

    // While it is typed, the commands are not complete. Only what rests is read.
    void onlyWhatRests()
    {
        const auto bash = std::make_shared<Bash>();
        bash->answers.release(10);
        ShellLook look(nullptr, by(bash), 300);
        for (const QString &typed : {u"f"_s, u"f ("_s, u"f (\n"_s}) {
            QVERIFY(!look.faults()(u"w"_s, typed));
        }
        QSignalSpy changed(&look, &ShellLook::changed);
        QVERIFY(changed.wait());
        QCOMPARE(bash->asked.load(), 1);
        QVERIFY(look.faults()(u"w"_s, u"f (\n"_s));
    }

    // What is typed while bash reads is read next, and an answer about the text before changes nothing.
    void whatIsTypedMeanwhile()
    {
        const auto bash = std::make_shared<Bash>();
        ShellLook look(nullptr, by(bash), 0);
        QVERIFY(!look.faults()(u"w"_s, u"a ("_s));
        QTRY_COMPARE(bash->asked.load(), 1);
        QVERIFY(!look.faults()(u"w"_s, u"b ("_s));
        QSignalSpy changed(&look, &ShellLook::changed);
        bash->answers.release(2);
        QVERIFY(changed.wait());
        QCOMPARE(changed.size(), 1);
        QVERIFY(look.faults()(u"w"_s, u"b ("_s));
        QCOMPARE(bash->asked.load(), 2);
    }

    // A fault stays, at its line, until bash has read what was typed since.
    void aFaultStaysWhileOneTypes()
    {
        const auto bash = std::make_shared<Bash>();
        ShellLook look(nullptr, by(bash), 0);
        QSignalSpy changed(&look, &ShellLook::changed);
        bash->answers.release();
        QVERIFY(!look.faults()(u"w"_s, u"echo ("_s));
        QVERIFY(changed.wait());
        QVERIFY(look.faults()(u"w"_s, u"echo ("_s));

        const KnownShellFault faults = look.faults();
        const std::optional<ShellFault> typing = faults(u"w"_s, u"cd x\necho ("_s);
        QVERIFY(typing && typing->line == 2 && typing->message == "syntax error"_L1);
        QVERIFY(!faults(u"other"_s, u"cd y"_s)); // another role has not had it
        const std::optional<ShellFault> corrected = look.faults()(u"w"_s, u"cd x\necho"_s);
        QVERIFY(corrected && corrected->line == 2);
        bash->answers.release(10);
        QTRY_VERIFY(look.faults()(u"w"_s, u"cd x\necho"_s) == ShellFault()); // bash has read it
        QVERIFY(changed.size() >= 2); // the window was told that it is gone
        QVERIFY(!look.faults()(u"w"_s, u"cd x\necho a"_s)); // and it does not come back
    }

    // News of hosts check the same text again, however often: that does not put the reading off.
    void otherChecksDoNotDelay()
    {
        const auto bash = std::make_shared<Bash>();
        bash->answers.release(10);
        ShellLook look(nullptr, by(bash), 200);
        QSignalSpy changed(&look, &ShellLook::changed);
        QTRY_VERIFY(changed.size() == 1 || look.faults()(u"w"_s, u"c ("_s).has_value());
        QCOMPARE(bash->asked.load(), 1);
    }
};

TRAINYARD_TEST(TstShellLook)
#include "tst_shelllook.moc"
