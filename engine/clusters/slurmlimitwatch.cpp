// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/slurmlimitwatch.h"

#include "engine/backend/clock.h"
#include "engine/clusters/slurmquota.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

constexpr qint64 limitsPauseMs = 60'000, newLimitPauseMs = 5'000;

// As the queue has it. A job that was refused is like others of this user there, where it does not say otherwise.
slurm::LimitedJob jobInQueue(slurm::LimitedJob job, const QList<slurm::LimitedJob> &queue)
{
    for (const slurm::LimitedJob &each : queue) {
        if (!job.id.isEmpty() && (each.id == job.id || each.id == job.id + u"+0"_s)) {
            return each;
        }
    }
    for (const slurm::LimitedJob &other : queue) {
        job.user = other.user;
        job.account = job.account.isEmpty() ? other.account : job.account;
        job.qos = job.qos.isEmpty() ? other.qos : job.qos;
        job.partitions = job.partitions.isEmpty() ? other.partitions : job.partitions;
    }
    return job;
}

} // namespace

struct SlurmLimitWatch::Asked {
    AllWanted wanted;
    Then then;
    QList<slurm::LimitedJob> queue;
    QHash<QString, QString> partitionQos;
    std::vector<Holder> holders; // of which the limits are still to be asked for
    QHash<int, QByteArray> limits; // by holder
};

QJsonObject SlurmLimitWatch::numbersOf(const slurm::LimitedJob &job, const QString &words)
{
    const std::optional<slurm::NamedLimit> named = slurm::limitNamedBy(words);
    if (!named) {
        return {};
    }
    const QString key = job.id + u' ' + words;
    m_wanted.insert(key, {job, *named});
    const bool isKnown = m_numbers.contains(key);
    const QJsonObject numbers = m_numbers.value(key);
    const qint64 pause = isKnown ? limitsPauseMs : newLimitPauseMs;
    if (!m_isAsking && (m_askedAt == 0 || steadyMs() - m_askedAt >= pause)) {
        m_isAsking = true;
        m_askedAt = steadyMs();
        ask(std::exchange(m_wanted, {}), [this](const std::optional<Numbers> &told) {
            m_isAsking = false;
            if (told && std::exchange(m_numbers, *told) != *told) {
                Q_EMIT learned();
            }
        });
    }
    return numbers;
}

void SlurmLimitWatch::find(
    const slurm::LimitedJob &job, const QString &words, const std::function<void(const QJsonObject &)> &then)
{
    AllWanted wanted;
    if (const std::optional<slurm::NamedLimit> named = slurm::limitNamedBy(words)) {
        wanted.insert(words, {job, *named});
    }
    ask(wanted, [words, then](const std::optional<Numbers> &told) { then(told ? told->value(words) : QJsonObject()); });
}

void SlurmLimitWatch::ask(const AllWanted &wanted, const Then &then)
{
    const auto asked = std::make_shared<Asked>();
    asked->wanted = wanted;
    asked->then = then;
    for (const Wanted &each : wanted) {
        if (std::find(asked->holders.begin(), asked->holders.end(), each.named.holder) == asked->holders.end()) {
            asked->holders.push_back(each.named.holder);
        }
    }
    m_commands.run(u"squeue"_s, slurm::limitedJobsArguments(), [this, asked](const SlurmCommands::Answer &queue) {
        if (!queue.isGood()) {
            asked->then(std::nullopt);
            return;
        }
        asked->queue = slurm::limitedJobsIn(queue.out);
        m_commands.run(
            u"scontrol"_s, slurm::partitionQosArguments(), [this, asked](const SlurmCommands::Answer &partitions) {
                if (partitions.isGood()) {
                    asked->partitionQos = slurm::partitionQosIn(partitions.out);
                }
                askUsualQos(asked);
            });
    });
}

// Of jobs that were refused while the queue has no other one that would show it.
void SlurmLimitWatch::askUsualQos(const std::shared_ptr<Asked> &asked)
{
    const auto isUnknown = [asked](const Wanted &each) {
        return each.named.holder == Holder::Qos && jobInQueue(each.job, asked->queue).qos.isEmpty();
    };
    const auto first = std::find_if(asked->wanted.cbegin(), asked->wanted.cend(), isUnknown);
    if (first == asked->wanted.cend() || first->job.user.isEmpty()) {
        askLimits(asked);
        return;
    }
    m_commands.run(u"sacctmgr"_s, slurm::usualQosArguments(first->job.user),
        [this, asked, isUnknown](const SlurmCommands::Answer &answer) {
            for (Wanted &each : asked->wanted) {
                if (answer.isGood() && isUnknown(each)) { // else the site keeps no accounts
                    const slurm::LimitedJob job = jobInQueue(each.job, asked->queue);
                    each.job.qos = slurm::usualQosIn(answer.out, job.account, job.partitions);
                }
            }
            askLimits(asked);
        });
}

void SlurmLimitWatch::askLimits(const std::shared_ptr<Asked> &asked)
{
    if (asked->holders.empty()) {
        asked->then(numbersIn(*asked));
        return;
    }
    const Holder holder = asked->holders.back();
    asked->holders.pop_back();
    QStringList arguments;
    if (holder == Holder::Account) {
        arguments = slurm::accountLimitsArguments(
            asked->queue.isEmpty() ? asked->wanted.cbegin()->job.user : asked->queue.constFirst().user);
    } else {
        QStringList names;
        for (const Wanted &each : std::as_const(asked->wanted)) {
            names += slurm::qosOf(jobInQueue(each.job, asked->queue), asked->partitionQos);
        }
        names.removeDuplicates();
        if (names.isEmpty()) { // without them, all would be told
            askLimits(asked);
            return;
        }
        arguments = slurm::qosLimitsArguments(names);
    }
    m_commands.run(u"scontrol"_s, arguments, [this, asked, holder](const SlurmCommands::Answer &answer) {
        if (answer.isGood()) { // a site may not show them
            asked->limits.insert(int(holder), answer.out);
        }
        askLimits(asked);
    });
}

SlurmLimitWatch::Numbers SlurmLimitWatch::numbersIn(const Asked &asked)
{
    Numbers numbers;
    for (auto it = asked.wanted.cbegin(); it != asked.wanted.cend(); ++it) {
        const slurm::LimitedJob job = jobInQueue(it->job, asked.queue);
        numbers.insert(it.key(),
            slurm::limitNumbers(it->named, job, asked.partitionQos, asked.limits.value(int(it->named.holder))));
    }
    return numbers;
}

} // namespace trainyard
