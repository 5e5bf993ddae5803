// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/caretinfo.h"
#include "model/protocol/jobdocument.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace trainyard;

namespace
{

const char sample[] = R"(protocolVersion: 2
name: job
type: job
parameters:
  lr: 0.1
  net: {depth: 50, kinds: [a, b]}
secrets:
  token: hidden-value
prerequisites:
  - name: image
    type: dockerimage
    uri: example.org/x
  - {name: git, type: script, plugin: com.microsoft.pai.runtimeplugin.cmd, require: [apt]}
  - {name: apt, type: script, plugin: com.microsoft.pai.runtimeplugin.cmd}
  - {name: cifar, type: data, uri: [https://example.org/a]}
taskRoles:
  worker:
    instances: 2
    dockerImage: image
    data: cifar
    prerequisites: [git, nowhere]
    resourcePerInstance: {gpu: 1, cpu: 4, memoryMB: 1024}
    commands:
      - run <% $parameters.lr %> <% $parameters.net.depth %> <% $parameters.net.kinds[1] %> <% $secrets.token %>
      - get <% $data.uri[0] %> <% $parameters.gone %>
      - echo $PAI_TASK_ROLE_TASK_COUNT_worker ${PAI_HOST_IP_worker_0} $HOME $PAI_TASK_INDEX
deployments:
  - name: prod
    taskRoles: {worker: {preCommands: [ls]}}
defaults: {deployment: prod}
)";

// Finds `before` and puts the caret behind its first `^`, which is no part of the text.
qsizetype caretAt(QByteArray mark)
{
    const qsizetype inside = mark.indexOf('^');
    mark.remove(inside, 1);
    const qsizetype at = QByteArray(sample).indexOf(mark);
    return at < 0 ? -1 : at + inside;
}

} // namespace

class TstCaretInfo : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void knows_data();
    void knows();
    void readsBrokenText();
    void bearsEveryCaret();
};

void TstCaretInfo::knows_data()
{
    QTest::addColumn<QByteArray>("mark");
    QTest::addColumn<QString>("expected"); // kind, name or path, value
    QTest::addColumn<QByteArray>("definition"); // the line it leads to; empty: nowhere
    const auto row = [](const char *name, const char *mark, const char *expected, const char *definition) {
        QTest::newRow(name) << QByteArray(mark) << QString::fromLatin1(expected) << QByteArray(definition);
    };
    row("a key", "inst^ances", "field /taskRoles/*/instances", "");
    row("its value", "instances: ^2", "field /taskRoles/*/instances", "");
    row("before the dash", "^  - name: image", "field /prerequisites/*/name", "");
    row("a key in braces", "me^moryMB", "field /taskRoles/*/resourcePerInstance/memoryMB", "");
    row("a key of a type", "ur^i: example", "field /prerequisites/*/uri", "");
    row("a command", "ru^n <%", "field /taskRoles/*/commands/*", "");
    row("image", "dockerImage: im^age", "name image = example.org/x", "  - name: image");
    row("data", "data: ci^far", "name cifar = https://example.org/a",
        "  - {name: cifar, type: data, uri: [https://example.org/a]}");
    row("prerequisite", "prerequisites: [gi^t", "name git = script",
        "  - {name: git, type: script, plugin: com.microsoft.pai.runtimeplugin.cmd, require: [apt]}");
    row("prerequisite that is not there", "now^here", "name nowhere ?", "");
    row("require", "require: [ap^t]", "name apt = script",
        "  - {name: apt, type: script, plugin: com.microsoft.pai.runtimeplugin.cmd}");
    row("deployment", "deployment: pr^od", "name prod", "  - name: prod");
    row("role of a deployment", "taskRoles: {wor^ker", "name worker", "  worker:");
    row("parameter", "$parameters.l^r", "template $parameters.lr = 0.1", "  lr: 0.1");
    row("parameter in a map", "$parameters.net.de^pth", "template $parameters.net.depth = 50",
        "  net: {depth: 50, kinds: [a, b]}");
    row("parameter in a list", "$parameters.net.kin^ds[1]", "template $parameters.net.kinds[1] = b",
        "  net: {depth: 50, kinds: [a, b]}");
    row("secret", "$secrets.to^ken", "template $secrets.token secret", "  token: hidden-value");
    row("a role's data", "$data.^uri", "template $data.uri[0] = https://example.org/a",
        "  - {name: cifar, type: data, uri: [https://example.org/a]}");
    row("parameter that is not there", "$parameters.go^ne", "template $parameters.gone ?", "");
    row("variable of a role", "$PAI_TASK_ROLE_TASK^_COUNT_worker", "variable PAI_TASK_ROLE_TASK_COUNT_worker = 2",
        "  worker:");
    row("variable in braces", "${PAI_HOST_IP^_worker_0", "variable PAI_HOST_IP_worker_0", "  worker:");
    row("variable of a task", "$PAI_TASK_IN^DEX", "variable PAI_TASK_INDEX", "");
    row("variable of the shell", "$HO^ME", "field /taskRoles/*/commands/*", "");
}

void TstCaretInfo::knows()
{
    QFETCH(QByteArray, mark);
    QFETCH(QString, expected);
    QFETCH(QByteArray, definition);
    const qsizetype caret = caretAt(mark);
    QVERIFY(caret >= 0);
    const ParseOutcome outcome = parseJob(sample);
    QVERIFY(outcome.spec);
    const CaretInfo info = caretInfoAt(sample, caret, {&*outcome.spec, nullptr, {}});
    QString found;
    switch (info.kind) {
    case CaretInfo::Kind::Nothing:
        found = QStringLiteral("nothing");
        break;
    case CaretInfo::Kind::Field:
        found = QStringLiteral("field ") + info.field->pointer();
        break;
    case CaretInfo::Kind::Name:
        found = QStringLiteral("name ") + info.name;
        break;
    case CaretInfo::Kind::Template:
        found = QStringLiteral("template ") + info.name;
        break;
    case CaretInfo::Kind::Variable:
        found = QStringLiteral("variable ") + info.name;
        break;
    }
    found += info.value.isEmpty() ? QString() : QStringLiteral(" = ") + info.value;
    found += info.secret ? QStringLiteral(" secret") : QString();
    found += info.resolved ? QString() : QStringLiteral(" ?");
    QCOMPARE(found, expected);
    const auto range = definitionOf(outcome.document, info);
    QByteArray line;
    if (range) {
        const QByteArray text = sample;
        const qsizetype begin = text.lastIndexOf('\n', range->begin) + 1;
        line = text.mid(begin, text.indexOf('\n', begin) - begin);
    }
    QCOMPARE(line, definition);
}

void TstCaretInfo::readsBrokenText()
{
    const QByteArray broken = "a: [1,\ntaskRoles:\n  w:\n    instances: 'x\n    taskRetryCount: 1\n";
    const CaretInfo info = caretInfoAt(broken, broken.indexOf("taskRetry") + 2, {});
    QVERIFY(info.field);
    QCOMPARE(info.field->pointer(), QStringLiteral("/taskRoles/*/taskRetryCount"));
}

void TstCaretInfo::bearsEveryCaret()
{
    const QByteArray text = QByteArray(sample) + "\n}{ <% ${ \xFF";
    const ParseOutcome outcome = parseJob(sample);
    const YamlDocument document = YamlDocument::parse(text);
    qsizetype something = 0;
    for (qsizetype caret = 0; caret <= text.size(); ++caret) {
        const CaretInfo info = caretInfoAt(text, caret, {&*outcome.spec, nullptr, {}});
        QVERIFY(info.at.begin >= 0 && info.at.begin <= info.at.end && info.at.end <= text.size());
        QVERIFY(!info.value.contains(QStringLiteral("hidden-value")));
        definitionOf(document, info);
        something += info.isNothing() ? 0 : 1;
    }
    QVERIFY(something > text.size() / 2);
}

TRAINYARD_TEST(TstCaretInfo)
#include "tst_caretinfo.moc"
