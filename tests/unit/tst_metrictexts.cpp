// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metricfiles/json.h"
#include "engine/metricfiles/values.h"
#include "tests/helpers/testregistry.h"
#include "tests/unit/metricwriters.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <unistd.h>

#include <cmath>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace metricwriters;

// Metrics in files of text: tables, JSON lines, trainer_state.json, and MLflow's folders.
class TstMetricTexts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void numbers();
    void taken_data();
    void taken();
    void rewrittenTable();
    void cutTables_data();
    void cutTables();
    void lastRowWithoutItsEnd();
    void longLines();
    void quotesThatStayOpen();
    void endlessLines();
    void stateIsReadAgain();
    void sacredIsReadAgain();
    void timesOfTexts_data();
    void timesOfTexts();
    void resultsAreReadAgain();
    void cutState();
    void largeState();
    void json_data();
    void json();
    void mlflow();
};

void TstMetricTexts::numbers()
{
    using metricfiles::numberOf;
    QCOMPARE(numberOf(" 12 "), std::optional<double>(12));
    QCOMPARE(numberOf("+.5e1"), std::optional<double>(5));
    QCOMPARE(numberOf("1e999"), std::optional<double>(HUGE_VAL));
    QCOMPARE(numberOf("-1e999"), std::optional<double>(-HUGE_VAL));
    QCOMPARE(numberOf("1e-999"), std::optional<double>(0));
    QVERIFY(std::isnan(numberOf("NaN").value()));
    QCOMPARE(numberOf("-Infinity"), std::optional<double>(-HUGE_VAL));
    for (const char *text : {"", " ", "1,234", "0x10", "1.5s", "nan(1)", "+-1", "--1", "1 2", "true", "1e"}) {
        QVERIFY2(!numberOf(text), text);
    }
}

void TstMetricTexts::taken_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QStringList>("points");
    QTest::newRow("Lightning") << u"metrics.csv"_s
                               << QByteArray("epoch,step,train_loss,val_loss\n0,49,0.5,\n0,99,,0.25\n")
                               << QStringList{
                                      u"train_loss | step 49 in 0 = 0.5"_s, u"val_loss | step 99 in 0 = 0.25"_s};
    QTest::newRow("Keras") << u"log.csv"_s << QByteArray("epoch,accuracy,loss\n0,0.5,nan\n1,0.75,inf\n")
                           << QStringList{u"accuracy | epoch 0 in 0 = 0.5"_s, u"loss | epoch 0 in 0 = nan"_s,
                                  u"accuracy | epoch 1 in 1 = 0.75"_s, u"loss | epoch 1 in 1 = inf"_s};
    QTest::newRow("Ultralytics") << u"results.csv"_s
                                 << QByteArray("                  epoch,         train/box_loss\n"
                                               "                      1,               0.5\n")
                                 << QStringList{u"train/box_loss | epoch 1 in 1 = 0.5"_s};
    QTest::newRow("Stable-Baselines3") << u"progress.csv"_s
                                       << QByteArray(
                                              "rollout/ep_rew_mean,time/fps,time/total_timesteps\r\n20.5,900,2048\r\n")
                                       << QStringList{u"rollout/ep_rew_mean | step 2048 = 20.5"_s,
                                              u"time/fps | step 2048 = 900"_s};
    QTest::newRow("monitor") << u"monitor.csv"_s << QByteArray("#{\"t_start\": 1}\nr,l\n1,2\n3,4\n")
                             << QStringList{
                                    u"r | row 1 = 1"_s, u"l | row 1 = 2"_s, u"r | row 2 = 3"_s, u"l | row 2 = 4"_s};
    QTest::newRow("tabs") << u"progress.txt"_s << QByteArray("Epoch\tAverageEpRet\n1\t-3.5\n")
                          << QStringList{u"AverageEpRet | epoch 1 in 1 = -3.5"_s};
    QTest::newRow("semicolons, a mark, quotes")
        << u"a.csv"_s << QByteArray("\xEF\xBB\xBFstep;\"a;b\";\"say \"\"c\"\"\";note\n1;2;3;\"two\nlines;4\"\n2;4;5;\n")
        << QStringList{
               u"a;b | step 1 = 2"_s, u"say \"c\" | step 1 = 3"_s, u"a;b | step 2 = 4"_s, u"say \"c\" | step 2 = 5"_s};
    QTest::newRow("a name twice") << u"a.csv"_s << QByteArray("step,loss,loss\n1,2,3\n")
                                  << QStringList{u"loss | step 1 = 2"_s, u"loss.1 | step 1 = 3"_s};
    QTest::newRow("too many and too few cells")
        << u"a.csv"_s << QByteArray("step,a,b\n1,2\n2,3,4,5\n\n")
        << QStringList{u"a | step 1 = 2"_s, u"a | step 2 = 3"_s, u"b | step 2 = 4"_s};
    QTest::newRow("a header that comes again with other columns")
        << u"a.csv"_s << QByteArray("epoch,loss\n1,0.5\nepoch,acc,loss\n2,0.75,0.25\n")
        << QStringList{u"loss | epoch 1 in 1 = 0.5"_s, u"acc | epoch 2 in 2 = 0.75"_s, u"loss | epoch 2 in 2 = 0.25"_s};
    QTest::newRow("a row of words is no header")
        << u"a.csv"_s << QByteArray("epoch,loss\n1,0.5\nthe,end\nStep,\nepoch,\nepoch,resumed\n2,0.25\n")
        << QStringList{u"loss | epoch 1 in 1 = 0.5"_s, u"loss | epoch 2 in 2 = 0.25"_s};
    QTest::newRow("a quote that opens no cell")
        << u"a.csv"_s << QByteArray("step,loss,note\n1,0.5,5\" wide\n2,0.25,x\n")
        << QStringList{u"loss | step 1 = 0.5"_s, u"loss | step 2 = 0.25"_s};
    QTest::newRow("only a header") << u"a.csv"_s << QByteArray("step,loss\n") << QStringList();
    QTest::newRow("JSON lines") << u"a.jsonl"_s
                                << QByteArray("{\"step\": 3, \"loss\": NaN, \"m\": {\"a\": \"0.5\", \"b\": [1, 2], "
                                              "\"c\": {\"d\": -Infinity}}, \"ok\": true, \"x\": null}\n"
                                              "starting\n\n[1]\n{\"iteration\": 4, \"l\\u00e4ss\": 1e-1}\n{\"a\": 1}")
                                << QStringList{u"loss | step 3 = nan"_s, u"m/a | step 3 = 0.5"_s,
                                       u"m/c/d | step 3 = -inf"_s, u"l\u00e4ss | iteration 4 = 0.1"_s,
                                       u"a | row 3 = 1"_s};
    QTest::newRow("JSON lines that say again how the program was set up")
        << u"a.jsonl"_s
        << QByteArray("{\"step\": 1, \"loss\": 2, \"config\": {\"lr\": 0.1, \"model\": {\"depth\": 4}}, \"info\": "
                      "{\"lr\": 0.5}}\n"
                      "{\"step\": 2, \"loss\": 1, \"Args\": {\"lr\": 0.1}, \"configs\": 3}\n")
        << QStringList{
               u"loss | step 1 = 2"_s, u"info/lr | step 1 = 0.5"_s, u"loss | step 2 = 1"_s, u"configs | step 2 = 3"_s};
    QTest::newRow("JSON lines in .json") << u"metrics.json"_s << QByteArray("{\"iteration\": 19, \"loss\": 2}\n")
                                         << QStringList{u"loss | iteration 19 = 2"_s};
    QTest::newRow("state of a trainer")
        << u"trainer_state.json"_s
        << QByteArray("{\n  \"epoch\": 1.0,\n  \"log_history\": [\n    {\n      \"epoch\": 0.5,\n      \"loss\": 2.5,"
                      "\n \"step\": 10\n    },\n    {\"eval_loss\": 2, \"epoch\": 1.0, \"step\": 20}, 7, []\n  ],\n"
                      "  \"max_steps\": 100,\n  \"stateful_callbacks\": {\"a\": {\"b\": []}}\n}\n")
        << QStringList{u"loss | step 10 in 0.5 = 2.5"_s, u"eval_loss | step 20 in 1 = 2"_s};
    QTest::newRow("Sacred") << u"metrics.json"_s
                            << QByteArray(
                                   "{\n  \"training.loss\": {\n    \"steps\": [\n      0,\n      10\n    ],\n    "
                                   "\"timestamps\": [\n      \"2024-03-01T12:00:00.250000\"\n    ],\n    "
                                   "\"values\": [\n      2.5,\n      {\"dtype\": \"float32\", \"py/object\": "
                                   "\"numpy.float32\", \"value\": 0.5}\n    ]\n  },\n"
                                   "  \"val\": {\"steps\": [null, 2, 3], \"timestamps\": [], \"values\": "
                                   "[0.25, NaN, null]},\n  \"none\": {\"steps\": [], \"timestamps\": [], "
                                   "\"values\": []},\n  \"odd\": [1, 2]\n}\n")
                            << QStringList{u"training.loss | step 0 = 2.5"_s, u"training.loss | step 10 = 0.5"_s,
                                   u"val | row 1 = 0.25"_s, u"val | row 2 = nan"_s};
}

void TstMetricTexts::taken()
{
    QFETCH(const QString, name);
    QFETCH(const QByteArray, text);
    File file(name);
    file.write(text);
    Taken taken;
    QCOMPARE(readAll(*opened(file), taken).state, metricfiles::State::UpToDate);
    QTEST(taken.lines(), "points");
    // The budget does not matter.
    Taken again;
    readAll(*opened(file), again, 1);
    QCOMPARE(again.lines(), taken.lines());
}

// Lightning writes the whole file anew when a metric appears that was not there before.
void TstMetricTexts::rewrittenTable()
{
    File file(u"metrics.csv"_s);
    file.write("step,loss\n1,0.5\n2,0.25\n");
    const auto reader = opened(file);
    Taken taken;
    readAll(*reader, taken);
    file.append("3,0.125\n");
    QCOMPARE(codes(readAll(*reader, taken)), QStringList());
    QCOMPARE(taken.points.size(), 3U);
    file.write("step,loss,val_loss\n1,0.5,\n2,0.25,\n3,0.125,\n3,,0.75\n");
    QCOMPARE(codes(readAll(*reader, taken)), QStringList{u"metricfile.written-anew@0"_s});
    QCOMPARE(taken.starts, 1);
    QCOMPARE(taken.points.size(), 4U);
    QCOMPARE(taken.lines().last(), u"val_loss | step 3 = 0.75"_s);
    // Shorter, in the middle of writing it again.
    file.write("step,l");
    QCOMPARE(readAll(*reader, taken).state, metricfiles::State::Waiting);
    QVERIFY(taken.points.empty());
    file.append("oss\n1,7\n");
    QCOMPARE(readAll(*reader, taken).state, metricfiles::State::UpToDate);
    QCOMPARE(taken.lines(), QStringList{u"loss | step 1 = 7"_s});
}

void TstMetricTexts::cutTables_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("table") << u"a.csv"_s << QByteArray("step,loss,note\n1,0.55,\"a\nb\"\n2,0.255,x\n3,0.125,y\n");
    QTest::newRow("JSON lines") << u"a.jsonl"_s
                                << QByteArray("{\"step\": 1, \"loss\": 0.55}\n{\"step\": 2, \"loss\": 0.255}\n"
                                              "{\"step\": 3, \"loss\": 0.125}\n");
}

// However far the writer has come, no number is taken that may still go on, and none is taken twice.
void TstMetricTexts::cutTables()
{
    QFETCH(const QString, name);
    QFETCH(const QByteArray, text);
    const QStringList all{u"loss | step 1 = 0.55"_s, u"loss | step 2 = 0.255"_s, u"loss | step 3 = 0.125"_s};
    for (qsizetype cut = 0; cut <= text.size(); ++cut) {
        File file(name);
        file.write(text.left(cut));
        const auto reader = opened(file);
        Taken taken;
        readAll(*reader, taken);
        QCOMPARE(taken.lines(), all.mid(0, qsizetype(taken.points.size())));
        file.append(text.mid(cut));
        QCOMPARE(readAll(*reader, taken).state, metricfiles::State::UpToDate);
        QCOMPARE(taken.lines(), all);
        QCOMPARE(taken.starts, 0);
    }
}

// Once the program has ended, a last row counts without a line feed: many write none. What may be half does not.
void TstMetricTexts::lastRowWithoutItsEnd()
{
    File file(u"a.csv"_s);
    file.write("step,loss,acc\n1,0.5,0.1\n2,0.25,0.2");
    const auto reader = opened(file);
    Taken taken;
    QCOMPARE(readAll(*reader, taken).state, metricfiles::State::Waiting);
    QCOMPARE(taken.points.size(), std::size_t(2));
    reader->setOver();
    QCOMPARE(readAll(*reader, taken).state, metricfiles::State::UpToDate);
    QCOMPARE(taken.points.size(), std::size_t(4));
    QCOMPARE(readAll(*reader, taken).state, metricfiles::State::UpToDate);
    // Somebody goes on with it all the same: the rest of a number is no row.
    file.append("5,7,8\n3,0.125,0.3\n");
    QCOMPARE(readAll(*reader, taken).state, metricfiles::State::UpToDate);
    QCOMPARE(taken.points.size(), std::size_t(6));
    QVERIFY2(taken.lines().contains(u"loss | step 3 = 0.125"_s), qPrintable(taken.lines().join(u'\n')));

    QByteArray full = "step,loss\n";
    while (full.size() < 4096) {
        full += "1,0.5\n";
    }
    const QByteArray head = full.first(full.lastIndexOf('\n', 4096 - 20) + 1);
    const QByteArray cutByBuffer = "2,0." + QByteArray(4096 - 4 - head.size(), '1');
    for (const QByteArray &last : {QByteArray("2"), QByteArray("2,"), cutByBuffer}) {
        File half(u"a.csv"_s);
        half.write(head + last);
        const auto one = opened(half);
        Taken before;
        readAll(*one, before);
        const std::size_t count = before.points.size();
        one->setOver();
        QCOMPARE(readAll(*one, before).state, metricfiles::State::Waiting);
        QCOMPARE(before.points.size(), count);
    }
    // The program was started again and goes on in the same file: its buffers do not end where those of the file do.
    for (const bool isWhole : {false, true}) {
        File again(u"a.csv"_s);
        again.write("step,loss\n1,0.5\n" + head + cutByBuffer + (isWhole ? "1" : ""));
        const auto one = opened(again);
        Taken before;
        readAll(*one, before);
        const std::size_t count = before.points.size();
        one->setOver();
        QCOMPARE(readAll(*one, before).state, isWhole ? metricfiles::State::UpToDate : metricfiles::State::Waiting);
        QCOMPARE(before.points.size(), count + (isWhole ? 1 : 0));
    }
}

// A quote too many costs a row, and not all rows behind it.
void TstMetricTexts::quotesThatStayOpen()
{
    constexpr int rows = 10000;
    QByteArray text = "step,note,loss\n1,\"open,0.5\n";
    for (int i = 2; i <= rows; ++i) {
        text += QByteArray::number(i) + ",x,0.25\n";
    }
    File file(u"a.csv"_s);
    file.write(text);
    Taken taken;
    QCOMPARE(readAll(*opened(file), taken).state, metricfiles::State::UpToDate);
    QCOMPARE(taken.points.size(), std::size_t(rows - 1));
    QCOMPARE(taken.lines().constFirst(), u"loss | step 2 = 0.25"_s);
}

void TstMetricTexts::longLines()
{
    for (const QString &name : {u"a.csv"_s, u"a.jsonl"_s}) {
        const bool isTable = name.endsWith(u"csv"_s);
        const QByteArray first = isTable ? "step,loss\n1,2\n" : "{\"step\": 1, \"loss\": 2}\n";
        const QByteArray last = isTable ? "3,4\n" : "{\"step\": 3, \"loss\": 4}\n";
        File file(name);
        file.write(first + QByteArray(3 << 20, 'x') + '\n' + last);
        Taken taken;
        const metricfiles::Report report = readAll(*opened(file), taken);
        QCOMPARE(codes(report), QStringList{u"metricfile.long-record@%1"_s.arg(first.size())});
        QCOMPARE(taken.lines(), (QStringList{u"loss | step 1 = 2"_s, u"loss | step 3 = 4"_s}));
    }
    // What is left of a long line is no line, even if it looks like one.
    File rest(u"a.jsonl"_s);
    rest.write(QByteArray(1 << 20, 'x'));
    const auto reader = opened(rest);
    Taken none;
    readAll(*reader, none);
    rest.append("{\"a\": 1}");
    readAll(*reader, none);
    rest.append("\n{\"a\": 2}\n");
    readAll(*reader, none);
    QCOMPARE(none.lines(), QStringList{u"a | row 1 = 2"_s});
    File file(u"a.csv"_s);
    file.write("1,2,3\n4,5,6\n");
    Taken taken;
    const metricfiles::Report report = readAll(*opened(file), taken);
    QCOMPARE(codes(report), QStringList{u"metricfile.no-header@0"_s});
    QCOMPARE(report.state, metricfiles::State::Damaged);
}

// One call reads no more than its budget and a line, also where no line ends.
void TstMetricTexts::endlessLines()
{
    for (const QString &name : {u"a.csv"_s, u"a.jsonl"_s}) {
        File file(name);
        file.write("step,loss\n");
        QCOMPARE(::truncate(file.path().c_str(), 64 << 20), 0);
        const auto reader = opened(file);
        Taken taken;
        std::uint64_t before = 0;
        while (reader->read(taken, 1 << 20).state == metricfiles::State::More) {
            QVERIFY(reader->bytesRead() - before < 4 << 20);
            before = reader->bytesRead();
        }
        QVERIFY(taken.points.empty());
        QVERIFY(before > 50 << 20);
    }
}

// The file is written whole at each checkpoint; while it is being written, what was read before stays.
void TstMetricTexts::stateIsReadAgain()
{
    File file(u"trainer_state.json"_s);
    file.write("{\"log_history\": [{\"step\": 1, \"loss\": 2}], \"max_steps\": 10}");
    const auto reader = opened(file);
    Taken taken;
    readAll(*reader, taken);
    QCOMPARE(taken.lines(), QStringList{u"loss | step 1 = 2"_s});
    QCOMPARE(taken.facts.at("max_steps"), std::string("10"));
    file.write("{\"log_history\": [{\"step\": 1, \"loss\": 2}, {\"st");
    const metricfiles::Report half = readAll(*reader, taken);
    QCOMPARE(half.state, metricfiles::State::Waiting);
    QCOMPARE(taken.points.size(), 1U);
    file.append("ep\": 2, \"loss\": 1}]}");
    QCOMPARE(readAll(*reader, taken).state, metricfiles::State::UpToDate);
    QCOMPARE(taken.lines(), (QStringList{u"loss | step 1 = 2"_s, u"loss | step 2 = 1"_s}));
    QCOMPARE(taken.starts, 1);
}

void TstMetricTexts::sacredIsReadAgain()
{
    File file(u"metrics.json"_s);
    const QByteArray begin = "{\"loss\": {\"steps\": [1";
    file.write(begin + "], \"timestamps\": [\"2024-03-01T12:00:00\"], \"values\": [2]}}");
    const auto reader = opened(file);
    Taken taken;
    readAll(*reader, taken);
    const QString first = u"loss | step 1 = 2"_s;
    QCOMPARE(taken.lines(), QStringList{first});
    QCOMPARE(taken.points[0].time, std::optional<std::int64_t>(1709294400000));
    file.write(begin + ", 2], \"timestamps\": [\"2024-03-01T12:00:00\", \"2024-03-01T");
    QCOMPARE(readAll(*reader, taken).state, metricfiles::State::Waiting);
    QCOMPARE(taken.lines(), QStringList{first});
    file.append("12:00:01\"], \"values\": [2, 1]}}");
    QCOMPARE(readAll(*reader, taken).state, metricfiles::State::UpToDate);
    QCOMPARE(taken.lines(), (QStringList{first, u"loss | step 2 = 1"_s}));
    QCOMPARE(taken.starts, 1);
    file.write(begin + "]]");
    QCOMPARE(readAll(*reader, taken).state, metricfiles::State::Damaged);
}

void TstMetricTexts::timesOfTexts_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("time"); // 0: it is none
    const auto row = [](const char *text, qint64 time) { QTest::newRow(text) << QByteArray(text) << time; };
    row("2024-03-01T12:00:00", 1709294400000);
    row("2024-03-01 12:00:00.25", 1709294400250);
    row("2024-03-01T12:00:00.250000Z", 1709294400250);
    row("2024-03-01T14:30:00+02:30", 1709294400000);
    row("2024-03-01T07:00:00-05:00", 1709294400000);
    row("2024-02-30T12:00:00", 0);
    row("2024-03-01T25:00:00", 0);
    row("2024-03-01T12:00:00x", 0);
    row("2024-03-01T12:00:00+0", 0);
    row("2024-03-01T12:-1:00", 0);
    row("2024-03-01", 0);
    row("", 0);
}

void TstMetricTexts::timesOfTexts()
{
    QFETCH(const QByteArray, text);
    QFETCH(const qint64, time);
    const std::optional<std::int64_t> read = metricfiles::timeOfIso(text.toStdString());
    QCOMPARE(read.has_value(), time != 0);
    QCOMPARE(qint64(read.value_or(0)), time);
}

void TstMetricTexts::resultsAreReadAgain()
{
    File file(u"all_results.json"_s);
    file.write("{\n  \"epoch\": 3.0,\n  \"eval\": {\"loss\": 0.25},\n  \"model\": \"tiny\"\n}\n");
    const auto reader = opened(file);
    Taken taken;
    QCOMPARE(readAll(*reader, taken).state, metricfiles::State::UpToDate);
    QCOMPARE(taken.lines(), QStringList{u"eval/loss | epoch 3 in 3 = 0.25"_s});
    file.write("{\n  \"eval\": {\"loss\": 0.125},\n  \"eval_acc\"");
    QCOMPARE(readAll(*reader, taken).state, metricfiles::State::Waiting);
    QCOMPARE(taken.lines(), QStringList{u"eval/loss | epoch 3 in 3 = 0.25"_s});
    file.append(": 0.5\n}\n");
    QCOMPARE(readAll(*reader, taken).state, metricfiles::State::UpToDate);
    QCOMPARE(taken.lines(), (QStringList{u"eval/loss | row 1 = 0.125"_s, u"eval_acc | row 1 = 0.5"_s}));
    QCOMPARE(taken.starts, 1);
}

void TstMetricTexts::cutState()
{
    const QByteArray text
        = "{\"a\": \"\\u00e4\", \"log_history\": [{\"step\": 1, \"loss\": 2.5, \"n\": {\"x\": [1]}}]}";
    for (qsizetype cut = 0; cut <= text.size(); ++cut) {
        File file(u"trainer_state.json"_s);
        file.write(text.left(cut));
        const auto reader = opened(file);
        Taken taken;
        const metricfiles::State state = readAll(*reader, taken).state;
        QCOMPARE(state == metricfiles::State::Waiting, cut > 0 && cut < text.size());
        QCOMPARE(taken.points.size(), cut == text.size() ? 1U : 0U);
        file.append(text.mid(cut));
        readAll(*reader, taken);
        QCOMPARE(taken.points.size(), 1U);
    }
}

void TstMetricTexts::largeState()
{
    File file(u"trainer_state.json"_s);
    file.write("{");
    QCOMPARE(::truncate(file.path().c_str(), 65 << 20), 0);
    const auto reader = opened(file);
    Taken taken;
    const metricfiles::Report report = readAll(*reader, taken);
    QCOMPARE(codes(report), QStringList{u"metricfile.too-large@0"_s});
    QVERIFY(reader->bytesRead() < 1 << 20);
}

void TstMetricTexts::json_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("end");
    QTest::newRow("whole") << QByteArray("{\"a\": [1, {\"b\": \"\\\"\"}, []], \"c\": {}} ") << u"end"_s;
    QTest::newRow("number") << QByteArray("1") << u"end"_s;
    QTest::newRow("open") << QByteArray("{\"a\": [1") << u"cut"_s;
    QTest::newRow("open text") << QByteArray("\"a\\") << u"cut"_s;
    QTest::newRow("two") << QByteArray("{} {}") << u"broken"_s;
    QTest::newRow("comma") << QByteArray("[1,]") << u"broken"_s;
    QTest::newRow("no comma") << QByteArray("[1 2]") << u"broken"_s;
    QTest::newRow("wrong bracket") << QByteArray("[1}") << u"broken"_s;
    QTest::newRow("no key") << QByteArray("{1: 2}") << u"broken"_s;
    QTest::newRow("no colon") << QByteArray("{\"a\" 2}") << u"broken"_s;
    QTest::newRow("a word") << QByteArray("[maybe]") << u"broken"_s;
    QTest::newRow("64 levels") << QByteArray(64, '[') + QByteArray(64, ']') << u"end"_s;
    QTest::newRow("65 levels") << QByteArray(65, '[') << u"broken"_s;
    QTest::newRow("a million levels") << QByteArray(1000000, '{') << u"broken"_s;
}

void TstMetricTexts::json()
{
    using Token = metricfiles::JsonScanner::Token;
    QFETCH(const QByteArray, text);
    metricfiles::JsonScanner scanner({text.constData(), std::size_t(text.size())});
    Token token = scanner.next();
    while (token != Token::End && token != Token::Cut && token != Token::Broken) {
        token = scanner.next();
    }
    QTEST(token == Token::End ? u"end"_s : token == Token::Cut ? u"cut"_s : u"broken"_s, "end");
    const QByteArray pair = "\"\\ud83d\\ude00\\n\\ud83d!\"";
    metricfiles::JsonScanner escapes({pair.constData(), std::size_t(pair.size())});
    QCOMPARE(escapes.next(), Token::Text);
    QCOMPARE(QString::fromStdString(escapes.text()), u"\U0001F600\n\uFFFD!"_s);
}

void TstMetricTexts::mlflow()
{
    QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkpath(u"mlruns/0/ab12/metrics/val"_s));
    const QString path = folder.filePath(u"mlruns/0/ab12/metrics/val/loss"_s);
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
    file.write("1700000000123 0.5 1\n1700000000124 nan 2 name digest\n1700000000125 0.2");
    metricfiles::Note problem;
    const auto reader = metricfiles::FileReader::open(path.toStdString(), {}, problem);
    QVERIFY(reader);
    QVERIFY(reader->format() == metricfiles::Format::MlflowMetric);
    Taken taken;
    QCOMPARE(readAll(*reader, taken).state, metricfiles::State::Waiting);
    QCOMPARE(taken.lines(), (QStringList{u"val/loss | step 1 = 0.5"_s, u"val/loss | step 2 = nan"_s}));
    QCOMPARE(taken.points.front().time, std::optional<std::int64_t>(1700000000123));
    file.write("5 3\n1700000000126 1\nnonsense\n");
    QCOMPARE(codes(readAll(*reader, taken)), QStringList{u"metricfile.bad-record@89"_s});
    QCOMPARE(taken.lines().mid(2), (QStringList{u"val/loss | step 3 = 0.25"_s, u"val/loss | row 4 = 1"_s}));
}

TRAINYARD_TEST(TstMetricTexts)
#include "tst_metrictexts.moc"
