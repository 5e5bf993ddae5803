// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/shared.h"
#include "tests/helpers/agentfixture.h"
#include "tests/helpers/testregistry.h"

#include <QRandomGenerator>
#include <QTest>

using namespace trainyard::agent;
using namespace trainyard::contract;

// What many tries have in common is said once, and each task sees what it would have seen had it been said to it alone.
class TstShared : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void composesAsOneByOne();
    void sharedByTries();
};
TRAINYARD_TEST(TstShared)

// Each variable after the other over what is there.
static std::vector<std::string> oneByOne(std::vector<std::string> texts, const std::vector<Variable> &variables)
{
    for (const Variable &variable : variables) {
        const std::string name = variable.name + '=';
        const auto known = std::find_if(
            texts.begin(), texts.end(), [&name](const std::string &text) { return text.starts_with(name); });
        if (known != texts.end()) {
            *known = name + variable.value;
        } else {
            texts.push_back(name + variable.value);
        }
    }
    return texts;
}

void TstShared::composesAsOneByOne()
{
    QRandomGenerator random(20261122);
    for (int round = 0; round < 2000; ++round) {
        // Few names, so that all three have many of them in common; those of the base and the shared ones stand once.
        const auto some = [&random](int most, bool once) {
            std::vector<Variable> variables;
            for (quint32 i = random.bounded(quint32(most)); i > 0; --i) {
                Variable variable{std::string(1, char('A' + random.bounded(9))), std::to_string(random.bounded(1000))};
                const bool isThere = std::any_of(variables.begin(), variables.end(),
                    [&variable](const Variable &other) { return other.name == variable.name; });
                if (!once || !isThere) {
                    variables.push_back(std::move(variable));
                }
            }
            return variables;
        };
        const std::vector<std::string> base = oneByOne({}, some(6, true));
        const std::vector<Variable> common = some(8, true);
        const std::vector<Variable> own = some(8, false);
        SharedTexts texts;
        const std::size_t cut = random.bounded(quint32(common.size() + 1));
        texts.take({"k", false, {}, {common.begin(), common.begin() + qsizetype(cut)}});
        texts.take({"k", false, {}, {common.begin() + qsizetype(cut), common.end()}});
        std::vector<Variable> all = common;
        all.insert(all.end(), own.begin(), own.end());
        const ComposedEnvironment composed = composeEnvironment(base, texts.find("k").get(), own);
        std::vector<std::string> got;
        for (const char *text : composed.pointers) {
            if (text) {
                got.emplace_back(text);
            }
        }
        QCOMPARE(composed.pointers.size(), got.size() + 1);
        QVERIFY(!composed.pointers.back());
        QCOMPARE(got, oneByOne(base, all));
    }
}

void TstShared::sharedByTries()
{
    AgentFixture fixture;
    QVERIFY(fixture.begin());
    QVERIFY(fixture.agent->start());
    fixture.agent->send(Share{"job/0", false, {}, {{"PEER_0", "a"}, {"PEER_1", "b"}, {"OWN", "shared"}}});
    fixture.agent->send(Share{"job/0/script", false, "echo $PEER_0 $PEER_1 $OWN; env | grep -c ^PEER_", {}});
    for (const char *name : {"first", "second"}) {
        Launch launch = fixture.launchOf(name, "");
        launch.env = {{"OWN", name}};
        launch.sharedEnv = "job/0";
        launch.sharedScript = "job/0/script";
        QVERIFY(fixture.runToEnd(launch));
        QCOMPARE(outputOf(launch.dir), "a b " + QByteArray(name) + "\n2\n");
        QVERIFY(!fileText(launch.dir, file::plan).contains("PEER_")); // that would be in it as often as there are tasks
        QVERIFY(fileText(launch.dir, file::plan).contains("OWN"));
        QVERIFY(fileText(launch.dir, file::script).contains("grep -c"));
    }
    // What nobody has said, or not any more, starts nothing.
    fixture.agent->send(Share{"job", true, {}, {}});
    Launch late = fixture.launchOf("late", "");
    late.sharedEnv = "job/0";
    const auto refused = fixture.agent->ask<Failure>(late);
    QVERIFY(refused);
    QCOMPARE(refused->code, std::string("launch.malformed"));
    fixture.end();
}

#include "tst_shared.moc"
