// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences for the reasons why jobs and tasks wait, fail or are stopped.
#include "engine/api/hosterrors.h"
#include "engine/api/jobfacts.h"
#include "engine/api/reasons.h"
#include "engine/api/tasklabel.h"
#include "widgets/text/exittexts.h"
#include "widgets/text/formats.h"
#include "widgets/text/resulttexts.h"
#include "widgets/text/sentences.h"
#include "widgets/text/slurmtexts.h"
#include "widgets/text/texts.h"
#include "widgets/text/whytexts.h"

#include <QCoreApplication>
#include <QDateTime>

#include <algorithm>

namespace trainyard
{

// Additional arguments of a sentence, and the choice of its form.
struct ReasonSentence {
    const QString &code;
    QJsonObject args;

    QString made(QLatin1StringView form = {}) const { return sentence(code + form, args); }

    // "Waits to try again (2 of 10), in 0:12, because w/0 ended with exit code 137 (Killed)."
    QString operator()(const reason::WaitRetry &retry) { return retryText(retry, true); }
    QString retryText(const reason::WaitRetry &retry, bool withCause)
    {
        const reason::Why why = retry.why.value_or(reason::Why());
        const QString phrase = exitPhrase(retry.exit);
        const QString number = QString::number(shownExit(retry.exit, retry.status, why.code, why.args));
        sayTimeLeft(retry.due);
        args.insert(QStringLiteral("exit"),
            phrase.isEmpty() ? number : QCoreApplication::translate("Texts", "%1 (%2)").arg(number, phrase));
        const bool endless = retry.limit <= 0;
        const QString cause = withCause && !why.code.isEmpty() ? reasonText(why.code, why.args) : QString();
        if (why.code.startsWith(QLatin1String("launch."))) { // nothing ran: what is wrong comes first
            const QString next = made(QLatin1StringView(endless ? ".start.endless" : ".start"));
            return cause.isEmpty() ? next : withFullStop(cause) + QLatin1Char(' ') + next;
        }
        const QString text = retry.role ? made(QLatin1StringView(endless ? ".task.endless" : ".task"))
                                        : made(QLatin1StringView(endless ? ".endless" : ""));
        QStringList sentences{text, cause, retry.free.value_or(false) ? made(QLatin1StringView(".free")) : QString()};
        sentences.removeAll(QString());
        return sentences.join(QLatin1Char(' '));
    }
    QString operator()(const reason::TaskKept &kept)
    {
        sayTimeLeft(kept.until);
        return made();
    }
    QString operator()(const reason::JobCompletedTasks &completed)
    {
        nameExit(completed.by.exit);
        return made();
    }
    QString operator()(const reason::JobMinFailed &failed)
    {
        nameExit(failed.by.exit);
        return made(failed.by.count.value_or(0) > 1 ? QLatin1StringView(".many") : QLatin1StringView());
    }
    QString operator()(const reason::StopWorse &worse)
    {
        args.insert(QStringLiteral("best"), metricNumber(worse.best.value_or(0)));
        args.insert(QStringLiteral("median"), metricNumber(worse.median));
        return made(worse.best ? QLatin1StringView() : QLatin1StringView(".not-finite"));
    }
    QString operator()(const reason::HostNotAnswering &silent)
    {
        args.insert(QStringLiteral("time"), formatTime(silent.since, QDateTime::currentMSecsSinceEpoch()));
        return made();
    }
    QString operator()(const reason::StopHostAway &awaited)
    {
        args.insert(QStringLiteral("time"), formatTime(awaited.until, QDateTime::currentMSecsSinceEpoch()));
        return made(awaited.connecting.value_or(false) ? QLatin1StringView(".connecting") : QLatin1StringView());
    }
    QString operator()(const reason::WaitHost &wait)
    {
        const bool isHere = wait.hosts.contains(QLatin1String("local")) || wait.host == QLatin1String("local");
        const bool isConnecting = wait.connecting.value_or(false) && !isHere;
        return made(isConnecting && wait.host.isEmpty() ? QLatin1StringView(".connecting")
                : isConnecting                          ? QLatin1StringView(".connecting-named")
                : isHere                                ? QLatin1StringView(".here")
                : !wait.host.isEmpty()                  ? QLatin1StringView(".named")
                : wait.hosts.isEmpty()                  ? QLatin1StringView()
                                                        : QLatin1StringView(".of"));
    }
    QString operator()(const reason::WaitRuntime &wait)
    {
        QStringList silent;
        for (const reason::RuntimeOfHost &each : wait.hosts) {
            silent += each.silent.value_or(false) && !each.away ? QStringList(each.host) : QStringList();
        }
        args.insert(QStringLiteral("silent"), silent.join(QStringLiteral(", ")));
        return made(silent.isEmpty() ? QLatin1StringView() : QLatin1StringView(".silent"));
    }
    QString operator()(const reason::WaitPeers &wait) { return precise(wait.what.value_or(QString())); }
    QString operator()(const reason::WaitHosts &wait)
    {
        return wait.connecting.value_or(false) && wait.what == QLatin1String("away")
            ? made(QLatin1StringView(".connecting"))
            : precise(wait.what);
    }
    QString operator()(const reason::RefuseHosts &refused) { return precise(refused.what); }
    QString operator()(const reason::RefuseHostsTogether &refused)
    {
        return made(refused.role.isEmpty() ? QLatin1StringView() : QLatin1StringView(".role"));
    }
    QString operator()(const reason::WaitQueue &wait)
    {
        return made(wait.ahead == 1 ? QLatin1StringView(".one") : QLatin1StringView());
    }
    QString operator()(const reason::WaitGpuMemory &wait)
    {
        saySizes(wait.wantedMiB, wait.freeMiB);
        return made(wait.wanted > 1 ? QLatin1StringView(".many") : QLatin1StringView());
    }
    QString operator()(const reason::WaitMemory &wait)
    {
        saySizes(wait.wantedMiB, wait.freeMiB);
        args.insert(QStringLiteral("totalSize"), formatMiB(wait.totalMiB));
        return made();
    }
    QString operator()(const reason::RefuseGpu &refused)
    {
        const bool isOfJob = !args.value(QLatin1String("isRehearsal")).toBool();
        return made(refused.excluded.value_or(0) > 0 ? QLatin1StringView(".excluded")
                : refused.most == 0                  ? QLatin1StringView(isOfJob ? ".none" : ".none.rehearsal")
                                                     : QLatin1StringView(isOfJob ? "" : ".rehearsal"));
    }
    QString operator()(const reason::RefuseGang &refused) { return precise(refused.resource); }
    QString operator()(const auto &) { return made(); }

private:
    // By a word that the reason has.
    QString precise(const QString &word) const
    {
        const QString form = code + QLatin1Char('.') + word;
        return sentence(hasSentence(form) ? form : code, args);
    }
    // The requested amount is larger than the free one, also after rounding.
    void saySizes(qint64 wantedMiB, qint64 freeMiB)
    {
        const bool isClose = formatMiB(wantedMiB) == formatMiB(freeMiB);
        const auto size = [isClose](qint64 mebibytes) {
            return isClose ? QCoreApplication::translate("Texts", "%1 MiB").arg(mebibytes) : formatMiB(mebibytes);
        };
        args.insert(QStringLiteral("wantedSize"), size(wantedMiB));
        args.insert(QStringLiteral("freeSize"), size(freeMiB));
    }
    void sayTimeLeft(qint64 until)
    {
        const qint64 left = until - QDateTime::currentMSecsSinceEpoch();
        const qint64 seconds = std::max<qint64>(1, (left + 999) / 1000);
        args.insert(QStringLiteral("in"),
            seconds >= 3600 ? formatDuration(seconds * 1000)
                            : QStringLiteral("%1:%2").arg(seconds / 60).arg(seconds % 60, 2, 10, QLatin1Char('0')));
    }
    void nameExit(int exit)
    {
        const QString phrase = exitPhrase(exit);
        args.insert(QStringLiteral("exit"),
            phrase.isEmpty() ? QCoreApplication::translate("Texts", "code %1").arg(exit)
                             : QCoreApplication::translate("Texts", "%1 (code %2)").arg(phrase, QString::number(exit)));
    }
};

// Adds the sizes of a work folder that is copied, or too large for that.
static QJsonObject withSizes(QJsonObject args)
{
    constexpr qsizetype named = 3;
    const auto size = [&args](const char *key) { return formatBytes(args.value(QLatin1StringView(key)).toInteger()); };
    args.insert(QStringLiteral("part"), size("bytes"));
    args.insert(QStringLiteral("all"), size("ofBytes"));
    args.insert(QStringLiteral("size"), size("bytes"));
    args.insert(QStringLiteral("limit"), size("limitBytes"));
    const QStringList said = args.value(QLatin1StringView("biggest")).toString().split(QLatin1Char('\n'));
    QStringList biggest;
    for (qsizetype i = 0; i + 1 < said.size() && biggest.size() < named; i += 2) {
        biggest.append(QStringLiteral("%1 (%2)").arg(said.at(i), formatBytes(said.at(i + 1).toLongLong())));
    }
    args.insert(QStringLiteral("biggest"), biggest.join(QStringLiteral(", ")));
    return args;
}

// This computer has a name of its own only where hosts are listed.
static QJsonObject withHostNames(QJsonObject args)
{
    for (const char *key : {"from", "host", "on"}) {
        if (args.value(QLatin1StringView(key)) == QLatin1String("local")) {
            args.insert(QLatin1StringView(key), QCoreApplication::translate("Sentences", "this computer"));
        }
    }
    return args;
}

QString failedStepText(const QString &code, const QJsonObject &args)
{
    static const QStringList steps{QStringLiteral("exit.step"), QStringLiteral("exit.step-after"),
        QStringLiteral("exit.environment"), QStringLiteral("exit.environment-of")};
    QJsonObject own = args;
    own.remove(failureKey);
    return steps.contains(code) ? reasonText(code, own) : QString();
}

// An end that a status alone decides, such as that of a signal or of wrong arguments, has no reason but what the output
// shows of it. The job then has that of the limit that its task reached; nothing: that says all there is.
static std::optional<QString> failedTaskText(const QString &code, const QJsonObject &args, const FailureFacts &failure)
{
    if (failure.certainty == QLatin1StringView("unknown")) {
        return std::nullopt;
    }
    if (code.isEmpty() || isOneFailure(code, args)) {
        return failureWords(failure).whole();
    }
    if (code != reason::JobMinFailed::code && code != reason::JobCompletedTasks::code) {
        return std::nullopt;
    }
    return std::visit(ReasonSentence{code, args}, reason::any(code, args)) + QLatin1Char(' ')
        + failureWords(failure).whole();
}

bool isOneFailure(const QString &code, const QJsonObject &args)
{
    const auto failed = reason::as<reason::JobMinFailed>(code, args);
    const FailureFacts failure = failureFacts(args);
    return failed && failed->by.count.value_or(0) <= 1 && !failure.isEmpty()
        && failure.certainty != QLatin1StringView("unknown");
}

// Which sentence says what is wrong with the value of a setting.
static QString badValueCode(const QJsonObject &args)
{
    const QString type = args.value(QLatin1String("type")).toString();
    const bool isSaid = args.contains(QLatin1String("wrong"));
    const bool hasWords = !args.value(QLatin1String("values")).toArray().isEmpty();
    return type == QLatin1String("int")                        ? QStringLiteral("settings.bad-value.int")
        : type == QLatin1String("bool") && isSaid              ? QStringLiteral("settings.bad-value.bool")
        : type == QLatin1String("list") && isSaid && !hasWords ? QStringLiteral("settings.bad-value.item")
        : type == QLatin1String("list") && isSaid              ? QStringLiteral("settings.bad-value.items")
        : isSaid && hasWords                                   ? QStringLiteral("settings.bad-value.word")
                                                               : QStringLiteral("settings.bad-value");
}

// By what is known of the keys that the server has refused.
static QString refusedKeyCode(const QJsonObject &args)
{
    const bool hasKeys = !args.value(QLatin1String("keys")).toArray().isEmpty();
    const bool hasFiles = !args.value(QLatin1String("publicKeys")).toArray().isEmpty();
    return hasFiles ? QStringLiteral("host.needs-login.key.file")
        : hasKeys   ? QStringLiteral("host.needs-login.key.agent")
                    : QStringLiteral("host.needs-login.key.none");
}

QString reasonText(const QString &code, const QJsonObject &args)
{
    if (code == QLatin1String("settings.bad-value")) {
        return sentence(badValueCode(args), args);
    }
    if (code == QLatin1String("launch.copying") && args.value(QLatin1String("ofBytes")).toInteger() > 0) {
        return sentence(QStringLiteral("launch.copying.part"), withSizes(args));
    }
    if (code == QLatin1String("slurm.refused-size")) {
        QJsonObject own = args;
        for (const char *key : {"asked", "most"}) {
            own.insert(QLatin1StringView(key), slurmNodeText(args.value(QLatin1StringView(key)).toObject()));
        }
        return sentence(code, own);
    }
    if (code == QLatin1String("slurm.nodes-away")) {
        QStringList reasons = args.value(QLatin1String("reasons")).toVariant().toStringList();
        std::transform(reasons.begin(), reasons.end(), reasons.begin(), slurmReasonText);
        QJsonObject own = args;
        own.insert(QLatin1String("reasons"), reasons.join(QLatin1String("; ")));
        return sentence(code, own);
    }
    if (hosterror::isKeyChanged(code) && !args.value(QLatin1String("fingerprint")).toString().isEmpty()) {
        return sentence(QStringLiteral("host.key-changed.seen"), args);
    }
    if (hosterror::isKeyRefused(code) && args.contains(QLatin1String("keys"))) {
        return sentence(refusedKeyCode(args), args);
    }
    if (code == QLatin1String("host.needs-login.password") && !args.value(QLatin1String("keys")).toArray().isEmpty()) {
        return sentence(QStringLiteral("host.needs-login.password.keys"), args);
    }
    const QString ofHost = args.value(QLatin1String("code")).toString(); // why it is not online
    if ((code == QLatin1String("job.host-out-of-reach") || code == QLatin1String("job.host-connecting"))
        && isUnstartedThere(args)) {
        const bool isForPerson = code == QLatin1String("job.host-out-of-reach") && hosterror::needsPerson(ofHost);
        return sentence(code + (isForPerson ? QStringLiteral(".unstarted.person") : QStringLiteral(".unstarted")),
            withHostNames(args));
    }
    if (code == QLatin1String("job.host-out-of-reach") && hosterror::needsPerson(ofHost)) {
        return sentence(hosterror::isKeyChanged(ofHost) ? QStringLiteral("job.host-out-of-reach.key")
                : hosterror::isKeyRefused(ofHost)       ? QStringLiteral("job.host-out-of-reach.refused")
                                                        : QStringLiteral("job.host-out-of-reach.login"),
            withHostNames(args));
    }
    if (code == QLatin1String("code.too-big") || code == QLatin1String("code.asks")
        || code == QLatin1String("code.refused")) {
        return sentence(code, withSizes(args));
    }
    if (code.startsWith(QLatin1String("openpai.")) && args.contains(QLatin1String("former"))) {
        return sentence(code, args).trimmed() + QLatin1Char(' ') + sentence(QStringLiteral("openpai.former"), args);
    }
    if (code.startsWith(QLatin1String("checkpoints."))) {
        const bool isPart
            = code == QLatin1String("checkpoints.copying") && args.value(QLatin1String("ofBytes")).toInteger() > 0;
        return sentence(isPart ? code + QStringLiteral(".part") : code, withHostNames(withSizes(args)));
    }
    if (code.startsWith(QLatin1String("data."))) {
        const bool isPart
            = code == QLatin1String("data.copying") && args.value(QLatin1String("ofBytes")).toInteger() > 0;
        return sentence(isPart ? code + QStringLiteral(".part") : code, withHostNames(withSizes(args)));
    }
    if (code == QLatin1String("exit.oom") && args.contains(QLatin1String("usedMiB"))) {
        const bool byHost = args.value(QLatin1String("by")) == QLatin1String("host");
        return sentence(byHost ? QStringLiteral("exit.oom.host") : QStringLiteral("exit.oom.limit"), args);
    }
    if ((code.startsWith(QLatin1String("wait.slurm")) || code.startsWith(QLatin1String("slurm.refused")))
        && args.contains(QLatin1String("numbers"))) {
        return sentence(code, withLimitNumbers(args));
    }
    if (code == QLatin1String("wait.slurm-preparing") && args.contains(QLatin1String("node"))) {
        return sentence(QStringLiteral("wait.slurm-preparing.on"), args);
    }
    if (code == QLatin1String("wait.slurm-preparing") && args.contains(QLatin1String("nodes"))) {
        return sentence(QStringLiteral("wait.slurm-preparing.nodes"), args);
    }
    if (code == QLatin1String("cpu.more-than-there")) {
        return sentence(code, withHostNames(args));
    }
    if ((code.startsWith(QLatin1String("launch.cwd-")) || code == QLatin1String("launch.container-service"))
        && args.contains(QLatin1String("host"))) {
        const bool isHere = args.value(QLatin1String("host")) == QLatin1String("local");
        return sentence(code + (isHere ? QStringLiteral(".here") : QStringLiteral(".host")), args);
    }
    if (const FailureFacts failure = failureFacts(args); !failure.isEmpty()) {
        if (reason::isExit(code)) {
            const QString step = failedStepText(code, args);
            return (step.isEmpty() ? QString() : step + QLatin1Char(' ')) + failureWords(failure).whole();
        }
        if (const std::optional<QString> ofTask = failedTaskText(code, args, failure)) {
            return *ofTask;
        }
    }
    return code.isEmpty() ? QString() : std::visit(ReasonSentence{code, args}, reason::any(code, args));
}

QString reasonTextAboveCause(const JobSummary &job)
{
    const auto retry = reason::as<reason::WaitRetry>(job.reason, job.reasonArgs);
    return retry ? ReasonSentence{job.reason, job.reasonArgs}.retryText(*retry, false) : jobReasonText(job);
}

QString jobReasonText(const JobSummary &job)
{
    const QString text = reasonText(job.reason, job.reasonArgs);
    // The sentence of a limit names its task itself, unless what the task's output shows takes its place.
    const QString role = job.reasonArgs.value(QLatin1String("role")).toString();
    const bool namesTask = (job.reason == reason::JobMinFailed::code && !isOneFailure(job.reason, job.reasonArgs))
        || job.reason == reason::JobCompletedTasks::code;
    if (role.isEmpty() || text.isEmpty() || namesTask || !isFinal(job.state)) {
        return text;
    }
    return taskLabel(role, job.reasonArgs.value(QLatin1String("index")).toInt()) + QStringLiteral(": ") + text;
}

} // namespace trainyard
