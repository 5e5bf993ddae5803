// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/openpaitags.h"

#include "engine/clusters/openpailist.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::openpai
{
namespace
{

using ThenTags = std::function<void(const Result<ClusterTags> &)>;

// The rest of a change.
void goOn(OpenPaiClient &client, TagChange change, const ThenTags &then)
{
    const bool isRemoval = !change.remove.isEmpty();
    QStringList &left = isRemoval ? change.remove : change.add;
    if (left.isEmpty()) {
        client.job(change.name, [then](const OpenPaiClient::Answer &answer) {
            then(answer.isGood() ? Result<ClusterTags>(ClusterTags{tagsIn(answer.object())})
                                 : tl::unexpected(answer.failure.error));
        });
        return;
    }
    const QString tag = left.takeFirst();
    client.setTag(change.name, tag, !isRemoval, [&client, change, then](const OpenPaiClient::Answer &answer) {
        if (answer.isGood()) {
            goOn(client, change, then);
        } else {
            then(tl::unexpected(answer.failure.error));
        }
    });
}

} // namespace

void changeTags(OpenPaiClient &client, const QString &target, const TagChange &change, const ThenTags &then)
{
    const QStringList all = change.remove + change.add;
    const auto bad = std::find_if_not(all.cbegin(), all.cend(), isTag);
    if (bad != all.cend()) {
        then(fail(u"openpai.bad-tag"_s, {{u"target"_s, target}, {u"detail"_s, bad->simplified().left(100)}}));
        return;
    }
    goOn(client, change, then);
}

} // namespace trainyard::openpai
