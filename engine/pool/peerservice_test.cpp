// SPDX-License-Identifier: GPL-3.0-or-later
// The test whether hosts reach each other: some listen, the others call.
#include "engine/api/reasons.h"
#include "engine/pool/peerservice.h"

#include <QTimer>

#include <chrono>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr qint64 reachMs = 3000, listenMs = 15'000;
constexpr auto testPatience = std::chrono::seconds(20); // an agent that says nothing counts as one that cannot tell

constexpr qsizetype mostCalls = qsizetype(contract::mostReached);

} // namespace

void PeerService::begin(const ActiveJob &job, const QList<Way> &ways)
{
    const QUuid uuid = job.state.uuid;
    Test &test = m_tests[uuid];
    test = {++m_number, job.state.attempt(), ways, {}, 0};
    QTimer::singleShot(testPatience, this, [this, uuid, number = test.number] {
        if (current(uuid, number)) {
            finish(uuid);
        }
    });
    listen(uuid, test);
}

PeerService::Test *PeerService::current(const QUuid &job, quint64 number)
{
    const auto it = m_tests.find(job);
    return it == m_tests.end() || it->second.number != number ? nullptr : &it->second;
}

void PeerService::listen(const QUuid &job, Test &test)
{
    QStringList targets;
    for (const Way &way : std::as_const(test.ways)) {
        if (!targets.contains(way.to)) {
            targets.append(way.to);
        }
    }
    const quint64 number = test.number;
    test.open = int(targets.size());
    for (const QString &id : std::as_const(targets)) {
        contract::Await wanted;
        wanted.word = QUuid::createUuid().toByteArray(QUuid::WithoutBraces).toStdString();
        wanted.first = int(m_settings.integer(u"ports.first"_s));
        wanted.last = int(m_settings.integer(u"ports.last"_s));
        wanted.ms = listenMs;
        const auto answered = [this, job, number, id, word = wanted.word](const contract::Message &answer) {
            Test *of = current(job, number);
            if (!of) {
                return;
            }
            if (const auto *awaiting = std::get_if<contract::Awaiting>(&answer)) {
                of->listening.insert(id, {awaiting->port, word});
            }
            if (--of->open == 0) {
                call(job);
            }
        };
        // This happens later, even if the answer comes at once: the caller is not ready for the end of the test.
        QMetaObject::invokeMethod(
            this,
            [this, id, wanted, answered] {
                if (PoolHost *at = m_hosts.find(id)) {
                    at->agent->request(wanted, answered);
                } else {
                    answered(contract::Failure{"host.gone", {}, 0});
                }
            },
            Qt::QueuedConnection);
    }
}

void PeerService::call(const QUuid &job)
{
    Test &test = m_tests.at(job);
    QMap<QString, QList<Way>> byCaller;
    for (const Way &way : std::as_const(test.ways)) {
        if (test.listening.contains(way.to)) {
            byCaller[way.from].append(way);
        }
    }
    std::vector<std::pair<QString, QList<Way>>> calls;
    for (auto it = byCaller.cbegin(); it != byCaller.cend(); ++it) {
        for (qsizetype i = 0; i < it->size(); i += mostCalls) {
            calls.emplace_back(it.key(), it->mid(i, mostCalls));
        }
    }
    const quint64 number = test.number;
    test.open = int(calls.size()) + 1;
    const auto oneIsDone = [this, job, number] {
        if (Test *of = current(job, number); of && --of->open == 0) {
            finish(job);
        }
    };
    for (const auto &[from, ways] : calls) {
        contract::Reach reach;
        for (const Way &way : ways) {
            const auto &[port, word] = m_tests.at(job).listening[way.to];
            reach.addresses.push_back(way.address.toStdString());
            reach.ports.push_back(port);
            reach.words.push_back(word);
        }
        reach.ms = reachMs;
        const auto answered = [this, job, number, ways = ways, oneIsDone](const contract::Message &answer) {
            const auto *reached = std::get_if<contract::Reached>(&answer);
            if (reached && current(job, number) && qsizetype(reached->states.size()) == ways.size()) {
                for (qsizetype i = 0; i < ways.size(); ++i) {
                    const QString state = QString::fromStdString(reached->states[std::size_t(i)]);
                    m_found.note(ways[i], state);
                }
            }
            oneIsDone();
        };
        if (PoolHost *at = m_hosts.find(from)) {
            at->agent->request(reach, answered);
        } else {
            oneIsDone();
        }
    }
    oneIsDone();
}

// A connection that could not be tested delays no job; it is tested again when the host is back.
void PeerService::finish(const QUuid &job)
{
    const Test test = std::move(m_tests.at(job));
    m_tests.erase(job);
    m_found.dropOld();
    for (const Way &way : test.ways) {
        if (!m_found.at(way)) {
            m_found.note(way, {});
        }
    }
    const ActiveJob *of = m_jobs.find(job);
    if (of && of->state.attempt() == test.attempt) {
        Q_EMIT settled(job);
    }
}

} // namespace trainyard
