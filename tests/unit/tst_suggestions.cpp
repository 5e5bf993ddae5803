// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/jobdocument.h"
#include "model/protocol/suggestions.h"
#include "tests/helpers/testregistry.h"

#include <QElapsedTimer>
#include <QTest>

using namespace trainyard;

namespace
{

const char goodJob[] = R"(protocolVersion: 2
name: job
type: job
parameters:
  lr: 0.1
  model: {depth: 50, kinds: [a, b]}
secrets:
  token: "******"
prerequisites:
  - {name: image, type: dockerimage, uri: example.org/x}
  - {name: other-image, type: dockerimage, uri: example.org/y}
  - {name: git, type: script, plugin: com.microsoft.pai.runtimeplugin.cmd}
  - {name: apt, type: script, plugin: com.microsoft.pai.runtimeplugin.cmd}
  - {name: cifar, type: data, uri: [https://example.org/a, https://example.org/b]}
taskRoles:
  worker:
    instances: 2
    dockerImage: image
    data: cifar
    resourcePerInstance: {gpu: 1, cpu: 4, memoryMB: 1024, ports: {rpc: 1}}
    commands: [python train.py]
  Param_Server:
    dockerImage: image
    resourcePerInstance: {gpu: 0, cpu: 4, memoryMB: 1024}
    commands: [sleep infinity]
deployments:
  - name: prod
    taskRoles: {worker: {preCommands: [ls]}}
  - name: test
    taskRoles: {worker: {preCommands: [ls]}}
)";

const JobSpec &suggestionJob()
{
    static const JobSpec spec = *parseJob(goodJob).spec;
    return spec;
}

Suggestions complete(QByteArray text, const QStringList &clusters = {})
{
    const qsizetype caret = text.indexOf('^');
    text.remove(caret, 1);
    return suggestionsAt(text, caret, {&suggestionJob(), nullptr, clusters});
}

QByteArray labelsOf(const QList<Suggestion> &items, qsizetype most = 8)
{
    QByteArrayList labels;
    for (const Suggestion &item : items) {
        if (labels.size() == most) {
            labels.append("...");
            break;
        }
        labels.append((item.required ? "!" : "") + item.label.toUtf8());
    }
    return labels.join(' ');
}

// The text after the item with this label was taken, ^ where the caret then is.
QByteArray accepted(QByteArray text, const QString &label)
{
    const Suggestions completion = complete(text);
    text.remove(text.indexOf('^'), 1);
    for (const Suggestion &item : completion.items) {
        if (item.label == label) {
            QByteArray inserted = item.insert;
            inserted.insert(item.caret, '^');
            return text.left(completion.range.begin) + inserted + text.mid(completion.range.end);
        }
    }
    return "no such item among: " + labelsOf(completion.items, 99);
}

} // namespace

class TstSuggestions : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void offers_data();
    void offers();
    void inserts_data();
    void inserts();
    void isEagerOnlyWhereItHelps_data();
    void isEagerOnlyWhereItHelps();
    void ranksMatches();
    void knowsCommandsAlone_data();
    void knowsCommandsAlone();
    void offersSecretsThatWereTakenOut();
    void bearsEveryCut();
    void isFastInALargeText();
};

void TstSuggestions::offers_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("expected"); // labels that match what is typed; ! is required
    const auto row = [](const char *name, const char *text, const char *expected) {
        QTest::newRow(name) << QByteArray(text) << QByteArray(expected);
    };
    row("empty text", "^", "!protocolVersion !name !type !taskRoles version contributor description prerequisites ...");
    row("top keys that are not there", "name: x\ntype: job\nd^\n", "description deployments defaults");
    row("top keys, required first", "name: x\ntype: job\n^\n",
        "!protocolVersion !taskRoles version contributor description prerequisites parameters secrets ...");
    row("role's keys", "taskRoles:\n  worker:\n    instances: 1\n    ^\n",
        "!dockerImage !resourcePerInstance !commands completion taskRetryCount prerequisites data script ...");
    row("role's keys, first line", "taskRoles:\n  worker:\n    ^",
        "!dockerImage !resourcePerInstance !commands instances completion taskRetryCount prerequisites data ...");
    row("resources in braces", "taskRoles:\n  w:\n    resourcePerInstance: {gpu: 1, ^}\n", "!cpu !memoryMB ports");
    row("resources, half written", "taskRoles:\n  w:\n    resourcePerInstance:\n      m^", "!memoryMB");
    row("completion", "taskRoles:\n  w:\n    completion:\n      ^", "minFailedInstances minSucceededInstances");
    row("keys of an image", "prerequisites:\n  - name: x\n    type: dockerimage\n    ^\n    uri: y\n",
        "auth version contributor description protocolVersion");
    row("keys of a script, type below", "prerequisites:\n  - name: x\n    c^\n    type: script\n",
        "callbacks contributor preCommands postCommands");
    row("type", "prerequisites:\n  - type: ^\n", "dockerimage script data output");
    row("type, half written", "prerequisites:\n  - type: do^\n", "dockerimage");
    row("event", "prerequisites:\n  - type: script\n    callbacks:\n      - event: ^\n", "taskStarts taskSucceeds");
    row("boolean", "taskRoles:\n  w:\n    extraContainerOptions: {infiniband: ^}\n", "true false");
    row("failure policy", "prerequisites:\n  - type: script\n    failurePolicy: ^\n", "fail ignore");
    row("image", "taskRoles:\n  w:\n    dockerImage: ^\n", "image other-image");
    row("image, word inside", "taskRoles:\n  w:\n    dockerImage: oth^\n", "other-image");
    row("data", "taskRoles:\n  w:\n    data: ^\n", "cifar");
    row("script", "taskRoles:\n  w:\n    script: ^\n", "git apt");
    row("prerequisites of a role", "taskRoles:\n  w:\n    prerequisites:\n      - git\n      - ^\n", "apt cifar");
    row("prerequisites in brackets", "taskRoles:\n  w:\n    prerequisites: [git, ^]\n", "apt cifar");
    row("prerequisites, no dash", "taskRoles:\n  w:\n    prerequisites:\n      - git\n      ^\n", "apt cifar");
    row("require", "prerequisites:\n  - name: git\n    type: script\n    require:\n      - ^\n", "apt cifar");
    row("deployment", "defaults:\n  deployment: ^\n", "prod test");
    row("virtual cluster", "defaults:\n  virtualCluster: ^\n", "default");
    row("roles of a deployment", "deployments:\n  - name: x\n    taskRoles:\n      worker: {}\n      ^\n",
        "Param_Server");
    row("roles of a plugin", "extras:\n  com.microsoft.pai.runtimeplugin:\n    - plugin: ssh\n      taskroles: [^]\n",
        "worker Param_Server");
    row("plugin", "extras:\n  com.microsoft.pai.runtimeplugin:\n    - plugin: ^\n",
        "cmd ssh git tensorboard teamwise_storage");
    row("parameters of a plugin",
        "extras:\n  com.microsoft.pai.runtimeplugin:\n    - plugin: git\n      parameters:\n        ^\n",
        "!repo_uri options clone_dir");
    row("where it runs", "extras:\n  trainyard:\n    runIn: ^\n", "host podman docker apptainer");
    row("password", "prerequisites:\n  - type: dockerimage\n    auth:\n      password: ^\n", "<% $secrets.token %>");
    row("names that are used and not there", "parameters:\n  a: 1\n  ^\nx: <% $parameters.a %> <% $parameters.b %>\n",
        "b");
    row("a name of the user's", "name: ^\n", "");
    row("commands", "taskRoles:\n  w:\n    commands:\n      - py^\n", "");
    row("comment", "# na^\n", "");

    row("template", "taskRoles:\n  worker:\n    commands:\n      - run <% ^\n",
        "$parameters.lr $parameters.model.depth $parameters.model.kinds[0] $parameters.model.kinds[1] $secrets.token "
        "$data.name $data.uri[0] $data.uri[1]");
    row("template, half written", "taskRoles:\n  worker:\n    commands:\n      - run <% $parameters.mo^ %>\n",
        "$parameters.model.depth $parameters.model.kinds[0] $parameters.model.kinds[1]");
    row("template, a part of the name", "taskRoles:\n  worker:\n    commands:\n      - run <%lr^\n", "$parameters.lr");
    row("template in block text", "taskRoles:\n  worker:\n    commands:\n      - |\n        run <% $d^\n",
        "$data.name $data.uri[0] $data.uri[1]");
    row("template in quotes", "taskRoles:\n  worker:\n    commands:\n      - \"run <% $sec^\n", "$secrets.token");
    row("template in a command indented too little",
        "taskRoles:\n  worker:\n    commands:\n      - ls\n    - run <% $sec^ %>\n      - ls\n", "$secrets.token");
    row("data in a command indented too little",
        "taskRoles:\n  worker:\n    commands:\n      - ls\n    - run <% $data.n^ %>\n", "$data.name");
    row("template in a line of no list", "taskRoles:\n  worker:\n    instances: 1\n    - run <% $sec^\n",
        "$secrets.token");
    row("secrets", "taskRoles:\n  worker:\n    commands:\n      - run <% $secrets.^\n", "$secrets.token");
    row("secrets in the middle of a word", "taskRoles:\n  worker:\n    commands:\n      - run <% $secrets.to^ken %>\n",
        "$secrets.token");
    row("secrets in a list in brackets", "taskRoles:\n  worker:\n    commands: [run <% $secrets.^]\n",
        "$secrets.token");
    row("secrets in single quotes", "taskRoles:\n  worker:\n    commands:\n      - 'run <% $secrets.^'\n",
        "$secrets.token");
    row("secrets in a command that goes on",
        "taskRoles:\n  worker:\n    commands:\n      - run\n        <% $secrets.^\n", "$secrets.token");
    row("secrets in a map in braces", "parameters: {x: \"<% $secrets.^\"}\n", "$secrets.token");
    row("data", "taskRoles:\n  worker:\n    commands: [\"run <% $data.^\"]\n", "$data.name $data.uri[0] $data.uri[1]");
    row("output that the role has not", "taskRoles:\n  worker:\n    commands:\n      - run <% $output.^\n", "");
    row("no other name with the letters", "taskRoles:\n  worker:\n    commands:\n      - run <% $secrets.lr^\n", "");
    row("template in a comment", "name: x # <% $sec^\n", "");
    row("behind a template", "taskRoles:\n  worker:\n    commands:\n      - run <% $parameters.lr %> ^\n", "");
    row("template of a prerequisite", "prerequisites:\n  - name: image\n    auth:\n      username: <% this.^\n",
        "this.name this.type this.uri");

    row("variable", "taskRoles:\n  worker:\n    commands:\n      - echo $PAI_WORK_^\n", "PAI_WORK_DIR");
    row("variable in braces", "taskRoles:\n  worker:\n    commands:\n      - echo ${PAI_TASK_IND^\n", "PAI_TASK_INDEX");
    row("variable in a command indented too little",
        "taskRoles:\n  worker:\n    commands:\n      - ls\n    - echo $PAI_WORK_^\n", "PAI_WORK_DIR");
    row("variables of the roles", "taskRoles:\n  worker:\n    commands:\n      - echo $PAI_HOST_IP^\n",
        "PAI_HOST_IP_worker_0 PAI_HOST_IP_worker_1 PAI_HOST_IP_paramserver_0");
    row("variables of the ports", "taskRoles:\n  worker:\n    commands:\n      - echo $PAI_PORT_LIST_worker_1^\n",
        "PAI_PORT_LIST_worker_1_rpc PAI_PORT_LIST_worker_1_ssh PAI_PORT_LIST_worker_1_http");
    row("own ports", "taskRoles:\n  Param_Server:\n    commands:\n      - echo $PAI_CONTAINER_HOST_^\n",
        "PAI_CONTAINER_HOST_IP PAI_CONTAINER_HOST_PORT PAI_CONTAINER_HOST_ssh_PORT_LIST "
        "PAI_CONTAINER_HOST_http_PORT_LIST PAI_CONTAINER_HOST_PORT_LIST");
    row("role as it stands", "taskRoles:\n  worker:\n    commands:\n      - echo $PAI_RESOURCE_^\n",
        "PAI_RESOURCE_worker PAI_RESOURCE_Param_Server");
    row("old names come last", "taskRoles:\n  worker:\n    commands:\n      - echo $PAI_TASK_ROLE_IN^\n",
        "PAI_TASK_ROLE_INSTANCES PAI_TASK_ROLE_INDEX");
    row("variable in a deployment",
        "deployments:\n  - taskRoles:\n      worker:\n        preCommands:\n"
        "          - echo $TRAINYARD_JOB_I^\n",
        "TRAINYARD_JOB_ID");
    row("no variable outside of commands", "description: costs $PAI_^\n", "");
    row("a variable of the shell", "taskRoles:\n  worker:\n    commands:\n      - for i in 1; do echo $i^\n", "");
}

void TstSuggestions::offers()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, expected);
    const Suggestions completion = complete(text);
    QByteArray labels = labelsOf(matching(completion.items, completion.typed));
    if (QByteArrayView(QTest::currentDataTag()) == "a variable of the shell") {
        labels = completion.items.isEmpty() ? "none" : ""; // something of the many names always has an i
    }
    QCOMPARE(labels, expected);
}

void TstSuggestions::inserts_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("label");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char *name, const char *text, const char *label, const char *expected) {
        QTest::newRow(name) << QByteArray(text) << QString::fromLatin1(label) << QByteArray(expected);
    };
    row("key of a scalar", "na^\n", "name", "name: ^\n");
    row("key before its colon", "na^: x\n", "name", "name^: x\n");
    row("key of a map", "taskRoles:\n  w:\n    res^\n", "resourcePerInstance",
        "taskRoles:\n  w:\n    resourcePerInstance:\n      ^\n");
    row("key of a list", "taskRoles:\n  w:\n    comm^\n", "commands", "taskRoles:\n  w:\n    commands:\n      - ^\n");
    row("key of a list, as the text has them", "prerequisites:\n- name: x\ntaskRoles:\n  w:\n    comm^\n", "commands",
        "prerequisites:\n- name: x\ntaskRoles:\n  w:\n    commands:\n    - ^\n");
    row("key of a map, four spaces", "taskRoles:\n    w:\n        comp^\n", "completion",
        "taskRoles:\n    w:\n        completion:\n            ^\n");
    row("windows line ends", "name: x\r\ntaskR^\r\n", "taskRoles", "name: x\r\ntaskRoles:\r\n  ^\r\n");
    row("key of a list in braces", "taskRoles:\n  w: {comm^}\n", "commands", "taskRoles:\n  w: {commands: [^]}\n");
    row("key of a map in an item", "prerequisites:\n  - type: dockerimage\n    au^\n", "auth",
        "prerequisites:\n  - type: dockerimage\n    auth:\n      ^\n");
    row("first key behind a dash", "prerequisites:\n  - na^\n", "name", "prerequisites:\n  - name: ^\n");
    row("first key of a missing dash", "prerequisites:\n  - name: x\n  ^\n", "name",
        "prerequisites:\n  - name: x\n  - name: ^\n");
    row("first item of a list", "prerequisites:\n  ^\n", "name", "prerequisites:\n  - name: ^\n");
    row("first reference of a list", "taskRoles:\n  w:\n    prerequisites:\n      ^\n", "git",
        "taskRoles:\n  w:\n    prerequisites:\n      - git^\n");
    row("value", "prerequisites:\n  - type: scr^x\n", "script", "prerequisites:\n  - type: script^\n");
    row("value without a space", "prerequisites:\n  - type:^\n", "script", "prerequisites:\n  - type: script^\n");
    row("value in quotes", "prerequisites:\n  - type: \"^\"\n", "script", "prerequisites:\n  - type: \"script^\"\n");
    row("value before a comment", "taskRoles:\n  w:\n    dockerImage: im^ # mine\n", "image",
        "taskRoles:\n  w:\n    dockerImage: image^ # mine\n");
    row("template closes", "taskRoles:\n  worker:\n    commands:\n      - run <% $par^\n", "$parameters.lr",
        "taskRoles:\n  worker:\n    commands:\n      - run <% $parameters.lr %>^\n");
    row("template without a space", "taskRoles:\n  worker:\n    commands:\n      - run <%^\n", "$parameters.lr",
        "taskRoles:\n  worker:\n    commands:\n      - run <% $parameters.lr %>^\n");
    row("template is closed", "taskRoles:\n  worker:\n    commands:\n      - run <% $^x %> y\n", "$parameters.lr",
        "taskRoles:\n  worker:\n    commands:\n      - run <% $parameters.lr^ %> y\n");
    row("template before another", "taskRoles:\n  worker:\n    commands:\n      - <% ^ <% $parameters.lr %>\n",
        "$parameters.lr", "taskRoles:\n  worker:\n    commands:\n      - <% $parameters.lr %>^ <% $parameters.lr %>\n");
    row("secret in a list in brackets", "taskRoles:\n  worker:\n    commands: [run <% $secrets.^]\n", "$secrets.token",
        "taskRoles:\n  worker:\n    commands: [run <% $secrets.token %>^]\n");
    row("item in quotes", "taskRoles:\n  worker:\n    commands: [\"run <% $data.uri[^1]\"]\n", "$data.uri[0]",
        "taskRoles:\n  worker:\n    commands: [\"run <% $data.uri[0] %>^\"]\n");
    row("secret in the middle of a word", "taskRoles:\n  worker:\n    commands: [\"run <% $secrets.to^xx y\"]\n",
        "$secrets.token", "taskRoles:\n  worker:\n    commands: [\"run <% $secrets.token %>^xx y\"]\n");
    row("secret directly before a word", "taskRoles:\n  worker:\n    commands:\n      - <% $sec^for i in 1 2; do\n",
        "$secrets.token", "taskRoles:\n  worker:\n    commands:\n      - <% $secrets.token %>^for i in 1 2; do\n");
    row("parameter directly before a dash",
        "taskRoles:\n  worker:\n    commands:\n      - <% $parameters.l^- python3\n", "$parameters.lr",
        "taskRoles:\n  worker:\n    commands:\n      - <% $parameters.lr %>^- python3\n");
    row("words before the end of a template",
        "taskRoles:\n  worker:\n    commands:\n      - <% $sec^for i in $parameters.lr %>\n", "$secrets.token",
        "taskRoles:\n  worker:\n    commands:\n      - <% $secrets.token^for i in $parameters.lr %>\n");
    row("rest of the name in a closed template",
        "taskRoles:\n  worker:\n    commands:\n      - run <% $sec^rets.x  %> y\n", "$secrets.token",
        "taskRoles:\n  worker:\n    commands:\n      - run <% $secrets.token^  %> y\n");
    row("variable directly before a word", "taskRoles:\n  worker:\n    commands:\n      - echo $PAI_W^for\n",
        "PAI_WORK_DIR", "taskRoles:\n  worker:\n    commands:\n      - echo $PAI_WORK_DIR^for\n");
    row("rest of a variable in closed braces", "taskRoles:\n  worker:\n    commands:\n      - echo ${PAI_W^for}\n",
        "PAI_WORK_DIR", "taskRoles:\n  worker:\n    commands:\n      - echo ${PAI_WORK_DIR^}\n");
    row("variable", "taskRoles:\n  worker:\n    commands:\n      - echo $PA^ x\n", "PAI_WORK_DIR",
        "taskRoles:\n  worker:\n    commands:\n      - echo $PAI_WORK_DIR^ x\n");
    row("variable in braces", "taskRoles:\n  worker:\n    commands:\n      - echo ${PA^\n", "PAI_WORK_DIR",
        "taskRoles:\n  worker:\n    commands:\n      - echo ${PAI_WORK_DIR}^\n");
    row("variable in closed braces", "taskRoles:\n  worker:\n    commands:\n      - echo ${PA^}\n", "PAI_WORK_DIR",
        "taskRoles:\n  worker:\n    commands:\n      - echo ${PAI_WORK_DIR^}\n");
    row("in a text that does not parse", "a: [1, {\nb: }} : -\ntaskRoles:\n  w:\n    dockerImage: ^\n", "image",
        "a: [1, {\nb: }} : -\ntaskRoles:\n  w:\n    dockerImage: image^\n");
}

void TstSuggestions::inserts()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, label);
    QFETCH(QByteArray, expected);
    QCOMPARE(accepted(text, label), expected);
}

void TstSuggestions::isEagerOnlyWhereItHelps_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("eager");
    const auto row
        = [](const char *name, const char *text, bool eager) { QTest::newRow(name) << QByteArray(text) << eager; };
    row("a letter of a key", "n^\n", true);
    row("nothing typed", "name: x\n^\n", false);
    row("choice", "prerequisites:\n  - type: ^\n", true);
    row("reference", "taskRoles:\n  w:\n    dockerImage: i^\n", true);
    row("no space yet", "prerequisites:\n  - type:^\n", false);
    row("free text", "name: my^\n", false);
    row("number", "jobRetryCount: ^\n", false);
    row("command", "taskRoles:\n  w:\n    commands:\n      - p^\n", false);
    row("variable", "taskRoles:\n  w:\n    commands:\n      - echo $^\n", true);
    row("template", "description: <% ^\n", true);
    row("already complete", "extras:\n  trainyard:\n    work: ^x\n", false);
}

void TstSuggestions::isEagerOnlyWhereItHelps()
{
    QFETCH(QByteArray, text);
    QFETCH(bool, eager);
    QCOMPARE(complete(text).eager, eager);
}

void TstSuggestions::ranksMatches()
{
    QList<Suggestion> items;
    for (const char *label : {"dockerImage", "Image_size", "image", "my_image", "damage", "im", "xx"}) {
        Suggestion item;
        item.label = QString::fromLatin1(label);
        items.append(item);
    }
    QCOMPARE(labelsOf(matching(items, QStringLiteral("im"))), QByteArray("image im Image_size dockerImage my_image"));
    QCOMPARE(
        labelsOf(matching(items, QStringLiteral("mag"))), QByteArray("dockerImage Image_size image my_image damage"));
    QCOMPARE(matching(items, {}).size(), items.size());
    QVERIFY(matching(items, QStringLiteral("nothing")).isEmpty());
}

// The field of a role has its commands alone: no key, no list, no quotes around them.
void TstSuggestions::knowsCommandsAlone_data()
{
    QTest::addColumn<QByteArray>("commands");
    QTest::addColumn<QByteArray>("first");
    QTest::newRow("parameter") << QByteArray("cd x\npython t.py <% $parameters.^ %>") << QByteArray("$parameters.lr");
    QTest::newRow("not closed") << QByteArray("a: <% $parameters.l^") << QByteArray("$parameters.lr");
    QTest::newRow("secret") << QByteArray("<% $secrets.^") << QByteArray("$secrets.token");
    QTest::newRow("data of the role") << QByteArray("# <% $data.^") << QByteArray("$data.name");
    QTest::newRow("variable") << QByteArray("echo \"${PAI_TASK_IND^") << QByteArray("PAI_TASK_INDEX");
    QTest::newRow("key of a job") << QByteArray("taskR^") << QByteArray();
    QTest::newRow("word") << QByteArray("echo a^") << QByteArray();
}

void TstSuggestions::knowsCommandsAlone()
{
    QFETCH(QByteArray, commands);
    QFETCH(QByteArray, first);
    const qsizetype caret = commands.indexOf('^');
    commands.remove(caret, 1);
    const YamlPath path{QStringLiteral("taskRoles"), QStringLiteral("worker"), QStringLiteral("commands")};
    const Suggestions found = commandSuggestionsAt(commands, caret, path, {&suggestionJob(), nullptr, {}});
    const QList<Suggestion> fitting = matching(found.items, found.typed);
    QCOMPARE(fitting.isEmpty() ? QByteArray() : fitting.constFirst().label.toUtf8(), first);
}

// Of a file without its secrets, and of one that could not be read yet: the names stand where they are used.
void TstSuggestions::offersSecretsThatWereTakenOut()
{
    QByteArray text = goodJob;
    text.replace("secrets:\n  token: \"******\"\n", "secrets: \"******\"\n");
    text.replace("[python train.py]", "[\"a <% $secrets.token %> <% $secrets.key %>\", b <% $secrets.^]");
    const qsizetype caret = text.indexOf('^');
    text.remove(caret, 1);
    const ParseOutcome masked = parseJob(QByteArray(text).replace(" b <% $secrets.", " b"));
    QVERIFY(masked.spec && masked.spec->secretsMasked);
    for (const JobSpec *job : {&*masked.spec, static_cast<const JobSpec *>(nullptr)}) {
        const Suggestions found = suggestionsAt(text, caret, {job, nullptr, {}});
        QCOMPARE(labelsOf(matching(found.items, found.typed)), QByteArray("$secrets.token $secrets.key"));
    }
    // What is being written is no name yet.
    const QByteArray alone = "taskRoles:\n  w:\n    commands:\n      - a <% $secrets.tok";
    QVERIFY(suggestionsAt(alone, alone.size(), {}).isEmpty());
}

// Every caret in every beginning of a job: an answer, whose edit stays inside of the text.
void TstSuggestions::bearsEveryCut()
{
    const QByteArray text
        = QByteArray(goodJob).left(520) + "\n  {<% $x %> ${PAI_ '\" \xFF \xE4\xB8\xAD\n- - ? : |\n  <%\n";
    qsizetype asked = 0;
    for (qsizetype end = 0; end <= text.size(); end += 3) {
        const QByteArray cut = text.left(end);
        for (qsizetype caret = std::max<qsizetype>(0, end - 40); caret <= end; ++caret) {
            const Suggestions completion = suggestionsAt(cut, caret, {&suggestionJob(), nullptr, {}});
            QVERIFY(completion.range.begin >= 0 && completion.range.end <= end);
            QVERIFY(completion.range.begin <= caret);
            for (const Suggestion &item : completion.items) {
                QVERIFY(item.caret >= 0 && item.caret <= item.insert.size());
            }
            ++asked;
        }
    }
    QVERIFY(asked > 5000);
}

void TstSuggestions::isFastInALargeText()
{
    QByteArray large = "taskRoles:\n";
    for (int i = 0; i < 10000; ++i) {
        large += "  role" + QByteArray::number(i) + ": {instances: 1, dockerImage: image}  # comment\n";
    }
    large += "  last:\n    dockerImage: ^\n";
    complete(large);
    QElapsedTimer clock;
    clock.start();
    QCOMPARE(labelsOf(complete(large).items), QByteArray("image other-image"));
    // Generous, for sanitizers and busy machines; a release build takes some milliseconds.
    QVERIFY2(clock.elapsed() < 8000, qPrintable(QString::number(clock.elapsed())));
}

TRAINYARD_TEST(TstSuggestions)
#include "tst_suggestions.moc"
