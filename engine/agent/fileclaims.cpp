// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/fileclaims.h"

namespace trainyard::agent
{
namespace
{

constexpr std::size_t mostOwners = 100000;

} // namespace

TryMetrics::Whose fileClaimOf(
    const Claimant &other, std::size_t theirTie, const Claimant &own, std::size_t ownTie, const FileTimes &times)
{
    using Whose = TryMetrics::Whose;
    if (theirTie != ownTie || theirTie == 0) {
        return theirTie > ownTie ? Whose::Other : Whose::Own;
    }
    if (other.job != own.job) {
        return Whose::Unclear;
    }
    const Writer writer = writerOf(times, own.life, other.life);
    return writer == Writer::One                         ? Whose::Own
        : writer == Writer::Other || other.dir < own.dir ? Whose::OfFirstTask
                                                         : Whose::OfJob;
}

bool FileOwners::isOfOther(const std::string &path, const std::string &dir, std::int64_t began) const
{
    const auto owner = m_owners.find(path);
    return owner != m_owners.end() && owner->second.dir != dir
        && (owner->second.ended == 0 || owner->second.ended > began);
}

void FileOwners::take(const std::string &path, const std::string &dir, std::int64_t ended)
{
    m_owners[path] = {dir, ended};
}

void FileOwners::noteEnd(const std::string &dir, std::int64_t ended)
{
    for (auto &[path, owner] : m_owners) {
        owner.ended = owner.dir == dir ? ended : owner.ended;
    }
}

void FileOwners::makeRoom()
{
    if (m_owners.size() > mostOwners) {
        m_owners.clear();
    }
}

} // namespace trainyard::agent
