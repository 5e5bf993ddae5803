// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/backends.h"

#include <QJsonArray>

#include <algorithm>
#include <iterator>

namespace trainyard
{

using namespace Qt::StringLiterals;

Backends::Backends(const RunFolders &folders) : m_absent(folders)
{
    connect(&m_absent, &Backend::happened, this, &Backends::happened);
}

void Backends::add(const QString &target, Backend &backend)
{
    Backend *&row = m_rows[target];
    if (row) {
        disconnect(row, nullptr, this, nullptr);
    }
    row = &backend;
    connect(&backend, &Backend::happened, this, &Backends::happened);
    connect(&backend, &Backend::described, this, &Backends::described);
    connect(&backend, &Backend::placingWanted, this, &Backends::placingWanted);
    connect(&backend, &Backend::logsGrew, this, &Backends::logsGrew);
    connect(&backend, &Backend::infoChanged, this, &Backends::infoChanged);
}

Result<Backends::Choice> Backends::choose(const QString &wanted) const
{
    if (!wanted.contains(u':')) {
        return Choice{core::poolTarget, wanted};
    }
    if (m_rows.contains(wanted)) {
        return Choice{wanted, {}};
    }
    QJsonArray known;
    for (const auto &[target, backend] : m_rows) {
        known.append(target);
    }
    return fail(u"target.unknown"_s, {{u"target"_s, wanted}, {u"known"_s, known}});
}

Backend &Backends::of(const QString &target) const
{
    const auto it = m_rows.find(target);
    return it == m_rows.end() ? m_absent : *it->second;
}

bool Backends::areReady() const
{
    return std::all_of(m_rows.begin(), m_rows.end(), [](const auto &row) { return row.second->info().isReady; });
}

bool Backends::wantsPlacing() const
{
    return std::any_of(m_rows.begin(), m_rows.end(), [](const auto &row) { return row.second->wantsPlacing(); });
}

void Backends::wantPlacing()
{
    for (const auto &[target, backend] : m_rows) {
        backend->wantPlacing();
    }
}

std::vector<JobEvent> Backends::place()
{
    std::vector<JobEvent> events;
    for (const auto &[target, backend] : m_rows) {
        if (backend->wantsPlacing()) {
            std::vector<JobEvent> granted = backend->place();
            std::move(granted.begin(), granted.end(), std::back_inserter(events));
        }
    }
    return events;
}

// Each gets all of its own at once, in their order.
void Backends::perform(const std::vector<JobEffect> &effects)
{
    for (const auto &row : m_rows) {
        std::vector<JobEffect> own;
        std::copy_if(effects.begin(), effects.end(), std::back_inserter(own),
            [&row](const JobEffect &each) { return each.job->state.meta.target == row.first; });
        if (!own.empty()) {
            row.second->perform(own);
        }
    }
}

void Backends::settingsChanged()
{
    for (const auto &[target, backend] : m_rows) {
        backend->settingsChanged();
    }
}

} // namespace trainyard
