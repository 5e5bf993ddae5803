// SPDX-License-Identifier: GPL-3.0-or-later
// What people say of jobs: tags, a note, a star, and that a job is put away.
#include "app/cli/commandline.h"
#include "app/cli/console.h"
#include "app/cli/eachjob.h"
#include "app/cli/jobcommands.h"
#include "app/cli/meantjobs.h"
#include "app/cli/session.h"
#include "app/cli/sharedoptions.h"
#include "app/cli/watch.h"
#include "engine/api/joblabels.h"

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

int changeLabels(Session &session, const MeantJobs &meant, api::LabelChange change)
{
    qsizetype changed = 0;
    for (const JobSummary &job : meant.jobs) {
        change.ids.append(job.uuid);
        changed += changedLabels(job.labels, change) != job.labels ? 1 : 0;
    }
    if (const Result<bool> done = session.call<api::SetLabels>(change); !done) {
        return report(done.error());
    }
    sayHowMany(meant, changed, meant.jobs.size());
    return exitOk;
}

// ---- tag ----

struct TagValues {
    QStringList words, removed;
};

int runTag(const TagValues &values)
{
    Session session;
    MeantJobs meant;
    if (const int status = session.connectToChange(QStringList{values.words.constFirst()}, meant); status != exitOk) {
        return status;
    }
    api::LabelChange change;
    change.addTags = values.words.sliced(1);
    change.removeTags = values.removed;
    if (!change.addTags.isEmpty() || !change.removeTags.isEmpty()) {
        return changeLabels(session, meant, change);
    }
    QStringList tags; // each once, of several jobs
    for (const JobSummary &job : std::as_const(meant.jobs)) {
        tags += job.labels.tags;
    }
    tags.removeDuplicates();
    for (const QString &tag : std::as_const(tags)) {
        outLine(tag);
    }
    return exitOk;
}

// ---- note ----

struct NoteValues {
    QStringList words;
    bool clear = false;
};
const CommandLine<NoteValues> &noteLine();

int runNote(const NoteValues &values)
{
    if (values.clear && values.words.size() > 1) {
        return noteLine().wrongUsage(tr("Give a TEXT or %1, not both.").arg(noteLine().name(&NoteValues::clear)));
    }
    Session session;
    MeantJobs meant;
    if (const int status = session.connectToChange(QStringList{values.words.constFirst()}, meant); status != exitOk) {
        return status;
    }
    if (values.clear || values.words.size() > 1) {
        api::LabelChange change;
        const QString text = values.words.value(1);
        const Result<QByteArray> read = text == "-"_L1 ? readInput(text) : text.toUtf8();
        if (!read) {
            return report(read.error());
        }
        change.note = QString::fromUtf8(*read).trimmed();
        return changeLabels(session, meant, change);
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
              .examples({u"trainyardctl note 41 'the learning rate was too high'"_s, u"trainyardctl note 41"_s})
              .exits(labelExits());
    return line;
}

// ---- star, archive ----

struct MarkValues {
    QStringList words;
    bool off = false;
};

int mark(const MarkValues &values, std::optional<bool> api::LabelChange::*member)
{
    Session session;
    MeantJobs meant;
    if (const int status = session.connectToChange(values.words, meant); status != exitOk) {
        return status;
    }
    api::LabelChange change;
    change.*member = !values.off;
    return changeLabels(session, meant, change);
}

Operands markedJobs() { return {u"JOB..."_s, 1, anyNumber, Word::Job, whichJob()}; }

} // namespace

Command tagCommand()
{
    static const CommandLine<TagValues> line
        = CommandLine<TagValues>(u"tag"_s, tr("Add, remove or print the tags of a job"))
              .runs(runTag, {u"JOB [TAG...]"_s, 1, 1 + mostTags, Word::Job, whichJob(), {}, nullptr, Word::Tag})
              .text(tr("Adds tags to a job, or to each of several; without TAG and --remove, prints those "
                       "that it has, one a line. 'ps "
                       "tag:TAG' lists the jobs with a tag. Tags can be given at the start, too (run --tag), and "
                       "changed after the job has ended."))
              .more(severalNote())
              .option(u"-r, --remove TAG"_s, &TagValues::removed, tr("remove this tag; may be repeated"))
              .completes(Word::Tag)
              .examples({u"trainyardctl tag 41 baseline paper"_s, u"trainyardctl tag 38-46 baseline"_s,
                  u"trainyardctl tag 41 --remove paper"_s, u"trainyardctl tag 41"_s})
              .exits(labelExits());
    return line.command();
}

Command noteCommand() { return noteLine().command(); }

Command starCommand()
{
    static const CommandLine<MarkValues> line
        = CommandLine<MarkValues>(u"star"_s, tr("Mark jobs with a star"))
              .runs([](const MarkValues &values) { return mark(values, &api::LabelChange::starred); }, markedJobs())
              .text(tr("Marks jobs with a star. 'ps is:starred' lists them."))
              .more(severalNote())
              .option(u"--off"_s, &MarkValues::off, tr("remove the star"))
              .examples({u"trainyardctl star 41"_s, u"trainyardctl star 41 --off"_s})
              .exits(labelExits());
    return line.command();
}

Command archiveCommand()
{
    static const CommandLine<MarkValues> line
        = CommandLine<MarkValues>(u"archive"_s, tr("Put jobs away"))
              .runs([](const MarkValues &values) { return mark(values, &api::LabelChange::archived); }, markedJobs())
              .text(tr("Puts jobs away: lists leave them out until you ask for them ('ps is:archived'). Their logs and "
                       "folders stay."))
              .more(severalNote())
              .option(u"--off"_s, &MarkValues::off, tr("bring the jobs back into the lists"))
              .examples({u"trainyardctl archive 38 39"_s, u"trainyardctl archive tag:old"_s,
                  u"trainyardctl archive 38 --off"_s})
              .exits(labelExits());
    return line.command();
}

} // namespace trainyard::cli
