// SPDX-License-Identifier: GPL-3.0-or-later
// Reads extras.trainyard.results: which files of the tasks come back.
#include "model/protocol/reader.h"
#include "model/protocol/readerrules.h"

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

// The rest of a path that leads out of the folder, without that part.
QString insideOf(const QString &glob)
{
    QStringList parts;
    const QStringList all = glob.split(u'/');
    for (qsizetype i = 0; i < all.size(); ++i) {
        const QString &part = all.at(i);
        const bool isOut = part == ".."_L1 || (i == 0 && part.startsWith(u'~'));
        if (!isOut && (!part.isEmpty() || (i + 1 == all.size() && !parts.isEmpty()))) {
            parts.append(part);
        }
    }
    return parts.join(u'/');
}

bool leadsOut(const QString &glob)
{
    return glob.startsWith(u'/') || glob == "~"_L1 || glob.startsWith("~/"_L1) || glob.split(u'/').contains(".."_L1);
}

void addGlob(JobReader &reader, const Place &place, const QString &name, QStringList &globs)
{
    const std::optional<QString> glob = reader.fields().textOrNumber(place, name);
    if (!glob) {
        return;
    }
    if (glob->isEmpty()) {
        Diagnostic &d
            = reader.findings().add(u"extras.results-empty"_s, Severity::Error, ServerVerdict::Accepts, place.path);
        reader.findings().fix(d, u"fix.set"_s, {{u"value"_s, u"*"_s}}, {edit::SetText{place.path, u"*"_s}});
        return;
    }
    if (leadsOut(*glob)) {
        Diagnostic &d = reader.findings().add(
            u"extras.results-outside"_s, Severity::Error, ServerVerdict::Accepts, place.path, {{u"value"_s, *glob}});
        if (const QString inside = insideOf(*glob); !inside.isEmpty()) {
            reader.findings().fix(d, u"fix.set"_s, {{u"value"_s, inside}}, {edit::SetText{place.path, inside}});
        }
        return;
    }
    if (!globs.contains(*glob)) {
        globs.append(*glob);
    }
}

// One pattern, or a list.
void addGlobs(JobReader &reader, const Place &place, const QString &name, QStringList &globs)
{
    if (!place.isSequence()) {
        addGlob(reader, place, name, globs);
        return;
    }
    const QList<Place> items = reader.fields().list(place, name, ServerVerdict::Accepts).value_or(QList<Place>());
    for (const Place &item : items) {
        addGlob(reader, item, name, globs);
    }
}

void readGlobs(JobReader &reader, TakenField &taken, ResultsRule &rule)
{
    addGlobs(reader, taken.place, taken.name, rule.files);
}

void checkWhenTheyCome(JobReader &, TakenField &taken, ResultsRule &rule) { rule.during = taken.text == u"during"_s; }

const FieldSection<ResultsRule> &resultsSection()
{
    using Row = FieldSection<ResultsRule>::Row;
    static const FieldSection<ResultsRule> section("/extras/trainyard/results",
        {
            Row("files", readGlobs).readsItself(),
            {"to", member(&ResultsRule::to)},
            {"when", checkWhenTheyCome},
            {"maxFileMB", member(&ResultsRule::maxFileMB)},
            {"maxMB", member(&ResultsRule::maxMB)},
        });
    return section;
}

} // namespace

// A list of patterns, or {files, to, when, ...}.
void readerrules::readResults(JobReader &reader, TakenField &taken, JobSpec &job)
{
    ResultsRule &rule = job.trainyard.results;
    if (!taken.place.isMap()) {
        addGlobs(reader, taken.place, taken.name, rule.files);
        return;
    }
    MapFields fields(reader.fields(), taken.place);
    if (!fields.has(u"files"_s)) {
        reader.fields().missing(taken.place, u"files"_s, taken.name);
        return;
    }
    resultsSection().read(reader, fields, rule, taken.name);
}

QStringList readerrules::resultsProblems() { return resultsSection().problems(); }

} // namespace trainyard
