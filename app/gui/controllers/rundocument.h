// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

namespace trainyard
{

/** What tells whether an open document is that of a run. */
struct OpenDocument {
    QString file; // empty: it was never saved
    QString runFile; // beside which its tasks start
    QString run; // UUID of the run that it was made from, to be changed or rehearsed; empty: none
    QStringList runs; // UUIDs of those that it was submitted as
    QByteArray bytes;
};

/**
 * The place of the document that the job came from: the one that it was submitted from, wherever it was saved since;
 * else one that was never saved and has its text; else one of its file, which may have been changed since; else, of a
 * job without a file, one that was saved with its text. Of several the last. A document that was made from another run
 * is to be saved beside the same file and is not meant. -1: none is open.
 */
qsizetype documentOf(const JobDetail &job, const QList<OpenDocument> &documents);

/** The file that the newest text of the job came from: a retry may have had that of another one. Empty: none. */
QString fileOfText(const JobDetail &job);

/** The place of the document that the newest text came from, likewise. */
qsizetype documentOfText(const JobDetail &job, const QList<OpenDocument> &documents);

/**
 * Whether a document has another text than the job had when it ran, with what its submission has overridden and
 * the name that it gave a job without one. What only
 * may be another one (secrets that cannot be masked, a job that nothing is known of) is taken for the same.
 */
bool hasOtherText(const JobDetail &job, const QByteArray &document);

/** The text of a file that a job was submitted from; empty if there is none, or if it is no file that can be a job. */
QByteArray jobFileText(const QString &file);

/** What is needed to find whether the document of a run has another text. All of it is copied, for another thread. */
struct DocumentQuestion {
    JobDetail job;
    QList<OpenDocument> documents;
};
struct DocumentAnswer {
    bool differs = false;
    QByteArray basis; // digest of what it was found from; empty: it may be another one next time
};

/**
 * Whether the open document of the run, else its file, has another text. Of a document that the run was submitted from
 * it has not, whatever that has become: it is the right one to go on with. Reads the disk, which may take its time. A
 * former answer is given again while what it was found from is the same.
 */
DocumentAnswer answerOf(const DocumentQuestion &question, const DocumentAnswer &former = {});

} // namespace trainyard
