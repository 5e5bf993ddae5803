// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/openpailogin.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::openpai
{
namespace
{

using ThenToken = std::function<void(const Result<QString> &token)>;

// As a header of HTTP can have it.
bool isSendableToken(const QString &text)
{
    return !text.isEmpty()
        && std::all_of(text.begin(), text.end(), [](QChar each) { return each > u' ' && each < u'\x7f'; });
}

tl::unexpected<Error> noPasswords(const OpenPaiTarget &target)
{
    return fail(u"openpai.no-password"_s, {{u"target"_s, target.id()}, {u"address"_s, target.address}});
}

Result<QString> tokenIn(const OpenPaiClient::Answer &answer, const OpenPaiTarget &target, const QString &password)
{
    if (answer.failure.error.code == "openpai.no-api"_L1) { // of this call alone: it is an OpenPAI
        return noPasswords(target);
    }
    if (!answer.isGood()) {
        Error error = answer.failure.error;
        if (QString detail = error.args.value("detail"_L1).toString(); !password.isEmpty()) { // no server may repeat it
            error.args.insert(u"detail"_s, detail.replace(password, u"******"_s));
        }
        return tl::unexpected(error);
    }
    const QString token = answer.object().value("token"_L1).toString();
    return isSendableToken(token) ? Result<QString>(token)
                                  : fail(u"openpai.no-login-token"_s, {{u"target"_s, target.id()}});
}

} // namespace

void logIn(OpenPaiClient &client, const OpenPaiTarget &target, const QString &password, const ThenToken &then)
{
    client.info([&client, target, password, then](const OpenPaiClient::Answer &answer) {
        const QJsonObject info = answer.object();
        if (!answer.isGood()) {
            then(tl::unexpected(answer.failure.error));
        } else if (info.value("version"_L1).toString().isEmpty()) { // something answers, which is none
            then(fail(u"openpai.no-api"_s, {{u"target"_s, target.id()}, {u"detail"_s, target.address}}));
        } else if (info.value("authnMethod"_L1).toString().compare("OIDC"_L1, Qt::CaseInsensitive) == 0) {
            then(noPasswords(target));
        } else if (!client.isOf(target)) {
            then(fail(u"openpai.login-changed"_s, {{u"target"_s, target.id()}}));
        } else {
            client.logIn(password, [&client, target, password, then](const OpenPaiClient::Answer &its) {
                then(client.isOf(target) ? tokenIn(its, target, password)
                                         : fail(u"openpai.login-changed"_s, {{u"target"_s, target.id()}}));
            });
        }
    });
}

} // namespace trainyard::openpai
