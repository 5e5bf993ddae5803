// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

// What kubectl says, as far as it decides what to do next. Pure.
namespace trainyard::kube
{

struct Answer {
    enum class Kind { Done, Missing, TimedOut } kind = Kind::Done; // Missing: the program is not there
    int status = 0;
    QByteArray out, errors;
    bool isGood() const { return kind == Kind::Done && status == 0; }
};

enum class Meaning {
    Good,
    Missing, // kubectl is not here
    Silent, // no answer, or too late: nothing is known
    Unconfigured, // kubectl knows no cluster
    Unauthorized, // the login is not, or no longer, good
    Forbidden, // this user is not allowed to do it
    NotFound, // what was asked for
    NoNamespace,
    NoJobSet, // the cluster does not know JobSets
    Quota, // there is no room for it at the moment
    NoContext, // kubectl's configuration does not have what the options name
    Refused // anything else that the cluster does not want
};
Meaning meaningOf(const Answer &answer);
// Whether it is of no use to ask again until the job, the target or the cluster is changed.
bool isFinal(Meaning meaning);
// What kubectl says of every page that is not found: a proxy in front of a cluster that starts again says so, too.
bool isOfAnyServer(const Answer &answer);
// Whether all that `kubectl apply` has said shows that no call of it has come to the cluster, which has taken nothing.
bool isBeforeCall(const Answer &answer);
// The code of its sentence {target, detail}; empty for Good.
QString codeOf(Meaning meaning);
// What "kubectl config view" is asked for, so that its words can be read by placeOf().
QStringList placeArguments();
bool saysPlace(const QString &option); // "--context=lab"
// The options that say where kubectl goes now: those of `options`, and what it goes by itself for the rest. None:
// kubectl does not know.
QStringList placeOf(const QStringList &options, const QByteArray &said);
// Its words without what repeats itself, cut to the length of a sentence.
QString detailOf(const QByteArray &errors);

} // namespace trainyard::kube
