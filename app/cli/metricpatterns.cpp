// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/metricpatterns.h"

#include "app/cli/console.h"
#include "engine/client/paths.h"
#include "engine/client/settings.h"
#include "widgets/text/texts.h"

using namespace Qt::StringLiterals;

namespace trainyard::cli
{

Result<MetricPatterns> usedPatterns(const QStringList &typed, const MetricPatterns &ofJob)
{
    QMap<QString, QString> expressions;
    for (const QString &text : typed) {
        const qsizetype sign = text.indexOf(u'=');
        if (sign <= 0 || sign + 1 == text.size()) {
            return fail(u"metrics.pattern-form"_s, {{u"text"_s, text}});
        }
        expressions.insert(text.left(sign), text.mid(sign + 1));
    }
    const MetricPatterns own(expressions);
    if (!own.faults().isEmpty()) { // those of settings and jobs are left out, but this one was asked for
        Error fault = own.faults().constFirst();
        fault.code
            = fault.code == "metrics.pattern-groups"_L1 ? u"metrics.option-groups"_s : u"metrics.option-invalid"_s;
        return tl::unexpected(fault);
    }
    const MetricPatterns settings = MetricPatterns::of(Settings(paths::configFolder() + u"/engine.json"_s));
    for (const Error &fault : settings.faults() + ofJob.faults()) {
        errorLine(errorText(fault));
    }
    return settings.with(ofJob).with(own);
}

} // namespace trainyard::cli
