// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/fulljob.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/chip.h"
#include "widgets/form/timespans.h"

#include <QAbstractSpinBox>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>

using namespace trainyard;
using namespace designertools;

// Every field of every section, by its widget: what the bytes are after it, and after undo.
class TstDesignerFields : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();
    void edits_data();
    void edits();
    void pluginsHaveTheDefaultsOfTasksHere();
    void namesHaveRoom();
    void longNamesAreReadFromTheirBeginning();
    void oldNamesOfFields();
    void clustersOfferNames();
    void aClickElsewhereKeepsWhatWasTyped();
    void numbersWithUnitsArePaused();
    void spansOfTime();
    void aClickElsewhereKeepsWhatWasAdded_data();
    void aClickElsewhereKeepsWhatWasAdded();

private:
    void show(const QByteArray &bytes);
    void clickElsewhere() { QTest::mouseClick(page->windowHandle(), Qt::LeftButton, {}, QPoint(3, 3)); }
    std::unique_ptr<DesignerPage> page;
};

void TstDesignerFields::init() { page = std::make_unique<DesignerPage>(); }
void TstDesignerFields::cleanup() { page.reset(); }

void TstDesignerFields::show(const QByteArray &bytes)
{
    showDocument(page.get(), bytes, QStringLiteral("full.pai.yaml"));
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
    for (const auto &[typed, written] :
        {std::pair("8 GB", "8192"), {"8GiB", "8192"}, {"1.5 G", "1536"}, {"1,5g", "1536"}, {"600 MB", "600"},
            {"600MiB", "600"}, {"600 m", "600"}, {"8Gi", "8192"}, {"1 T", "1048576"}, {"2097152 kB", "2048"}}) {
        const QByteArray name = QByteArrayLiteral("memory as ") + typed;
        row(name.constData(), "memoryMB: 256\n", QByteArray("memoryMB: ") + written + '\n',
            [text = QString::fromLatin1(typed)](DesignerPage *p) { typeNumber(p, "roleMemory", text); });
    }
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
        openMore(p);
        type(find<QLineEdit>(p, "jobWork"), q("/tmp/w"));
    });
    row("run in", "runIn: docker", "runIn: host", [](DesignerPage *p) { choose(p, "roleRunIn", 1); });
    row("other of ours", "tags: [baseline]", "tags: [baseline, x]", [q](DesignerPage *p) {
        openTab(p, ExtrasTab);
        typeCell(p, "trainyardKeys", 0, 1, q("[baseline, x]"));
    });
    const QByteArray tags = "    tags: [baseline]\n";
    const auto ours = [&row, &tags](const char *name, const QByteArray &added, const Act &act) {
        row(name, tags, tags + added, act);
    };
    for (const auto &[typed, seconds] : {std::pair("90", "90"), {"90 s", "90"}, {"30min", "1800"}, {"1.5 h", "5400"},
             {"1 d 12 h", "129600"}, {"1:30:05", "5405"}}) {
        const QByteArray name = QByteArrayLiteral("time limit as ") + typed;
        ours(name.constData(), QByteArray("    limits:\n      timeSeconds: ") + seconds + '\n',
            [text = QString::fromLatin1(typed)](DesignerPage *p) { typeNumber(p, "jobTimeLimit", text); });
    }
    ours("host of a role", "    hosts:\n      worker:\n        names:\n          - lab1\n", [q](DesignerPage *p) {
        click(p, "roleHostNameAdd");
        type(find<QLineEdit>(p, "roleHostNameText"), q("lab1"));
    });
    ours("labels of a role", "    hosts:\n      worker:\n        labels:\n          - a100\n          - nvlink\n",
        [q](DesignerPage *p) {
            click(p, "roleHostLabelAdd");
            type(find<QLineEdit>(p, "roleHostLabelText"), q("a100, nvlink"));
        });
    ours("arrangement", "    hosts:\n      worker:\n        arrange: same-host\n",
        [](DesignerPage *p) { choose(p, "roleHostArrange", 1); });
    ours("host of all roles", "    hosts:\n      '*':\n        names:\n          - lab1\n", [q](DesignerPage *p) {
        click(p, "jobHostNameAdd");
        type(find<QLineEdit>(p, "jobHostNameText"), q("lab1"));
    });
    ours("results", "    results:\n      - '*.pt'\n", [q](DesignerPage *p) {
        click(p, "resultFileAdd");
        type(find<QLineEdit>(p, "resultFileText"), q("*.pt"));
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

// The panel of a value closes by a press anywhere else. Only Escape and Cancel drop what was typed.
void TstDesignerFields::aClickElsewhereKeepsWhatWasTyped()
{
    show(fullText);
    const QByteArray before = fullText;
    const auto popup = [this] { return page->findChild<QWidget *>(QStringLiteral("valuePopup")); };
    const auto open = [&] {
        rowTool(page.get(), "parametersTable", 5, "valueEdit");
        QTRY_VERIFY(popup() && popup()->isVisible());
    };
    const auto write = [this](const QByteArray &text) { find<CodeView>(page.get(), "valueText")->setAllBytes(text); };
    open();
    clickElsewhere(); // nothing was typed
    QTRY_VERIFY(!popup());
    QVERIFY(!page->isModified());
    open();
    write("{name: [");
    clickElsewhere(); // that cannot be read, and would be lost
    QVERIFY(popup() && popup()->isVisible());
    QCOMPARE(page->bytes(), before);
    write("name: sgd\nbetas: [0.9, 0.999]");
    clickElsewhere();
    QTRY_VERIFY(!popup());
    QTRY_COMPARE(page->bytes(), QByteArray(before).replace("    name: adam\n", "    name: sgd\n"));
    open();
    write("name: other");
    QTest::keyClick(find<CodeView>(page.get(), "valueText"), Qt::Key_Escape);
    QTRY_VERIFY(!popup());
    settle(page.get());
    QCOMPARE(page->bytes(), QByteArray(before).replace("    name: adam\n", "    name: sgd\n"));
}

void TstDesignerFields::aClickElsewhereKeepsWhatWasAdded_data()
{
    QTest::addColumn<Act>("open");
    QTest::addColumn<QString>("popup");
    QTest::addColumn<QString>("field"); // that is typed into
    QTest::addColumn<QString>("half"); // cannot be written; empty: there is no such text
    QTest::addColumn<QString>("whole");
    QTest::addColumn<QByteArray>("written");
    const auto row = [](const char *name, const Act &open, const char *popup, const char *field, const char *half,
                         const char *whole, const QByteArray &written) {
        QTest::newRow(name) << open << QString::fromLatin1(popup) << QString::fromLatin1(field)
                            << QString::fromLatin1(half) << QString::fromLatin1(whole) << written;
    };
    row(
        "port", [](DesignerPage *p) { click(p, "portAdd"); }, "portPopup", "portLabel", "ssh", "web", "web: 1\n");
    row(
        "storage",
        [](DesignerPage *p) {
            openTab(p, ExtrasTab);
            click(p, "storageAdd");
        },
        "storagePopup", "storageMount", "", "", "");
    row(
        "word", [](DesignerPage *p) { click(p, "resultFileAdd"); }, "resultFilePopup", "resultFileText", "", "*.pt",
        "- '*.pt'\n");
    row(
        "pasted", [](DesignerPage *p) { click(p, "parametersTablePaste"); }, "pastePopup", "pasteText", "some words",
        "fresh=1", "fresh: 1\n");
}

// The panels that add something do the same with what was typed.
void TstDesignerFields::aClickElsewhereKeepsWhatWasAdded()
{
    QFETCH(Act, open);
    QFETCH(QString, popup);
    QFETCH(QString, field);
    QFETCH(QString, half);
    QFETCH(QString, whole);
    QFETCH(QByteArray, written);
    QGuiApplication::clipboard()->clear();
    show(fullText);
    openMore(page.get());
    const QByteArray before = fullText;
    const auto shown = [&] {
        const auto *panel = page->findChild<QWidget *>(popup);
        return panel && panel->isVisible();
    };
    const auto write = [&](const QString &text) {
        auto *typedInto = page->findChild<QWidget *>(field);
        if (auto *line = qobject_cast<QLineEdit *>(typedInto)) {
            focus(line);
            line->selectAll();
            QTest::keyClicks(line, text);
        } else {
            qobject_cast<QPlainTextEdit *>(typedInto)->setPlainText(text);
        }
    };
    open(page.get());
    QTRY_VERIFY(shown());
    clickElsewhere(); // nothing was typed
    QTRY_VERIFY(!shown());
    QCOMPARE(page->bytes(), before);
    open(page.get());
    QTRY_VERIFY(shown());
    if (!half.isEmpty()) {
        write(half);
        clickElsewhere();
        QVERIFY(shown());
        QCOMPARE(page->bytes(), before);
    }
    write(whole.isEmpty() ? QStringLiteral("/mnt") : whole);
    QTest::keyClick(page->findChild<QWidget *>(field), Qt::Key_Escape);
    QTRY_VERIFY(!shown());
    settle(page.get());
    QCOMPARE(page->bytes(), before);
    open(page.get());
    QTRY_VERIFY(shown());
    write(whole.isEmpty() ? QStringLiteral("/mnt") : whole);
    if (whole.isEmpty()) { // a storage has a name
        clickElsewhere();
        QVERIFY(shown());
        type(find<QLineEdit>(page.get(), "storageName"), QStringLiteral("s2"));
        written = "- name: s2\n      mountPath: /mnt\n";
    } else {
        clickElsewhere();
    }
    QTRY_VERIFY(!shown());
    QTRY_VERIFY2(page->bytes().contains(written), page->bytes());
    page->undo();
    QCOMPARE(page->bytes(), before);
}

// Half of a small window at 150 %: what a role is called and its image can be read.
// Not those of a cluster: a barrier of five hours, a folder that only its images have.
void TstDesignerFields::pluginsHaveTheDefaultsOfTasksHere()
{
    show(fullText);
    openItem(page.get(), PluginsTab, "pluginsList", 0);
    const auto *minutes = find<QAbstractSpinBox>(page.get(), "sshTimeout")->findChild<QLineEdit *>();
    QCOMPARE(minutes->placeholderText(), QStringLiteral("30"));
    openItem(page.get(), PluginsTab, "pluginsList", 2);
    QCOMPARE(find<QLineEdit>(page.get(), "gitFolder")->placeholderText(), QStringLiteral("A folder of the try"));
}

void TstDesignerFields::namesHaveRoom()
{
    show(fullText);
    page->resize(700, 500);
    QCoreApplication::processEvents();
    for (const char *name : {"roleImage", "roleName"}) {
        auto *field = find<QWidget>(page.get(), name);
        QVERIFY(field->isVisible());
        QVERIFY2(
            field->width() >= 150, qPrintable(QStringLiteral("%1: %2").arg(QLatin1String(name)).arg(field->width())));
    }
    auto *instances = find<QAbstractSpinBox>(page.get(), "roleInstances");
    auto *number = instances->findChild<QLineEdit *>();
    number->selectAll();
    QTest::keyClicks(number, QStringLiteral("98765"));
    QCoreApplication::processEvents();
    QVERIFY2(number->width() >= number->fontMetrics().horizontalAdvance(QStringLiteral("98765")) + 2,
        qPrintable(QString::number(number->width())));
    const auto *image = find<QWidget>(page.get(), "roleImage");
    const auto *runIn = find<QWidget>(page.get(), "roleRunIn");
    QVERIFY(runIn->mapTo(page.get(), QPoint()).y() > image->mapTo(page.get(), QPoint(0, image->height())).y());
    page->resize(1400, 700);
    QCoreApplication::processEvents();
    QCOMPARE(runIn->mapTo(page.get(), QPoint()).y(), image->mapTo(page.get(), QPoint()).y()); // beside each other
}

// Whose end is all that is in sight looks like another one.
void TstDesignerFields::longNamesAreReadFromTheirBeginning()
{
    const QByteArray name = "worker_" + QByteArray(60, 'x') + "_end";
    const QByteArray text = "protocolVersion: 2\nname: job_" + QByteArray(80, 'y') + "\ntype: job\ntaskRoles:\n  "
        + name + ":\n    resourcePerInstance: {cpu: 1, memoryMB: 64, gpu: 0}\n    commands: [ls]\n";
    show(text);
    auto *job = find<QLineEdit>(page.get(), "jobName"), *role = find<QLineEdit>(page.get(), "roleName");
    for (QLineEdit *field : {job, role}) {
        QCOMPARE(field->cursorPosition(), 0);
        focus(field);
        field->selectAll();
        QTest::keyClicks(field, QString(90, u'z'));
        QCOMPARE(field->cursorPosition(), 90); // where it is typed
        focus(find<QWidget>(page.get(), "commandsText"));
        QTRY_COMPARE(field->cursorPosition(), 0);
    }
}

// A value under an old name of its field is shown, and an edit leaves it under one name.
void TstDesignerFields::oldNamesOfFields()
{
    const QByteArray text = "protocolVersion: 2\nname: n\ntype: job\ndefault: {virtualCluster: lab}\ntaskRoles:\n"
                            "  w:\n    instance: 3 # of them\n    dockerImage: none\n"
                            "    completion: {minFailedTaskCount: 2}\n"
                            "    resourcePerInstance: {cpu: 1, memoryMB: 64, gpu: 0}\n    commands: [ls]\n";
    show(text);
    const auto shown = [this](const char *name) {
        return find<QAbstractSpinBox>(page.get(), name)->findChild<QLineEdit *>()->text();
    };
    QCOMPARE(shown("roleInstances"), QStringLiteral("3"));
    QCOMPARE(shown("roleMinFailed"), QStringLiteral("2"));
    QCOMPARE(find<QComboBox>(page.get(), "jobQueue")->currentText(), QStringLiteral("lab"));
    typeNumber(page.get(), "roleInstances", QStringLiteral("4"));
    QByteArray wanted = text;
    wanted.replace("instance: 3", "instances: 4");
    QTRY_COMPARE(page->bytes(), wanted);
    page->undo();
    QCOMPARE(page->bytes(), text);
}

// What clusters have told can be chosen, and what they have not told stays and can be typed.
void TstDesignerFields::clustersOfferNames()
{
    show(fullText);
    const auto combo = [this](const char *name) {
        auto *field = find<QWidget>(page.get(), name);
        auto *itself = qobject_cast<QComboBox *>(field);
        return itself ? itself : field->findChild<QComboBox *>();
    };
    QCOMPARE(combo("roleSku")->currentText(), QStringLiteral("K80"));
    QVERIFY(combo("roleSku")->findText(QStringLiteral("V100")) < 0);
    page->setKnownClusters([] {
        return ClusterOffers{{QStringLiteral("vision")}, {QStringLiteral("A100"), QStringLiteral("V100")}, {}};
    });
    QVERIFY(combo("jobQueue")->findText(QStringLiteral("vision")) > 0);
    QCOMPARE(combo("roleSku")->currentText(), QStringLiteral("K80"));
    const int chosen = combo("roleSku")->findText(QStringLiteral("V100"));
    QVERIFY(chosen > 0);
    combo("roleSku")->setCurrentIndex(chosen);
    Q_EMIT combo("roleSku")->activated(chosen);
    QByteArray expected = fullText;
    expected.replace("skuType: K80", "skuType: V100");
    QTRY_COMPARE(page->bytes().split('\n'), expected.split('\n'));
    page->undo();
    QCOMPARE(page->bytes().split('\n'), QByteArray(fullText).split('\n'));
}

// The start of what is typed is written in a pause, and does not become another text below the hands.
void TstDesignerFields::numbersWithUnitsArePaused()
{
    show(QByteArray(fullText).replace("cpu: 4\n", "cpu: 1\n"));
    openMore(page.get());
    const auto lineOf
        = [this](const char *name) { return find<QAbstractSpinBox>(page.get(), name)->findChild<QLineEdit *>(); };
    QLineEdit *limit = lineOf("jobTimeLimit");
    focus(limit);
    QTest::keyClicks(limit, QStringLiteral("90"));
    QTRY_VERIFY(page->bytes().contains("timeSeconds: 90\n"));
    settle(page.get());
    QTest::keyClicks(limit, QStringLiteral(" m"));
    QTRY_VERIFY(page->bytes().contains("timeSeconds: 5400\n"));
    settle(page.get());
    QTest::keyClicks(limit, QStringLiteral("in"));
    settle(page.get());
    QCOMPARE(limit->text(), QStringLiteral("90 min"));
    QLineEdit *memory = lineOf("roleMemory");
    focus(memory); // the other one is shown as usual when it is left
    QTRY_COMPARE(limit->text(), QStringLiteral("1 h 30 min"));
    QVERIFY(page->bytes().contains("timeSeconds: 5400\n"));
    memory->selectAll();
    QTest::keyClicks(memory, QStringLiteral("3"));
    QTRY_VERIFY(page->bytes().contains("memoryMB: 3\n"));
    settle(page.get());
    QTest::keyClicks(memory, QStringLiteral(" GiB"));
    QTest::keyClick(memory, Qt::Key_Return);
    QTRY_VERIFY(page->bytes().contains("memoryMB: 3072\n"));
    QTRY_COMPARE(memory->text(), QStringLiteral("3 GiB"));
    // What is undone is shown, although an empty field means the same number.
    QLineEdit *cores = lineOf("roleCpu");
    QCOMPARE(cores->text(), QStringLiteral("1"));
    focus(cores);
    cores->selectAll();
    QTest::keyClick(cores, Qt::Key_Backspace);
    QTRY_VERIFY(!page->bytes().contains("cpu: 1\n"));
    settle(page.get());
    page->undo();
    QVERIFY(page->bytes().contains("cpu: 1\n"));
    QTRY_COMPARE(cores->text(), QStringLiteral("1"));
}

// What is shown is read as the same seconds, whatever they are.
void TstDesignerFields::spansOfTime()
{
    for (const qint64 seconds : {1, 59, 60, 61, 3600, 3661, 86'400, 90'061, 315'360'000}) {
        QCOMPARE(parseSpan(formatSpan(seconds)), std::optional<qint64>(seconds));
    }
    QCOMPARE(formatSpan(5405), QStringLiteral("1 h 30 min 5 s"));
    QCOMPARE(formatSpan(-5), QStringLiteral("-5 s")); // a mistake of the text, to be seen as such
    for (const char *text : {"", "h", "1:30", "2 x", "1.0001 s", "12 y", "99999999999", "-5"}) {
        QVERIFY2(!parseSpan(QString::fromLatin1(text)), text);
    }
}

TRAINYARD_GUI_TEST(TstDesignerFields)
#include "tst_designerfields.moc"
