// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/testregistry.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Tags, notes, stars and archived jobs, and the filters that find them.
class TstCliLabels : public QObject
{
    Q_OBJECT

    static QByteArray ids(const ProgramsFixture &f, const QStringList &filter, const QStringList &options = {})
    {
        const auto said = f.ctl(QStringList{u"ps"_s, u"--format"_s, u"{id}"_s} + options + filter);
        return said.status == 0 ? said.out.simplified() : said.err;
    }

private Q_SLOTS:
    void labelsOfJobs()
    {
        ProgramsFixture f;
        const auto job = [](const QByteArray &name, const QByteArray &lr, const QByteArray &loss) {
            return EngineFixture::document(name,
                EngineFixture::role("worker", 1, {"echo 'step 1 loss: 3.5'", "echo 'step 2 loss: " + loss + "'"}),
                "parameters: {lr: " + lr + ", model: resnet50}\n");
        };
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s, u"--tag"_s, u"paper"_s, u"--tag"_s, u"base"_s, u"--note"_s,
                           u"as in the paper"_s},
                      job("one", "0.1", "0.5"))
                     .status,
            0);
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, job("two", "0.01", "0.25")).status, 0);
        QCOMPARE(
            f.ctl({u"run"_s, u"-"_s, u"--wait"_s, u"--param"_s, u"lr=0.001"_s}, job("three", "5", "0.75")).status, 0);

        QCOMPARE(f.ctl({u"tag"_s, u"1"_s}).out, "base\npaper\n");
        QCOMPARE(f.ctl({u"tag"_s, u"2"_s, u"base"_s, u"old"_s}).status, 0);
        QCOMPARE(f.ctl({u"tag"_s, u"2"_s, u"new"_s, u"--remove"_s, u"old"_s}).status, 0);
        QCOMPARE(f.ctl({u"tag"_s, u"2"_s}).out, "base\nnew\n");
        QCOMPARE(f.ctl({u"tag"_s, u"3"_s}).out, QByteArray());
        // As they are typed; case tells no two of them apart.
        QCOMPARE(f.ctl({u"tag"_s, u"3"_s, u"Large"_s, u"large"_s}).status, 0);
        QCOMPARE(f.ctl({u"tag"_s, u"3"_s}).out, "Large\n");
        QCOMPARE(ids(f, {u"tag:large"_s}), "3");
        QCOMPARE(f.ctl({u"tag"_s, u"3"_s, u"--remove"_s, u"LARGE"_s}).status, 0);
        QCOMPARE(f.ctl({u"tag"_s, u"3"_s}).out, QByteArray());
        QCOMPARE(f.ctl({u"tag"_s, u"9"_s, u"x"_s}).status, 2);
        const auto longTag = f.ctl({u"tag"_s, u"1"_s, QString(300, u'x')});
        QCOMPARE(longTag.status, 2);
        QVERIFY2(longTag.err.contains("has 300 characters; at most 255 are possible"), longTag.err.constData());
        QCOMPARE(f.ctl({u"tag"_s, u"1"_s}).out, "base\npaper\n");
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--tag"_s, QString(300, u'x')}, job("four", "1", "1")).status, 2);
        QCOMPARE(f.ctl({u"note"_s, u"1"_s}).out, "as in the paper\n");
        QCOMPARE(f.ctl({u"note"_s, u"3"_s, u"-"_s}, "from a file\n").status, 0);
        QCOMPARE(f.ctl({u"note"_s, u"3"_s, u"-"_s}, "caf\xe9\n").status, 2); // which could not be shown
        QCOMPARE(f.ctl({u"note"_s, u"3"_s}).out, "from a file\n");
        QCOMPARE(f.ctl({u"note"_s, u"3"_s, u"odd"_s}).status, 0);
        QCOMPARE(f.ctl({u"note"_s, u"3"_s, u"odd"_s, u"--clear"_s}).status, 2);
        QVERIFY(f.ctl({u"show"_s, u"3"_s}).out.contains("odd"));
        QVERIFY(f.ctl({u"show"_s, u"1"_s}).out.contains("base, paper"));
        QCOMPARE(f.ctl({u"note"_s, u"3"_s, u"--clear"_s}).status, 0);
        QCOMPARE(f.ctl({u"note"_s, u"3"_s}).out, QByteArray());
        QCOMPARE(f.ctl({u"star"_s, u"1"_s, u"three"_s}).status, 0);
        QCOMPARE(f.ctl({u"star"_s, u"1"_s, u"--off"_s}).status, 0);

        QCOMPARE(ids(f, {u"tag:base"_s}), "2 1");
        QCOMPARE(ids(f, {u"is:starred"_s}), "3");
        QCOMPARE(ids(f, {u"--"_s, u"-tag:base"_s}), "3");
        QCOMPARE(ids(f, {u"-tag:base"_s}), "3");
        QCOMPARE(ids(f, {u"tag:base"_s, u"-name:two"_s}), "1");
        QVERIFY(ids(f, {u"-nothing:x"_s}).contains("There is no option '-n'."));
        QCOMPARE(ids(f, {u"tag:base"_s, u"name:tw"_s}), "2"); // several words are one filter
        QCOMPARE(ids(f, {u"lr<0.05"_s}), "3 2");
        QCOMPARE(ids(f, {u"lr>=0.01 model=ResNet*"_s}), "2 1");
        QTRY_COMPARE_WITH_TIMEOUT(ids(f, {u"loss<0.6"_s}), "2 1", 20000); // when the outputs are read
        QCOMPARE(ids(f, {u"max:loss>3"_s}, {u"--sort"_s, u"result:loss"_s}), "2 1 3");
        QCOMPARE(f.ctl({u"ps"_s, u"--sort"_s, u"-param:lr"_s, u"--format"_s, u"{param:lr} {result:loss} {tags}"_s}).out,
            "0.1 0.5 base,paper\n0.01 0.25 base,new\n0.001 0.75 \n");

        // Archived jobs are out of the way, and not gone.
        QCOMPARE(f.ctl({u"archive"_s, u"2"_s}).status, 0);
        QCOMPARE(ids(f, {}), "3 1");
        QCOMPARE(ids(f, {}, {u"--all"_s}), "3 1");
        QCOMPARE(ids(f, {u"tag:base"_s}), "1");
        QCOMPARE(ids(f, {u"is:archived"_s}), "2");
        QCOMPARE(ids(f, {u"tag:base"_s, u"with:archived"_s}), "2 1");
        QCOMPARE(ids(f, {u"id:2"_s}), "2");
        const QJsonObject shown = f.ctl({u"ps"_s, u"id:2"_s, u"--json"_s}).json().array().at(0).toObject();
        QCOMPARE(shown.value("tags"_L1).toArray(), (QJsonArray{u"base"_s, u"new"_s}));
        QCOMPARE(shown.value("engine"_L1)[u"archived"].toBool(), true);
        // A condition leaves them out for a command as well, which says how they are meant.
        const auto away = f.ctl({u"archive"_s, u"tag:new"_s, u"--off"_s});
        QCOMPARE(away.status, 2);
        QVERIFY2(away.err.simplified().contains(
                     "Only archived jobs match 'tag:new'. To mean them, write 'tag:new is:archived'."),
            away.err.constData());
        QCOMPARE(f.ctl({u"archive"_s, u"tag:new is:archived"_s, u"--off"_s}).status, 0);
        QCOMPARE(ids(f, {}), "3 2 1");
    }

    // Commas separate tags wherever they are typed: a filter takes them so.
    void commasSeparateTags()
    {
        ProgramsFixture f;
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s, u"--tag"_s, u"mix,bad"_s}, EngineFixture::job("one", {"true"}))
                     .status,
            0);
        QCOMPARE(f.ctl({u"tag"_s, u"1"_s, u"old, new"_s}).status, 0);
        QCOMPARE(f.ctl({u"tag"_s, u"1"_s}).out, "bad\nmix\nnew\nold\n");
        QCOMPARE(ids(f, {u"tag:mix tag:new"_s}), "1");
        QCOMPARE(f.ctl({u"tag"_s, u"1"_s, u"--remove"_s, u"mix,old"_s}).status, 0);
        QCOMPARE(f.ctl({u"tag"_s, u"1"_s}).out, "bad\nnew\n");
    }

    // Whoever writes "tag 1 2 3 good" means three jobs.
    void wordsForJobsAreNoTags()
    {
        ProgramsFixture f;
        for (const QByteArray name : {"one", "two", "three"}) {
            QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, EngineFixture::job(name, {"true"})).status, 0);
        }
        auto said = f.ctl({u"tag"_s, u"1"_s, u"2"_s, u"#3"_s, u"good"_s});
        QVERIFY2(said.status == 2 && said.err.contains("'trainyardctl tag 1,2,3 good' is for all of these jobs.")
                && said.err.contains("'trainyardctl tag 1 --add 2'"),
            said.err.constData());
        QCOMPARE(f.ctl({u"tag"_s, u"1"_s}).out, QByteArray());
        QCOMPARE(f.ctl({u"tag"_s, u"1,2,3"_s, u"good"_s}).status, 0);
        QCOMPARE(ids(f, {u"tag:good"_s}), "3 2 1");
        said = f.ctl({u"tag"_s, u"1"_s, u"tag:good"_s, u"better"_s});
        QVERIFY2(said.status == 2 && said.err.contains("Run the command for each of them."), said.err.constData());
        QCOMPARE(f.ctl({u"tag"_s, u"1"_s, u"--add"_s, u"2"_s, u"9"_s, u"two"_s}).status, 0); // there is no job 9
        QCOMPARE(f.ctl({u"tag"_s, u"1"_s}).out, "2\n9\ngood\ntwo\n");

        QCOMPARE(f.ctl({u"note"_s, u"1"_s, u"as planned"_s}).status, 0);
        said = f.ctl({u"note"_s, u"1"_s, u"2-3"_s});
        QVERIFY2(said.status == 2 && said.err.contains("'trainyardctl note 1,2-3' is for all of these jobs.")
                && said.err.contains("'trainyardctl note 1 --text 2-3'"),
            said.err.constData());
        QCOMPARE(f.ctl({u"note"_s, u"1"_s}).out, "as planned\n");
        QCOMPARE(f.ctl({u"note"_s, u"1"_s, u"--text"_s, u"2-3"_s}).status, 0);
        QCOMPARE(f.ctl({u"note"_s, u"1"_s}).out, "2-3\n");
    }

    void activeJobsStayInTheLists()
    {
        ProgramsFixture f;
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, EngineFixture::job("ended", {"true"})).status, 0);
        QCOMPARE(f.ctl({u"run"_s, u"-"_s}, EngineFixture::job("runs", {"sleep 600"})).status, 0);
        auto said = f.ctl({u"archive"_s, u"2"_s});
        QVERIFY2(said.status == 4 && said.err.contains("#2 runs is still active"), said.err.constData());
        said = f.ctl({u"archive"_s, u"state:active"_s});
        QVERIFY2(said.status == 4 && said.err.contains("None of these jobs has ended."), said.err.constData());
        said = f.ctl({u"archive"_s, u"1-2"_s});
        QVERIFY2(said.status == 0 && said.err.contains("Left out because they are active: 1 (#2).")
                && said.err.contains("1 job changed."),
            said.err.constData());
        QCOMPARE(ids(f, {}), "2");
        // One that runs again is back in the lists.
        QCOMPARE(f.ctl({u"retry"_s, u"1"_s, u"--wait"_s}).status, 0);
        QCOMPARE(ids(f, {}), "2 1");
        QCOMPARE(f.ctl({u"stop"_s, u"2"_s, u"--wait"_s}).status, 0);
    }

    // A value with blanks without quotes is a tag and a word, which is said where it finds nothing.
    void blanksNeedQuotes()
    {
        ProgramsFixture f;
        const auto said = f.ctl({u"ps"_s, u"tag:lr study"_s});
        QVERIFY2(said.status == 0 && said.err.contains("'tag:\"lr study\"'"), said.err.constData());
        for (const QString &right : {u"tag:\"lr study\""_s, u"study tag:lr"_s, u"tag:lr -study"_s}) {
            const QByteArray err = f.ctl({u"ps"_s, right}).err;
            QVERIFY2(!err.contains("double quotes"), err.constData());
        }
    }

    // A filter that cannot be read is refused before an engine is asked, and says where.
    void wrongFilters()
    {
        ProgramsFixture f;
        const auto said = f.ctl({u"ps"_s, u"tag:x"_s, u"state:fialed"_s});
        QCOMPARE(said.status, 2);
        QVERIFY2(said.err.contains("There is no state 'fialed'.") && said.err.contains("Did you mean 'failed'?")
                && said.err.contains("At character 13 of the filter."),
            said.err.constData());
        QVERIFY(f.ctl({u"ps"_s, u"stat:failed"_s}).err.contains("Did you mean 'state'?"));
        QCOMPARE(f.ctl({u"ps"_s, u"lr>fast"_s}).status, 2);
        QCOMPARE(f.ctl({u"ps"_s, u"--sort"_s, u"result:"_s}).status, 2);
        QCOMPARE(f.ctl({u"ps"_s, u"--format"_s, u"{params:lr}"_s}).status, 2);
    }
};

TRAINYARD_TEST(TstCliLabels)
#include "tst_clilabels.moc"
