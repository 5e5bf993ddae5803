// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/pasttries.h"

#include "engine/agent/filestamps.h"

#include <utility>

namespace trainyard::agent
{
namespace
{

constexpr std::size_t mostPast = 1000;

} // namespace

// The number of a file that was removed may be that of a new one by now.
FileUse PastTry::useOf(const FileUse &mine) const
{
    FileUse use{who.job, who.life.began, who.life.ended};
    for (const auto &[path, file] : files) {
        if (file.isWritten && mine.files.contains(file.key) && fileKeyOf(path).first == file.key) {
            use.files.emplace(file.key, file.changed);
        }
    }
    return use;
}

void PastTries::leaveOut(std::int64_t earliest)
{
    std::erase_if(m_tries, [earliest](const PastTry &past) { return past.who.life.ended <= earliest; });
}

void PastTries::add(PastTry past)
{
    if (m_tries.size() >= mostPast) {
        m_tries.pop_front();
    }
    m_tries.push_back(std::move(past));
}

} // namespace trainyard::agent
