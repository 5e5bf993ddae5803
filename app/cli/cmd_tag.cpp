// SPDX-License-Identifier: GPL-3.0-or-later
// What people say of jobs: tags, a note, a star, and that a job is put away.
#include "app/cli/actedjobs.h"
#include "app/cli/commandline.h"
#include "app/cli/console.h"
#include "app/cli/eachjob.h"
#include "app/cli/groupjobs.h"
#include "app/cli/jobcommands.h"
#include "app/cli/meantjobs.h"
#include "app/cli/session.h"
#include "app/cli/sharedoptions.h"
#include "app/cli/watch.h"
#include "app/cli/words.h"
#include "engine/api/jobfilter.h"
#include "engine/api/joblabels.h"
#include "model/base/shellquote.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

constexpr int mostTags = 64; // in one command

QList<ExitMeaning> labelExits()
{
    return {{exitOk, tr("ok, or nothing to change")}, {exitUnusable, tr("no such job, or wrong usage")},
        {exitNoEngine, tr("no engine")}, {exitRefused, tr("the change cannot be stored")}};
}

// What a job has: of the labels that a command is about, the others are in 'ps'.
using ShownLabels = QJsonObject (*)(const JobLabels &labels);

QJsonObject tagsOf(const JobLabels &labels) { return {{u"tags"_s, QJsonArray::fromStringList(labels.tags)}}; }
QJsonObject noteOf(const JobLabels &labels) { return {{u"note"_s, labels.note}}; }
QJsonObject starOf(const JobLabels &labels) { return {{u"starred"_s, labels.isStarred}}; }
QJsonObject archiveOf(const JobLabels &labels) { return {{u"archived"_s, labels.isArchived}}; }

int changeLabels(Session &session, const MeantJobs &meant, api::LabelChange change, ActedJobs &acted, ShownLabels shown)
{
    qsizetype changed = 0;
    for (const JobSummary &job : meant.jobs) {
        change.ids.append(job.uuid);
    }
    if (const Result<bool> done = session.call<api::SetLabels>(change); !done) {
        for (const JobSummary &job : meant.jobs) { // all of them are changed, or none
            acted.failed(job, done.error());
        }
        return report(done.error());
    }
    for (const JobSummary &job : meant.jobs) {
        const JobLabels now = changedLabels(job.labels, change);
        changed += now != job.labels ? 1 : 0;
        acted.done(job, now != job.labels, shown(now));
    }
    if (!acted.isJson()) {
        sayHowMany(meant, changed, meant.jobs.size());
    }
    return exitOk;
}

int showLabels(const MeantJobs &meant, ActedJobs &acted, ShownLabels shown)
{
    for (const JobSummary &job : meant.jobs) {
        acted.done(job, false, shown(job.labels));
    }
    return acted.print(exitOk);
}

// Whoever writes "tag 40 41 42 good" means three jobs. Takes such words out of those that are to be tags or a note, and
// returns them. Names of jobs are no such words: tags are often called so.
QStringList takeJobWords(Session &session, QStringList &words)
{
    QStringList jobs;
    words.removeIf([&](const QString &word) {
        const QStringList parts = word.split(u',', Qt::SkipEmptyParts);
        const bool areNumbers = !parts.isEmpty() && std::all_of(parts.cbegin(), parts.cend(), [](const QString &part) {
            return jobNumbersIn(part).has_value();
        });
        const bool isOneWord = std::none_of(word.cbegin(), word.cend(), [](QChar c) { return c.isSpace(); });
        const bool areJobs = (areNumbers || (isOneWord && hasConditions(word))) && jobsOfWord(session, word);
        jobs += areJobs ? QStringList(word) : QStringList();
        return areJobs;
    });
    return jobs;
}

// The command line that means all of these jobs, in a sentence.
QString howToMeanJobs(const QString &command, const QString &first, const QStringList &others, const QStringList &rest)
{
    const bool areNumbers = !hasConditions(first)
        && std::none_of(others.cbegin(), others.cend(), [](const QString &word) { return hasConditions(word); });
    if (!areNumbers || (!jobNumbersIn(first.section(u',', 0, 0)))) {
        return tr("Run the command for each of them.");
    }
    const QString jobs = (QStringList(first) + others).join(u',').remove(u'#');
    return tr("'%1' is for all of these jobs.")
        .arg(u"trainyardctl "_s + command + u' ' + shellWords(QStringList(jobs) + rest));
}

// ---- tag ----

struct TagValues {
    QStringList words, added, removed;
    bool json = false;
};
const CommandLine<TagValues> &tagLine();

int runTag(const TagValues &values)
{
    Session session;
    MeantJobs meant;
    if (const int status = session.connectToChange(QStringList{values.words.constFirst()}, meant); status != exitOk) {
        return status;
    }
    QStringList tags = values.words.sliced(1);
    if (const QStringList jobs = takeJobWords(session, tags); !jobs.isEmpty()) {
        errorLine(
            tr("%1 would be jobs, but 'tag' takes only its first word for jobs. %2 A tag that looks so is added with "
               "'%3'.")
                .arg(jobs.join(u", "_s), howToMeanJobs(u"tag"_s, values.words.constFirst(), jobs, tags),
                    u"trainyardctl tag %1 %2 %3"_s.arg(shellWord(values.words.constFirst()),
                        tagLine().name(&TagValues::added), shellWord(jobs.constFirst()))));
        return exitUnusable;
    }
    api::LabelChange change;
    change.addTags = tags + values.added;
    change.removeTags = values.removed;
    ActedJobs acted(values.json);
    if (!change.addTags.isEmpty() || !change.removeTags.isEmpty()) {
        return acted.print(changeLabels(session, meant, change, acted, tagsOf));
    }
    if (values.json) {
        return showLabels(meant, acted, tagsOf);
    }
    QStringList present; // each once, of several jobs
    for (const JobSummary &job : std::as_const(meant.jobs)) {
        present += job.labels.tags;
    }
    present.removeDuplicates();
    for (const QString &tag : std::as_const(present)) {
        outLine(tag);
    }
    return exitOk;
}

// ---- note ----

struct NoteValues {
    QStringList words;
    std::optional<QString> text;
    bool clear = false, json = false;
};
const CommandLine<NoteValues> &noteLine();

int runNote(const NoteValues &values)
{
    if (values.words.size() > 1 && (values.clear || values.text)) {
        const QString other = values.clear ? noteLine().name(&NoteValues::clear) : noteLine().name(&NoteValues::text);
        return noteLine().wrongUsage(tr("Give a TEXT or %1, not both.").arg(other));
    }
    Session session;
    MeantJobs meant;
    if (const int status = session.connectToChange(QStringList{values.words.constFirst()}, meant); status != exitOk) {
        return status;
    }
    QStringList rest = values.words.sliced(1);
    if (const QStringList jobs = takeJobWords(session, rest); !jobs.isEmpty()) {
        errorLine(
            tr("%1 would be jobs, but 'note' takes only its first word for jobs. %2 A note of just that is written "
               "with '%3'.")
                .arg(jobs.constFirst(), howToMeanJobs(u"note"_s, values.words.constFirst(), jobs, {}),
                    u"trainyardctl note %1 %2 %3"_s.arg(shellWord(values.words.constFirst()),
                        noteLine().name(&NoteValues::text), shellWord(jobs.constFirst()))));
        return exitUnusable;
    }
    ActedJobs acted(values.json);
    if (values.clear || values.text || values.words.size() > 1) {
        api::LabelChange change;
        const QString text = values.text.value_or(values.words.value(1));
        const Result<QByteArray> read = text == "-"_L1 ? readInput(text) : text.toUtf8();
        if (!read) {
            return report(read.error());
        }
        if (!read->isValidUtf8()) { // what cannot be shown would be lost
            failureLine(
                {u"file.unreadable"_s, {{u"file"_s, inputName(text)}, {u"reason"_s, tr("it is not UTF-8 text")}}});
            return exitUnusable;
        }
        change.note = QString::fromUtf8(*read).trimmed();
        return acted.print(changeLabels(session, meant, change, acted, noteOf));
    }
    if (values.json) {
        return showLabels(meant, acted, noteOf);
    }
    for (const JobSummary &job : std::as_const(meant.jobs)) {
        if (!job.labels.note.isEmpty()) {
            outLine(meant.areSeveral ? tr("%1: %2").arg(jobTitle(job), job.labels.note) : job.labels.note);
        }
    }
    return exitOk;
}

const CommandLine<NoteValues> &noteLine()
{
    static const CommandLine<NoteValues> line
        = CommandLine<NoteValues>(u"note"_s, tr("Write or print the note of jobs"))
              .runs(runNote, {u"JOB [TEXT]"_s, 1, 2, Word::Job, whichJob()})
              .text(tr("Writes the note of a job, or of each of several, in place of the one that it has; without "
                       "TEXT, prints it. The TEXT '-' "
                       "is standard input. Notes are "
                       "for people: 'show' prints them, 'ps note:TEXT' finds them, and they can be changed after the "
                       "job has ended."))
              .more(severalNote())
              .option(u"--clear"_s, &NoteValues::clear, tr("remove the note"))
              .option(u"--text TEXT"_s, &NoteValues::text,
                  tr("write this, also where it looks like the number of a job or a condition"))
              .exclusive(&NoteValues::clear, &NoteValues::text)
              .option(actedJsonOption(tr("note")), &NoteValues::json)
              .examples({u"trainyardctl note 41 'the learning rate was too high'"_s, u"trainyardctl note 41"_s})
              .exits(labelExits());
    return line;
}

// ---- star, archive ----

struct MarkValues {
    QStringList words;
    bool off = false, json = false;
};

// Active jobs stay in the lists. A job that is named itself is refused; of several that a word means, the others are
// archived.
int leaveOutActive(MeantJobs &meant, ActedJobs &acted)
{
    int status = exitOk;
    QList<JobSummary> left;
    for (const JobSummary &job : std::as_const(meant.jobs)) {
        if (isFinal(job.state) || job.labels.isArchived) {
            continue;
        }
        if (meant.isNamed(job)) {
            status = acted.fail(
                job, {u"job.archive-active"_s, {{u"job"_s, job.uuid}, {u"id"_s, job.id}, {u"name"_s, job.name}}});
        } else {
            left.append(job);
            acted.done(job, false, archiveOf(job.labels));
        }
    }
    meant.jobs.removeIf([](const JobSummary &job) { return !isFinal(job.state) && !job.labels.isArchived; });
    if (!left.isEmpty()) {
        errorLine(tr("Left out because they are active: %1 (%2).").arg(QString::number(left.size()), jobNumbers(left)));
        forgetFailure();
    }
    if (meant.jobs.isEmpty() && status == exitOk) {
        errorLine(tr("None of these jobs has ended."));
        return exitRefused;
    }
    return status;
}

int mark(const MarkValues &values, std::optional<bool> api::LabelChange::*member, ShownLabels shown)
{
    Session session;
    MeantJobs meant;
    if (const int status = session.connectToChange(values.words, meant); status != exitOk) {
        return status;
    }
    api::LabelChange change;
    change.*member = !values.off;
    const bool archives = member == &api::LabelChange::archived && !values.off;
    ActedJobs acted(values.json);
    const int kept = archives ? leaveOutActive(meant, acted) : int(exitOk);
    return acted.print(
        meant.jobs.isEmpty() ? kept : std::max(kept, changeLabels(session, meant, change, acted, shown)));
}

Operands markedJobs() { return {u"JOB..."_s, 1, anyNumber, Word::Job, whichJob()}; }

const CommandLine<TagValues> &tagLine()
{
    static const CommandLine<TagValues> line
        = CommandLine<TagValues>(u"tag"_s, tr("Add, remove or print the tags of a job"))
              .runs(runTag, {u"JOB [TAG...]"_s, 1, 1 + mostTags, Word::Job, whichJob(), {}, nullptr, Word::Tag})
              .text(tr("Adds tags to a job, or to each of several; without TAG and --remove, prints those "
                       "that it has, one a line. 'ps "
                       "tag:TAG' lists the jobs with a tag. Tags can be given at the start, too (run --tag), and "
                       "changed after the job has ended. Commas separate tags, too."))
              .more(severalNote())
              .option(u"-a, --add TAG"_s, &TagValues::added,
                  tr("add this tag, also where it looks like the number of a job or a condition; may be repeated"))
              .completes(Word::Tag)
              .option(u"-r, --remove TAG"_s, &TagValues::removed, tr("remove this tag; may be repeated"))
              .completes(Word::Tag)
              .option(actedJsonOption(tr("tags")), &TagValues::json)
              .examples({u"trainyardctl tag 41 baseline paper"_s, u"trainyardctl tag 38-46 baseline"_s,
                  u"trainyardctl tag 41 --remove paper"_s, u"trainyardctl tag 41"_s})
              .exits(labelExits());
    return line;
}

} // namespace

Command tagCommand() { return tagLine().command(); }

Command noteCommand() { return noteLine().command(); }

Command starCommand()
{
    static const CommandLine<MarkValues> line
        = CommandLine<MarkValues>(u"star"_s, tr("Mark jobs with a star"))
              .runs([](const MarkValues &values) { return mark(values, &api::LabelChange::starred, starOf); },
                  markedJobs())
              .text(tr("Marks jobs with a star. 'ps is:starred' lists them."))
              .more(severalNote())
              .option(u"--off"_s, &MarkValues::off, tr("remove the star"))
              .option(actedJsonOption(tr("starred")), &MarkValues::json)
              .examples({u"trainyardctl star 41"_s, u"trainyardctl star 41 --off"_s})
              .exits(labelExits());
    return line.command();
}

Command archiveCommand()
{
    static const CommandLine<MarkValues> line
        = CommandLine<MarkValues>(u"archive"_s, tr("Put jobs away"))
              .runs([](const MarkValues &values) { return mark(values, &api::LabelChange::archived, archiveOf); },
                  markedJobs())
              .text(tr("Puts jobs away: lists leave them out until you ask for them ('ps is:archived'). Their logs and "
                       "folders stay. A job that is active cannot be archived, and one that is retried comes back "
                       "into the lists."))
              .more(severalNote())
              .option(u"--off"_s, &MarkValues::off, tr("bring the jobs back into the lists"))
              .option(actedJsonOption(tr("archived")), &MarkValues::json)
              .examples({u"trainyardctl archive 38 39"_s, u"trainyardctl archive tag:old"_s,
                  u"trainyardctl archive 38 --off"_s, u"trainyardctl archive 'tag:old is:archived' --off"_s})
              .exits({{exitOk, tr("ok, or nothing to change")}, {exitUnusable, tr("no such job, or wrong usage")},
                  {exitNoEngine, tr("no engine")},
                  {exitRefused, tr("the job is active, none of several has ended, or the change cannot be stored")}});
    return line.command();
}

} // namespace trainyard::cli
