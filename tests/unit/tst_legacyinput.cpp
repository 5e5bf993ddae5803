// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/legacy.h"
#include "tests/fuzz/legacyfuzz.h"
#include "tests/helpers/fullform.h"
#include "tests/helpers/testregistry.h"
#include "tests/unit/oldjobs.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QRandomGenerator>
#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;
using namespace oldjobs;

// Texts of version 1 that no one would write: large ones, and ones with mistakes anywhere.
class TstLegacyInput : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void largeJobs_data();
    void largeJobs();
    void keptInputs();
    void mutations();
};

void TstLegacyInput::largeJobs_data()
{
    QTest::addColumn<QByteArray>("text");
    QByteArray roles;
    for (int i = 0; i < inForm(4000); ++i) {
        roles += (i ? "," : "") + QByteArray(R"({"name": "r_)") + QByteArray::number(i) + R"(", "command": "c"})";
    }
    QTest::newRow("roles") << oldJob("", roles);
    QByteArray keys;
    for (int i = 0; i < inForm(60'000); ++i) {
        keys += (i ? ",\"k" : "\"k") + QByteArray::number(i) + "\":1";
    }
    QTest::newRow("keys") << oldJob(keys);
    QTest::newRow("variables") << oldJob("\"jobEnvs\": {" + keys + "}");
    QTest::newRow("comments") << oldJob("") + QByteArray("//x\n").repeated(inForm(200'000));
    QTest::newRow("command") << oldJob(
        "", R"({"name": "a_b", "command": ")" + QByteArray("PAI_a_b_0_").repeated(inForm(90'000)) + "\"}");
    QTest::newRow("open") << R"({"jobName": "x", "a": )" + QByteArray(inForm(900'000), '[');
}

void TstLegacyInput::largeJobs()
{
    QFETCH(QByteArray, text);
    QElapsedTimer timer;
    timer.start();
    const JobImport result = importLegacyJob(text);
    qInfo("%lld bytes, %lld ms, %lld findings, %lld bytes out", qlonglong(text.size()), qlonglong(timer.elapsed()),
        qlonglong(result.report.size()), qlonglong(result.yaml.size()));
    QVERIFY2(timer.elapsed() < 30'000, qPrintable(QString::number(timer.elapsed())));
}

// The fuzz target's checks over the inputs that once broke it, and over some thousand mutations with a fixed seed. A
// check that does not hold ends the program.
void TstLegacyInput::keptInputs()
{
    const QDir dir(qEnvironmentVariable("TRAINYARD_SOURCE") + u"/tests/fuzz/regress"_s);
    int count = 0;
    const QStringList names = dir.entryList({u"legacy*"_s}, QDir::Files, QDir::Name);
    for (const QString &name : names) {
        QFile input(dir.filePath(name));
        QVERIFY(input.open(QIODevice::ReadOnly));
        legacyfuzz::import(input.readAll());
        ++count;
    }
    qInfo("%d inputs", count);
    QVERIFY(count > 0);
}

void TstLegacyInput::mutations()
{
    const QList<QByteArray> seeds{oldJob(R"("retryCount": -1, "jobEnvs": {"A": "b\u00e4", "C-D": [1]})"),
        "// c\n" + oldJob(R"("dataDir": "d", "codeDir": "c", "gpuType": "K", /* x */ "extras": {"a": [{}, []]},)"),
        oldJob("", R"({"name": "a-b", "command": "echo $PAI_TASK_ROLE_a-b_HOST_LIST\n x", "taskNumber": 2,
            "minFailedTaskCount": null, "portList": [{"label": "p-q", "beginAt": 5, "portNumber": 2}], "x": 1e3})"),
        "jobName: x # c\nimage: i\ntaskRoles:\n- name: w\n  command: |\n    a\n    b\n"};
    const char characters[] = " \n:,/*\"'\\{}[]-0159.eabtrufnl\t\0\xC3\xA4";
    const QByteArray alphabet(characters, sizeof(characters) - 1);
    QRandomGenerator random(5);
    int imported = 0;
    const int rounds = inForm(4000, 10);
    for (int i = 0; i < rounds; ++i) {
        QByteArray text = seeds.at(random.bounded(int(seeds.size())));
        const int changes = random.bounded(1, 5);
        for (int j = 0; j < changes; ++j) {
            const int place = random.bounded(int(text.size()));
            const char c = alphabet.at(random.bounded(int(alphabet.size())));
            switch (random.bounded(3)) {
            case 0:
                text.insert(place, c);
                break;
            case 1:
                text.remove(place, random.bounded(1, 3));
                break;
            default:
                text[place] = c;
                break;
            }
        }
        legacyfuzz::import(text);
        imported += !importLegacyJob(text).yaml.isEmpty();
    }
    qInfo("4000 mutations, %d of them still jobs", imported);
    QVERIFY(imported > rounds / 40);
}

TRAINYARD_TEST(TstLegacyInput)
#include "tst_legacyinput.moc"
