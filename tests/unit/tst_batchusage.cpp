// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/import/batchimage.h"
#include "model/import/batchimport.h"
#include "model/import/batchusage.h"
#include "model/protocol/jobdocument.h"
#include "tests/helpers/processortime.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

#include <vector>

using namespace Qt::StringLiterals;
using namespace trainyard;

// What a batch script of Slurm expects around its commands: variables, arguments, containers.
class TstBatchUsage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void usage_data();
    void usage();
    void thousandsOfNames();
    void images_data();
    void images();
    void imagesOfRoles();
    void imageOfTheHeadAndAnother();
};

void TstBatchUsage::usage_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("variables");
    QTest::addColumn<QString>("arguments");
    const auto row = [](const char *name, const QByteArray &body, const char *variables, const char *arguments = "") {
        QTest::newRow(name) << body << QString::fromLatin1(variables) << QString::fromLatin1(arguments);
    };
    row("none", "./a $HOME $SLURM_JOB_ID ${BASH_SOURCE[0]}\n", "");
    row("read", "./a $LR \"${DATA}/x\" $LR\n", "LR DATA");
    row("set", "LR=1\nexport DATA=$HOME/x\nfor i in 1; do ./a $LR $DATA $i; done\nread -r line\necho $line\n", "");
    row("set below", "./a $LR\nLR=1\n", "");
    row("set when it is not", "LR=${LR:-0.1}\n: ${SEED:=1}\n./a $LR $SEED\n", "LR SEED");
    row("set first", "LR=1\n./a ${LR:-2}\n", "");
    row("handed on by export", "export LR=$LR TAG=\"${TAG}\" ROOT=${ROOT:-/x}\n./a $LR\n", "LR TAG ROOT");
    row("set, then handed on by export", "LR=1\nexport LR=$LR\n./a $LR\n", "");
    row("read by export", "export DATA=${ROOT}/x\n", "ROOT");
    row("an argument of the same name", "./a lr=$lr\n", "lr");
    row("in quotes and comments", "./a '$LR' # $DATA\necho \\$X\n", "");
    row("in a heredoc", "cat <<EOF\n$LR $1\nEOF\n", "");
    row("in several lines", "./a \\\n  --lr $LR\n", "LR");
    row("set for a step", "srun --export=ALL,LR=1 ./a $LR\n", "");
    row("arguments", "./a $1 ${2:-0.1} \"$@\" $1\n", "", "$1 $2 $@");
    row("how many arguments", "[ $# -gt 0 ] || echo ${#a[@]} ${a[@]}\na=(1)\n", "", "$#");
    row("of a function", "say() {\n  echo ${1} $*\n}\nsay x\n", "");
    row("of a function in a line", "say() { echo $1; }\n./a $2\n", "", "$2");
    row("set arguments", "set -- a b\n./a $1\n", "");
    row("of another program", "awk '{print $1}' x\n", "");
}

void TstBatchUsage::usage()
{
    QFETCH(QByteArray, body);
    const batch::Script script = batch::readBatchScript("#!/bin/bash\n" + body);
    QTEST(batch::readVariables(script, {}).join(u' '), "variables");
    QTEST(batch::readArguments(script).join(u' '), "arguments");
}

// Scripts that other programs write may name tens of thousands: the time grows with them and not with their square.
void TstBatchUsage::thousandsOfNames()
{
    const auto msFor = [](int names) {
        QByteArray body = "#!/bin/bash\n";
        for (int i = 0; i < names; ++i) {
            body += "./a $NAME_OF_A_VARIABLE_" + QByteArray::number(100'000 + i) + '\n';
        }
        const batch::Script script = batch::readBatchScript(body);
        std::vector<double> ms;
        for (int repeat = 0; repeat < 2; ++repeat) {
            const double before = processortime::threadMs();
            const qsizetype found = batch::readVariables(script, {}).size();
            ms.push_back(found == names ? processortime::threadMs() - before : 1e9);
        }
        return processortime::median(ms);
    };
    const double few = msFor(2500), many = msFor(40'000);
    QVERIFY2(many < 30 * few, qPrintable(u"%1 ms for 2,500 names, %2 ms for 40,000"_s.arg(few).arg(many)));
}

void TstBatchUsage::images_data()
{
    QTest::addColumn<QString>("image");
    QTest::addColumn<QString>("address"); // empty: it is none in a registry
    const auto row = [](const char *image, const char *address) {
        QTest::newRow(image) << QString::fromLatin1(image) << QString::fromLatin1(address);
    };
    row("nvcr.io#nvidia/pytorch:24.01-py3", "nvcr.io/nvidia/pytorch:24.01-py3");
    row("docker://me@registry.lab.org:5000#vision/train", "registry.lab.org:5000/vision/train");
    row("ubuntu:22.04", "ubuntu:22.04");
    row("$oauthtoken@nvcr.io#nvidia/cuda", "nvcr.io/nvidia/cuda");
    row("/images/a.sqsh", "");
    row("./a.sqsh", "");
    row("a.sqsh", "");
    row("$IMAGE", "");
    row("", "");
}

void TstBatchUsage::images()
{
    QFETCH(QString, image);
    QTEST(batch::addressOfImage(image), "address");
}

void TstBatchUsage::imagesOfRoles()
{
    const JobImport import
        = importBatchScript("#!/bin/bash\n#SBATCH -n 2 --mem=1G --container-image=a#b:1\nsrun -n1 ./x &\n"
                            "srun -n1 --container-image c:2 ./y &\nsrun -n1 --container-image=/z.sqsh ./z &\nwait\n");
    const ParseOutcome outcome = parseJob(import.yaml);
    QVERIFY2(outcome.canRun(), import.yaml.constData());
    QStringList images;
    for (const TaskRole &role : outcome.spec->taskRoles) {
        const Prerequisite *image = outcome.spec->prerequisite(u"dockerimage"_s, role.dockerImage);
        images.append(image ? image->uri.value(0) : u"none"_s);
    }
    QCOMPARE(images, (QStringList{u"a/b:1"_s, u"c:2"_s, u"none"_s}));
    QStringList codes;
    for (const Diagnostic &each : import.report) {
        codes.append(each.code);
    }
    QCOMPARE(codes, (QStringList{u"batch.image"_s, u"batch.image"_s, u"batch.image-file"_s}));
}

// None is taken without a word about the other, wherever srun stands.
void TstBatchUsage::imageOfTheHeadAndAnother()
{
    const QByteArray head = "#!/bin/bash\n#SBATCH -n 2 --mem=1G --container-image=a#b:1\n";
    const auto others = [&head](const QByteArray &body) {
        QStringList found;
        const JobImport import = importBatchScript(head + body);
        for (const Diagnostic &each : import.report) {
            if (each.code == "batch.image-other"_L1) {
                found.append(each.args.value("image"_L1).toString() + u" of "_s + each.args.value("used"_L1).toString()
                    + u" at "_s
                    + QString::fromUtf8(QByteArray(head + body).mid(each.at.begin, each.at.length()).left(7)));
            }
        }
        return found;
    };
    const QStringList left{u"a#b:1 of c:2 at #SBATCH"_s};
    QCOMPARE(others("srun --container-image=c:2 ./x | tee log\n"), left);
    QCOMPARE(others("srun --container-image=c:2 ./x\n"), left);
    QCOMPARE(others("for i in 1 2; do srun --container-image=c:2 ./x $i; done\n"), left);
    QCOMPARE(others("srun --container-image=c:2 ./x &\nsrun --container-image=d:3 ./y &\nwait\n"), left);
    QCOMPARE(others("srun --container-image=a#b:1 ./x | tee log\n"), QStringList());
    QCOMPARE(others("srun ./x | tee log\n"), QStringList());
    QCOMPARE(others("srun -n1 ./x &\nsrun -n1 --container-image=c:2 ./y &\nwait\n"), QStringList());
}

TRAINYARD_TEST(TstBatchUsage)
#include "tst_batchusage.moc"
