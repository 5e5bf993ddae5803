// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/findings.h"
#include "model/protocol/rename.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace trainyard;

// Each row: a text, what is renamed to "new", and the whole text that must come of it, or the code of the refusal.
class TstRename : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void roles_data();
    void roles() { check(); }
    void roleVariables_data();
    void roleVariables();
    void prerequisites_data();
    void prerequisites() { check(); }
    void values_data();
    void values() { check(); }
    void deployments_data();
    void deployments() { check(); }
    void refusals_data();
    void refusals();
    void squeezedNames_data();
    void squeezedNames();
    void mentionsAreReported();
    void kinds();
    void titlesShowWhatChanges_data();
    void titlesShowWhatChanges();

private:
    static void columns()
    {
        QTest::addColumn<QByteArray>("yaml");
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QByteArray>("expected");
    }
    static void row(const char *name, const QByteArray &yaml, const char *pointer, const QByteArray &expected)
    {
        QTest::newRow(name) << yaml << QString::fromUtf8(pointer) << expected;
    }
    static void check();
};

namespace
{

Result<QByteArray> renamed(const QByteArray &yaml, const QString &pointer, const QString &to)
{
    const YamlDocument document = YamlDocument::parse(yaml);
    const Result<RenamePlan> plan = planRename(document, *YamlPath::fromPointer(pointer), to);
    if (!plan) {
        return tl::unexpected(plan.error());
    }
    const Result<TextEdits> edits = planEdits(document, plan->ops);
    if (!edits) {
        return tl::unexpected(edits.error());
    }
    return applyEdits(yaml, *edits);
}

} // namespace

void TstRename::titlesShowWhatChanges_data()
{
    const QString many = QStringLiteral("a_very_long_name_that_somebody_made_by_joining_all_hyperparameters");
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("shown");
    QTest::newRow("a short name is whole") << "my job"
                                           << "my_job"
                                           << "my_job";
    QTest::newRow("28 characters are whole") << QString(28, u'a') + u' ' << QString(28, u'a') << QString(28, u'a');
    QTest::newRow("in the middle") << QString(many).replace(QStringLiteral("made_by"), QStringLiteral("made by"))
                                   << many << QStringLiteral("…ebody_made_by_joining_all_hy…");
    QTest::newRow("at the beginning") << QString(u' ' + many) << QString(u'_' + many)
                                      << QStringLiteral("_a_very_long_name_that_someb…");
    QTest::newRow("cut at the end") << QString(many + QStringLiteral("_and_more")) << many
                                    << QStringLiteral("…_joining_all_hyperparameters");
    const QString faces = QStringLiteral("\U0001F600").repeated(10);
    QTest::newRow("no half of a character")
        << QStringLiteral("aaaaa") + faces + QStringLiteral("b ") + QString(20, u'c')
        << QStringLiteral("aaaaa") + faces + QStringLiteral("b_") + QString(20, u'c')
        << u'…' + faces.left(10) + QStringLiteral("b_") + QString(17, u'c') + u'…';
}

void TstRename::titlesShowWhatChanges()
{
    QFETCH(const QString, from);
    QFETCH(const QString, to);
    QTEST(shownChange(from, to), "shown");
}

void TstRename::check()
{
    QFETCH(QByteArray, yaml);
    QFETCH(QString, pointer);
    QFETCH(QByteArray, expected);
    const Result<QByteArray> result = renamed(yaml, pointer, QStringLiteral("new"));
    QVERIFY2(result, result ? "" : qPrintable(result.error().code));
    QCOMPARE(*result, expected);
    // And back: the same bytes.
    const YamlDocument after = YamlDocument::parse(*result);
    QString back = pointer;
    if (nameKindAt(after, *YamlPath::fromPointer(pointer)) == NameKind::None) {
        back = pointer.left(pointer.lastIndexOf(u'/') + 1) + QStringLiteral("new");
    }
    const QString old = nameAt(YamlDocument::parse(yaml), *YamlPath::fromPointer(pointer));
    const Result<QByteArray> restored = renamed(*result, back, old);
    if (!restored && restored.error().code == QLatin1String("rename.taken")) {
        return; // another type of prerequisite has the old name
    }
    QVERIFY2(restored, restored ? "" : qPrintable(restored.error().code));
    QCOMPARE(*restored, yaml);
}

void TstRename::roles_data()
{
    columns();
    row("the key", "taskRoles:\n  # the one\n  old: # here\n    instances: 1\n", "/taskRoles/old",
        "taskRoles:\n  # the one\n  new: # here\n    instances: 1\n");
    row("deployments",
        "taskRoles: {old: {}}\ndeployments:\n  - name: a\n    taskRoles:\n      old: # c\n"
        "        preCommands: [x]\n  - {name: b, taskRoles: {\"old\": {}, other: {}}}\n",
        "/taskRoles/old",
        "taskRoles: {new: {}}\ndeployments:\n  - name: a\n    taskRoles:\n      new: # c\n"
        "        preCommands: [x]\n  - {name: b, taskRoles: {\"new\": {}, other: {}}}\n");
    row("plugins' lists",
        "taskRoles: {old: {}}\nextras:\n  com.microsoft.pai.runtimeplugin:\n    - plugin: cmd\n"
        "      taskroles: [other, 'old']\n    - plugin: ssh\n      taskRoles:\n        - old # c\n",
        "/taskRoles/old",
        "taskRoles: {new: {}}\nextras:\n  com.microsoft.pai.runtimeplugin:\n    - plugin: cmd\n"
        "      taskroles: [other, 'new']\n    - plugin: ssh\n      taskRoles:\n        - new # c\n");
    row("the scheduler's block",
        "taskRoles: {old: {}}\nextras:\n  hivedScheduler:\n    taskRoles:\n      old:\n        skuType: k\n",
        "/taskRoles/old",
        "taskRoles: {new: {}}\nextras:\n  hivedScheduler:\n    taskRoles:\n      new:\n        skuType: k\n");
    row("what Trainyard knows of roles",
        "taskRoles: {old: {}}\nextras:\n  trainyard:\n    gpuMemoryMB: {old: 5}\n    data: {set: {from: /d, roles: "
        "[old, "
        "other]}}\n    hosts:\n      old: {names: "
        "[old]}\n"
        "      '*': {labels: [a]}\n",
        "/taskRoles/old",
        "taskRoles: {new: {}}\nextras:\n  trainyard:\n    gpuMemoryMB: {new: 5}\n    data: {set: {from: /d, roles: "
        "[new, "
        "other]}}\n    hosts:\n      new: {names: "
        "[old]}\n"
        "      '*': {labels: [a]}\n");
    row("through an alias",
        "taskRoles: {old: {}}\nx: &l [old]\nextras:\n  com.microsoft.pai.runtimeplugin:\n    - {plugin: cmd, "
        "taskroles: *l}\n"
        "    - {plugin: ssh, taskroles: *l}\n",
        "/taskRoles/old",
        "taskRoles: {new: {}}\nx: &l [new]\nextras:\n  com.microsoft.pai.runtimeplugin:\n    - {plugin: cmd, "
        "taskroles: *l}\n"
        "    - {plugin: ssh, taskroles: *l}\n");
    row("other words stay", "name: old\ndescription: old\ntaskRoles:\n  old:\n    commands: [echo old]\n",
        "/taskRoles/old", "name: old\ndescription: old\ntaskRoles:\n  new:\n    commands: [echo old]\n");
    row("variables in commands of any style",
        "taskRoles:\n  old:\n    commands:\n      - echo $PAI_HOST_IP_old_0 # old\n      - 'it''s $PAI_HOST_IP_old_0'\n"
        "      - \"\\u00e4 ${PAI_TASK_ROLE_old_HOST_LIST}\\n\"\n      - |\n        for i in 1 2; do\n"
        "          eval echo \\$PAI_HOST_IP_old_$i\n        done\n      - >-\n        a\n        $PAI_RESOURCE_old\n"
        "        b\n",
        "/taskRoles/old",
        "taskRoles:\n  new:\n    commands:\n      - echo $PAI_HOST_IP_new_0 # old\n      - 'it''s $PAI_HOST_IP_new_0'\n"
        "      - \"\\u00e4 ${PAI_TASK_ROLE_new_HOST_LIST}\\n\"\n      - |\n        for i in 1 2; do\n"
        "          eval echo \\$PAI_HOST_IP_new_$i\n        done\n      - >-\n        a\n        $PAI_RESOURCE_new\n"
        "        b\n");
    row("variables elsewhere",
        "parameters: {m: $PAI_HOST_IP_old_0}\nprerequisites:\n  - name: p\n    callbacks:\n      - event: taskStarts\n"
        "        commands: [ping $PAI_HOST_IP_old_0]\ntaskRoles: {old: {}}\n",
        "/taskRoles/old",
        "parameters: {m: $PAI_HOST_IP_new_0}\nprerequisites:\n  - name: p\n    callbacks:\n      - event: taskStarts\n"
        "        commands: [ping $PAI_HOST_IP_new_0]\ntaskRoles: {new: {}}\n");
}

// One command each, of a job with the roles old, old_1 and older.
void TstRename::roleVariables_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char *command, const char *expected) {
        QTest::newRow(command) << QString::fromUtf8(command) << QString::fromUtf8(expected);
    };
    row("$PAI_TASK_ROLE_TASK_COUNT_old", "$PAI_TASK_ROLE_TASK_COUNT_new");
    row("${PAI_RESOURCE_old}", "${PAI_RESOURCE_new}");
    row("$PAI_MIN_FAILED_TASK_COUNT_old $PAI_MIN_SUCCEEDED_TASK_COUNT_old",
        "$PAI_MIN_FAILED_TASK_COUNT_new $PAI_MIN_SUCCEEDED_TASK_COUNT_new");
    row("$PAI_TASK_ROLE_old_HOST_LIST", "$PAI_TASK_ROLE_new_HOST_LIST");
    row("$PAI_HOST_IP_old_0:$PAI_PORT_LIST_old_0_http", "$PAI_HOST_IP_new_0:$PAI_PORT_LIST_new_0_http");
    row("${PAI_old_0_http_PORT%%,*}", "${PAI_new_0_http_PORT%%,*}");
    row("PAI_HOST_IP_old_${i} PAI_HOST_IP_old_$i", "PAI_HOST_IP_new_${i} PAI_HOST_IP_new_$i");
    row("PAI_old_${i}_x_PORT PAI_old_<% $parameters.i %>_x_PORT",
        "PAI_new_${i}_x_PORT PAI_new_<% $parameters.i %>_x_PORT");
    row("os.environ['PAI_HOST_IP_old_' + str(i)]", "os.environ['PAI_HOST_IP_new_' + str(i)]");
    row("f\"PAI_PORT_LIST_old_{i}_ssh\"", "f\"PAI_PORT_LIST_new_{i}_ssh\"");
    row("$PAI_HOST_IP_older_0", "$PAI_HOST_IP_older_0");
    row("$PAI_HOST_IP_old_1_0", "$PAI_HOST_IP_old_1_0");
    row("$PAI_RESOURCE_old_1", "$PAI_RESOURCE_old_1");
    row("$PAI_HOST_IP_very_old_0", "$PAI_HOST_IP_very_old_0");
    row("$MY_PAI_RESOURCE_old", "$MY_PAI_RESOURCE_old");
    row("$PAI_HOST_IP_old_x", "$PAI_HOST_IP_old_x");
    row("$PAI_OLD_0_http_PORT", "$PAI_OLD_0_http_PORT");
    row("[ \"$PAI_TASK_ROLE_NAME\" = old ]", "[ \"$PAI_TASK_ROLE_NAME\" = new ]");
    row("[[ ${PAI_CURRENT_TASK_ROLE_NAME} != \"old\" ]]", "[[ ${PAI_CURRENT_TASK_ROLE_NAME} != \"new\" ]]");
    row("os.environ[\"PAI_TASK_ROLE_NAME\"] == 'old'", "os.environ[\"PAI_TASK_ROLE_NAME\"] == 'new'");
    row("[ $PAI_TASK_ROLE_NAME = older ]", "[ $PAI_TASK_ROLE_NAME = older ]");
    row("[ $FC_TASKROLE_NAME = old ]", "[ $FC_TASKROLE_NAME = new ]");
    row("echo old > old-0.log", "echo old > old-0.log");
}

void TstRename::roleVariables()
{
    QFETCH(QString, command);
    QFETCH(QString, expected);
    const QByteArray head("taskRoles:\n  old_1: {}\n  older: {}\n  ");
    const auto text = [&](const QByteArray &role, const QString &body) -> QByteArray {
        return head + role + ":\n    commands:\n      - |\n        " + body.toUtf8() + '\n';
    };
    const Result<QByteArray> result
        = renamed(text("old", command), QStringLiteral("/taskRoles/old"), QStringLiteral("new"));
    QVERIFY2(result, result ? "" : qPrintable(result.error().code));
    QCOMPARE(*result, text("new", expected));
}

void TstRename::prerequisites_data()
{
    columns();
    const QByteArray items("prerequisites:\n  - name: old # c\n    type: dockerimage\n    uri: x\n"
                           "  - name: data\n    type: data\n    require: [old, other]\n");
    const QByteArray changed("prerequisites:\n  - name: new # c\n    type: dockerimage\n    uri: x\n"
                             "  - name: data\n    type: data\n    require: [new, other]\n");
    const QByteArray roles("taskRoles:\n  a:\n    dockerImage: old\n    script: old\n    prerequisites:\n      - data\n"
                           "      - \"old\" # d\n  b: {dockerImage: 'old'}\n");
    const QByteArray changedRoles("taskRoles:\n  a:\n    dockerImage: new\n    script: old\n    prerequisites:\n"
                                  "      - data\n      - \"new\" # d\n  b: {dockerImage: 'new'}\n");
    row("an image at its item", items + roles, "/prerequisites/0", changed + changedRoles);
    row("an image at its name", items + roles, "/prerequisites/0/name", changed + changedRoles);
    for (const QByteArray &type : {QByteArray("script"), QByteArray("data"), QByteArray("output")}) {
        QTest::newRow(type.constData()) << QByteArray("prerequisites:\n  - {name: old, type: " + type
            + "}\ntaskRoles:\n  a: {" + type + ": old, dockerImage: old}\n")
                                        << QStringLiteral("/prerequisites/0")
                                        << QByteArray("prerequisites:\n  - {name: new, type: " + type
                                               + "}\ntaskRoles:\n  a: {" + type + ": new, dockerImage: old}\n");
    }
    const QByteArray two("prerequisites:\n  - {name: old, type: data}\n  - {name: old, type: script}\ntaskRoles:\n"
                         "  a: {data: old, script: old, prerequisites: [old]}\n");
    row("two types, the first", two, "/prerequisites/0",
        "prerequisites:\n  - {name: new, type: data}\n  - {name: old, type: script}\ntaskRoles:\n"
        "  a: {data: new, script: old, prerequisites: [old]}\n");
    row("two types, the one that lists mean", two, "/prerequisites/1",
        "prerequisites:\n  - {name: old, type: data}\n  - {name: new, type: script}\ntaskRoles:\n"
        "  a: {data: old, script: new, prerequisites: [new]}\n");
    row("an anchored name",
        "prerequisites:\n  - name: &n old\n    type: dockerimage\ntaskRoles:\n  a: {dockerImage: *n}\n",
        "/prerequisites/0",
        "prerequisites:\n  - name: &n new\n    type: dockerimage\ntaskRoles:\n  a: {dockerImage: *n}\n");
    row("image texts are no references", "prerequisites:\n  - {name: old, type: dockerimage, uri: \"old:1\"}\n",
        "/prerequisites/0", "prerequisites:\n  - {name: new, type: dockerimage, uri: \"old:1\"}\n");
}

void TstRename::values_data()
{
    columns();
    row("a parameter in commands of any style",
        "parameters:\n  old: 1 # c\n  older: 2\ntaskRoles:\n  a:\n    commands:\n      - a <% $parameters.old %> b\n"
        "      - 'it''s <%$parameters.old%>'\n      - \"\\u00e4<% $parameters.old %>\\n\"\n      - |\n"
        "        x --lr <% $parameters.old %> \\\n          --m <% $parameters.older %>\n\n        y <%  "
        "$parameters.old  %>\n"
        "      - >-\n        a\n        <% $parameters.old %>\n        b\n",
        "/parameters/old",
        "parameters:\n  new: 1 # c\n  older: 2\ntaskRoles:\n  a:\n    commands:\n      - a <% $parameters.new %> b\n"
        "      - 'it''s <%$parameters.new%>'\n      - \"\\u00e4<% $parameters.new %>\\n\"\n      - |\n"
        "        x --lr <% $parameters.new %> \\\n          --m <% $parameters.older %>\n\n        y <%  "
        "$parameters.new  %>\n"
        "      - >-\n        a\n        <% $parameters.new %>\n        b\n");
    row("several in one",
        "parameters: {old: [1]}\nx: <% $parameters.old[0] %><% $parameters.old.1 %><% $parameters.older %>\n",
        "/parameters/old",
        "parameters: {new: [1]}\nx: <% $parameters.new[0] %><% $parameters.new.1 %><% $parameters.older %>\n");
    row("inside of a parameter",
        "parameters: {m: {old: 1, k: {old: 2}}, old: 3}\nx: <% $parameters.m.old %>"
        "<% $parameters.m.k.old %><% $parameters.old %>\n",
        "/parameters/m/old",
        "parameters: {m: {new: 1, k: {old: 2}}, old: 3}\nx: <% $parameters.m.new %>"
        "<% $parameters.m.k.old %><% $parameters.old %>\n");
    row("inside of a list", "parameters: {l: [{old: 1}]}\nx: <% $parameters.l[0].old %> <% $parameters.l.0.old %>\n",
        "/parameters/l/0/old",
        "parameters: {l: [{new: 1}]}\nx: <% $parameters.l[0].new %> <% $parameters.l.0.new %>\n");
    row("no tag, no reference", "parameters: {old: 1}\nx: $parameters.old <% $secrets.old %> <%# $parameters.old %>\n",
        "/parameters/old", "parameters: {new: 1}\nx: $parameters.old <% $secrets.old %> <%# $parameters.old %>\n");
    row("an unclosed tag", "parameters: {old: 1}\nx: <% $parameters.old %> <% $parameters.old\n", "/parameters/old",
        "parameters: {new: 1}\nx: <% $parameters.new %> <% $parameters.old\n");
    row("comments stay", "parameters: {old: 1}\n# <% $parameters.old %>\nx: y # <% $parameters.old %>\n",
        "/parameters/old", "parameters: {new: 1}\n# <% $parameters.old %>\nx: y # <% $parameters.old %>\n");
    row("a secret with auth",
        "secrets:\n  old: s\nprerequisites:\n  - name: i\n    auth:\n      password: <% $secrets.old %>\ntaskRoles:\n  "
        "a:\n"
        "    commands: [\"login <% $secrets.old %>\"]\nparameters: {p: <% $secrets.old %>}\n",
        "/secrets/old",
        "secrets:\n  new: s\nprerequisites:\n  - name: i\n    auth:\n      password: <% $secrets.new %>\ntaskRoles:\n  "
        "a:\n"
        "    commands: [\"login <% $secrets.new %>\"]\nparameters: {p: <% $secrets.new %>}\n");
    row("an anchored command",
        "parameters: {old: 1}\ntaskRoles:\n  a:\n    commands: &c\n      - x <% $parameters.old %>\n  b: {commands: "
        "*c}\n",
        "/parameters/old",
        "parameters: {new: 1}\ntaskRoles:\n  a:\n    commands: &c\n      - x <% $parameters.new %>\n  b: {commands: "
        "*c}\n");
    row("another key", "extras:\n  old: 1\n", "/extras/old", "extras:\n  new: 1\n");
}

void TstRename::deployments_data()
{
    columns();
    row("and what is chosen",
        "deployments:\n  - name: old\n    taskRoles: {}\n  - name: x\ndefaults:\n  deployment: old # c\n",
        "/deployments/0",
        "deployments:\n  - name: new\n    taskRoles: {}\n  - name: x\ndefaults:\n  deployment: new # c\n");
    row("under the misspelt key", "deployments:\n  - name: old\ndefault: {deployment: 'old'}\n", "/deployments/0/name",
        "deployments:\n  - name: new\ndefault: {deployment: 'new'}\n");
    row("another is chosen", "deployments:\n  - name: old\n  - name: x\ndefaults: {deployment: x}\n", "/deployments/0",
        "deployments:\n  - name: new\n  - name: x\ndefaults: {deployment: x}\n");
}

void TstRename::refusals_data()
{
    QTest::addColumn<QByteArray>("yaml");
    QTest::addColumn<QString>("pointer");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char *name, const QByteArray &yaml, const char *pointer, const char *to,
                         const char *code) {
        QTest::newRow(name) << yaml << QString::fromUtf8(pointer) << QString::fromUtf8(to) << QString::fromUtf8(code);
    };
    const QByteArray job("parameters: {p: 1, q: 2}\ntaskRoles: {a: {commands: ['<% $parameters.p %>']}, b: {}}\n"
                         "prerequisites: [{name: i, type: data}, {name: j, type: script}, {type: data}]\n");
    row("nothing there", job, "/taskRoles/c", "x", "rename.no-name");
    row("the root", job, "", "x", "rename.no-name");
    row("an item without a name", job, "/prerequisites/2", "x", "rename.no-name");
    row("an item of another list", job, "/taskRoles/a/commands/0", "x", "rename.no-name");
    row("role is taken", job, "/taskRoles/a", "b", "rename.taken");
    row("parameter is taken", job, "/parameters/p", "q", "rename.taken");
    row("prerequisite is taken, also by another type", job, "/prerequisites/0", "j", "rename.taken");
    row("not a role's name", job, "/taskRoles/a", "a-b", "rename.bad-name");
    row("not a prerequisite's name", job, "/prerequisites/0", "a b", "rename.bad-name");
    row("a dot that templates cannot reach", job, "/parameters/p", "x.y", "rename.bad-name");
    row("empty", job, "/parameters/q", "", "rename.bad-name");
    row("broken", "a: b: c\n", "/a", "x", "edit.broken-document");
    row("a duplicate", "taskRoles: {a: {}, a: {}}\n", "/taskRoles/a", "x", "edit.not-editable");
    row("a deployment has both", "taskRoles: {a: {}}\ndeployments: [{name: d, taskRoles: {a: {}, x: {}}}]\n",
        "/taskRoles/a", "x", "edit.exists");
    row("a reference below the second of two merge keys",
        "parameters: {p: 1}\nb:\n  <<: {z: as long as the other one}\n  <<: {z: <% $parameters.p %>}\n",
        "/parameters/p", "x", "edit.not-editable");
    row("a reference below a duplicate", "parameters: {p: 1}\nb: [something]\nb: [<% $parameters.p %>]\n",
        "/parameters/p", "x", "edit.not-editable");
    row("a reference below a key that is a list", "parameters: {p: 1}\n? [k]\n: [<% $parameters.p %>]\n",
        "/parameters/p", "x", "edit.not-editable");
}

void TstRename::refusals()
{
    QFETCH(QByteArray, yaml);
    QFETCH(QString, pointer);
    QFETCH(QString, to);
    QFETCH(QString, expected);
    const Result<QByteArray> result = renamed(yaml, pointer, to);
    QVERIFY2(!result, result ? result->constData() : "");
    QCOMPARE(result.error().code, expected);
    QVERIFY(result.error().args.contains(QStringLiteral("path")));
}

// Clusters spell names in variables in lower case without '_'.
void TstRename::squeezedNames_data()
{
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("command");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char *name, const char *from, const char *to, const char *command, const char *expected) {
        QTest::newRow(name) << QString::fromUtf8(from) << QString::fromUtf8(to) << QString::fromUtf8(command)
                            << QString::fromUtf8(expected);
    };
    row("both spellings", "Old_R", "New_R", "$PAI_HOST_IP_oldr_0 $PAI_HOST_IP_Old_R_0",
        "$PAI_HOST_IP_newr_0 $PAI_HOST_IP_New_R_0");
    row("portable to not", "old", "New_R", "$PAI_HOST_IP_old_0 $PAI_RESOURCE_old",
        "$PAI_HOST_IP_newr_0 $PAI_RESOURCE_New_R");
    row("not to portable", "Old_R", "new", "$PAI_HOST_IP_oldr_0 $PAI_RESOURCE_Old_R",
        "$PAI_HOST_IP_new_0 $PAI_RESOURCE_new");
    row("squeezed is another role's", "Other_", "new", "$PAI_HOST_IP_other_0 $PAI_HOST_IP_Other__0",
        "$PAI_HOST_IP_other_0 $PAI_HOST_IP_new_0");
    row("new squeezed is another role's", "old", "Oth_er", "$PAI_HOST_IP_old_0", "$PAI_HOST_IP_Oth_er_0");
}

void TstRename::squeezedNames()
{
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, command);
    QFETCH(QString, expected);
    const auto text = [&](const QString &name, const QString &body) {
        return QStringLiteral("taskRoles:\n  other: {}\n  %1: {commands: [\"%2\"]}\n").arg(name, body).toUtf8();
    };
    const Result<QByteArray> result = renamed(text(from, command), QStringLiteral("/taskRoles/") + from, to);
    QVERIFY2(result, result ? "" : qPrintable(result.error().code));
    QCOMPARE(*result, text(to, expected));
}

void TstRename::mentionsAreReported()
{
    const YamlDocument document
        = YamlDocument::parse("taskRoles:\n  old:\n    commands:\n      - ssh old-0 'ls old'\n      - case "
                              "$PAI_TASK_ROLE_NAME in old) x;; esac\n"
                              "      - cat old.txt # old-0\n      - echo $PAI_HOST_IP_old_0 $PAI_HOST_IP_old_1\n");
    const Result<RenamePlan> plan
        = planRename(document, {QStringLiteral("taskRoles"), QStringLiteral("old")}, QStringLiteral("new"));
    QVERIFY(plan);
    QCOMPARE(plan->from, QStringLiteral("old"));
    QCOMPARE(plan->mentions.size(), 2);
    QCOMPARE(plan->mentions.at(0).path.toPointer(), QStringLiteral("/taskRoles/old/commands/0"));
    QCOMPARE(plan->mentions.at(0).count, 1);
    QCOMPARE(plan->mentions.at(1).path.toPointer(), QStringLiteral("/taskRoles/old/commands/1"));
    QCOMPARE(plan->references.size(), 1);
    QCOMPARE(plan->references.first().count, 2);
    QVERIFY(plan->references.first().how == NameReference::How::Variable);
}

void TstRename::kinds()
{
    const YamlDocument document = YamlDocument::parse(
        "taskRoles: {a: {instances: 1}}\nparameters: {p: {q: 1}}\nsecrets: {s: 1}\nprerequisites: [{name: i}]\n"
        "deployments: [{name: d}]\n");
    const auto kind
        = [&](const char *pointer) { return nameKindAt(document, *YamlPath::fromPointer(QString::fromUtf8(pointer))); };
    QVERIFY(kind("/taskRoles/a") == NameKind::Role);
    QVERIFY(kind("/taskRoles/a/instances") == NameKind::Other);
    QVERIFY(kind("/parameters/p/q") == NameKind::Parameter);
    QVERIFY(kind("/secrets/s") == NameKind::Secret);
    QVERIFY(kind("/prerequisites/0") == NameKind::Prerequisite);
    QVERIFY(kind("/deployments/0/name") == NameKind::Deployment);
    QVERIFY(kind("/deployments") == NameKind::Other);
    QVERIFY(kind("/x") == NameKind::None);
    QCOMPARE(nameAt(document, *YamlPath::fromPointer(QStringLiteral("/prerequisites/0"))), QStringLiteral("i"));
    QCOMPARE(nameAt(document, *YamlPath::fromPointer(QStringLiteral("/parameters/p"))), QStringLiteral("p"));
    QCOMPARE(nameAt(document, {}), QString());
}

TRAINYARD_TEST(TstRename)
#include "tst_rename.moc"
