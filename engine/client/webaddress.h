// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QUrl>

namespace trainyard
{

// Whether something can be sent there over the web: a whole address by http or https.
inline bool isWebAddress(const QString &text)
{
    const QUrl url(text, QUrl::StrictMode);
    return url.isValid() && !url.host().isEmpty()
        && (url.scheme() == QLatin1StringView("https") || url.scheme() == QLatin1StringView("http"));
}

// The same without what may be a secret in it: "https://example.org/…".
inline QString withoutSecrets(const QUrl &address)
{
    const QString place = address.scheme() + QLatin1StringView("://") + address.host();
    return address.path().size() > 1 || address.hasQuery() || address.hasFragment() ? place + QStringLiteral("/…")
                                                                                    : place;
}

} // namespace trainyard
