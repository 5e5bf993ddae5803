// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/openpaisettings.h"

#include "engine/api/clusters.h"

#include <QHostAddress>
#include <QRegularExpression>
#include <QUrl>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

bool isThisComputer(const QString &host)
{
    const QHostAddress address(host);
    return host.compare("localhost"_L1, Qt::CaseInsensitive) == 0 || (!address.isNull() && address.isLoopback());
}

} // namespace

QString openPaiTargetId(const QString &name) { return openPaiKind + u':' + name; }

QString openPaiAddressKey(const QString &name) { return u"openpai."_s + name; }

QString openPaiUserKey(const QString &name) { return u"openpaiUser."_s + name; }

QString openPaiClusterKey(const QString &name) { return u"openpaiCluster."_s + name; }

QString openPaiPlainKey(const QString &name) { return u"openpaiPlain."_s + name; }

Result<QString> openPaiAddress(const QString &typed, bool isPlainAllowed)
{
    QString text = typed.trimmed();
    const Error strange{u"openpai.bad-address"_s, {{u"address"_s, text}}};
    if (!text.contains("://"_L1)) {
        text.prepend("https://"_L1);
    }
    while (text.endsWith(u'/')) {
        text.chop(1);
    }
    const QUrl url(text, QUrl::StrictMode);
    // A name and a password there would stand in the settings, and in every message that has the address.
    const bool isGood = url.isValid() && !url.host().isEmpty() && url.userInfo().isEmpty() && !url.hasQuery()
        && !url.hasFragment() && (url.scheme() == "https"_L1 || url.scheme() == "http"_L1);
    if (!isGood) {
        return tl::unexpected<Error>(strange);
    }
    if (url.scheme() == "http"_L1 && !isPlainAllowed && !isThisComputer(url.host())) {
        return fail(u"openpai.plain-http"_s, {{u"address"_s, text}});
    }
    return text;
}

Result<void> checkOpenPaiUser(const QString &user)
{
    static const QRegularExpression pattern(u"\\A[A-Za-z0-9_.-]{1,255}\\z"_s);
    return pattern.match(user).hasMatch() ? Result<void>() : fail(u"openpai.bad-user"_s, {{u"user"_s, user}});
}

} // namespace trainyard
