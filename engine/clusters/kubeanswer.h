// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

// Interprets the messages of kubectl, as far as the next step depends on them. Pure.
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
// The message of kubectl about any page that is not found. A proxy in front of a cluster that is restarting gives it,
// too.
bool isOfAnyServer(const Answer &answer);
// Whether all that `kubectl apply` has said shows that no call of it has come to the cluster, which has taken nothing.
bool isBeforeCall(const Answer &answer);
// The code of its sentence {target, detail}; empty for Good.
QString codeOf(Meaning meaning);
// The arguments of "kubectl config view" that make its output readable for placeOf().
QStringList placeArguments();
bool saysPlace(const QString &option); // "--context=lab"
// The options that say which cluster kubectl uses now: those of `options`, and kubectl's own choice for the rest. None:
// kubectl has no choice of its own.
QStringList placeOf(const QStringList &options, const QByteArray &said);
// Its words without what repeats itself, cut to the length of a sentence.
QString detailOf(const QByteArray &errors);

} // namespace trainyard::kube
