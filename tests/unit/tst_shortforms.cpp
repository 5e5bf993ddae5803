// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/shortforms.h"
#include "model/yaml/yamledit.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

// A value that is written in short gets a further key.
class TstShortForms : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void writes_data();
    void writes();
};

void TstShortForms::writes_data()
{
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to"); // empty: refused
    const QByteArray head = "extras:\n  trainyard:\n";
    const auto row = [&head](const char *name, const QByteArray &from, const QByteArray &to) {
        QTest::newRow(name) << QByteArray(head + from) << (to.isEmpty() ? to : QByteArray(head + to));
    };
    row("a list in lines", "    results:\n      - a.csv\n      - out/**\n    work: w\n",
        "    results: {files: [a.csv, out/**], to: ../r}\n    work: w\n");
    row("a list in brackets", "    results: [a.csv, '*.pt'] # mine\n",
        "    results: {files: [a.csv, '*.pt'], to: ../r} # mine\n");
    row("one text", "    results: a.csv\n", "    results: {files: [a.csv], to: ../r}\n");
    row("nothing", "    results:\n    work: w\n", "    results:\n      to: ../r\n    work: w\n");
    row("in full already", "    results:\n      files: [a]\n", "    results:\n      files: [a]\n      to: ../r\n");
    row("not there", "    work: w\n", "    work: w\n    results:\n      to: ../r\n");
    row("something else in the list", "    results: [{a: 1}]\n", {});
}

void TstShortForms::writes()
{
    QFETCH(QByteArray, from);
    QFETCH(QByteArray, to);
    const YamlDocument document = YamlDocument::parse(from);
    const YamlPath path{u"extras"_s, u"trainyard"_s, u"results"_s, u"to"_s};
    QList<edit::Op> ops = writeInFull(document, path);
    ops.append(edit::SetText{path, u"../r"_s});
    const Result<PlannedChange> planned = planChange(document, ops);
    QCOMPARE(planned ? planned->document.bytes() : QByteArray(), to);
    QVERIFY(writeInFull(document, path.parent()).isEmpty());
    QVERIFY(writeInFull(document, YamlPath{u"name"_s}).isEmpty());
}

TRAINYARD_TEST(TstShortForms)
#include "tst_shortforms.moc"
