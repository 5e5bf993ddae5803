// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/pool/poolbackend.h"
#include "tests/backends/house.h"
#include "tests/backends/pooltarget.h"
#include "tests/helpers/enginefixture.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

namespace trainyard
{

using namespace Qt::StringLiterals;

// This computer, lab1, and lab2 with the label big.
class Labs
{
public:
    Labs()
    {
        target.stateFolder = m_state.path();
        house.write(u"config/hosts.json"_s,
            R"({"hosts": [{"id": "lab1", "target": "me@lab1"},
                          {"id": "lab2", "target": "me@lab2", "labels": ["big"], "colour": "red"}]})");
    }
    bool open()
    {
        return house.open() && QTest::qWaitFor([this] {
            const QList<HostInfo> all = admin().hosts();
            return all.size() == 3 && std::all_of(all.cbegin(), all.cend(), [](const HostInfo &h) {
                return h.state == HostState::Online;
            });
        });
    }
    PoolBackend &pool() { return static_cast<PoolBackend &>(house.backend()); }
    HostAdmin &admin() { return pool().admin(); }
    HostInfo host(const QString &id)
    {
        const QList<HostInfo> all = admin().hosts();
        const auto it = std::find_if(all.cbegin(), all.cend(), [&id](const HostInfo &each) { return each.id == id; });
        return it == all.cend() ? HostInfo() : *it;
    }
    // One role of so many tasks, with such a rule for its hosts.
    QString submit(const QByteArray &rule, int tasks = 1)
    {
        return house.submit(EngineFixture::document("one", EngineFixture::role("main", tasks, {"true"}),
            "extras: {trainyard: {hosts: {main: " + rule + "}}}\n"));
    }
    QString reason(const QString &job) { return house.queries().summary(job).value_or(JobSummary()).reason; }
    QStringList hostsOf(const QString &job) { return house.queries().summary(job).value_or(JobSummary()).hosts; }
    bool waits(const QString &job, const QString &code)
    {
        return house.waitFor(
            job, [&code](const JobSummary &s) { return s.state == State::Waiting && s.reason == code; });
    }

    PoolTarget target;
    House house{target};

private:
    QTemporaryDir m_state{u"/tmp/tyXXXXXX"_s};
};

} // namespace trainyard
