// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <optional>

namespace trainyard
{

struct GitLogin {
    QString user, password; // as the server gets them
    QStringList servers; // "https://host:443": only these may be shown
    friend bool operator==(const GitLogin &, const GitLogin &) = default;
};

// The address of a repository without its login: this is what git may get as an argument and may remember.
struct GitAddress {
    QString address;
    std::optional<GitLogin> login;
    bool hasSecret = false; // what is left of the address still has a secret
    friend bool operator==(const GitAddress &, const GitAddress &) = default;
};

// `filled` has its templates filled in; `written` is the text of the job, which shows where the secrets are. A password
// may contain any characters, also those that an address would write as %2F.
GitAddress splitGitAddress(const QString &filled, const QString &written);

// The words of an option for git, and for each whether it contains a secret.
struct GitOption {
    QString word;
    bool hasSecret = false;
    friend bool operator==(const GitOption &, const GitOption &) = default;
};
QList<GitOption> splitGitOption(const QString &filled, const QString &written);

} // namespace trainyard
