// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/lineindex.h"
#include "model/protocol/imagename.h"
#include "model/protocol/jobdocument.h"
#include "model/protocol/legacy.h"
#include "model/protocol/scalar.h"
#include "model/runtime/environment.h"
#include "model/template/mustache.h"
#include "model/template/render.h"
#include "model/yaml/yamledit.h"
#include "tests/helpers/shareddata.h"
#include "tests/helpers/testregistry.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

// Against recorded outcomes of the real server, where that data is at hand.
class TstCorpus : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void strictVerdicts();
    void friendlyReads();
    void serverRendering();
    void serverEnvironment();
    void registryLogins();
    void serverObjects();
    void serverMask();
    void imageNames();
    void failurePolicies();
    void orders();
    void renderProbes();
    void joinProbes();
    void pluginScripts();
    void clusterPlugins();
    void secretRendering();
    void maskedCorpus();
    void edits();
    void yamlCases();

private:
    static QString reasons(const ParseOutcome &outcome);
};

namespace
{

// yaml-cpp refuses two things that the server's parser takes.
const QStringList &knownDisagreements()
{
    static const QStringList files{};
    return files;
}

QString baseName(const QString &path) { return QFileInfo(path).fileName(); }

struct CorpusJob {
    QString path;
    QJsonObject expected;
};

QList<CorpusJob> corpus()
{
    QList<CorpusJob> samples;
    for (const QString &path : shareddata::files(u"corpus/v2/*.yaml"_s)) {
        const QString name = QFileInfo(path).fileName().chopped(5);
        const QString expected = shareddata::folder() + u"/corpus/expected/"_s + name + u".v2.json"_s;
        samples.append({path, shareddata::readJson(expected)});
    }
    return samples;
}

} // namespace

void TstCorpus::initTestCase()
{
    if (shareddata::folder().isEmpty()) {
        QSKIP("There is no reference data: set TRAINYARD_SHARED to its folder.");
    }
}

QString TstCorpus::reasons(const ParseOutcome &outcome)
{
    QStringList lines;
    const LineIndex index(outcome.document.bytes());
    for (const Diagnostic &each : outcome.diagnostics) {
        if (each.severity == Severity::Error) {
            lines.append(QStringLiteral("  %1 at line %2").arg(each.code).arg(index.at(each.at.begin).line));
        }
    }
    return lines.join(u'\n');
}

void TstCorpus::strictVerdicts()
{
    QList<CorpusJob> samples = corpus();
    for (const QString &pattern : {u"vectors/*.yaml"_s, u"vectors/probes/*.yaml"_s}) {
        for (const QString &path : shareddata::files(pattern)) {
            const QStringList notJobs{u"join_probes.yaml"_s, u"mask_probes.yaml"_s, u"ports_hash.yaml"_s,
                u"rest_mask.yaml"_s, u"runtime_env_framework.yaml"_s, u"runtime_image_names.yaml"_s,
                u"runtime_plugin_failure_policy.yaml"_s, u"runtime_render_secrets.yaml"_s};
            if (!notJobs.contains(baseName(path))) {
                samples.append({path, shareddata::readJson(path.chopped(5) + u".expected.json"_s)});
            }
        }
    }
    int agree = 0;
    int invalid = 0;
    QStringList disagree;
    for (const CorpusJob &sample : std::as_const(samples)) {
        QVERIFY2(sample.expected.contains(u"valid"_s), qPrintable(sample.path));
        const bool expected = sample.expected.value(u"valid"_s).toBool();
        invalid += !expected;
        const ParseOutcome outcome = parseJob(shareddata::read(sample.path), CheckMode::Strict);
        if (outcome.canRun() == expected || knownDisagreements().contains(baseName(sample.path))) {
            ++agree;
            continue;
        }
        disagree.append(baseName(sample.path)
            + (expected ? u": the server accepts it\n"_s : u": the server refuses it\n"_s) + reasons(outcome));
    }
    // Jobs of version 1: what their own servers said.
    int old = 0;
    int oldAgree = 0;
    for (const QString &path : shareddata::files(u"corpus/v1/*.json"_s)) {
        const QString name = QFileInfo(path).fileName().chopped(5);
        const QJsonObject expected
            = shareddata::readJson(shareddata::folder() + u"/corpus/expected/"_s + name + u".v1.json"_s);
        const QByteArray bytes = shareddata::read(path);
        QVERIFY2(expected.contains(u"valid"_s), qPrintable(path));
        const bool same = isLegacyJob(bytes) && checkLegacyJob(bytes).isValid() == expected.value(u"valid"_s).toBool();
        ++old;
        oldAgree += same;
        if (!same) {
            disagree.append(baseName(path));
        }
    }
    const int ofCorpus = int(corpus().size());
    qInfo("strict verdicts: %d of %d agree (%d refusals): %d of the corpus in version 2, %d vectors and probes, "
          "and %d of %d of the corpus in version 1",
        agree + oldAgree, int(samples.size()) + old, invalid, ofCorpus, int(samples.size()) - ofCorpus, oldAgree, old);
    QVERIFY2(disagree.isEmpty(), qPrintable(u'\n' + disagree.join(u'\n')));
}

// What the server accepts can run here too.
void TstCorpus::friendlyReads()
{
    int runnable = 0;
    int valid = 0;
    int read = 0;
    QStringList bad;
    for (const CorpusJob &sample : corpus()) {
        const ParseOutcome outcome = parseJob(shareddata::read(sample.path));
        read += outcome.spec.has_value();
        if (!sample.expected.value(u"valid"_s).toBool()) {
            continue;
        }
        ++valid;
        runnable += outcome.canRun();
        if (!outcome.canRun()) {
            bad.append(baseName(sample.path) + u'\n' + reasons(outcome));
        }
        for (const Diagnostic &each : outcome.diagnostics) {
            QVERIFY2(!each.strict, qPrintable(each.code));
            QVERIFY(each.at.begin >= 0 && each.at.end <= outcome.document.bytes().size());
        }
    }
    qInfo("friendly: %d of %d valid files can run, %d of %d are read", runnable, valid, read, int(corpus().size()));
    QVERIFY2(bad.isEmpty(), qPrintable(u'\n' + bad.join(u'\n')));
}

void TstCorpus::serverRendering()
{
    int roles = 0;
    for (const CorpusJob &sample : corpus()) {
        const QJsonObject entrypoints = sample.expected.value(u"entrypoints"_s).toObject();
        if (entrypoints.isEmpty()) {
            continue;
        }
        const ParseOutcome outcome = parseJob(shareddata::read(sample.path));
        QVERIFY(outcome.spec);
        QCOMPARE(outcome.spec->taskRoles.size(), entrypoints.size());
        const QJsonObject defaults = sample.expected.value(u"defaults"_s).toObject();
        for (const TaskRole &role : outcome.spec->taskRoles) {
            ComposeOptions options;
            options.asServer = true;
            const Result<ComposedRole> composed = composeRole(*outcome.spec, role, options);
            QVERIFY2(composed, qPrintable(sample.path));
            QCOMPARE(composed->userScript, entrypoints.value(role.name).toString());
            ++roles;
            const QJsonObject filled = defaults.value(role.name).toObject();
            QCOMPARE(role.instances, filled.value(u"instances"_s).toInteger());
            QJsonObject ports;
            for (const Port &port : role.effectivePorts()) {
                ports.insert(port.label, port.count);
            }
            QCOMPARE(ports, filled.value(u"ports"_s).toObject());
            QCOMPARE(role.shmMiB.value_or(512), filled.value(u"shmMB"_s).toInteger());
            QCOMPARE(role.effectiveMinFailed(), filled.value(u"minFailed"_s).toInteger());
            QCOMPARE(role.completion.minSucceededInstances.value_or(role.instances),
                filled.value(u"minSucceeded"_s).toInteger());
        }
    }
    qInfo("entrypoints and defaults: %d roles equal", roles);
    QVERIFY(roles > 0);
}

void TstCorpus::serverEnvironment()
{
    int variables = 0;
    int jobs = 0;
    for (const CorpusJob &sample : corpus()) {
        const QJsonObject expected = sample.expected.value(u"frameworkEnv"_s).toObject();
        if (expected.isEmpty()) {
            continue;
        }
        const ParseOutcome outcome = parseJob(shareddata::read(sample.path));
        QVERIFY(outcome.spec);
        QJsonObject ours;
        for (const auto &[name, value] : trainyard::serverEnvironment(*outcome.spec, u"alice"_s)) {
            QVERIFY2(!ours.contains(name), qPrintable(name));
            ours.insert(name, value);
        }
        QCOMPARE(ours, expected);
        ++jobs;
        // What runs here has all of them, and differs in the one decided point.
        JobIdentity identity;
        identity.user = u"alice"_s;
        identity.jobName = outcome.spec->name;
        const TaskEnvironment environment(*outcome.spec, identity, {});
        QMap<QString, QString> here;
        for (const auto &[name, value] : environment.forTask(outcome.spec->taskRoles.first().name, 0, 0, u"/w"_s)) {
            QVERIFY2(!here.contains(name), qPrintable(name));
            here.insert(name, value);
        }
        for (auto it = expected.begin(); it != expected.end(); ++it) {
            QString value = it.value().toString();
            const QString prefix = u"PAI_MIN_SUCCEEDED_TASK_COUNT_"_s;
            const TaskRole *role
                = it.key().startsWith(prefix) ? outcome.spec->role(it.key().mid(prefix.size())) : nullptr;
            if (role && !role->completion.minSucceededInstances) {
                value = u"-1"_s;
            }
            QVERIFY2(here.contains(it.key()), qPrintable(sample.path + u' ' + it.key()));
            QCOMPARE(here.value(it.key()), value);
            ++variables;
        }
    }
    qInfo("server's environment: %d jobs equal; ours: %d of its variables equal", jobs, variables);
    QVERIFY(variables > 0);
}

void TstCorpus::registryLogins()
{
    int logins = 0;
    int without = 0;
    for (const CorpusJob &sample : corpus()) {
        if (!sample.expected.contains(u"auth"_s)) {
            continue;
        }
        const QJsonObject expected = sample.expected.value(u"auth"_s).toObject();
        const ParseOutcome outcome = parseJob(shareddata::read(sample.path));
        QVERIFY(outcome.spec);
        QJsonObject ours;
        for (const Prerequisite &item : outcome.spec->prerequisites) {
            if (item.auth) {
                const Result<RegistryAuth> auth = renderAuth(*outcome.spec, *item.auth);
                QVERIFY2(auth, qPrintable(sample.path));
                ours.insert(item.name,
                    QJsonObject{{u"username"_s, auth->username}, {u"password"_s, auth->password},
                        {u"registryuri"_s, auth->registryUri}});
            }
        }
        QCOMPARE(ours, expected);
        logins += int(ours.size());
        without += ours.isEmpty();
    }
    qInfo("registry logins: %d equal, %d jobs rightly without", logins, without);
    QVERIFY(logins > 0);
}

// The whole job as the server has it after checking and rendering.
void TstCorpus::serverObjects()
{
    int objects = 0;
    for (const QString &path : shareddata::files(u"vectors/rest_*.yaml"_s)) {
        const QJsonObject recorded = shareddata::readJson(path.chopped(5) + u".expected.json"_s);
        const QJsonObject expected = recorded.value(u"expected"_s).toObject();
        if (!recorded.value(u"valid"_s).toBool() || !expected.contains(u"taskRoles"_s)) {
            continue;
        }
        const ParseOutcome outcome = parseJob(shareddata::read(path), CheckMode::Strict);
        QVERIFY2(outcome.canRun(), qPrintable(path));
        QJsonObject ours = toValue(outcome.document.root()).toJson().toObject();
        QJsonObject items{{u"script"_s, QJsonObject{}}, {u"output"_s, QJsonObject{}}, {u"data"_s, QJsonObject{}},
            {u"dockerimage"_s, QJsonObject{}}};
        for (const Prerequisite &item : outcome.spec->prerequisites) {
            QJsonObject json = item.all.toJson().toObject();
            if (item.auth) {
                const Result<RegistryAuth> auth = renderAuth(*outcome.spec, *item.auth);
                QVERIFY(auth);
                json.insert(u"auth"_s,
                    QJsonObject{{u"username"_s, auth->username}, {u"password"_s, auth->password},
                        {u"registryuri"_s, auth->registryUri}});
            }
            QJsonObject ofType = items.value(item.type).toObject();
            ofType.insert(item.name, json);
            items.insert(item.type, ofType);
        }
        ours.insert(u"prerequisites"_s, items);
        QJsonObject deployments;
        for (const QJsonValue &deployment : ours.value(u"deployments"_s).toArray()) {
            deployments.insert(deployment.toObject().value(u"name"_s).toString(), deployment);
        }
        ours.insert(u"deployments"_s, deployments);
        QJsonObject roles = ours.value(u"taskRoles"_s).toObject();
        for (const TaskRole &role : outcome.spec->taskRoles) {
            ComposeOptions options;
            options.asServer = true;
            const Result<ComposedRole> composed = composeRole(*outcome.spec, role, options);
            QVERIFY2(composed, qPrintable(path));
            QJsonObject json = roles.value(role.name).toObject();
            json.insert(u"entrypoint"_s, composed->userScript);
            roles.insert(role.name, json);
        }
        ours.insert(u"taskRoles"_s, roles);
        for (const QString &key : expected.keys()) {
            QCOMPARE(ours.value(key), expected.value(key));
        }
        QCOMPARE(ours.size(), expected.size());
        ++objects;
    }
    qInfo("server's objects: %d equal", objects);
    QVERIFY(objects > 0);
}

void TstCorpus::serverMask()
{
    int equal = 0;
    for (const QString &name : {u"mask_probes"_s, u"rest_mask"_s}) {
        const QString path = shareddata::folder() + u"/vectors/"_s + name;
        const Value value = toValue(YamlDocument::parse(shareddata::read(path + u".yaml"_s)).root());
        const QJsonArray expected = shareddata::readJson(path + u".expected.json"_s).value(u"expected"_s).toArray();
        const Value::List cases = *value.find(u"cases"_s)->asList();
        QCOMPARE(cases.size(), expected.size());
        for (qsizetype i = 0; i < cases.size(); ++i) {
            const QByteArray text = cases.at(i).asString()->toUtf8();
            QCOMPARE(QString::fromUtf8(maskSecretsAsServer(text)), expected.at(i).toString());
            // Ours hides what the server's leaves.
            const Result<QByteArray> masked = maskSecrets(text);
            QVERIFY(!masked || !masked->contains("testpass"));
            ++equal;
        }
    }
    qInfo("masked texts: %d equal", equal);
}

void TstCorpus::imageNames()
{
    const QString path = shareddata::folder() + u"/vectors/runtime_image_names.expected.json"_s;
    const QJsonObject expected = shareddata::readJson(path).value(u"expected"_s).toObject();
    for (auto it = expected.begin(); it != expected.end(); ++it) {
        const std::optional<ImageName> name = clusterImageName(it.key());
        QCOMPARE(name.has_value(), !it.value().isNull());
        const QJsonObject parts = it.value().toObject();
        const auto same = [&](const QString &key, const QString &ours) {
            return !parts.contains(key) || parts.value(key).toString() == ours;
        };
        QVERIFY2(!name || same(u"repo"_s, name->repository), qPrintable(it.key()));
        QVERIFY2(!name || same(u"tag"_s, name->tag), qPrintable(it.key()));
        QVERIFY2(!name || same(u"registry"_s, name->registry), qPrintable(it.key()));
    }
    qInfo("image names: %d equal", int(expected.size()));
    QVERIFY(!expected.isEmpty());
}

void TstCorpus::failurePolicies()
{
    const QString path = shareddata::folder() + u"/vectors/runtime_plugin_failure_policy.expected.json"_s;
    const QJsonArray expected = shareddata::readJson(path).value(u"expected"_s).toArray();
    for (const QJsonValue &each : expected) {
        JobSpec job;
        TaskRole role;
        role.name = u"w"_s;
        PluginEntry entry;
        entry.plugin = u"cmd"_s;
        entry.parameters = Value(Value::Map{{u"preCommands"_s, Value(Value::List{Value(u"test"_s)})}});
        entry.failurePolicy = each.toObject().value(u"failurePolicy"_s).toString() == u"ignore"_s
            ? FailurePolicy::Ignore
            : FailurePolicy::Fail;
        job.plugins = {entry};
        const Result<ComposedRole> composed = composeRole(job, role);
        QVERIFY(composed);
        QCOMPARE(composed->before.size(), 1);
        QCOMPARE(composed->before.first().script, each.toObject().value(u"script"_s).toString());
    }
    qInfo("failure policies: %d equal", int(expected.size()));
    QVERIFY(!expected.isEmpty());
}

// Which steps run before and after the commands, in which order.
void TstCorpus::orders()
{
    int orders = 0;
    for (const QString &path : shareddata::files(u"vectors/*.yaml"_s)) {
        const QJsonObject recorded = shareddata::readJson(path.chopped(5) + u".expected.json"_s);
        const QJsonObject expected = recorded.value(u"expected"_s).toObject();
        if (!expected.contains(u"order"_s)) {
            continue;
        }
        const ParseOutcome outcome = parseJob(shareddata::read(path));
        QVERIFY(outcome.spec);
        ComposeOptions options;
        options.fillSecrets = true;
        const Result<ComposedRole> composed = composeRole(*outcome.spec, outcome.spec->taskRoles.first(), options);
        if (!recorded.value(u"valid"_s).toBool()) {
            QVERIFY(!outcome.canRun());
            ++orders;
            continue;
        }
        QVERIFY2(composed, qPrintable(path));
        // The recording has names of steps, or what they print, in order.
        QString all;
        for (const PluginScript &step : composed->before) {
            all += step.name + u'\n' + step.script;
        }
        all += u"USER COMMAND\n"_s + composed->userScript + u'\n';
        for (const PluginScript &step : composed->after) {
            all += step.name + u'\n' + step.script;
        }
        qsizetype at = 0;
        for (const QJsonValue &line : expected.value(u"order"_s).toArray()) {
            if (line.toString() == u"<ssh plugin>"_s) {
                continue; // not run here
            }
            const qsizetype found = all.indexOf(line.toString(), at);
            QVERIFY2(found >= 0, qPrintable(path + u": "_s + line.toString() + u" in\n"_s + all));
            at = found + line.toString().size();
        }
        ++orders;
    }
    qInfo("orders of steps: %d equal", orders);
    QVERIFY(orders > 0);
}

void TstCorpus::renderProbes()
{
    const QString path = shareddata::folder() + u"/vectors/render_probes"_s;
    const ParseOutcome outcome = parseJob(shareddata::read(path + u".yaml"_s));
    QVERIFY(outcome.spec);
    TemplateScopes scopes;
    scopes.parameters = &outcome.spec->parameters;
    scopes.data = &outcome.spec->prerequisite(u"data"_s, u"d"_s)->all;
    scopes.script = &outcome.spec->prerequisite(u"script"_s, u"s"_s)->all;
    const QJsonArray cases = shareddata::readJson(path + u".expected.json"_s).value(u"cases"_s).toArray();
    QVERIFY(!cases.isEmpty());
    for (const QJsonValue &each : cases) {
        const QString text = each.toObject().value(u"template"_s).toString();
        const Result<Rendered> rendered = renderAsServer(text, scopes);
        if (each.toObject().contains(u"error"_s)) {
            QVERIFY2(!rendered, qPrintable(text));
            continue;
        }
        QVERIFY2(rendered, qPrintable(text));
        QVERIFY2(rendered->text == each.toObject().value(u"result"_s).toString(),
            qPrintable(text + u" gives "_s + rendered->text));
    }
    qInfo("render probes: %d equal", int(cases.size()));
}

void TstCorpus::joinProbes()
{
    const QString path = shareddata::folder() + u"/vectors/join_probes"_s;
    const YamlDocument document = YamlDocument::parse(shareddata::read(path + u".yaml"_s));
    const Value value = toValue(document.root());
    const QJsonArray expected = shareddata::readJson(path + u".expected.json"_s).value(u"expected"_s).toArray();
    const Value::List cases = *value.find(u"cases"_s)->asList();
    QCOMPARE(cases.size(), expected.size());
    for (qsizetype i = 0; i < cases.size(); ++i) {
        JobSpec job;
        TaskRole role;
        role.name = u"w"_s;
        for (const Value &command : *cases.at(i).asList()) {
            role.commands.append(*command.asString());
        }
        QCOMPARE(composeRole(job, role)->userScript, expected.at(i).toString());
    }
    qInfo("join probes: %d equal", int(cases.size()));
}

void TstCorpus::pluginScripts()
{
    int scripts = 0;
    QStringList files = shareddata::files(u"vectors/runtime_cmd*.yaml"_s) + shareddata::files(u"vectors/seed_*.yaml"_s);
    for (const QString &path : std::as_const(files)) {
        const QJsonObject recorded = shareddata::readJson(path.chopped(5) + u".expected.json"_s);
        const QJsonObject expected = recorded.value(u"expected"_s).toObject();
        const QJsonObject texts = expected.value(u"scripts"_s).toObject();
        if (texts.isEmpty()) {
            continue;
        }
        const ParseOutcome outcome = parseJob(shareddata::read(path));
        QVERIFY(outcome.spec);
        for (const bool asServer : {false, true}) {
            ComposeOptions options;
            options.asServer = asServer;
            options.fillSecrets = true;
            const Result<ComposedRole> composed = composeRole(*outcome.spec, outcome.spec->taskRoles.first(), options);
            QVERIFY2(composed, qPrintable(path + u' ' + (composed ? QString() : composed.error().code)));
            // Other plugins than cmd do here what they do in their own way.
            QStringList before, after;
            for (auto it = texts.begin(); it != texts.end(); ++it) {
                if (asServer || !it.value().toString().contains(u"sshd.sh"_s)) {
                    (it.key().startsWith(u"plugin_pre"_s) ? before : after).append(it.value().toString());
                }
            }
            std::reverse(after.begin(), after.end());
            QStringList ourBefore, ourAfter;
            for (const PluginScript &step : composed->before) {
                if (asServer || step.plugin == u"cmd"_s) {
                    ourBefore.append(step.script);
                }
            }
            for (const PluginScript &step : composed->after) {
                ourAfter.append(step.script);
            }
            QCOMPARE(ourBefore, before);
            QCOMPARE(ourAfter, after);
            scripts += int(before.size() + after.size());
        }
    }
    qInfo("plugin scripts: %d equal", scripts);
    QVERIFY(scripts > 0);
}

// Plugins that a cluster's runtime has and that are not run here.
void TstCorpus::clusterPlugins()
{
    int roles = 0;
    const auto compare = [&roles](const QString &name, const QString &roleName, const QJsonObject &expected,
                             const QJsonObject &secrets) {
        const ParseOutcome outcome
            = parseJob(shareddata::read(shareddata::folder() + u"/vectors/"_s + name + u".yaml"_s));
        QVERIFY(outcome.spec);
        JobSpec job = *outcome.spec;
        if (!secrets.isEmpty()) {
            job.secrets = Value::fromJson(secrets);
        }
        ComposeOptions options;
        options.asServer = true;
        options.fillSecrets = true;
        QVERIFY(job.role(roleName));
        const Result<ComposedRole> composed = composeRole(job, *job.role(roleName), options);
        QVERIFY2(composed, qPrintable(name));
        QStringList ours;
        for (const PluginScript &step : composed->before) {
            ours.append(step.script);
        }
        QStringList theirs;
        const QJsonObject scripts = expected.value(u"scripts"_s).toObject();
        for (auto it = scripts.begin(); it != scripts.end(); ++it) {
            theirs.append(it.value().toString());
        }
        QCOMPARE(ours, theirs);
        ++roles;
    };
    const auto recorded = [](const QString &name) {
        const QString path = shareddata::folder() + u"/vectors/"_s + name + u".expected.json"_s;
        return shareddata::readJson(path).value(u"expected"_s).toObject();
    };
    const QString ssh = u"runtime_ssh_test_job"_s;
    compare(ssh, recorded(ssh).value(u"taskRole"_s).toString(), recorded(ssh),
        recorded(ssh).value(u"secrets"_s).toObject());
    for (const QString &name : {u"runtime_sshbarrier_test_job"_s, u"runtime_gang_ssh_conflict"_s}) {
        for (const QString &role : {u"master"_s, u"worker"_s}) {
            compare(name, role, recorded(name).value(role).toObject(), {});
        }
    }
    const QString git = u"runtime_git_repo_test_job"_s;
    const ParseOutcome outcome = parseJob(shareddata::read(shareddata::folder() + u"/vectors/"_s + git + u".yaml"_s));
    QVERIFY(outcome.spec);
    ComposeOptions options;
    options.asServer = true;
    QStringList lines;
    for (const TaskRole &role : outcome.spec->taskRoles) {
        const Result<ComposedRole> composed = composeRole(*outcome.spec, role, options);
        for (const PluginScript &step : composed ? composed->before : QList<PluginScript>{}) {
            lines += step.script.split(u'\n');
        }
    }
    for (const QJsonValue &line : recorded(git).value(u"preCommands"_s).toArray()) {
        const QString wanted
            = line.toString().replace(u"<plugin>"_s, u"$PLUGINS/git"_s).replace(u"<code>"_s, u"/usr/local/pai/code"_s);
        QVERIFY2(lines.contains(wanted), qPrintable(wanted + u" in "_s + lines.join(u'|')));
    }
    qInfo("plugins of a cluster: %d roles equal, and one with git", roles);
}

void TstCorpus::secretRendering()
{
    const QString path = shareddata::folder() + u"/vectors/runtime_render_secrets"_s;
    const Value value = toValue(YamlDocument::parse(shareddata::read(path + u".yaml"_s)).root());
    const QJsonArray expected = shareddata::readJson(path + u".expected.json"_s).value(u"expected"_s).toArray();
    const Value::List cases = *value.find(u"cases"_s)->asList();
    QCOMPARE(cases.size(), expected.size());
    for (qsizetype i = 0; i < cases.size(); ++i) {
        JobSpec job;
        job.secrets = *cases.at(i).find(u"secrets"_s);
        TaskRole role;
        role.commands = {*cases.at(i).find(u"command"_s)->asString()};
        ComposeOptions options;
        options.fillSecrets = true;
        QCOMPARE(composeRole(job, role, options)->userScript, expected.at(i).toString());
    }
}

// Every readable file masks, and the rest of it stays.
void TstCorpus::maskedCorpus()
{
    int masked = 0;
    int withSecrets = 0;
    QStringList files = shareddata::files(u"corpus/v2/*.yaml"_s) + shareddata::files(u"vectors/*.yaml"_s);
    for (const QString &path : std::as_const(files)) {
        const QByteArray bytes = shareddata::read(path);
        const YamlDocument document = YamlDocument::parse(bytes);
        if (!document.isComplete() || !document.root() || !document.root()->isMap()) {
            continue;
        }
        const Result<QByteArray> result = maskSecrets(bytes);
        QVERIFY2(result, qPrintable(path));
        const YamlDocument after = YamlDocument::parse(*result);
        Value::Map before = *toValue(document.root()).asMap();
        Value::Map now = *toValue(after.root()).asMap();
        const auto isSecrets = [](const auto &entry) { return entry.first == u"secrets"_s; };
        withSecrets += std::any_of(before.cbegin(), before.cend(), isSecrets);
        before.removeIf(isSecrets);
        now.removeIf(isSecrets);
        QCOMPARE(now, before);
        ++masked;
    }
    qInfo("masked: %d files, %d with secrets", masked, withSecrets);
}

// A value changes in its own line only.
void TstCorpus::edits()
{
    int edited = 0;
    for (const CorpusJob &sample : corpus()) {
        if (!sample.expected.value(u"valid"_s).toBool()) {
            continue;
        }
        const QByteArray bytes = shareddata::read(sample.path);
        const QString role = sample.expected.value(u"entrypoints"_s).toObject().keys().constFirst();
        const YamlPath cpu{u"taskRoles"_s, role, u"resourcePerInstance"_s, u"cpu"_s};
        const Result<TextEdits> edits = planEdit(YamlDocument::parse(bytes), edit::SetValue{cpu, "77"});
        QVERIFY2(edits, qPrintable(sample.path));
        const QByteArray result = applyEdits(bytes, *edits);
        const QList<QByteArray> before = bytes.split('\n');
        const QList<QByteArray> after = result.split('\n');
        QCOMPARE(after.size(), before.size());
        int changed = 0;
        for (qsizetype i = 0; i < before.size(); ++i) {
            changed += before.at(i) != after.at(i);
        }
        QVERIFY2(changed == 1, qPrintable(sample.path));
        JobSpec expected = *parseJob(bytes).spec;
        for (TaskRole &each : expected.taskRoles) {
            each.resources.cpu = each.name == role ? 77 : each.resources.cpu;
        }
        QVERIFY(*parseJob(result).spec == expected);
        ++edited;
    }
    qInfo("edits: %d files changed in one line and one value only", edited);
    QVERIFY(edited > 0);
}

void TstCorpus::yamlCases()
{
    // The table of scalars as the server's parser and the runtime's read them (docs/protocol.md).
    const QMap<QByteArray, Value> table{{"yes", Value(u"yes"_s)}, {"off", Value(u"off"_s)}, {"True", Value(true)},
        {"~", Value()}, {"012", Value(qint64(10))}, {"0o12", Value(u"0o12"_s)}, {"08", Value(u"08"_s)},
        {"1.0.0", Value(u"1.0.0"_s)}, {"0x1F", Value(qint64(31))}, {"0b11", Value(qint64(3))},
        {"1_000", Value(qint64(1000))}, {"12:30", Value(qint64(750))}, {"1:30:00", Value(qint64(5400))}};
    for (auto it = table.begin(); it != table.end(); ++it) {
        QCOMPARE(toValue(YamlDocument::parse("v: " + it.key()).root()->find("v")), it.value());
    }
}

TRAINYARD_TEST(TstCorpus)
#include "tst_corpus.moc"
