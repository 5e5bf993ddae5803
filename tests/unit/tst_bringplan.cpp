// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/broughtfiles.h"
#include "engine/bring/bringplan.h"
#include "engine/contract/taskfiles.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

#include <limits>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Which files of a task come to this computer, and under which names. Values only.
class TstBringPlan : public QObject
{
    Q_OBJECT

    static QStringList paths(const QList<BringFile> &files)
    {
        QStringList list;
        for (const BringFile &file : files) {
            list.append(file.path);
        }
        return list;
    }

private Q_SLOTS:
    // What is shown is in the order of the tasks, however their files came.
    void toldInOrderOfTasks()
    {
        const auto of = [](const QString &role, int index) {
            BroughtFiles files;
            files.role = role;
            files.index = index;
            return files;
        };
        QStringList names;
        const QList<BroughtFiles> all
            = inOrderOfTasks({of(u"w"_s, 10), of(u"w"_s, 2), of(u"ps"_s, 1), of(u"w"_s, 0), of(u"ps"_s, 0)});
        for (const BroughtFiles &each : all) {
            names.append(each.role + QString::number(each.index));
        }
        QCOMPARE(names.join(u' '), u"ps0 ps1 w0 w2 w10"_s);
    }

    void globs_data()
    {
        QTest::addColumn<QByteArray>("glob");
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<bool>("matches");
        const auto row = [](const char *glob, const char *path, bool matches) {
            QTest::addRow("%s : %s", glob, path) << QByteArray(glob) << QByteArray(path) << matches;
        };
        row("model.pt", "model.pt", true);
        row("model.pt", "out/model.pt", false);
        row("./model.pt", "model.pt", true);
        row("*.pt", "model.pt", true);
        row("*.pt", "out/model.pt", false); // within a name
        row("*", "a", true);
        row("*", "a/b", false);
        row("a*c*e", "abcde", true);
        row("a*c*e", "abcdef", false);
        row("**", "a", true);
        row("**", "a/b/c", true);
        row("**/*.csv", "a.csv", true);
        row("**/*.csv", "x/y/a.csv", true);
        row("**/*.csv", "x/y/a.csv.gz", false);
        row("out/**", "out/a/b", true);
        row("out/**", "out", false);
        row("out/", "out/a/b", true);
        row("out/", "outer/a", false);
        row("out/**/best.pt", "out/best.pt", true);
        row("out/**/best.pt", "out/1/2/best.pt", true);
        row("**/**/**/x", "a/b/c/d/x", true);
        row("ep?ch", "epoch", true);
        row("ep?ch",
            "ep\xc3\xb6"
            "ch",
            true); // a character, not a byte
        row("ep?ch", "epch", false);
        row("*", ".git", false); // hidden
        row("**", ".git/config", false);
        row("**", "a/.cache/b", false);
        row("**/*", "a/.hidden", false);
        row(".*", ".hidden", true);
        row(".cache/**", ".cache/a", true);
        row("**/.hidden", "a/.hidden", true);
        row("[a]", "a", false);
        row("[a]", "[a]", true);
    }
    void globs()
    {
        QFETCH(QByteArray, glob);
        QFETCH(QByteArray, path);
        QFETCH(bool, matches);
        QCOMPARE(contract::matchesGlob(glob.toStdString(), path.toStdString()), matches);
        // A folder on the way to what matches is looked into.
        const std::string folder = path.toStdString().substr(0, path.toStdString().rfind('/'));
        if (matches && path.contains('/')) {
            QVERIFY(contract::mayMatchBelow({glob.toStdString()}, folder));
        }
    }

    void foldersThatCannotMatchAreLeftOut()
    {
        QVERIFY(!contract::mayMatchBelow({"*.pt", "out/*.csv"}, "data"));
        QVERIFY(contract::mayMatchBelow({"*.pt", "out/*.csv"}, "out"));
        QVERIFY(!contract::mayMatchBelow({"out/*.csv"}, "out/deeper"));
        QVERIFY(!contract::mayMatchBelow({"**"}, ".git"));
    }

    // A glob of a stranger does not take a computer's time.
    void manyStarsAreCheap()
    {
        std::string glob, path;
        for (int i = 0; i < 400; ++i) {
            glob += "**/";
            path += "a/";
        }
        QVERIFY(!contract::matchesGlob(glob + "x", path + "y"));
        QVERIFY(!contract::matchesGlob("*a*a*a*a*a*a*a*a*a*a*b", std::string(250, 'a')));
    }

    void paths_data()
    {
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<bool>("plain");
        const auto row
            = [](const char *name, const QByteArray &path, bool plain) { QTest::newRow(name) << path << plain; };
        row("a file", "a", true);
        row("a file in folders", "a/b/c.pt", true);
        row("spaces and quotes", "a b/'c' \"d\"", true);
        row("letters",
            "gr\xc3\xbc\xc3\x9f"
            "e/\xe6\xa8\xa1\xe5\x9e\x8b.pt",
            true);
        row("dots", "..a/b..", true);
        row("hidden", ".a", true);
        row("empty", "", false);
        row("absolute", "/etc/passwd", false);
        row("out", "../x", false);
        row("out later", "a/../../x", false);
        row("out at the end", "a/..", false);
        row("here", "./a", false);
        row("empty part", "a//b", false);
        row("folder", "a/", false);
        row("newline", "a\nb", false);
        row("escape", "a\x1b[31m", false);
        row("null", QByteArray("a\0b", 3), false);
        row("delete", "a\x7f", false);
        row("control of Latin-1",
            "a\xc2\x9b"
            "b",
            false);
        row("other direction",
            "a\xe2\x80\xae"
            "txt.exe",
            false);
        row("no UTF-8", "a\xff", false);
        row("half a character", "a\xc3", false);
        row("long name", QByteArray(256, 'a'), false);
        row("long path", QByteArray("a/").repeated(2500) + "b", false);
    }
    void paths()
    {
        QFETCH(QByteArray, path);
        QFETCH(bool, plain);
        QCOMPARE(contract::isPlainFilePath(path.toStdString()), plain);
    }

    void listsTravel()
    {
        const std::vector<contract::FileEntry> files{
            {"a b", 0, -5}, {"c/d\n", 1ULL << 40, 1700000000123456789}, {"run.sh", 3, 4, true}, {"x", 5, 6, true}};
        QVERIFY(contract::splitFileEntries(contract::joinFileEntries(files)) == files);
        QVERIFY(!contract::splitFileEntries(std::string("1 2 x\0", 6)).at(0).isExecutable);
        QVERIFY(contract::splitFileEntries("12x").empty());
        QVERIFY(contract::splitFileEntries(std::string("12xx 34 a\0", 10)).empty());
        QVERIFY(contract::splitFileEntries("12 34").empty());
        QVERIFY(contract::splitFileEntries(std::string("x 34 a\0", 7)).empty());
        QCOMPARE(contract::splitFileEntries(std::string("1 2 a\0rest", 10)).size(), std::size_t(1));
    }

    void whatIsBrought()
    {
        const QList<BringFile> files{{u"big.pt"_s, 5000, 1}, {u"log.csv"_s, 10, 1}, {u"same.csv"_s, 7, 1},
            {u"changed.csv"_s, 8, 2}, {u"older.csv"_s, 9, 9}, {u"other.txt"_s, 3, 1}, {u"../out.csv"_s, 1, 1},
            {u"a/.trainyard-x.csv"_s, 1, 1}, {u"neg.csv"_s, -1, 1}};
        BringBook book;
        book.insert(u"same.csv"_s, {7, 1, 5, u"same.csv"_s, 7, 1});
        book.insert(u"changed.csv"_s, {8, 1, 5, u"changed.csv"_s, 8, 1});
        book.insert(u"older.csv"_s, {4, 4, 6, u"older.csv"_s, 4, 4}); // of a later try
        BringPlan plan = planOf(files, {u"*.csv"_s, u"*.pt"_s, u"a/.*"_s}, book, 5, {});
        QCOMPARE(paths(plan.files), (QStringList{u"changed.csv"_s, u"log.csv"_s, u"big.pt"_s}));
        QCOMPARE(plan.bytes, 5018);
        QCOMPARE(plan.ofLater, 1);
        QCOMPARE(plan.unsafe, 4); // not asked for, out of the folder, ours, no size
        QVERIFY(plan.tooLarge.isEmpty() && plan.beyond.isEmpty());
        QCOMPARE(plan.spareBytes, -1);

        plan = planOf(files, {u"*.csv"_s, u"*.pt"_s}, book, 5, {1000, 0, 0});
        QCOMPARE(paths(plan.tooLarge), QStringList{u"big.pt"_s});
        QCOMPARE(paths(plan.files), (QStringList{u"changed.csv"_s, u"log.csv"_s}));

        // What is here counts, a file that replaces one only by its difference.
        plan = planOf(files, {u"*.csv"_s, u"*.pt"_s}, book, 5, {0, 20, 0});
        QCOMPARE(paths(plan.files), QStringList{u"changed.csv"_s});
        QCOMPARE(paths(plan.beyond), (QStringList{u"log.csv"_s, u"big.pt"_s}));
        QCOMPARE(plan.spareBytes, 1); // 7 + 8 + 4 are here then
        plan = planOf(files, {u"*.csv"_s, u"*.pt"_s}, book, 5, {0, 0, 4});
        QCOMPARE(paths(plan.files), (QStringList{u"changed.csv"_s, u"log.csv"_s}));
        QCOMPARE(paths(plan.beyond), QStringList{u"big.pt"_s});
    }

    // Sums of sizes that a helper makes up do not wrap around.
    void sizesThatCannotBe()
    {
        const qint64 most = std::numeric_limits<qint64>::max();
        const QList<BringFile> files{{u"a"_s, most, 1}, {u"b"_s, most, 1}, {u"c"_s, mostFileBytes, 1}, {u"d"_s, 9, 1}};
        const BringPlan plan = planOf(files, {u"*"_s}, {}, 0, {0, 1000, 0});
        QCOMPARE(plan.unsafe, 2);
        QCOMPARE(paths(plan.files), QStringList{u"d"_s});
        QCOMPARE(paths(plan.beyond), QStringList{u"c"_s});
        QCOMPARE(plan.spareBytes, 991);
    }

    void booksAreKept()
    {
        BringBook book;
        book.insert(u"a/b.pt"_s, {1LL << 50, 1700000000123456789, 3, u"a/b~2.pt"_s, 12, -1});
        QCOMPARE(bookFromJson(toJson(book)), book);
        BringBook bad;
        bad.insert(u"x"_s, {1, 1, 1, u"../../.bashrc"_s, 1, 1});
        QVERIFY(bookFromJson(toJson(bad)).isEmpty());
    }

    void names()
    {
        QCOMPARE(numberedName(u"out/model.pt"_s, 2), u"out/model~2.pt"_s);
        QCOMPARE(numberedName(u"out.d/model"_s, 3), u"out.d/model~3"_s);
        QCOMPARE(numberedName(u".hidden"_s, 2), u".hidden~2"_s);
        // Names as long as a file system takes them lose whole characters of their stems.
        const QString face = QString::fromUtf8("\xF0\x9F\x98\x80"); // two units, four bytes
        for (const QString &stem : {QString(252, u'a'), QString(84, u'模'), face.repeated(63)}) {
            const QString marked = markedName(u"out/"_s + stem + u".pt"_s, u"lab1"_s);
            QVERIFY2(
                marked.startsWith(u"out/"_s + stem.first(40)) && marked.endsWith(u"~lab1.pt"_s), qPrintable(marked));
            const qsizetype bytes = marked.toUtf8().size() - 4;
            QVERIFY2(bytes <= 255 && bytes > 250, qPrintable(marked));
            QCOMPARE(QString::fromUtf8(marked.toUtf8()), marked);
            QVERIFY(!marked.contains(QChar::ReplacementCharacter));
        }
        QVERIFY(numberedName(u"a."_s + QString(253, u'b'), 2).toUtf8().size() <= 255); // no suffix at all
        QVERIFY(markedName(u"x.pt"_s, QString(100, u'模')).toUtf8().size() <= 255);
        QVERIFY(resultsFolderOfJob(1234567, QString(100, u'模')).toUtf8().size() <= 255);
        QCOMPARE(resultsFolderOfJob(41, u"res net/../x"_s), u"41-res_net_.._x"_s);
        QCOMPARE(resultsFolderOfTask(u"../w"_s, 3), u"_._w-3"_s);
        QCOMPARE(resultsFolder({}, u"/p/job.yaml"_s, u"/home/a"_s, u"/run"_s), u"/p/results"_s);
        QCOMPARE(resultsFolder(u"out"_s, u"/p/job.yaml"_s, u"/home/a"_s, u"/run"_s), u"/p/out"_s);
        QCOMPARE(resultsFolder(u"~/out"_s, u"/p/job.yaml"_s, u"/home/a"_s, u"/run"_s), u"/home/a/out"_s);
        QCOMPARE(resultsFolder(u"/out"_s, {}, u"/home/a"_s, u"/run"_s), u"/out"_s);
        QCOMPARE(resultsFolder({}, {}, u"/home/a"_s, u"/run"_s), u"/run/results"_s);
    }
};

TRAINYARD_TEST(TstBringPlan)
#include "tst_bringplan.moc"
