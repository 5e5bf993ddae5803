// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/jobdocument.h"
#include "model/template/mustache.h"
#include "model/template/render.h"
#include "model/template/tags.h"
#include "tests/helpers/testregistry.h"

#include <QElapsedTimer>
#include <QTest>

#include <limits>

using namespace trainyard;
using namespace Qt::StringLiterals;

class TstTemplate : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rendering_data();
    void rendering();
    void unclosed();
    void tellsWhereValuesAre();
    void outputIsLimited();
    void overrides();
    void userScript();
    void deployments();
    void secretsInTheSecondPass();
    void missingSecret();
    void order();
    void requireErrors();
    void longChains();
    void stepsOfPlugins();
    void thisInsidePrerequisites();
    void unresolvedInSteps();
    void asServerSkips();
    void bracesOfTheServer_data();
    void bracesOfTheServer();
    void unclosedInAStepOfTheServer();
};

namespace
{

Value::Map map(std::initializer_list<std::pair<QString, Value>> entries)
{
    return Value::Map(entries.begin(), entries.end());
}

Prerequisite scriptItem(
    const QString &name, const QStringList &starts, const QStringList &succeeds = {}, const QStringList &require = {})
{
    Value::List callbacks;
    const auto callback = [](const QString &event, const QStringList &commands) {
        Value::List list;
        for (const QString &command : commands) {
            list.append(Value(command));
        }
        return Value(map({{u"event"_s, Value(event)}, {u"commands"_s, Value(list)}}));
    };
    callbacks.append(callback(u"taskStarts"_s, starts));
    if (!succeeds.isEmpty()) {
        callbacks.append(callback(u"taskSucceeds"_s, succeeds));
    }
    Prerequisite item;
    item.name = name;
    item.type = u"script"_s;
    item.plugin = u"com.microsoft.pai.runtimeplugin.cmd"_s;
    item.require = require;
    item.all
        = Value(map({{u"name"_s, Value(name)}, {u"callbacks"_s, Value(callbacks)}, {u"x"_s, Value(name + u"X"_s)}}));
    return item;
}

QStringList pluginNames(const QList<PluginScript> &steps)
{
    QStringList list;
    for (const PluginScript &step : steps) {
        list.append(step.name);
    }
    return list;
}

} // namespace

void TstTemplate::rendering_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("result");
    QTest::addColumn<QStringList>("unresolved");
    const QStringList none;
    QTest::newRow("plain") << u"a %> b"_s << u"a %> b"_s << none;
    QTest::newRow("string") << u"x<% $parameters.s %>y"_s << u"xabcy"_s << none;
    QTest::newRow("tight") << u"<%$parameters.s%>"_s << u"abc"_s << none;
    QTest::newRow("number") << u"<% $parameters.f %>"_s << u"0.01"_s << none;
    QTest::newRow("bool") << u"<% $parameters.b %>"_s << u"true"_s << none;
    QTest::newRow("list") << u"<% $parameters.l %>"_s << u"x,1"_s << none;
    QTest::newRow("index") << u"<% $parameters.l[1] %>"_s << u"1"_s << none;
    QTest::newRow("dotted index") << u"<% $parameters.l.0 %>"_s << u"x"_s << none;
    QTest::newRow("nested") << u"<% $parameters.m.k %>"_s << u"v"_s << none;
    QTest::newRow("null stays") << u"<% $parameters.n %>"_s << u"<% $parameters.n %>"_s
                                << QStringList{u"$parameters.n"_s};
    QTest::newRow("missing stays as written")
        << u"<%  $parameters.zz[0]%>"_s << u"<%  $parameters.zz[0]%>"_s << QStringList{u"$parameters.zz.0"_s};
    QTest::newRow("no accidents") << u"<% $parameters.s.length %>"_s << u"<% $parameters.s.length %>"_s
                                  << QStringList{u"$parameters.s.length"_s};
    QTest::newRow("no sections") << u"<%# $parameters.s %>"_s << u"<%# $parameters.s %>"_s
                                 << QStringList{u"# $parameters.s"_s};
    QTest::newRow("no scope") << u"<% $data.uri %>"_s << u"<% $data.uri %>"_s << QStringList{u"$data.uri"_s};
    QTest::newRow("one pass") << u"<% $parameters.r %>"_s << u"<% $parameters.s %>"_s << none;
    QTest::newRow("index out of range") << u"<% $parameters.l[9] %>"_s << u"<% $parameters.l[9] %>"_s
                                        << QStringList{u"$parameters.l.9"_s};
    QTest::newRow("negative index") << u"<% $parameters.l.-1 %>"_s << u"<% $parameters.l.-1 %>"_s
                                    << QStringList{u"$parameters.l.-1"_s};
    QTest::newRow("secret") << u"<% $secrets.p %>"_s << u"a&'b"_s << none;
}

void TstTemplate::rendering()
{
    QFETCH(QString, text);
    QFETCH(QString, result);
    QFETCH(QStringList, unresolved);
    const Value parameters(map({{u"s"_s, Value(u"abc"_s)}, {u"f"_s, Value(0.01)}, {u"b"_s, Value(true)},
        {u"n"_s, Value()}, {u"l"_s, Value(Value::List{Value(u"x"_s), Value(qint64(1))})},
        {u"m"_s, Value(map({{u"k"_s, Value(u"v"_s)}}))}, {u"r"_s, Value(u"<% $parameters.s %>"_s)}}));
    const Value secrets(map({{u"p"_s, Value(u"a&'b"_s)}}));
    TemplateScopes scopes;
    scopes.parameters = &parameters;
    scopes.secrets = &secrets;
    const Result<Rendered> rendered = renderTemplate(text, scopes);
    QVERIFY(rendered);
    QCOMPARE(rendered->text, result);
    QCOMPARE(rendered->unresolved, unresolved);
    QCOMPARE(rendered->usesSecret, text.contains(u"$secrets"_s));
}

void TstTemplate::unclosed()
{
    const Result<Rendered> rendered = renderTemplate(u"ab <% c"_s, {});
    QVERIFY(!rendered);
    QCOMPARE(rendered.error().code, u"template.unclosed"_s);
    QCOMPARE(rendered.error().args.value(u"offset"_s).toInt(), 3);
}

// For the preview, which marks them.
void TstTemplate::tellsWhereValuesAre()
{
    const ParseOutcome outcome = parseJob(
        "protocolVersion: 2\nname: t\ntype: job\nsecrets: {token: hush}\n"
        "parameters: {model: resnet20, size: 32, lead: '  x'}\n"
        "prerequisites:\n  - {name: img, type: dockerimage, uri: u}\n"
        "  - name: s\n    type: script\n    plugin: com.microsoft.pai.runtimeplugin.cmd\n    callbacks:\n"
        "      - event: taskStarts\n        commands: ['é <% $parameters.size %>', 'b <% $parameters.model %>']\n"
        "taskRoles:\n  w:\n    dockerImage: img\n    prerequisites: [s]\n"
        "    resourcePerInstance: {cpu: 1, memoryMB: 1, gpu: 0}\n"
        "    commands:\n      - <% $parameters.lead %> -m <% $parameters.model %> <% $secrets.token %>\n"
        "      - <% $parameters.nothing %> <% $parameters.size %>\n");
    QVERIFY(outcome.spec);
    const auto valuesOf = [](const QString &text, const QList<FilledValue> &filled) {
        QStringList found;
        for (const FilledValue &value : filled) {
            found.append(value.key + u'=' + text.mid(value.begin, value.length));
        }
        return found;
    };
    const Result<ComposedRole> role = composeRole(*outcome.spec, outcome.spec->taskRoles.first());
    QVERIFY(role);
    // The text is trimmed: of a value at its edge the rest is told.
    QCOMPARE(valuesOf(role->userScript, role->filled),
        (QStringList{u"$parameters.lead=x"_s, u"$parameters.model=resnet20"_s, u"$parameters.size=32"_s}));
    QCOMPARE(role->before.size(), 1);
    QCOMPARE(valuesOf(role->before.first().script, role->before.first().filled),
        (QStringList{u"$parameters.size=32"_s, u"$parameters.model=resnet20"_s}));
    ComposeOptions options;
    options.fillSecrets = true;
    const Result<ComposedRole> executed = composeRole(*outcome.spec, outcome.spec->taskRoles.first(), options);
    QVERIFY(executed && executed->filled.isEmpty());
}

void TstTemplate::outputIsLimited()
{
    const Value parameters(map({{u"big"_s, Value(QString(1'000'000, u'x'))}}));
    TemplateScopes scopes;
    scopes.parameters = &parameters;
    QElapsedTimer timer;
    timer.start();
    const Result<Rendered> rendered = renderTemplate(u"<% $parameters.big %>"_s.repeated(50'000), scopes);
    QVERIFY(!rendered);
    QCOMPARE(rendered.error().code, u"template.too-large"_s);
    QVERIFY(timer.elapsed() < 5000);
}

void TstTemplate::overrides()
{
    const Value parameters(map({{u"a"_s, Value(qint64(1))}, {u"b"_s, Value(u"x"_s)}}));
    const Value result = withOverrides(parameters, {{u"a"_s, u"0.5"_s}, {u"c"_s, u"yes"_s}, {u"d"_s, u"true"_s}});
    QCOMPARE(*result.find(u"a"_s)->asDouble(), 0.5);
    QCOMPARE(*result.find(u"b"_s)->asString(), u"x"_s);
    QCOMPARE(*result.find(u"c"_s)->asString(), u"yes"_s);
    QCOMPARE(*result.find(u"d"_s)->asBool(), true);
    QCOMPARE(result.asMap()->first().first, u"a"_s);
    for (const QString &text : {u""_s, u"~"_s, u"null"_s, u"99999999999999999999"_s, u"-99999999999999999999"_s}) {
        QCOMPARE(overrideValue(text), Value(text));
    }
    QCOMPARE(overrideValue(u"9223372036854775807"_s), Value(std::numeric_limits<qint64>::max()));
    QCOMPARE(overrideValue(u"1e20"_s), Value(1e20));
}

void TstTemplate::userScript()
{
    JobSpec job;
    TaskRole role;
    role.commands = {u"  a  "_s, QString(), u"# c"_s, u"line1\nline2\n"_s};
    QCOMPARE(composeRole(job, role)->userScript, u"a\n\n# c\nline1\nline2"_s);
    role.commands = {u"\uFEFFa\u00A0"_s, u"\u0085b\uFEFFc\u3000"_s}; // white space of JavaScript
    QCOMPARE(composeRole(job, role)->userScript, u"a\n\u0085b\uFEFFc"_s);
    role.commands = {u" \n "_s};
    QCOMPARE(composeRole(job, role)->userScript, QString());
}

void TstTemplate::deployments()
{
    JobSpec job;
    TaskRole role;
    role.name = u"w"_s;
    role.commands = {u"run"_s};
    job.deployments = {{u"a"_s, {{u"w"_s, {u"pre"_s}, {u"post"_s}}}}, {u"b"_s, {{u"w"_s, {u"other"_s}, {}}}}};
    QCOMPARE(composeRole(job, role)->userScript, u"run"_s);
    job.defaultDeployment = u"a"_s;
    QCOMPARE(composeRole(job, role)->userScript, u"pre\nrun\npost"_s);
}

// A parameter may name a secret; a secret's value is not looked at again, and nothing is escaped.
void TstTemplate::secretsInTheSecondPass()
{
    JobSpec job;
    job.parameters = Value(map({{u"via"_s, Value(u"<% $secrets.p %>"_s)}}));
    job.secrets = Value(map({{u"p"_s, Value(u"<% $secrets.q %>&\"'"_s)}, {u"q"_s, Value(u"never"_s)}}));
    TaskRole role;
    role.commands = {u"echo <% $parameters.via %> <% $secrets.q %>"_s};
    ComposeOptions fill;
    fill.fillSecrets = true;
    const Result<ComposedRole> filled = composeRole(job, role, fill);
    QVERIFY(filled);
    QCOMPARE(filled->userScript, u"echo <% $secrets.q %>&\"' never"_s);
    QVERIFY(filled->usesSecret);
    const Result<ComposedRole> masked = composeRole(job, role);
    QCOMPARE(masked->userScript, u"echo <% $secrets.p %> <% $secrets.q %>"_s);
    QVERIFY(masked->usesSecret);
    role.commands = {u"echo"_s};
    QVERIFY(!composeRole(job, role, fill)->usesSecret);
}

void TstTemplate::missingSecret()
{
    JobSpec job;
    job.secrets = Value(map({{u"p"_s, Value(u"******"_s)}}));
    TaskRole role;
    role.name = u"w"_s;
    role.commands = {u"echo <% $secrets.p %>"_s};
    ComposeOptions fill;
    fill.fillSecrets = true;
    const Result<ComposedRole> result = composeRole(job, role, fill);
    QVERIFY(!result);
    QCOMPARE(result.error().code, u"secret.missing"_s);
    QCOMPARE(result.error().args.value(u"name"_s).toString(), u"p"_s);
    QVERIFY(composeRole(job, role));
}

void TstTemplate::order()
{
    JobSpec job;
    job.prerequisites
        = {scriptItem(u"a"_s, {u"1"_s}, {u"9"_s}, {u"b"_s, u"c"_s}), scriptItem(u"b"_s, {u"2"_s}, {u"8"_s}, {u"c"_s}),
            scriptItem(u"c"_s, {u"3"_s}, {u"7"_s}), scriptItem(u"d"_s, {u"4"_s}, {u"6"_s})};
    job.plugins = {{u"cmd"_s,
                       Value(map({{u"preCommands"_s, Value(Value::List{Value(u"p"_s)})},
                           {u"postCommands"_s, Value(Value::List{Value(u"q"_s)})}})),
                       FailurePolicy::Fail, std::nullopt},
        {u"cmd"_s, Value(map({{u"preCommands"_s, Value(Value::List{Value(u"no"_s)})}})), FailurePolicy::Fail,
            QStringList{u"other"_s}}};
    TaskRole role;
    role.name = u"w"_s;
    role.prerequisites = {u"d"_s, u"a"_s, u"c"_s};
    const Result<ComposedRole> composed = composeRole(job, role);
    QVERIFY(composed);
    QCOMPARE(composed->prerequisiteOrder, (QStringList{u"d"_s, u"c"_s, u"b"_s, u"a"_s}));
    QCOMPARE(pluginNames(composed->before), (QStringList{u"d"_s, u"c"_s, u"b"_s, u"a"_s, u"cmd (1)"_s}));
    QCOMPARE(pluginNames(composed->after), (QStringList{u"cmd (1)"_s, u"a"_s, u"b"_s, u"c"_s, u"d"_s}));
    QCOMPARE(composed->before.first().script, u"set -o errexit\n4\n"_s);
    QCOMPARE(composed->after.last().script, u"set -o errexit\n6\n"_s);
}

void TstTemplate::requireErrors()
{
    JobSpec job;
    job.prerequisites = {scriptItem(u"a"_s, {}, {}, {u"b"_s}), scriptItem(u"b"_s, {}, {}, {u"c"_s}),
        scriptItem(u"c"_s, {}, {}, {u"b"_s}), scriptItem(u"d"_s, {}, {}, {u"zz"_s})};
    TaskRole role;
    role.name = u"w"_s;
    role.prerequisites = {u"a"_s};
    Result<QStringList> order = expandPrerequisites(job, role);
    QVERIFY(!order);
    QCOMPARE(order.error().code, u"require.cycle"_s);
    QCOMPARE(order.error().args.value(u"cycle"_s).toString(), u"b → c → b"_s);
    role.prerequisites = {u"d"_s};
    order = expandPrerequisites(job, role);
    QCOMPARE(order.error().code, u"require.unknown"_s);
    QCOMPARE(order.error().args.value(u"by"_s).toString(), u"d"_s);
    role.prerequisites = {u"nope"_s};
    QCOMPARE(expandPrerequisites(job, role).error().args.value(u"by"_s).toString(), u"w"_s);
}

// No recursion: a chain may be as long as the file.
void TstTemplate::longChains()
{
    constexpr int count = 20'000;
    JobSpec job;
    for (int i = 0; i < count; ++i) {
        Prerequisite item;
        item.name = QString::number(i);
        item.type = u"script"_s;
        if (i + 1 < count) {
            item.require = {QString::number(i + 1)};
        }
        job.prerequisites.append(item);
    }
    TaskRole role;
    role.prerequisites = {u"0"_s};
    const Result<QStringList> order = expandPrerequisites(job, role);
    QVERIFY(order);
    QCOMPARE(order->size(), count);
    QCOMPARE(order->first(), QString::number(count - 1));
}

void TstTemplate::stepsOfPlugins()
{
    JobSpec job;
    Prerequisite item = scriptItem(u"a"_s, {u"one"_s, u"two\nthree\n"_s});
    item.failurePolicy = FailurePolicy::Ignore;
    job.prerequisites = {item};
    TaskRole role;
    role.prerequisites = {u"a"_s};
    const Result<ComposedRole> composed = composeRole(job, role);
    QCOMPARE(composed->before.first().script, u"set +o errexit\none\ntwo\nthree\nset -o errexit\n"_s);
    QCOMPARE(composed->before.first().failurePolicy, FailurePolicy::Ignore);
    QVERIFY(composed->after.isEmpty());
}

void TstTemplate::thisInsidePrerequisites()
{
    JobSpec job;
    job.prerequisites
        = {scriptItem(u"a"_s, {u"<% this.x %> <% this.only %>"_s}, {}, {u"b"_s}), scriptItem(u"b"_s, {u"b"_s})};
    Value::Map b = *job.prerequisites.at(1).all.asMap();
    b.append({u"only"_s, Value(u"fromB"_s)});
    job.prerequisites[1].all = Value(b);
    TaskRole role;
    role.prerequisites = {u"a"_s};
    const Result<ComposedRole> composed = composeRole(job, role);
    QVERIFY(composed);
    QCOMPARE(composed->before.last().script, u"set -o errexit\naX fromB\n"_s);
    // As the proposal of prerequisites spells it; a key of that name comes first.
    job.prerequisites[0] = scriptItem(u"a"_s, {u"<% this.parameters.x %> <% this.parameters.only %>"_s}, {}, {u"b"_s});
    QCOMPARE(composeRole(job, role)->before.last().script, u"set -o errexit\naX fromB\n"_s);
    Value::Map a = *job.prerequisites.at(0).all.asMap();
    a.append({u"parameters"_s, Value(map({{u"x"_s, Value(u"own"_s)}}))});
    job.prerequisites[0].all = Value(a);
    QCOMPARE(composeRole(job, role)->before.last().script, u"set -o errexit\nown fromB\n"_s);
}

void TstTemplate::unresolvedInSteps()
{
    JobSpec job;
    job.prerequisites = {scriptItem(u"a"_s, {u"<% $parameters.zz %>"_s})};
    TaskRole role;
    role.prerequisites = {u"a"_s};
    const Result<ComposedRole> composed = composeRole(job, role);
    QVERIFY(!composed);
    QCOMPARE(composed.error().code, u"template.unresolved"_s);
    job.prerequisites = {scriptItem(u"a"_s, {u"<% $unknown.x %> <% 5 %>"_s})};
    QCOMPARE(composeRole(job, role)->before.first().script, u"set -o errexit\n<% $unknown.x %> <% 5 %>\n"_s);
    job.secrets = Value(map({{u"p"_s, Value(u"v"_s)}}));
    job.prerequisites = {scriptItem(u"a"_s, {u"<% $secrets.p %>"_s})};
    QCOMPARE(composeRole(job, role)->before.first().script, u"set -o errexit\n<% $secrets.p %>\n"_s);
    ComposeOptions fill;
    fill.fillSecrets = true;
    const Result<ComposedRole> filled = composeRole(job, role, fill);
    QCOMPARE(filled->before.first().script, u"set -o errexit\nv\n"_s);
    QVERIFY(filled->before.first().usesSecret);
}

// What a cluster would do: no plugin, no step; no `require`; unknown events are skipped.
void TstTemplate::asServerSkips()
{
    JobSpec job;
    job.prerequisites = {scriptItem(u"a"_s, {u"1"_s}, {}, {u"b"_s}), scriptItem(u"b"_s, {u"2"_s})};
    job.prerequisites[1].plugin.clear();
    TaskRole role;
    role.prerequisites = {u"b"_s, u"a"_s};
    ComposeOptions options;
    options.asServer = true;
    QCOMPARE(pluginNames(composeRole(job, role, options)->before), QStringList{u"a"_s});
    QCOMPARE(pluginNames(composeRole(job, role)->before), (QStringList{u"b"_s, u"a"_s}));
}

// What ends another tag does not end one in braces.
void TstTemplate::bracesOfTheServer_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("result"); // null: it is not closed
    QTest::newRow("closed") << u"a <%{ x }%> b"_s << u"a  b"_s;
    QTest::newRow("delimiters and more") << u"a <%=[[ ]] x=%> [[! c ]] <%"_s << u"a   <%"_s;
    QTest::newRow("white space of JavaScript") << u"a <%\uFEFF{ x\u2028}\uFEFF%> b"_s << QString();
    QTest::newRow("white space in the tag") << u"a <%\uFEFF! x\uFEFF%> b"_s << u"a  b"_s;
    QTest::newRow("none in the tag") << u"a <%\u0085! x %> b"_s << u"a <% \u0085! x %> b"_s;
    QTest::newRow("blanks before the brace") << u"a <%{x  }%> b"_s << u"a  b"_s;
    QTest::newRow("without the brace") << u"a <%{ x %> b"_s << QString();
    QTest::newRow("a blank behind the brace") << u"a <%{ x } %> b"_s << QString();
    QTest::newRow("the end of another one") << u"a <%{ x %> b <%{ y }%> c"_s << u"a  c"_s;
}

void TstTemplate::bracesOfTheServer()
{
    QFETCH(QString, text);
    QFETCH(QString, result);
    const Result<Rendered> rendered = renderAsServer(text, {});
    if (result.isNull()) {
        QVERIFY(!rendered);
        QCOMPARE(rendered.error().code, u"template.unclosed"_s);
        QCOMPARE(rendered.error().args.value(u"offset"_s).toInt(), 2);
        return;
    }
    QVERIFY(rendered);
    QCOMPARE(rendered->text, result);
}

// A cluster replaces references that it recognizes, and passes on what is left; here that is an error.
void TstTemplate::unclosedInAStepOfTheServer()
{
    JobSpec job;
    job.parameters = Value(map({{u"x"_s, Value(u"v"_s)}}));
    job.prerequisites = {scriptItem(u"a"_s, {u"echo <% $parameters.x %> <% $parameters.x"_s})};
    TaskRole role;
    role.prerequisites = {u"a"_s};
    ComposeOptions options;
    options.asServer = true;
    const Result<ComposedRole> composed = composeRole(job, role, options);
    QVERIFY(composed);
    QCOMPARE(composed->before.first().script, u"set -o errexit\necho v <% $parameters.x\n"_s);
    const Result<ComposedRole> here = composeRole(job, role);
    QVERIFY(!here);
    QCOMPARE(here.error().code, u"template.unclosed"_s);
}

TRAINYARD_TEST(TstTemplate)
#include "tst_template.moc"
