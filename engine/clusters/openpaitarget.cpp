// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/openpaitarget.h"

#include "engine/client/slurmoptions.h"

namespace trainyard
{

using namespace Qt::StringLiterals;

std::vector<OpenPaiTarget> openPaiTargetsOf(const Settings &settings)
{
    std::vector<OpenPaiTarget> targets;
    const QMap<QString, QString> addresses = settings.texts(openPaiAddressKey({}));
    for (auto it = addresses.cbegin(); it != addresses.cend(); ++it) {
        if (!checkTargetName(it.key())) {
            continue;
        }
        OpenPaiTarget target{
            it.key(), it.value(), settings.text(openPaiUserKey(it.key())), settings.text(openPaiClusterKey(it.key()))};
        if (target.virtualCluster.isEmpty()) {
            target.virtualCluster = u"default"_s;
        }
        const Result<QString> address
            = openPaiAddress(it.value(), settings.text(openPaiPlainKey(it.key())) == "yes"_L1);
        const Result<void> user = checkOpenPaiUser(target.user);
        if (!address) {
            target.problem = address.error();
        } else if (!user) {
            target.problem = user.error();
        }
        target.address = address.value_or(it.value());
        targets.push_back(target);
    }
    return targets;
}

} // namespace trainyard
