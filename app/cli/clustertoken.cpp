// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/clustertoken.h"

#include "app/cli/console.h"
#include "app/cli/session.h"
#include "app/common/clustersecrets.h"
#include "app/common/keyring.h"
#include "widgets/text/texts.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

constexpr int keyringMs = 10'000; // it may be locked, and ask its user

// The answer of the keyring, if there is one.
template <typename Ask> void waitForKeyring(const Ask &ask)
{
    QEventLoop loop;
    QTimer::singleShot(keyringMs, &loop, &QEventLoop::quit);
    ask(&loop);
    loop.exec();
}

// Empty: it has none.
Result<QString> keptToken(SecretVault &keyring, const QString &target)
{
    Result<QString> token = fail(u"keyring.not-read"_s, {{u"reason"_s, QString()}}); // it does not answer
    waitForKeyring([&](QEventLoop *loop) {
        keyring.find(
            QString(clusterSecrets), {target}, loop, [&token, &target, loop](const Result<SecretVault::Values> &found) {
                token = found.map([&target](const SecretVault::Values &values) { return values.value(target); });
                loop->quit();
            });
    });
    return token;
}

bool isToken(const QString &text)
{
    return !text.isEmpty()
        && std::all_of(text.begin(), text.end(), [](QChar each) { return each > u' ' && each < u'\x7f'; });
}

// A line of standard input, or what is typed on the terminal and not shown there. Returns the exit status.
int readHidden(const QString &prompt, bool isOnInput, const QString &noTerminal, QString &text)
{
    if (isOnInput) {
        const Result<QByteArray> input = readInput(u"-"_s);
        if (!input) {
            return report(input.error());
        }
        text = QString::fromUtf8(*input);
        while (text.endsWith(u'\n') || text.endsWith(u'\r')) {
            text.chop(1);
        }
        return exitOk;
    }
    const std::optional<QString> typed = askOnTerminal(prompt, false);
    if (!typed) {
        return usageError(u"targets"_s, noTerminal);
    }
    text = *typed;
    return exitOk;
}

void keepInKeyring(const QString &target, const QString &token)
{
    Keyring keyring;
    std::optional<bool> isKept;
    if (keyring.isThere()) {
        waitForKeyring([&](QEventLoop *loop) {
            keyring.keep(QString(clusterSecrets), {{target, token}}, loop, [&isKept, loop](const Result<void> &kept) {
                isKept = kept.has_value();
                loop->quit();
            });
        });
    }
    if (!isKept.value_or(false)) {
        errorLine(tr("No keyring keeps the token of %1. After each start of the engine, hand it over again with "
                     "'trainyardctl targets token %1'.")
                      .arg(target));
    }
}

} // namespace

bool isLoginGiven(const TargetsValues &values)
{
    return values.isTokenOnInput || values.isPassword || values.isPasswordOnInput;
}

int readLogin(const QString &target, const TargetsValues &values, ClusterLogin &login)
{
    login.isPassword = values.isPassword || values.isPasswordOnInput;
    if (login.isPassword && values.isTokenOnInput) {
        return targetsLine().wrongUsage(
            tr("A cluster takes a token or makes one by a password: give one of the two, not both."));
    }
    const int status = login.isPassword
        ? readHidden(tr("Password for %1: ").arg(target), values.isPasswordOnInput,
            tr("There is no terminal to ask for the password of %1; give it on standard input with --password-stdin.")
                .arg(target),
            login.text)
        : readHidden(tr("Token for %1: ").arg(target), values.isTokenOnInput,
            tr("There is no terminal to ask for the token of %1; give it on standard input with --token-stdin.")
                .arg(target),
            login.text);
    if (status != exitOk) {
        return status;
    }
    if (!login.isPassword) {
        login.text = login.text.trimmed();
    }
    if (login.isPassword && login.text.isEmpty()) {
        errorLine(tr("The password is empty."));
        return exitUnusable;
    }
    if (!login.isPassword && !isToken(login.text)) {
        errorLine(tr("That is not a token: it is empty, or contains blanks or other characters that no token has."));
        return exitUnusable;
    }
    return exitOk;
}

int handOverLogin(Session &session, const QString &target, const ClusterLogin &login)
{
    if (login.isPassword) {
        const Result<api::TokenOfTarget> made
            = session.call<api::LogInToTarget>({target, login.text}, tr("Logging in to %1 ...").arg(target));
        if (!made) {
            return report(made.error());
        }
        keepInKeyring(target, made->token);
        return exitOk;
    }
    const Result<bool> taken = session.call<api::SetTargetToken>({target, login.text});
    if (!taken) {
        return report(taken.error());
    }
    keepInKeyring(target, login.text);
    return exitOk;
}

void handOverKeptToken(Session &session, const QString &target)
{
    const Result<QList<ClusterInfo>> targets = session.call<api::ListTargets>({});
    const bool isWanted = targets
        && std::any_of(targets->cbegin(), targets->cend(),
            [&target](const ClusterInfo &each) { return each.id == target && wantsToken(each); });
    Keyring keyring;
    if (!isWanted || !keyring.isThere()) {
        return;
    }
    if (const QString token = keptToken(keyring, target).value_or(QString()); !token.isEmpty()) {
        session.call<api::SetTargetToken>({target, token});
    }
}

Result<bool> takeOutToken(SecretVault &keyring, const QString &target)
{
    if (!keyring.isThere()) {
        return false;
    }
    const Result<QString> token = keptToken(keyring, target);
    if (!token && token.error().code != "keyring.none"_L1) {
        return tl::unexpected(token.error());
    }
    if (!token || token->isEmpty()) {
        return false;
    }
    Result<bool> isForgotten = fail(u"keyring.not-deleted"_s, {{u"reason"_s, QString()}}); // it does not answer
    waitForKeyring([&](QEventLoop *loop) {
        keyring.forget(QString(clusterSecrets), {target}, loop, [&isForgotten, loop](const Result<void> &forgotten) {
            isForgotten = forgotten ? Result<bool>(true) : Result<bool>(tl::unexpected(forgotten.error()));
            loop->quit();
        });
    });
    return isForgotten;
}

Result<bool> forgetToken(Session &session, const QString &target)
{
    session.call<api::SetTargetToken>({target, QString()});
    Keyring keyring;
    return takeOutToken(keyring, target);
}

QString leftTokenText(const QString &target, const Error &why)
{
    return (why.code == "keyring.not-read"_L1
            ? tr("The token of %1 may still be in the keyring: %2 'trainyardctl targets remove %1' deletes it later, "
                 "if there is one.")
            : tr("The token of %1 is still in the keyring: %2 'trainyardctl targets remove %1' deletes it later."))
        .arg(target, errorText(why));
}

} // namespace trainyard::cli
