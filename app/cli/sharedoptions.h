// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace trainyard::cli
{

// Options that several commands have, and that sentences of other files name.
struct SharedOption {
    QString spelled, text;

    QString shown() const; // "--secret"
};
SharedOption catalogOption();
SharedOption secretOption();
SharedOption strictOption(); // these of what submits jobs
SharedOption onOption();
SharedOption environmentOption();
SharedOption workOption();
SharedOption runtimeOption();
SharedOption priorityOption();
SharedOption afterOption();
SharedOption tagOption();
SharedOption waitOption();
SharedOption submittedJsonOption(const QString &more = {});
SharedOption jsonOption(); // of what lists or shows something
SharedOption actedJsonOption(const QString &more = {}); // of what acts on jobs; `more`: members of its own
QStringList runtimeWords(); // that runtimeOption() takes

// Sentences that several commands have.
QString whichJob(); // the JOB is missing
QString failedJobNote(); // the exit status after a job that was waited for
QString severalNote(); // what else a JOB may be

} // namespace trainyard::cli
