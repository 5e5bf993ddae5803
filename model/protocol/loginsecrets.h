// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/findings.h"
#include "model/protocol/jobspec.h"

namespace trainyard
{

// Whether some reader takes a key for "<<": secrets are looked for in what it merges.
bool mayMerge(const YamlNode *key);

// The passwords of registry logins in the text itself, and the maps that hold them. Merged maps are
// followed.
struct LoginPassword {
    const YamlNode *login = nullptr;
    qsizetype begin = 0; // from which on comments belong to the login
    const YamlNode *password = nullptr;
};
QList<LoginPassword> loginPasswords(const YamlNode *root);

// Makes each password in a registry login a secret of the job with a name made from that of the image, so
// that it is kept, masked and asked for like every other secret. If all secrets were removed, it finds the names that
// the job refers to. Call it after the rules, which check the text as it is.
//
// prerequisite.auth-password  name (of the image), secret    fix.make-secret
// secrets.value-masked        name                           of a login whose password was taken out
// secrets.masked-named        names                          fix.name-secrets
// secrets.masked              the job refers to none
void settleSecrets(JobSpec &job, Findings &findings);

} // namespace trainyard
