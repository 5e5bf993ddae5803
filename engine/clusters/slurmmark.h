// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

// Slurm counts from the beginning when it has lost its state. The number of one of our jobs may then belong to another
// job, so all queries about a number also compare the name and the comment. Pure.
namespace trainyard::slurm
{

inline constexpr QLatin1StringView commentHead{"trainyard:"}; // of the comments of all jobs from here

// The marks with which a job was submitted.
struct JobMark {
    QStringList names; // one of these
    QStringList comments; // and one of these: several, when it was sent again and again
    friend bool operator==(const JobMark &, const JobMark &) = default;
};

// Whether it is that job. `line`: its script, or the line of its submission, as far as it is known. The comment
// decides. Few accounts keep comments, and a site may put its own in their place: without one from here, the path of
// the script decides, which has the name of the submission, and then the name.
bool isMarked(const JobMark &mark, const QString &name, const QString &comment, const QString &line = {});

} // namespace trainyard::slurm
