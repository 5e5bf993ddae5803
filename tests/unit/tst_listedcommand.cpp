// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/listedcommand.h"
#include "model/protocol/jobdocument.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// What lists say that a job runs.
class TstListedCommand : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void line_data();
    void line();
    void hasItsValuesAndNoSecret();
    void isCut();
    void isNothingWithoutARole() { QCOMPARE(listedCommand({}), QString()); }

private:
    static QString listed(const QByteArray &commands, const QByteArray &more = {});
};

QString TstListedCommand::listed(const QByteArray &commands, const QByteArray &more)
{
    const ParseOutcome outcome = parseJob(QByteArray("protocolVersion: 2\nname: train\ntype: job\n" + more
        + "taskRoles:\n  worker:\n    resourcePerInstance: {cpu: 1, memoryMB: 16, gpu: 0}\n    commands:\n" + commands
        + "  other:\n    resourcePerInstance: {cpu: 1, memoryMB: 16, gpu: 0}\n    commands: ['true']\n"));
    return outcome.spec ? listedCommand(*outcome.spec) : u"not a job"_s;
}

void TstListedCommand::line_data()
{
    QTest::addColumn<QByteArray>("commands");
    QTest::addColumn<QString>("line");
    const auto row = [](const char *name, const char *commands, const char *line) {
        QTest::newRow(name) << QByteArray(commands) << QString::fromUtf8(line);
    };
    row("one", "      - python train.py --epochs 3\n", "python train.py --epochs 3");
    row("several", "      - pip install -q .\n      - python train.py\n", "pip install -q .; python train.py");
    row("comments", "      - |\n        # the baseline\n        python train.py # fast\n", "python train.py # fast");
    row("options of the shell",
        "      - set -euo pipefail\n      - set -x +e\n      - set -o errexit\n      - python train.py\n",
        "python train.py");
    row("other words behind set", "      - set -- a b\n      - python train.py $1\n", "set -- a b; python train.py $1");
    row("goes on in the next line",
        "      - |\n        torchrun --nproc 2 \\\n          train.py \\\n          --lr 1\n",
        "torchrun --nproc 2 train.py --lr 1");
    row("a sharp behind a backslash", "      - |\n        echo \\\n        # not a comment\n", "echo # not a comment");
    row("a comment does not go on", "      - |\n        # old: \\\n        python train.py\n", "python train.py");
    row("loops",
        "      - |\n        for i in 1 2; do\n          python train.py $i &&\n            echo done\n        done\n",
        "for i in 1 2; do python train.py $i && echo done; done");
}

void TstListedCommand::line()
{
    QFETCH(const QByteArray, commands);
    QFETCH(const QString, line);
    QCOMPARE(listed(commands), line);
}

void TstListedCommand::hasItsValuesAndNoSecret()
{
    QCOMPARE(listed("      - 'train --lr <% $parameters.lr %> --key <% $secrets.key %>'\n",
                 "parameters: {lr: 0.1}\nsecrets: {key: hunter2}\n"),
        u"train --lr 0.1 --key <% $secrets.key %>"_s);
}

void TstListedCommand::isCut()
{
    const QString line = listed("      - python train.py " + QByteArray(1000, 'x') + '\n');
    QCOMPARE(line.size(), longestListedCommand);
    QVERIFY2(line.startsWith("python train.py xxx"_L1) && line.endsWith(u'\u2026'), qPrintable(line));
}

TRAINYARD_TEST(TstListedCommand)
#include "tst_listedcommand.moc"
