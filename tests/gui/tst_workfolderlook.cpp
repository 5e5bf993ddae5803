// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "widgets/form/workfolderlook.h"

#include <QCoreApplication>
#include <QFile>
#include <QScopeGuard>
#include <QSemaphore>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

#include <atomic>
#include <memory>
#include <utility>

using namespace trainyard;
using namespace Qt::StringLiterals;

// What a document knows of its work folder, whose disk may be slow.
class TstWorkFolderLook : public QObject
{
    Q_OBJECT

    static void write(const QString &path)
    {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
    }

private Q_SLOTS:
    void findsWhatIsMissing()
    {
        const QTemporaryDir folder;
        write(folder.filePath(u"train.py"_s));
        WorkFolderLook look(nullptr);
        QSignalSpy changed(&look, &WorkFolderLook::changed);
        const auto has = [&](const QString &file) { return look.place(folder.path()).has(file); };
        QVERIFY(has(u"trian.py"_s)); // nobody has looked yet
        QTRY_VERIFY(!has(u"trian.py"_s));
        QCOMPARE(changed.size(), 1);
        const auto filesBeside = [&](const QString &file) {
            const ScriptPlace place = look.place(folder.path());
            return place.has(file) ? QStringList() : place.files();
        };
        QTRY_COMPARE(filesBeside(u"trian.py"_s), QStringList(u"train.py"_s));
        write(folder.filePath(u"trian.py"_s));
        QTRY_VERIFY(has(u"trian.py"_s)); // the folder has changed
        QTRY_COMPARE(filesBeside(u"eval.py"_s), QStringList({u"train.py"_s, u"trian.py"_s}));
    }

    // Each key makes another name. However long the disk takes, the window does not wait for it.
    void listsOnceAndAside()
    {
        struct Disk {
            std::atomic_int listings = 0, onGuiThread = 0;
            QSemaphore answers;
            void note() { onGuiThread += QThread::currentThread() == qApp->thread() ? 1 : 0; }
        };
        const auto disk = std::make_shared<Disk>();
        const auto answersAtLast = qScopeGuard([disk] { disk->answers.release(); });
        constexpr qint64 hourMs = 3'600'000;
        const auto placeOf = [disk](const QString &folder) {
            return ScriptPlace{folder,
                [disk](const QString &) {
                    disk->note();
                    disk->answers.acquire();
                    disk->answers.release();
                    return false;
                },
                [disk] {
                    disk->note();
                    ++disk->listings;
                    return QStringList(u"train.py"_s);
                }};
        };
        WorkFolderLook look(nullptr, placeOf, hourMs);
        const QTemporaryDir folder;
        const auto check = [&](const QString &file) {
            const ScriptPlace place = look.place(folder.path());
            const bool has = place.has(file);
            return !has && place.files() == QStringList(u"train.py"_s);
        };
        QString name;
        for (const QChar c : u"trian.p"_s) {
            name += c;
            QVERIFY(!check(name));
            QCoreApplication::processEvents();
        }
        disk->answers.release();
        QTRY_VERIFY(check(name));
        for (const QChar c : u"y~"_s) {
            name += c;
            QTRY_VERIFY(check(name));
        }
        QCOMPARE(disk->listings.load(), 1);
        QCOMPARE(disk->onGuiThread.load(), 0);
    }

    void anotherFolderIsAnother()
    {
        const QTemporaryDir one, other;
        write(other.filePath(u"train.py"_s));
        WorkFolderLook look(nullptr);
        QTRY_VERIFY(!look.place(one.path()).has(u"train.py"_s));
        QSignalSpy changed(&look, &WorkFolderLook::changed);
        const auto inOther = [&] {
            const ScriptPlace place = look.place(other.path());
            const bool train = place.has(u"train.py"_s);
            return std::pair(train, place.has(u"eval.py"_s));
        };
        QCOMPARE(inOther(), std::pair(true, true)); // nobody has looked there yet
        QTRY_COMPARE(changed.size(), 1);
        QCOMPARE(inOther(), std::pair(true, false));
    }
};

TRAINYARD_GUI_TEST(TstWorkFolderLook)
#include "tst_workfolderlook.moc"
