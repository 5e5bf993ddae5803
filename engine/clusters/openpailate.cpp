// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/openpailate.h"

#include "engine/backend/clock.h"
#include "engine/client/pathbytes.h"
#include "engine/clusters/openpaijob.h"
#include "engine/contract/taskfolder.h"
#include "model/base/shortdigest.h"

#include <QDir>
#include <QFile>
#include <QPointer>

#include <algorithm>
#include <vector>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

// Longer than servers and proxies keep a call that they have begun with.
constexpr qint64 latestMs = 600'000;
constexpr qint64 oldestMs = 86'400'000; // of a file: its cluster has had a day to be asked
constexpr qint64 lateFirstPauseMs = 1000, lateLongestPauseMs = 120'000;

} // namespace

OpenPaiLate::OpenPaiLate(OpenPaiClient &client, const With &with) : m_client(client), m_with(with)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &OpenPaiLate::look);
    const QStringList files = QDir(m_with.folder).entryList(QDir::Files);
    for (const QString &file : files) {
        const QString path = m_with.folder + u'/' + file;
        const std::optional<std::string> text = contract::readWhole(pathBytes(path));
        const QStringList lines = QString::fromStdString(text.value_or("")).split(u'\n');
        const qint64 since = lines.value(2).toLongLong();
        if (lines.size() < 4 || fileOf(lines.at(0)) != path || nowMs() - since >= oldestMs) {
            QFile::remove(path);
            continue;
        }
        m_entries[lines.at(0)] = {.place = lines.at(1), .since = since};
    }
}

QString OpenPaiLate::fileOf(const QString &name) const { return m_with.folder + u'/' + shortDigest(name.toUtf8()); }

void OpenPaiLate::watch(const QString &name, const QString &place)
{
    Entry &entry = m_entries[name];
    entry.place = place;
    entry.since = nowMs();
    entry.heldSince = steadyMs();
    entry.askAt = entry.pauseMs = 0;
    const QString text = u"%1\n%2\n%3\n"_s.arg(name, place).arg(entry.since);
    // Where it cannot be written, this engine looks for it, and the next one does not.
    if (contract::makeFolders(pathBytes(m_with.folder)) == 0) {
        contract::writeAtomically(pathBytes(fileOf(name)), text.toStdString(), true);
    }
    plan();
}

void OpenPaiLate::drop(const QString &name)
{
    if (m_entries.erase(name) == 0) {
        return;
    }
    QFile::remove(fileOf(name));
    if (m_entries.empty()) {
        setTrouble({}); // there is nothing to ask any more
        m_with.emptied();
    }
}

// Its cluster cannot be asked, as its token is gone, or the target leads elsewhere.
void OpenPaiLate::dropOld()
{
    std::vector<QString> old;
    for (const auto &[name, entry] : m_entries) {
        if (!entry.isAsking && steadyMs() - entry.heldSince >= oldestMs) {
            old.push_back(name);
        }
    }
    for (const QString &name : old) {
        drop(name);
    }
}

void OpenPaiLate::setTrouble(const Error &why)
{
    if (std::exchange(m_trouble, why) != why) {
        m_with.changed();
    }
}

void OpenPaiLate::goOn()
{
    ++m_round;
    setTrouble({});
    for (auto &[name, entry] : m_entries) {
        entry.askAt = entry.pauseMs = 0;
    }
    plan();
}

bool OpenPaiLate::mayAsk(const Entry &entry) const
{
    return !entry.isAsking && m_trouble.code.isEmpty() && m_client.hasToken() && entry.place == m_with.place();
}

void OpenPaiLate::plan()
{
    qint64 next = -1;
    for (const auto &[name, entry] : m_entries) {
        if (mayAsk(entry)) {
            next = next < 0 ? entry.askAt : std::min(next, entry.askAt);
        }
    }
    if (!m_entries.empty()) {
        const qint64 pause = next < 0 ? lateLongestPauseMs : next - steadyMs();
        m_timer.start(int(std::clamp<qint64>(pause, 0, lateLongestPauseMs)));
    }
}

void OpenPaiLate::look()
{
    dropOld();
    std::vector<QString> due;
    for (const auto &[name, entry] : m_entries) {
        if (mayAsk(entry) && steadyMs() >= entry.askAt) {
            due.push_back(name);
        }
    }
    for (const QString &name : due) {
        if (m_with.isWanted(name)) {
            drop(name);
        } else {
            ask(name);
        }
    }
    plan();
}

void OpenPaiLate::ask(const QString &name)
{
    m_entries.at(name).isAsking = true;
    m_client.job(name, [self = QPointer(this), name, round = m_round](const OpenPaiClient::Answer &answer) {
        const auto it = self ? self->m_entries.find(name) : std::map<QString, Entry>::iterator();
        if (!self || it == self->m_entries.end()) {
            return;
        }
        Entry &entry = it->second;
        entry.isAsking = false;
        const std::optional<openpai::JobThere> there = answer.isGood() ? openpai::jobOf(answer.object()) : std::nullopt;
        const qint64 age = nowMs() - entry.since; // below 0: the clock was set back
        const bool comesNoMore = answer.failure.verdict == openpai::Verdict::Missing && (age >= latestMs || age < 0);
        if (entry.place != self->m_with.place()) {
            self->later(name, {}, round); // what another one says counts there only
        } else if (self->m_with.isWanted(name) || comesNoMore || (there && there->isFinal())) {
            self->drop(name);
        } else if (there) {
            self->stop(name);
        } else {
            self->later(name, answer.failure, round);
        }
    });
}

void OpenPaiLate::stop(const QString &name)
{
    m_entries.at(name).isAsking = true;
    m_client.stopJob(name, [self = QPointer(this), name, round = m_round](const OpenPaiClient::Answer &answer) {
        const auto it = self ? self->m_entries.find(name) : std::map<QString, Entry>::iterator();
        if (!self || it == self->m_entries.end()) {
            return;
        }
        it->second.isAsking = false;
        if (answer.isGood()) {
            self->drop(name);
        } else {
            self->later(name, answer.failure, round);
        }
    });
}

void OpenPaiLate::later(const QString &name, const openpai::Failure &why, int round)
{
    // A refusal from before goOn() may be of a token that is not used any more.
    if (why.verdict == openpai::Verdict::Login && round == m_round) {
        setTrouble(why.error);
    }
    Entry &entry = m_entries.at(name);
    entry.pauseMs = entry.pauseMs == 0 ? lateFirstPauseMs : std::min(lateLongestPauseMs, 2 * entry.pauseMs);
    entry.askAt = steadyMs() + entry.pauseMs;
    plan();
}

} // namespace trainyard
