// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/approvals.h"

#include "engine/api/valuejson.h"

#include <QCryptographicHash>
#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

constexpr qint64 rateMs = 60 * 1000;
constexpr qsizetype longestName = 60;
constexpr qsizetype longestParameters = 64 * 1024;

// Covers all that a person is shown and all that will be done. The number and the time make it one of a kind: no
// approval of a text counts for the same text proposed again.
QString digestOf(const api::Proposal &proposal, const SubmitRequest &request)
{
    api::Proposal whole = proposal;
    whole.digest.clear();
    const QJsonObject all{
        {u"proposal"_s, valuejson::toValue(whole)}, {u"request"_s, request.toJson()}, {u"version"_s, 1}};
    return QString::fromLatin1(
        QCryptographicHash::hash(QJsonDocument(all).toJson(QJsonDocument::Compact), QCryptographicHash::Sha256)
            .toHex());
}

qsizetype parameterBytes(const SubmitRequest &request)
{
    qsizetype bytes = 0;
    for (auto it = request.parameters.cbegin(); it != request.parameters.cend(); ++it) {
        bytes += it.key().size() + it.value().size();
    }
    for (const QString &text : {request.name, request.file, request.target, request.work, request.runIn}) {
        bytes += text.size();
    }
    return bytes;
}

} // namespace

Approvals::Approvals(Door door, QObject *parent) : QObject(parent), m_door(std::move(door))
{
    m_expiry.setSingleShot(true);
    connect(&m_expiry, &QTimer::timeout, this, [this] {
        expire();
        tell();
    });
}

QString Approvals::shownName(const QString &name)
{
    QString shown;
    for (const QChar c : name.simplified().left(longestName)) {
        if (c.isLetterOrNumber() || c == u' ' || (c.unicode() > 0x20 && c.unicode() < 0x7f)) {
            shown += c;
        }
    }
    return shown.isEmpty() ? u"?"_s : shown;
}

// Whether another proposal is accepted at all. Refused proposals count for the rate, too.
Result<void> Approvals::admit(const Assistant &who)
{
    expire();
    if (who.session.isEmpty()) {
        return fail(u"assistant.not-one"_s);
    }
    if (!m_door.rules().isOn) {
        return fail(u"assistant.off"_s);
    }
    const qint64 now = m_door.steadyMs();
    while (!m_proposed.empty() && now - m_proposed.front() >= rateMs) {
        m_proposed.pop_front();
    }
    if (m_proposed.size() >= std::size_t(mostAMinute)) {
        return fail(u"assistant.too-fast"_s, {{u"most"_s, mostAMinute}});
    }
    m_proposed.push_back(now);
    const auto open = std::count_if(m_entries.cbegin(), m_entries.cend(),
        [](const Entry &entry) { return entry.shown.state == "open"_L1 || entry.shown.state == "approved"_L1; });
    if (open >= mostOpen) {
        return fail(u"assistant.too-many"_s, {{u"most"_s, mostOpen}});
    }
    return {};
}

// With what was approved and is yet to be submitted; `own` is the one that is asked about.
Result<void> Approvals::checkBudget(int gpus, const Entry *own) const
{
    AssistantUse used = m_door.used();
    for (const Entry &entry : m_entries) {
        if (&entry != own && entry.shown.kind == "submit"_L1 && entry.shown.state == "approved"_L1) {
            ++used.approved;
            used.gpus += entry.shown.gpus;
        }
    }
    const AssistantRules rules = m_door.rules();
    if (used.jobs + used.approved + 1 > rules.maxJobs) {
        return fail(used.approved > 0 ? u"assistant.over-jobs-approved"_s : u"assistant.over-jobs"_s,
            {{u"most"_s, rules.maxJobs}, {u"used"_s, used.jobs}, {u"approved"_s, used.approved}});
    }
    if (gpus > 0 && used.gpus + gpus > rules.maxGpus) {
        return fail(
            u"assistant.over-gpus"_s, {{u"most"_s, rules.maxGpus}, {u"used"_s, used.gpus}, {u"wanted"_s, gpus}});
    }
    return {};
}

Result<api::Proposal> Approvals::propose(const Assistant &who, const SubmitRequest &given)
{
    if (const Result<void> admitted = admit(who); !admitted) {
        return tl::unexpected<Error>(admitted.error());
    }
    if (!given.secrets.isEmpty()) {
        return fail(u"assistant.secrets-given"_s);
    }
    if (given.yaml.size() > longestDocument || parameterBytes(given) > longestParameters) {
        return fail(u"assistant.too-long"_s, {{u"most"_s, longestDocument}});
    }
    // Its place in the queue and what people say of it are not for an assistant to choose, besides what the text says
    // that a person sees.
    Entry entry;
    SubmitRequest &request = entry.request;
    request.yaml = given.yaml;
    request.name = given.name;
    request.file = given.file;
    request.parameters = given.parameters;
    request.target = given.target;
    request.work = given.work;
    request.runIn = given.runIn;
    request.tags = QStringList{u"assistant"_s};
    const Result<JobOutlook> outlook = m_door.look(request);
    if (!outlook) {
        return tl::unexpected<Error>(outlook.error());
    }
    if (const Result<void> within = checkBudget(outlook->summary.totalGpu, nullptr); !within) {
        return tl::unexpected<Error>(within.error());
    }
    api::Proposal &shown = entry.shown;
    shown.kind = u"submit"_s;
    shown.name = outlook->summary.name;
    shown.yaml = outlook->yaml;
    shown.parameters = request.parameters;
    shown.target = outlook->target;
    shown.work = outlook->work;
    shown.runIn = outlook->runIn;
    shown.hosts = outlook->hosts;
    shown.tasks = outlook->summary.totalTasks;
    shown.gpus = outlook->summary.totalGpu;
    shown.commands = outlook->commands;
    shown.assistant = who.name;
    entry.session = who.session;
    return add(std::move(entry));
}

Result<api::Proposal> Approvals::proposeStop(const Assistant &who, const QString &uuid)
{
    if (const Result<void> admitted = admit(who); !admitted) {
        return tl::unexpected<Error>(admitted.error());
    }
    if (!m_jobs.value(who.session).contains(uuid)) {
        return fail(u"assistant.not-yours"_s);
    }
    const Result<JobSummary> job = m_door.job(uuid);
    if (!job) {
        return tl::unexpected<Error>(job.error());
    }
    Entry entry;
    entry.session = who.session;
    entry.shown.kind = u"stop"_s;
    entry.shown.name = job->name;
    entry.shown.job = uuid;
    entry.shown.number = job->id;
    entry.shown.assistant = who.name;
    return add(std::move(entry));
}

const api::Proposal &Approvals::add(Entry entry)
{
    while (m_entries.size() >= std::size_t(mostKept)) {
        const auto over = std::find_if(m_entries.cbegin(), m_entries.cend(),
            [](const Entry &each) { return each.shown.state != "open"_L1 && each.shown.state != "approved"_L1; });
        m_entries.erase(over); // there is one: fewer than mostKept are open
    }
    api::Proposal &shown = entry.shown;
    shown.id = QString::number(++m_last);
    shown.state = u"open"_s;
    shown.proposed = m_door.utcMs();
    shown.expires = shown.proposed + openMs;
    shown.digest = digestOf(shown, entry.request);
    entry.request.key = shown.digest; // a submission with an unknown end is not made twice
    entry.endsAt = m_door.steadyMs() + openMs;
    m_entries.push_back(std::move(entry));
    tell();
    return m_entries.back().shown;
}

Result<api::Proposal> Approvals::proposal(const Assistant &who, const QString &id)
{
    expire();
    const Entry *const entry = findOwn(who, id);
    if (!entry) {
        return fail(u"assistant.unknown"_s, {{u"id"_s, id.left(100)}});
    }
    return entry->shown;
}

Result<void> Approvals::checkSubmittable(const Entry &entry) const
{
    const QString &state = entry.shown.state;
    const QJsonObject of{{u"id"_s, entry.shown.id}};
    if (entry.shown.kind != "submit"_L1 || state == "done"_L1) {
        return fail(u"assistant.used"_s, of);
    }
    if (state == "refused"_L1) {
        return fail(u"assistant.refused"_s, of);
    }
    if (state == "expired"_L1) {
        return fail(u"assistant.expired"_s, of);
    }
    if (state != "approved"_L1) {
        return fail(u"assistant.not-approved"_s, of);
    }
    return m_door.rules().isOn ? checkBudget(entry.shown.gpus, &entry) : Result<void>(fail(u"assistant.off"_s));
}

Result<SubmitReply> Approvals::submit(const Assistant &who, const api::ApprovedPlan &plan)
{
    expire();
    Entry *const entry = findOwn(who, plan.id);
    if (!entry) {
        return fail(u"assistant.unknown"_s, {{u"id"_s, plan.id.left(100)}});
    }
    if (plan.digest != entry->shown.digest) {
        return fail(u"assistant.wrong-digest"_s, {{u"id"_s, entry->shown.id}});
    }
    if (const Result<void> good = checkSubmittable(*entry); !good) {
        return tl::unexpected<Error>(good.error());
    }
    const QJsonObject origin{{u"name"_s, entry->shown.assistant}, {u"proposed"_s, entry->shown.proposed},
        {u"approved"_s, entry->shown.decided.value_or(0)}, {u"approvedBy"_s, entry->shown.decidedBy},
        {u"submitted"_s, m_door.utcMs()}};
    const Result<SubmitReply> reply = m_door.submit(entry->request, origin);
    if (!reply) {
        return reply; // it can be tried again for as long as the approval holds
    }
    entry->shown.job = reply->uuid;
    entry->shown.number = reply->id;
    m_jobs[who.session].insert(reply->uuid);
    close(*entry, u"done"_s);
    tell();
    return reply;
}

QList<api::Proposal> Approvals::proposals()
{
    expire();
    QList<api::Proposal> all;
    for (auto it = m_entries.crbegin(); it != m_entries.crend(); ++it) {
        all.append(it->shown);
    }
    return all;
}

Result<api::Proposal> Approvals::approve(const api::Approval &approval)
{
    expire();
    Entry *const entry = find(approval.id);
    if (!entry) {
        return fail(u"assistant.unknown"_s, {{u"id"_s, approval.id.left(100)}});
    }
    if (entry->shown.state != "open"_L1) {
        return fail(u"assistant.decided"_s, {{u"id"_s, entry->shown.id}, {u"state"_s, entry->shown.state}});
    }
    if (approval.digest != entry->shown.digest) { // something else was shown to the person
        return fail(u"assistant.wrong-digest"_s, {{u"id"_s, entry->shown.id}});
    }
    if (!m_door.rules().isOn) {
        return fail(u"assistant.off"_s);
    }
    if (entry->shown.kind == "stop"_L1) {
        // The job records the assistant that proposed it and the person who approved it.
        const Error why{approval.by == "window"_L1 ? u"stop.assistant"_s : u"stop.assistant-terminal"_s,
            {{u"name"_s, entry->shown.assistant}}};
        if (const Result<bool> stopped = m_door.stop(entry->shown.job, why); !stopped) {
            return tl::unexpected<Error>(stopped.error());
        }
    } else {
        if (const Result<void> within = checkBudget(entry->shown.gpus, entry); !within) {
            return tl::unexpected<Error>(within.error());
        }
        SubmitRequest whole = entry->request;
        whole.secrets = approval.secrets;
        if (const Result<void> good = m_door.check(whole); !good) {
            return tl::unexpected<Error>(good.error());
        }
        entry->request.secrets = approval.secrets;
    }
    entry->shown.decided = m_door.utcMs();
    entry->shown.decidedBy = approval.by == "window"_L1 ? u"window"_s : u"terminal"_s;
    if (entry->shown.kind == "stop"_L1) {
        close(*entry, u"done"_s);
    } else {
        entry->shown.state = u"approved"_s;
        entry->shown.expires = *entry->shown.decided + approvedMs;
        entry->endsAt = m_door.steadyMs() + approvedMs;
    }
    const api::Proposal shown = entry->shown;
    tell();
    return shown;
}

Result<api::Proposal> Approvals::refuse(const api::ApprovalRefused &refusal)
{
    expire();
    Entry *const entry = find(refusal.id);
    if (!entry) {
        return fail(u"assistant.unknown"_s, {{u"id"_s, refusal.id.left(100)}});
    }
    // An approval can still be withdrawn before the submission.
    if (entry->shown.state != "open"_L1 && entry->shown.state != "approved"_L1) {
        return fail(u"assistant.decided"_s, {{u"id"_s, entry->shown.id}, {u"state"_s, entry->shown.state}});
    }
    entry->shown.decided = m_door.utcMs();
    entry->shown.decidedBy = refusal.by == "window"_L1 ? u"window"_s : u"terminal"_s;
    close(*entry, u"refused"_s);
    const api::Proposal shown = entry->shown;
    tell();
    return shown;
}

bool Approvals::isWaiting()
{
    expire();
    return std::any_of(m_entries.cbegin(), m_entries.cend(),
        [](const Entry &entry) { return entry.shown.state == "open"_L1 || entry.shown.state == "approved"_L1; });
}

void Approvals::expire()
{
    const qint64 now = m_door.steadyMs();
    for (Entry &entry : m_entries) {
        const bool isLive = entry.shown.state == "open"_L1 || entry.shown.state == "approved"_L1;
        if (isLive && now >= entry.endsAt) {
            close(entry, u"expired"_s);
        }
    }
}

// The values of secrets, and the document, are kept no longer than they are needed.
void Approvals::close(Entry &entry, const QString &state)
{
    entry.shown.state = state;
    entry.request = {};
}

void Approvals::tell()
{
    const qint64 now = m_door.steadyMs();
    int open = 0;
    std::optional<qint64> next;
    for (const Entry &entry : m_entries) {
        open += entry.shown.state == "open"_L1;
        if (entry.shown.state == "open"_L1 || entry.shown.state == "approved"_L1) {
            next = std::min(next.value_or(entry.endsAt), entry.endsAt);
        }
    }
    if (next) {
        m_expiry.start(int(std::clamp<qint64>(*next - now, 0, openMs)));
    } else {
        m_expiry.stop();
    }
    Q_EMIT changed(open);
}

Approvals::Entry *Approvals::find(const QString &id)
{
    const auto found
        = std::find_if(m_entries.begin(), m_entries.end(), [&id](const Entry &entry) { return entry.shown.id == id; });
    return found == m_entries.end() ? nullptr : &*found;
}

// An assistant does not learn that another assistant's proposal exists.
Approvals::Entry *Approvals::findOwn(const Assistant &who, const QString &id)
{
    Entry *const entry = find(id);
    return entry && !who.session.isEmpty() && entry->session == who.session ? entry : nullptr;
}

} // namespace trainyard
