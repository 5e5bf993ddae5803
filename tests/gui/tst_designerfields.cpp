// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/designertools.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/chip.h"
#include "widgets/common/style.h"
#include "widgets/form/commandsfield.h"
#include "widgets/form/fields.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QHelpEvent>
#include <QLabel>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTabBar>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QToolButton>
#include <QToolTip>

using namespace trainyard;
using namespace designertools;

// A job in which every section of the protocol is there, and keys that are in none.
static const char fullText[] = R"(# everything
protocolVersion: 2
name: everything_there_is
type: job
version: "1.0"
contributor: OpenPAI
description: |
  A job that has every section.
tags_of_mine: [a, b]
jobRetryCount: 2
parameters:
  model: resnet20   # the small one
  batchsize: 32
  lr: 0.1
  a_parameter_with_a_rather_long_name_that_nobody_can_read: some text which is also long, much longer than the column
  layers: [64, 128]
  optimizer:
    name: adam
    betas: [0.9, 0.999]
  notes: |
    two
    lines
secrets:
  github_token: "******"
  docker_password: abcdefgh
prerequisites:
  - name: tf_example
    type: dockerimage
    uri: registry.example.org/team/with/a/long/path/openpai/pai.example.tensorflow:2.11.0-cuda12.1-cudnn8-runtime
    auth:
      username: me
      password: <% $secrets.docker_password %>
      registryuri: https://registry.example.org
  - name: install-git   # for the script
    type: script
    plugin: com.microsoft.pai.runtimeplugin.cmd
    callbacks:
      - event: taskStarts
        commands:
          - apt install -y git
  - name: cnn-benchmarks
    type: script
    plugin: com.microsoft.pai.runtimeplugin.cmd
    description: Benchmarks
    depth: 3
    require:
      - install-git
    callbacks:
      - event: taskStarts
        commands:
          - git clone https://example.org/benchmarks script_cnn
      - event: taskSucceeds
        commands:
          - rm -r script_cnn
    failurePolicy: ignore
  - name: cifar10-data
    type: data
    uri:
      - https://example.org/cifar10.tar.gz
      - https://example.org/cifar100.tar.gz
taskRoles:
  worker:
    instances: 4    # one per GPU
    completion:
      minFailedInstances: 1
      minSucceededInstances: 4
    taskRetryCount: 1
    dockerImage: tf_example
    data: cifar10-data
    prerequisites:
      - cnn-benchmarks
      - cifar10-data
    extraContainerOptions:
      shmMB: 4096
      infiniband: true
      privileged: true
    resourcePerInstance:
      gpu: 1
      cpu: 4
      memoryMB: 256
      ports:
        ssh: 1
        http: 1
    commands:
      - cd /work
      - |
        python train.py --job_name=worker \
          --ps_hosts=$PAI_TASK_ROLE_ps_HOST_LIST \
          --model=<% $parameters.model %> --batch_size=<% $parameters.batchsize %>
    mykey: 1
  ps:
    instances: 1
    dockerImage: tf_example
    resourcePerInstance: {cpu: 4, memoryMB: 8192, gpu: 0}
    commands:
      - sleep infinity
  a_role_with_a_very_long_name_which_does_not_fit_anywhere_at_all:
    dockerImage: tf_example
    resourcePerInstance: {cpu: 4, memoryMB: 8192, gpu: 0}
    commands:
      - sleep infinity
deployments:
  - name: lab
    taskRoles:
      worker:
        preCommands:
          - module load cuda
        postCommands:
          - echo done
  - name: cloud
    taskRoles:
      worker:
        preCommands:
          - az login
defaults:
  virtualCluster: vc1
  deployment: lab
extras:
  com.microsoft.pai.runtimeplugin:
    - plugin: ssh
      parameters:
        jobssh: true
        sshbarrier: true
        sshbarrierTimeout: 30
        userssh:
          type: custom
          value: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExampleExampleExampleExample me@home
    - plugin: tensorboard
      parameters:
        port: 12001
        logdir:
          path: /mnt/tensorboard
    - plugin: git
      parameters:
        repo_uri: https://example.org/repository.git
        options: [--depth=1]
      taskroles: [worker]
    - plugin: teamwise_storage
      parameters:
        storageConfigNames: [confignfs]
    - plugin: mine
      parameters:
        alpha: 1
        beta: {x: 1}
  gangAllocation: true
  jobStatusChangeNotification:
    running: true
    failed: true
  hivedScheduler:
    jobPriorityClass: prod
    taskRoles:
      worker:
        skuType: K80
        skuNum: 2
    lazyPreemptionEnable: true
  storages:
    - name: confignfs
      mountPath: /data
  submitFrom: submit-job-v2
  trainyard:
    runIn: docker
    work: ~/work
    tags: [baseline]
  tensorBoard:
    randomStr: abc
# the end
)";

// Every field of every section, by its widget: what the bytes are after it, and after undo.
class TstDesignerFields : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();
    void edits_data();
    void edits();
    void renamesWithReferences();
    void keepsPasswordsInSecrets();
    void duplicatesWithComments();
    void reordersRolesAndEntries();
    void pastesParameters();
    void takesSecretsOut();
    void choosesAKey();
    void makesAnImageForARole();
    void showsWhatRequiresWhat();
    void explainsFields();
    void jumpsToOtherKeys();
    void opensWhatTheCaretIsIn();
    void copesWithThousandsOfCommands();
    void fitsNarrowForms();
    void screenshots();

private:
    void show(const QByteArray &bytes);
    void tab(int index) { find<QTabBar>(page.get(), "formTabs")->setCurrentIndex(index); }
    std::unique_ptr<DesignerPage> page;
};

enum FormTab { ParametersTab, SecretsTab, PrerequisitesTab, DeploymentsTab, PluginsTab, ExtrasTab };

static void openTab(DesignerPage *page, int index) { find<QTabBar>(page, "formTabs")->setCurrentIndex(index); }

static void openItem(DesignerPage *page, int index, const char *list, int row)
{
    openTab(page, index);
    find<QListWidget>(page, list)->setCurrentRow(row);
}

// Types into the table's cell; the value's editor is the table's own.
static void typeCell(DesignerPage *page, const char *name, int row, int column, const QString &text)
{
    auto *table = find<QTableWidget>(page, name);
    table->setCurrentCell(row, column);
    table->editItem(table->item(row, column));
    auto *editor = table->viewport()->findChild<QLineEdit *>();
    QVERIFY(editor);
    editor->selectAll();
    QTest::keyClicks(editor, text);
    QTest::keyClick(editor, Qt::Key_Return);
}

static void typeLines(DesignerPage *page, const char *name, const QStringList &lines)
{
    auto *field = find<QWidget>(page, name);
    auto *view = field->findChild<CodeView *>(QStringLiteral("commandsText"));
    focus(view);
    view->setCaret(view->byteCount());
    for (qsizetype i = 0; i < lines.size(); ++i) {
        if (i > 0 || view->byteCount() > 0) {
            QTest::keyClick(view, Qt::Key_Return);
        }
        QTest::keyClicks(view, lines.at(i));
    }
    leave(page);
}

static void choose(DesignerPage *page, const char *name, int index)
{
    auto *combo = find<QComboBox>(page, name);
    combo->setCurrentIndex(index);
    Q_EMIT combo->activated(index);
}

static void click(DesignerPage *page, const char *name) { find<QAbstractButton>(page, name)->click(); }

// The n-th tool of a table's row.
static void rowTool(DesignerPage *page, const char *table, int row, const char *tool)
{
    find<QTableWidget>(page, table)->cellWidget(row, 2)->findChild<QToolButton *>(QLatin1String(tool))->click();
}

static void typeValue(DesignerPage *page, const QByteArray &text)
{
    auto *view = find<CodeView>(page, "valueText");
    view->setAllBytes(text);
    find<QPushButton>(page, "valueDone")->click();
}

void TstDesignerFields::init() { page = std::make_unique<DesignerPage>(); }
void TstDesignerFields::cleanup() { page.reset(); }

void TstDesignerFields::show(const QByteArray &bytes)
{
    page->resize(1192, 820);
    page->newDocument(bytes, QStringLiteral("full.pai.yaml"));
    page->show();
    page->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(page.get()));
}

void TstDesignerFields::edits_data()
{
    QTest::addColumn<Act>("act");
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    const auto row = [](const char *name, const QByteArray &from, const QByteArray &to, const Act &act) {
        QTest::newRow(name) << act << from << to;
    };
    using Q = QString;
    const auto q = [](const char *text) { return Q::fromUtf8(text); };
    // About, queue
    row("version", "version: \"1.0\"", "version: \"1.1\"",
        [q](DesignerPage *p) { type(find<QLineEdit>(p, "jobVersion"), q("1.1")); });
    row("protocol", "protocolVersion: 2\nname", "protocolVersion: 3\nname",
        [q](DesignerPage *p) { typeNumber(p, "jobProtocol", q("3")); });
    row("type", "type: job\n", "", [](DesignerPage *p) { choose(p, "jobType", 0); });
    row("retries", "jobRetryCount: 2", "jobRetryCount: 5",
        [q](DesignerPage *p) { typeNumber(p, "jobRetries", q("5")); });
    row("cluster", "virtualCluster: vc1", "virtualCluster: vc2",
        [q](DesignerPage *p) { type(find<QComboBox>(p, "jobQueue")->lineEdit(), q("vc2")); });
    row("priority", "jobPriorityClass: prod", "jobPriorityClass: oppo",
        [](DesignerPage *p) { choose(p, "jobPriority", 3); });
    row("no priority", "    jobPriorityClass: prod\n", "", [](DesignerPage *p) { choose(p, "jobPriority", 0); });
    row("gang", "gangAllocation: true", "gangAllocation: false", [](DesignerPage *p) { click(p, "jobGang"); });
    // Role
    row("no image", "    dockerImage: tf_example\n    data", "    data",
        [](DesignerPage *p) { choose(p, "roleImage", 0); });
    row("task retries", "taskRetryCount: 1", "taskRetryCount: 3",
        [q](DesignerPage *p) { typeNumber(p, "roleRetries", q("3")); });
    row("data", "data: cifar10-data\n", "data: other\n",
        [q](DesignerPage *p) { type(find<QComboBox>(p, "roleData")->lineEdit(), q("other")); });
    row("script", "    mykey: 1\n", "    mykey: 1\n    script: install-git\n", [](DesignerPage *p) {
        auto *combo = find<QComboBox>(p, "roleScript");
        choose(p, "roleScript", combo->findText(QStringLiteral("install-git")));
    });
    row("output", "    mykey: 1\n", "    mykey: 1\n    output: out\n",
        [q](DesignerPage *p) { type(find<QComboBox>(p, "roleOutput")->lineEdit(), q("out")); });
    row("memory", "memoryMB: 256\n", "memoryMB: 2048\n",
        [q](DesignerPage *p) { typeNumber(p, "roleMemory", q("2 GiB")); });
    row("shared memory", "shmMB: 4096", "shmMB: 64", [q](DesignerPage *p) { typeNumber(p, "roleShared", q("64")); });
    row("infiniband", "infiniband: true", "infiniband: false", [](DesignerPage *p) { click(p, "roleInfiniband"); });
    row("sku", "skuType: K80", "skuType: V100",
        [q](DesignerPage *p) { type(find<QWidget>(p, "roleSku")->findChild<QLineEdit *>(), q("V100")); });
    row("sku number", "skuNum: 2", "skuNum: 3",
        [q](DesignerPage *p) { type(find<QWidget>(p, "roleSkuNumber")->findChild<QLineEdit *>(), q("3")); });
    row("affinity", "        skuNum: 2\n", "        skuNum: 2\n        affinityGroupName: g\n",
        [q](DesignerPage *p) { type(find<QWidget>(p, "roleAffinity")->findChild<QLineEdit *>(), q("g")); });
    row("container option", "privileged: true", "privileged: false",
        [q](DesignerPage *p) { typeCell(p, "roleContainer", 0, 1, q("false")); });
    row("other key of a role", "    mykey: 1\n", "    mykey: 2\n",
        [q](DesignerPage *p) { typeCell(p, "roleOthers", 0, 1, q("2")); });
    // Parameters
    row("a map in a parameter", "    name: adam\n", "    name: sgd\n", [](DesignerPage *p) {
        rowTool(p, "parametersTable", 5, "valueEdit");
        QCOMPARE(find<CodeView>(p, "valueText")->allBytes(), QByteArray("name: adam\nbetas: [0.9, 0.999]"));
        typeValue(p, "name: sgd\nbetas: [0.9, 0.999]");
    });
    row("a map grows", "    betas: [0.9, 0.999]\n", "    betas: [0.9, 0.999]\n    steps:\n      - 1\n      - 2\n",
        [](DesignerPage *p) {
            rowTool(p, "parametersTable", 5, "valueEdit");
            typeValue(p, "{name: adam, betas: [0.9, 0.999], steps: [1, 2]}");
        });
    row("a text of lines", "    two\n    lines\n", "    two\n    more lines\n", [](DesignerPage *p) {
        rowTool(p, "parametersTable", 6, "valueEdit");
        QCOMPARE(find<CodeView>(p, "valueText")->allBytes(), QByteArray("two\nlines\n"));
        typeValue(p, "two\nmore lines\n");
    });
    row("a parameter goes", "  lr: 0.1\n", "",
        [](DesignerPage *p) { rowTool(p, "parametersTable", 2, "valueRemove"); });
    // Prerequisites
    row("an image's user", "username: me", "username: you", [q](DesignerPage *p) {
        openItem(p, PrerequisitesTab, "prerequisitesList", 0);
        type(find<QLineEdit>(p, "prerequisiteUser"), q("you"));
    });
    row("its registry", "      registryuri: https://registry.example.org\n", "", [](DesignerPage *p) {
        openItem(p, PrerequisitesTab, "prerequisitesList", 0);
        auto *edit = find<QLineEdit>(p, "prerequisiteRegistry");
        focus(edit);
        edit->selectAll();
        QTest::keyClick(edit, Qt::Key_Delete);
        leave(p);
    });
    row("type", "  - name: install-git   # for the script\n    type: script",
        "  - name: install-git   # for the script\n    type: output", [](DesignerPage *p) {
            openItem(p, PrerequisitesTab, "prerequisitesList", 1);
            choose(p, "prerequisiteType", 4);
        });
    row("commands at start", "          - apt install -y git\n",
        "          - apt install -y git\n          - git --version\n", [q](DesignerPage *p) {
            openItem(p, PrerequisitesTab, "prerequisitesList", 1);
            typeLines(p, "prerequisiteStarts", {q("git --version")});
        });
    row("commands on success", "          - apt install -y git\n",
        "          - apt install -y git\n      - event: taskSucceeds\n        commands:\n          - apt remove git\n",
        [q](DesignerPage *p) {
            openItem(p, PrerequisitesTab, "prerequisitesList", 1);
            typeLines(p, "prerequisiteSucceeds", {q("apt remove git")});
        });
    row("plugin", "    plugin: com.microsoft.pai.runtimeplugin.cmd\n    callbacks", "    plugin: other\n    callbacks",
        [q](DesignerPage *p) {
            openItem(p, PrerequisitesTab, "prerequisitesList", 1);
            type(find<QComboBox>(p, "prerequisitePlugin")->lineEdit(), q("other"));
        });
    row("failure", "    failurePolicy: ignore\n", "", [](DesignerPage *p) {
        openItem(p, PrerequisitesTab, "prerequisitesList", 2);
        choose(p, "prerequisitePolicy", 0);
    });
    row("required", "    require:\n      - install-git\n", "", [](DesignerPage *p) {
        openItem(p, PrerequisitesTab, "prerequisitesList", 2);
        auto *chip = find<QWidget>(p, "prerequisiteRequire")->findChild<Chip *>(QStringLiteral("chain_0"));
        focus(chip);
        QTest::keyClick(chip, Qt::Key_Delete);
    });
    row("sources", "      - https://example.org/cifar100.tar.gz\n",
        "      - https://example.org/cifar100.tar.gz\n      - /data/x\n", [q](DesignerPage *p) {
            openItem(p, PrerequisitesTab, "prerequisitesList", 3);
            typeLines(p, "prerequisiteUris", {q("/data/x")});
        });
    row("description", "    description: Benchmarks\n", "    description: All of them\n", [q](DesignerPage *p) {
        openItem(p, PrerequisitesTab, "prerequisitesList", 2);
        QTest::mouseClick(find<QWidget>(p, "prerequisiteMore"), Qt::LeftButton);
        auto *edit = find<QPlainTextEdit>(p, "prerequisiteDescription");
        focus(edit);
        edit->selectAll();
        QTest::keyClicks(edit, q("All of them"));
        leave(p);
    });
    row("version of a prerequisite", "    failurePolicy: ignore\n", "    failurePolicy: ignore\n    version: v1\n",
        [q](DesignerPage *p) {
            openItem(p, PrerequisitesTab, "prerequisitesList", 2);
            type(find<QLineEdit>(p, "prerequisiteVersion"), q("v1"));
        });
    row("protocol of a prerequisite", "    failurePolicy: ignore\n",
        "    failurePolicy: ignore\n    protocolVersion: 2\n", [q](DesignerPage *p) {
            openItem(p, PrerequisitesTab, "prerequisitesList", 2);
            typeNumber(p, "prerequisiteProtocol", q("2"));
        });
    row("own key", "    depth: 3\n", "    depth: 4\n", [q](DesignerPage *p) {
        openItem(p, PrerequisitesTab, "prerequisitesList", 2);
        typeCell(p, "ownKeys", 0, 1, q("4"));
    });
    row("a prerequisite goes",
        "  - name: cifar10-data\n    type: data\n    uri:\n      - https://example.org/cifar10.tar.gz\n      - "
        "https://example.org/cifar100.tar.gz\n",
        "", [](DesignerPage *p) {
            openItem(p, PrerequisitesTab, "prerequisitesList", 3);
            click(p, "prerequisitesRemove");
        });
    // Deployments
    row("before", "          - module load cuda\n", "          - module load cuda\n          - nvidia-smi\n",
        [q](DesignerPage *p) {
            openTab(p, DeploymentsTab);
            typeLines(p, "deploymentBefore", {q("nvidia-smi")});
        });
    row("after, of another one", "          - az login\n",
        "          - az login\n        postCommands:\n          - az logout\n", [q](DesignerPage *p) {
            openTab(p, DeploymentsTab);
            find<QComboBox>(p, "deploymentChoice")->setCurrentIndex(1);
            typeLines(p, "deploymentAfter", {q("az logout")});
        });
    row("for another role", "          - echo done\n",
        "          - echo done\n      ps:\n        preCommands:\n          - x\n", [q](DesignerPage *p) {
            openTab(p, DeploymentsTab);
            auto *roles = find<QComboBox>(p, "deploymentRole");
            roles->setCurrentIndex(roles->findText(q("ps")));
            typeLines(p, "deploymentBefore", {q("x")});
        });
    row("active", "  deployment: lab\n", "", [](DesignerPage *p) {
        openTab(p, DeploymentsTab);
        choose(p, "deploymentActive", 0);
    });
    // Plugins
    row("ssh between tasks", "jobssh: true", "jobssh: false", [](DesignerPage *p) {
        openItem(p, PluginsTab, "pluginsList", 0);
        click(p, "sshJob");
    });
    row("barrier", "sshbarrier: true", "sshbarrier: false", [](DesignerPage *p) {
        openItem(p, PluginsTab, "pluginsList", 0);
        click(p, "sshBarrier");
    });
    row("barrier's time", "sshbarrierTimeout: 30", "sshbarrierTimeout: 45", [q](DesignerPage *p) {
        openItem(p, PluginsTab, "pluginsList", 0);
        typeNumber(p, "sshTimeout", q("45"));
    });
    row("kind of key", "type: custom", "type: system", [](DesignerPage *p) {
        openItem(p, PluginsTab, "pluginsList", 0);
        choose(p, "sshKeyType", 2);
    });
    row("key", "value: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExampleExampleExampleExample me@home",
        "value: ssh-rsa AAAA", [q](DesignerPage *p) {
            openItem(p, PluginsTab, "pluginsList", 0);
            type(find<QLineEdit>(p, "sshKey"), q("ssh-rsa AAAA"));
        });
    row("only for a role",
        "          value: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExampleExampleExampleExample me@home\n",
        "          value: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExampleExampleExampleExample me@home\n      "
        "taskroles:\n        - ps\n",
        [](DesignerPage *p) {
            openItem(p, PluginsTab, "pluginsList", 0);
            click(p, "only_ps");
        });
    row("for all roles", "      taskroles: [worker]\n", "", [](DesignerPage *p) {
        openItem(p, PluginsTab, "pluginsList", 2);
        click(p, "only_worker");
    });
    row("port of TensorBoard", "port: 12001", "port: 6006", [q](DesignerPage *p) {
        openItem(p, PluginsTab, "pluginsList", 1);
        typeNumber(p, "tensorboardPort", q("6006"));
    });
    row("folder of logs", "path: /mnt/tensorboard", "path: /logs", [q](DesignerPage *p) {
        openItem(p, PluginsTab, "pluginsList", 1);
        typeCell(p, "tensorboardFolders", 0, 1, q("/logs"));
    });
    row("repository", "repo_uri: https://example.org/repository.git", "repo_uri: https://example.org/x.git",
        [q](DesignerPage *p) {
            openItem(p, PluginsTab, "pluginsList", 2);
            type(find<QLineEdit>(p, "gitUri"), q("https://example.org/x.git"));
        });
    row("clone folder", "        options: [--depth=1]\n", "        options: [--depth=1]\n        clone_dir: /code\n",
        [q](DesignerPage *p) {
            openItem(p, PluginsTab, "pluginsList", 2);
            type(find<QLineEdit>(p, "gitFolder"), q("/code"));
        });
    row("git options", "options: [--depth=1]", "options: [--depth=1, --bare]", [q](DesignerPage *p) {
        openItem(p, PluginsTab, "pluginsList", 2);
        typeLines(p, "gitOptions", {q("--bare")});
    });
    row("storages of the team", "storageConfigNames: [confignfs]", "storageConfigNames: [confignfs, other]",
        [q](DesignerPage *p) {
            openItem(p, PluginsTab, "pluginsList", 3);
            typeLines(p, "storageNames", {q("other")});
        });
    row("parameter of another plugin", "alpha: 1", "alpha: 2", [q](DesignerPage *p) {
        openItem(p, PluginsTab, "pluginsList", 4);
        typeCell(p, "pluginParameters", 0, 1, q("2"));
    });
    row("failure of a plugin", "        beta: {x: 1}\n", "        beta: {x: 1}\n      failurePolicy: ignore\n",
        [](DesignerPage *p) {
            openItem(p, PluginsTab, "pluginsList", 4);
            choose(p, "pluginPolicy", 1);
        });
    row("a new plugin", "        beta: {x: 1}\n", "        beta: {x: 1}\n    - plugin: cmd\n", [](DesignerPage *p) {
        openTab(p, PluginsTab);
        p->findChild<QAction *>(QStringLiteral("plugin_cmd"))->trigger();
    });
    row("no plugin", "    - plugin: teamwise_storage\n      parameters:\n        storageConfigNames: [confignfs]\n", "",
        [](DesignerPage *p) {
            openItem(p, PluginsTab, "pluginsList", 3);
            click(p, "pluginsRemove");
        });
    // Extras
    row("notification", "    failed: true\n", "    failed: true\n    stopped: true\n", [](DesignerPage *p) {
        openTab(p, ExtrasTab);
        click(p, "notify_stopped");
    });
    row("work folder", "work: ~/work", "work: /tmp/w", [q](DesignerPage *p) {
        openTab(p, ExtrasTab);
        type(find<QLineEdit>(p, "jobWork"), q("/tmp/w"));
    });
    row("run in", "runIn: docker", "runIn: host", [](DesignerPage *p) { choose(p, "roleRunIn", 1); });
    row("other of ours", "tags: [baseline]", "tags: [baseline, x]", [q](DesignerPage *p) {
        openTab(p, ExtrasTab);
        typeCell(p, "trainyardKeys", 0, 1, q("[baseline, x]"));
    });
    row("scheduler", "lazyPreemptionEnable: true", "lazyPreemptionEnable: false", [q](DesignerPage *p) {
        openTab(p, ExtrasTab);
        typeCell(p, "schedulerKeys", 0, 1, q("false"));
    });
    row("storage", "mountPath: /data\n", "mountPath: /other\n", [q](DesignerPage *p) {
        openTab(p, ExtrasTab);
        click(p, "storage_0");
        type(find<QLineEdit>(p, "storageMount"), q("/other"));
    });
    row("a new storage", "      mountPath: /data\n", "      mountPath: /data\n    - name: s2\n      readOnly: true\n",
        [q](DesignerPage *p) {
            openTab(p, ExtrasTab);
            click(p, "storageAdd");
            click(p, "storageReadOnly");
            type(find<QLineEdit>(p, "storageName"), q("s2"));
        });
    row("made by", "submitFrom: submit-job-v2", "submitFrom: me", [q](DesignerPage *p) {
        openTab(p, ExtrasTab);
        type(find<QLineEdit>(p, "jobSubmitFrom"), q("me"));
    });
    row("any extra", "randomStr: abc", "randomStr: def", [](DesignerPage *p) {
        openTab(p, ExtrasTab);
        rowTool(p, "extrasKeys", 0, "valueEdit");
        typeValue(p, "randomStr: def");
    });
}

void TstDesignerFields::edits()
{
    QFETCH(Act, act);
    QFETCH(QByteArray, from);
    QFETCH(QByteArray, to);
    show(fullText);
    const QByteArray before = fullText;
    QCOMPARE(before.count(from), 1);
    act(page.get());
    if (QTest::currentTestFailed()) {
        return;
    }
    QByteArray expected = before;
    expected.replace(from, to);
    QTRY_COMPARE(page->bytes().split('\n'), expected.split('\n'));
    page->undo();
    QCOMPARE(page->bytes().split('\n'), before.split('\n'));
    QVERIFY(!page->isModified());
    QVERIFY(!page->undoAction()->isEnabled());
}

void TstDesignerFields::renamesWithReferences()
{
    show(fullText);
    openItem(page.get(), PrerequisitesTab, "prerequisitesList", 1);
    type(find<QLineEdit>(page.get(), "prerequisiteName"), QStringLiteral("get-git"));
    QByteArray expected = fullText;
    expected.replace("name: install-git", "name: get-git").replace("- install-git", "- get-git");
    QTRY_COMPARE(page->bytes().split('\n'), expected.split('\n'));
    openItem(page.get(), PrerequisitesTab, "prerequisitesList", 0);
    type(find<QLineEdit>(page.get(), "prerequisiteName"), QStringLiteral("tf"));
    expected.replace("name: tf_example", "name: tf").replace("dockerImage: tf_example", "dockerImage: tf");
    QTRY_COMPARE(page->bytes().split('\n'), expected.split('\n'));
    page->undo();
    page->undo();
    QCOMPARE(page->bytes(), QByteArray(fullText));
    typeCell(page.get(), "parametersTable", 1, 0, QStringLiteral("size"));
    expected = fullText;
    expected.replace("  batchsize: 32", "  size: 32").replace("$parameters.batchsize", "$parameters.size");
    QTRY_COMPARE(page->bytes().split('\n'), expected.split('\n'));
    page->undo();
    openTab(page.get(), DeploymentsTab);
    type(find<QLineEdit>(page.get(), "deploymentName"), QStringLiteral("here"));
    expected = fullText;
    expected.replace("name: lab", "name: here").replace("deployment: lab", "deployment: here");
    QTRY_COMPARE(page->bytes().split('\n'), expected.split('\n'));
}

void TstDesignerFields::keepsPasswordsInSecrets()
{
    // One that is a secret already: its value changes.
    show(fullText);
    openItem(page.get(), PrerequisitesTab, "prerequisitesList", 0);
    type(find<QLineEdit>(page.get(), "prerequisitePassword"), QStringLiteral("newone"));
    QByteArray expected = fullText;
    expected.replace("docker_password: abcdefgh", "docker_password: newone");
    QTRY_COMPARE(page->bytes().split('\n'), expected.split('\n'));
    // A new one: a secret and a reference to it, in one step.
    const QByteArray bare("name: n\nprerequisites:\n  - name: my-image\n    type: dockerimage\n    uri: x\n");
    show(bare);
    openItem(page.get(), PrerequisitesTab, "prerequisitesList", 0);
    auto *edit = find<QLineEdit>(page.get(), "prerequisitePassword");
    QCOMPARE(edit->echoMode(), QLineEdit::Password);
    type(edit, QStringLiteral("pw: 1"));
    QTRY_VERIFY(page->bytes().contains("password: <% $secrets.my_image_password %>\n"));
    QVERIFY(page->bytes().contains("secrets:\n  my_image_password: 'pw: 1'\n"));
    page->undo();
    QCOMPARE(page->bytes(), bare);
}

void TstDesignerFields::duplicatesWithComments()
{
    const QByteArray text("name: n\ntaskRoles:\n  # the workers\n  worker: # fast\n    instances: 2 # two\n"
                          "    commands:\n      - echo 1 # say\n  ps: &ps\n    commands: [a]\nprerequisites:\n"
                          "  # one\n  - name: a1 # it\n    type: script\n");
    show(text);
    auto *tabs = find<QTabBar>(page.get(), "roleTabs");
    Q_EMIT tabs->customContextMenuRequested(tabs->tabRect(0).center());
    trigger(page.get(), "roleMenu", QStringLiteral("Duplicate"));
    QByteArray expected = text;
    const QByteArray copy(
        "  # the workers\n  worker2: # fast\n    instances: 2 # two\n    commands:\n      - echo 1 # say\n");
    expected.insert(expected.indexOf("  ps:"), copy);
    QTRY_COMPARE(page->bytes().split('\n'), expected.split('\n'));
    QTRY_COMPARE(tabs->currentIndex(), 1);
    page->undo();
    QCOMPARE(page->bytes(), text);
    // The copy has no anchors.
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    Q_EMIT tabs->customContextMenuRequested(tabs->tabRect(1).center());
    trigger(page.get(), "roleMenu", QStringLiteral("Duplicate"));
    QTRY_VERIFY2(page->bytes().contains("  ps2:\n    commands: [a]\n"), page->bytes().constData());
    page->undo();
    openItem(page.get(), PrerequisitesTab, "prerequisitesList", 0);
    click(page.get(), "prerequisitesDuplicate");
    QTRY_COMPARE(
        page->bytes().split('\n'), QByteArray(text + "  # one\n  - name: a2 # it\n    type: script\n").split('\n'));
    page->undo();
    QCOMPARE(page->bytes(), text);
}

void TstDesignerFields::reordersRolesAndEntries()
{
    show(fullText);
    auto *tabs = find<QTabBar>(page.get(), "roleTabs");
    QCOMPARE(tabs->tabData(0).toString(), QStringLiteral("worker"));
    const QPoint from = tabs->tabRect(0).center();
    const QPoint to(tabs->tabRect(1).right() - 4, from.y());
    QTest::mousePress(tabs, Qt::LeftButton, {}, from);
    for (int x = from.x(); x <= to.x(); x += 8) {
        QMouseEvent move(QEvent::MouseMove, QPointF(x, from.y()), tabs->mapToGlobal(QPointF(x, from.y())), Qt::NoButton,
            Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(tabs, &move);
    }
    QTest::mouseRelease(tabs, Qt::LeftButton, {}, to);
    QTRY_VERIFY(page->bytes().indexOf("\n  ps:\n") < page->bytes().indexOf("\n  worker:\n    instances"));
    QTRY_COMPARE(tabs->tabData(0).toString(), QStringLiteral("ps"));
    QTRY_COMPARE(tabs->tabData(tabs->currentIndex()).toString(), QStringLiteral("worker"));
    page->undo();
    QCOMPARE(page->bytes(), QByteArray(fullText));
    QVERIFY(!page->undoAction()->isEnabled()); // one step
    QTRY_COMPARE(tabs->tabData(0).toString(), QStringLiteral("worker"));
    // Entries of a list, by the keyboard.
    openItem(page.get(), PrerequisitesTab, "prerequisitesList", 0);
    auto *list = find<QListWidget>(page.get(), "prerequisitesList");
    QTest::keyClick(list, Qt::Key_Down, Qt::AltModifier);
    QTRY_VERIFY(page->bytes().indexOf("- name: tf_example") > page->bytes().indexOf("- name: install-git"));
    QCOMPARE(list->currentRow(), 1);
    QTest::keyClick(list, Qt::Key_Up, Qt::AltModifier);
    QTRY_COMPARE(page->bytes(), QByteArray(fullText));
    QCOMPARE(list->currentRow(), 0);
}

void TstDesignerFields::pastesParameters()
{
    const QByteArray text("name: n\nparameters:\n  lr: 0.1 # keep\n");
    show(text);
    QApplication::clipboard()->setText(QStringLiteral("lr=1e-3\nexport MODEL=\"res net\"\n"));
    click(page.get(), "parametersTablePaste");
    QCOMPARE(find<QPlainTextEdit>(page.get(), "pasteText")->toPlainText(), QApplication::clipboard()->text());
    click(page.get(), "pasteAdd");
    QTRY_COMPARE(page->bytes(), QByteArray("name: n\nparameters:\n  lr: 1e-3 # keep\n  MODEL: res net\n"));
    page->undo();
    QCOMPARE(page->bytes(), text);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QApplication::clipboard()->setText(QStringLiteral("{\"a\": [1, 2], \"b\": {\"c\": true}}"));
    auto *table = find<QTableWidget>(page.get(), "parametersTable");
    focus(table);
    QTest::keyClick(table, Qt::Key_V, Qt::ControlModifier);
    QTRY_COMPARE(page->bytes(), text + "  a:\n    - 1\n    - 2\n  b:\n    c: true\n");
    page->undo();
    // What is no entry changes nothing, and says so.
    QApplication::clipboard()->setText(QStringLiteral("some words"));
    click(page.get(), "parametersTablePaste");
    QVERIFY(!find<QPushButton>(page.get(), "pasteAdd")->isEnabled());
    QCOMPARE(page->bytes(), text);
}

void TstDesignerFields::takesSecretsOut()
{
    const QByteArray text("name: n\nsecrets:\n  a: one # c\n  b: \"******\"\n  c: three\n");
    show(text);
    openTab(page.get(), SecretsTab);
    auto *table = find<QTableWidget>(page.get(), "secretsTable");
    QVERIFY(!table->item(0, 1)->text().contains(u"one"));
    auto *eye = table->cellWidget(0, 2)->findChild<QToolButton *>(QStringLiteral("secretReveal"));
    QTest::mousePress(eye, Qt::LeftButton);
    QCOMPARE(table->item(0, 1)->text(), QStringLiteral("one"));
    QTest::mouseRelease(eye, Qt::LeftButton);
    QVERIFY(!table->item(0, 1)->text().contains(u"one"));
    rowTool(page.get(), "secretsTable", 2, "secretLock");
    QByteArray expected = text;
    expected.replace("c: three", "c: '******'");
    QTRY_COMPARE(page->bytes(), expected);
    click(page.get(), "secretsTakeOut");
    expected.replace("a: one", "a: '******'");
    QTRY_COMPARE(page->bytes(), expected);
    QVERIFY(!find<QPushButton>(page.get(), "secretsTakeOut")->isVisible());
    page->undo();
    page->undo();
    QCOMPARE(page->bytes(), text);
}

void TstDesignerFields::choosesAKey()
{
    QTemporaryDir home;
    QVERIFY(QDir(home.path()).mkdir(QStringLiteral(".ssh")));
    QFile file(home.filePath(QStringLiteral(".ssh/id_ed25519.pub")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("ssh-ed25519 AAAAKEY me@here\n");
    file.close();
    const QByteArray before = qgetenv("HOME");
    qputenv("HOME", home.path().toLocal8Bit());
    show("name: n\nextras:\n  com.microsoft.pai.runtimeplugin:\n    - plugin: ssh\n");
    openItem(page.get(), PluginsTab, "pluginsList", 0);
    click(page.get(), "sshChooseKey");
    trigger(page.get(), "sshKeyMenu", QStringLiteral("id_ed25519.pub (me@here)"));
    qputenv("HOME", before);
    QTRY_COMPARE(page->bytes(),
        QByteArray("name: n\nextras:\n  com.microsoft.pai.runtimeplugin:\n    - plugin: ssh\n      parameters:\n"
                   "        userssh:\n          value: ssh-ed25519 AAAAKEY me@here\n          type: custom\n"));
}

void TstDesignerFields::makesAnImageForARole()
{
    const QByteArray text("name: n\ntaskRoles:\n  worker:\n    commands: [a]\n");
    show(text);
    auto *combo = find<QComboBox>(page.get(), "roleImage");
    choose(page.get(), "roleImage", combo->count() - 1);
    QTRY_VERIFY(page->bytes().contains("    dockerImage: image\n"));
    QVERIFY(page->bytes().contains("prerequisites:\n  - name: image\n    type: dockerimage\n    uri: ubuntu:22.04\n"));
    QCOMPARE(combo->currentText(), QStringLiteral("image"));
    QTRY_VERIFY(find<QLineEdit>(page.get(), "prerequisiteName")->hasFocus());
    page->undo();
    QCOMPARE(page->bytes(), text);
}

void TstDesignerFields::showsWhatRequiresWhat()
{
    show(fullText);
    openItem(page.get(), PrerequisitesTab, "prerequisitesList", 2);
    const QString order = find<QLabel>(page.get(), "prerequisiteOrder")->text().remove(QChar(0x200B));
    QVERIFY2(order.contains(QStringLiteral("install-git → cnn-benchmarks")), qPrintable(order));
    QVERIFY2(order.contains(QStringLiteral("worker")), qPrintable(order));
}

void TstDesignerFields::explainsFields()
{
    show(fullText);
    auto *box = find<QAbstractSpinBox>(page.get(), "roleInstances");
    focus(box);
    auto *brief = page->findChild<QWidget *>(QStringLiteral("fieldBrief"));
    QVERIFY(brief);
    QHelpEvent help(QEvent::ToolTip, QPoint(4, 4), box->mapToGlobal(QPoint(4, 4)));
    QCoreApplication::sendEvent(box, &help);
    QVERIFY(QToolTip::isVisible());
    QVERIFY2(QToolTip::text().contains(QStringLiteral("<b>")), qPrintable(QToolTip::text()));
    QToolTip::hideText();
}

void TstDesignerFields::jumpsToOtherKeys()
{
    show(fullText);
    openTab(page.get(), ExtrasTab);
    auto *list = find<QListWidget>(page.get(), "extrasList");
    QCOMPARE(list->count(), 1);
    QCOMPARE(list->item(0)->text(), QStringLiteral("tags_of_mine"));
    Q_EMIT list->itemClicked(list->item(0));
    auto *text = find<CodeView>(page.get(), "yamlText");
    QCOMPARE(text->caret(), QByteArray(fullText).indexOf("tags_of_mine"));
}

void TstDesignerFields::opensWhatTheCaretIsIn()
{
    show(fullText);
    auto *text = find<CodeView>(page.get(), "yamlText");
    const auto at = [&](const char *needle) {
        focus(text);
        text->setCaret(QByteArray(fullText).indexOf(needle) + 2);
    };
    auto *shared = find<QWidget>(page.get(), "roleShared");
    QVERIFY(!shared->isVisible());
    at("shmMB");
    QTRY_VERIFY(shared->isVisible());
    at("12001");
    QTRY_VERIFY(find<QWidget>(page.get(), "tensorboardPort")->isVisible());
    at("submitFrom");
    QTRY_VERIFY(find<QWidget>(page.get(), "jobSubmitFrom")->isVisible());
    at("az login");
    QTRY_COMPARE(find<QComboBox>(page.get(), "deploymentChoice")->currentIndex(), 1);
}

void TstDesignerFields::copesWithThousandsOfCommands()
{
    QByteArray text("name: n\ntaskRoles:\n  worker:\n    commands:\n");
    constexpr int many = 5000;
    for (int i = 0; i < many; ++i) {
        text += "      - echo line " + QByteArray::number(i) + " of many\n";
    }
    show(text);
    CodeView *view = commands(page.get());
    QTRY_COMPARE(view->lines(), qsizetype(many));
    focus(view);
    view->setCaret(view->lineEnd(many / 2));
    settle(page.get());
    // The keys themselves; parsing goes on elsewhere.
    QElapsedTimer clock;
    clock.start();
    constexpr int keys = 20;
    for (int i = 0; i < keys; ++i) {
        QTest::keyClick(view, Qt::Key_X);
    }
    const qint64 spent = clock.elapsed();
    qInfo("%d keys into %d commands: %lld ms", keys, many, static_cast<long long>(spent));
    leave(page.get());
    QByteArray expected = text;
    expected.replace("line 2500 of many\n", QByteArray("line 2500 of many" + QByteArray(keys, 'x') + "\n"));
    QTRY_COMPARE_WITH_TIMEOUT(page->bytes().size(), expected.size(), 15000);
    QCOMPARE(page->bytes(), expected);
}

// Nothing may be cut off where the form is narrow.
void TstDesignerFields::fitsNarrowForms()
{
    show(fullText);
    page->resize(700, 820);
    settle(page.get());
    auto *form = find<QScrollArea>(page.get(), "jobForm");
    for (int index = ParametersTab; index <= ExtrasTab; ++index) {
        tab(index);
        settle(page.get());
        const auto parts = form->widget()->findChildren<QWidget *>();
        for (const QWidget *part : parts) {
            if (part->isVisible() && part->minimumSizeHint().width() > form->viewport()->width() - 32) {
                qInfo("%s %s needs %d px", part->metaObject()->className(), qPrintable(part->objectName()),
                    part->minimumSizeHint().width());
            }
        }
        QVERIFY2(form->widget()->width() <= form->viewport()->width(),
            qPrintable(QStringLiteral("tab %1: %2 > %3")
                           .arg(index)
                           .arg(form->widget()->width())
                           .arg(form->viewport()->width())));
    }
    auto *memory = find<QAbstractSpinBox>(page.get(), "roleMemory");
    auto *edit = memory->findChild<QLineEdit *>();
    QCOMPARE(edit->text(), QStringLiteral("256 MiB"));
    QVERIFY(edit->width() - 4 >= edit->fontMetrics().horizontalAdvance(edit->text()));
}

// Pictures for people: TRAINYARD_SCREENSHOTS names a folder.
void TstDesignerFields::screenshots()
{
    const QString folder = qEnvironmentVariable("TRAINYARD_SCREENSHOTS");
    if (folder.isEmpty()) {
        QSKIP("TRAINYARD_SCREENSHOTS is not set.");
    }
    const QByteArray empty("protocolVersion: 2\nname: new\ntype: job\n");
    for (const ThemeMode theme : {ThemeMode::Light, ThemeMode::Dark}) {
        TrainyardStyle::installed()->setThemeMode(theme);
        const QString suffix = theme == ThemeMode::Light ? QStringLiteral("light") : QStringLiteral("dark");
        for (const bool full : {true, false}) {
            show(full ? QByteArray(fullText) : empty);
            page->resize(1192, 1300);
            page->setProblemsVisible(false);
            settle(page.get());
            const QString name = folder + (full ? QStringLiteral("/full-") : QStringLiteral("/empty-")) + suffix;
            find<QLineEdit>(page.get(), "jobName")->setFocus();
            page->grab().save(name + QStringLiteral(".png"));
            auto *form = find<QScrollArea>(page.get(), "jobForm");
            for (const char *each : {"queueDisclosure", "aboutDisclosure", "roleMore", "prerequisiteMore"}) {
                auto *disclosure = find<QWidget>(page.get(), each);
                QTest::keyClick(disclosure, Qt::Key_Space);
            }
            settle(page.get());
            form->verticalScrollBar()->setValue(0);
            page->grab().save(name + QStringLiteral("-head.png"));
            for (int index = ParametersTab; index <= ExtrasTab; ++index) {
                tab(index);
                if (full && index == PrerequisitesTab) {
                    find<QListWidget>(page.get(), "prerequisitesList")->setCurrentRow(2);
                }
                settle(page.get());
                form->verticalScrollBar()->setValue(form->verticalScrollBar()->maximum());
                settle(page.get());
                form->grab().save(QStringLiteral("%1-tab%2.png").arg(name).arg(index));
            }
        }
    }
    TrainyardStyle::installed()->setThemeMode(ThemeMode::Light);
}

TRAINYARD_GUI_TEST(TstDesignerFields)
#include "tst_designerfields.moc"
