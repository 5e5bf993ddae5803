// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/values.h"

#include "engine/api/valuefields.h"
#include "engine/api/valuejson.h"

#include <array>

using namespace Qt::StringLiterals;

namespace trainyard
{

using valuejson::objectOf;
using valuejson::valueFrom;

namespace
{

constexpr std::array stateWords{"WAITING", "RUNNING", "STOPPING", "SUCCEEDED", "FAILED", "STOPPED", "UNKNOWN"};
constexpr std::array stepStateWords{"waiting", "running", "passed", "warned", "failed"};
constexpr std::array hostStateWords{"unknown", "connecting", "online", "offline", "needsLogin", "failed"};

template <std::size_t n> QString wordAt(const std::array<const char *, n> &words, std::size_t position)
{
    return QString::fromLatin1(words.at(position));
}

template <typename E, std::size_t n> E fromWord(const std::array<const char *, n> &words, const QString &word, E other)
{
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (word == QLatin1StringView(words[i])) {
            return static_cast<E>(i);
        }
    }
    return other;
}

} // namespace

QString stateWord(State state) { return wordAt(stateWords, static_cast<std::size_t>(state)); }
State stateFromWord(const QString &word) { return fromWord(stateWords, word, State::Unknown); }
QString stepStateWord(StepState state) { return wordAt(stepStateWords, static_cast<std::size_t>(state)); }
StepState stepStateFromWord(const QString &word) { return fromWord(stepStateWords, word, StepState::Waiting); }
QString hostStateWord(HostState state) { return wordAt(hostStateWords, static_cast<std::size_t>(state)); }
HostState hostStateFromWord(const QString &word) { return fromWord(hostStateWords, word, HostState::Unknown); }

QJsonObject JobSummary::toJson() const { return objectOf(*this); }
JobSummary JobSummary::fromJson(const QJsonObject &json) { return valueFrom<JobSummary>(json); }

QJsonObject TaskInfo::toJson() const { return objectOf(*this); }
TaskInfo TaskInfo::fromJson(const QJsonObject &json) { return valueFrom<TaskInfo>(json); }

QJsonObject AttemptInfo::toJson() const { return objectOf(*this); }
AttemptInfo AttemptInfo::fromJson(const QJsonObject &json) { return valueFrom<AttemptInfo>(json); }

QJsonObject ServiceInfo::toJson() const { return objectOf(*this); }
ServiceInfo ServiceInfo::fromJson(const QJsonObject &json) { return valueFrom<ServiceInfo>(json); }

QJsonObject KeptTask::toJson() const { return objectOf(*this); }
KeptTask KeptTask::fromJson(const QJsonObject &json) { return valueFrom<KeptTask>(json); }

QJsonObject JobDetail::toJson() const { return objectOf(*this); }
JobDetail JobDetail::fromJson(const QJsonObject &json) { return valueFrom<JobDetail>(json); }

QJsonObject HostInfo::toJson() const { return objectOf(*this); }
HostInfo HostInfo::fromJson(const QJsonObject &json) { return valueFrom<HostInfo>(json); }

QJsonObject EngineStatus::toJson() const { return objectOf(*this); }
EngineStatus EngineStatus::fromJson(const QJsonObject &json) { return valueFrom<EngineStatus>(json); }

QJsonObject RetryRequest::toJson() const { return objectOf(*this); }
RetryRequest RetryRequest::fromJson(const QJsonObject &json) { return valueFrom<RetryRequest>(json); }

QJsonObject LogGrowth::toJson() const { return objectOf(*this); }
LogGrowth LogGrowth::fromJson(const QJsonObject &json) { return valueFrom<LogGrowth>(json); }

QJsonObject TaskFolder::toJson() const { return objectOf(*this); }
TaskFolder TaskFolder::fromJson(const QJsonObject &json) { return valueFrom<TaskFolder>(json); }

QJsonObject Question::toJson() const { return objectOf(*this); }
Question Question::fromJson(const QJsonObject &json) { return valueFrom<Question>(json); }

QJsonObject SubmitRequest::toJson() const { return objectOf(*this); }
SubmitRequest SubmitRequest::fromJson(const QJsonObject &json) { return valueFrom<SubmitRequest>(json); }

QJsonObject JobNote::toJson() const { return objectOf(*this); }
JobNote JobNote::fromJson(const QJsonObject &json) { return valueFrom<JobNote>(json); }

QJsonObject SubmitReply::toJson() const { return objectOf(*this); }
SubmitReply SubmitReply::fromJson(const QJsonObject &json) { return valueFrom<SubmitReply>(json); }

QJsonObject PlanReply::toJson() const { return objectOf(*this); }
PlanReply PlanReply::fromJson(const QJsonObject &json) { return valueFrom<PlanReply>(json); }

QJsonObject TaskOutline::toJson() const { return objectOf(*this); }
TaskOutline TaskOutline::fromJson(const QJsonObject &json) { return valueFrom<TaskOutline>(json); }

} // namespace trainyard

template class QList<trainyard::HealthMark>;
template class QList<trainyard::JobSummary>;
template class QList<trainyard::TaskInfo>;
template class QList<trainyard::AttemptInfo>;
template class QList<trainyard::ServiceInfo>;
template class QList<trainyard::KeptTask>;
template class QList<trainyard::GpuInfo>;
template class QList<trainyard::HostInfo>;
template class QList<trainyard::JobNote>;
template class QList<trainyard::PlannedTask>;
