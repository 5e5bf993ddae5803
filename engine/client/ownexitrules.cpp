// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/ownexitrules.h"

#include <QFile>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

constexpr qint64 mostBytes = 1024 * 1024;

} // namespace

Result<ExitRules> ownExitRules(const QString &configFolder)
{
    QFile file(configFolder + u"/exit-rules.json"_s);
    if (!file.exists()) {
        return ExitRules::bundled();
    }
    if (!file.open(QIODevice::ReadOnly)) {
        return fail(u"exitrules.unreadable"_s, {{u"file"_s, file.fileName()}, {u"message"_s, file.errorString()}});
    }
    const QByteArray json = file.read(mostBytes + 1);
    if (file.error() != QFile::NoError || json.size() > mostBytes) {
        return fail(u"exitrules.unreadable"_s,
            {{u"file"_s, file.fileName()},
                {u"message"_s, json.size() > mostBytes ? u"more than 1 MiB"_s : file.errorString()}});
    }
    Result<ExitRules> rules = ExitRules::bundled().withOwn(json);
    if (!rules) {
        Error error = rules.error();
        error.args.insert(u"file"_s, file.fileName());
        return tl::unexpected<Error>(error);
    }
    return rules;
}

} // namespace trainyard
