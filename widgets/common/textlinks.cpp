// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/textlinks.h"

#include "engine/client/settings.h"
#include "widgets/common/labels.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace trainyard
{

QString withTextLinks(const QString &escaped)
{
    // A word with a point can also be a file or a host: only what the settings have is a key.
    static const QRegularExpression key(u"(?<![\\w./-])([a-z][A-Za-z]*\\.[a-z][A-Za-z]*)(?![\\w/-]|\\.\\w)"_s);
    const QString text = withJobLinks(escaped);
    QString linked;
    qsizetype from = 0;
    for (auto it = key.globalMatch(text); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        if (Settings::about(match.captured(1)).isEmpty()) {
            continue;
        }
        linked += QStringView(text).sliced(from, match.capturedStart() - from) + u"<a href=\"setting:"_s
            + match.captured(1) + u"\">"_s + match.captured(1) + u"</a>"_s;
        from = match.capturedEnd();
    }
    return linked + QStringView(text).sliced(from);
}

QString settingOfLink(const QString &link) { return link.startsWith("setting:"_L1) ? link.mid(8) : QString(); }

} // namespace trainyard
