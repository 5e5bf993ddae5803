// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/template/gitaddress.h"
#include "model/template/pluginsteps_p.h"

namespace trainyard
{

using namespace Qt::StringLiterals;
using namespace steps;

namespace
{

struct GitWishes {
    QStringList options; // among the arguments of git clone
    QStringList settings; // "http.extraHeader=...", which have a secret
    QString revision;
    bool hasSecret = false; // one that git would show
};

GitWishes gitWishes(const QStringList &filled, const QStringList &written)
{
    QList<GitOption> words;
    for (qsizetype i = 0; i < filled.size(); ++i) {
        words += splitGitOption(filled.at(i), written.value(i));
    }
    GitWishes wishes;
    for (qsizetype i = 0; i < words.size(); ++i) {
        const GitOption &one = words.at(i);
        const bool hasNext = i + 1 < words.size();
        const QString setting = one.word.startsWith("--config="_L1)         ? one.word.mid(9)
            : one.word.startsWith("-c"_L1) && one.word.size() > 2           ? one.word.mid(2)
            : (one.word == "-c"_L1 || one.word == "--config"_L1) && hasNext ? words.at(i + 1).word
                                                                            : QString();
        const bool takesNext = one.word == "-c"_L1 || one.word == "--config"_L1 || one.word == "--revision"_L1;
        const bool hasSecret = one.hasSecret || (takesNext && hasNext && words.at(i + 1).hasSecret);
        if (!setting.isEmpty() && hasSecret) {
            wishes.settings.append(setting);
        } else if (one.word.startsWith("--revision="_L1)) {
            wishes.revision = one.word.mid(11);
            wishes.hasSecret = wishes.hasSecret || hasSecret;
        } else if (one.word == "--revision"_L1 && hasNext) {
            wishes.revision = words.at(i + 1).word;
            wishes.hasSecret = wishes.hasSecret || hasSecret;
        } else {
            wishes.options.append(one.word);
            if (takesNext && hasNext) {
                wishes.options.append(words.at(i + 1).word);
            }
            wishes.hasSecret = wishes.hasSecret || hasSecret;
        }
        i += takesNext && hasNext ? 1 : 0;
    }
    return wishes;
}

// As git writes it into GIT_CONFIG_PARAMETERS for the programs that it starts, and every git reads it.
QString gitQuoted(QString setting) { return u'\'' + setting.replace("'"_L1, "'\\''"_L1) + u'\''; }

QString refusal(const QString &parameter)
{
    return commonBody() + u"__ty_fail 1 'git-secret "_s + parameter
        + u"' \"The repository was not cloned: the parameter "_s + parameter
        + u" of the git plugin has a secret that git would show in its arguments and keep on the disk. A secret may be "
          "the login of an http address (https://user:token@host/...) or the value of an option --config.\"\n"_s;
}

} // namespace

QString gitStep(const Value &parameters, const Value &written)
{
    const QString uri = textAt(parameters, u"repo_uri"_s);
    if (uri.isEmpty()) {
        return {};
    }
    const GitAddress address = splitGitAddress(uri, textAt(written, u"repo_uri"_s));
    const GitWishes wishes = gitWishes(textsAt(parameters, u"options"_s), textsAt(written, u"options"_s));
    if (address.hasSecret || wishes.hasSecret) {
        return refusal(address.hasSecret ? u"repo_uri"_s : u"options"_s);
    }
    if (namesSecret(textAt(written, u"clone_dir"_s))) {
        return refusal(u"clone_dir"_s);
    }
    QStringList settings;
    for (const QString &setting : wishes.settings) {
        settings.append(gitQuoted(setting));
    }
    const GitLogin login = address.login.value_or(GitLogin());
    return assigned(u"git_uri"_s, address.address) + assigned(u"git_revision"_s, wishes.revision)
        + assigned(u"git_folder"_s, textAt(parameters, u"clone_dir"_s)) + arrayOf(u"git_options"_s, wishes.options)
        + assigned(u"git_settings"_s, settings.join(u' ')) + arrayOf(u"git_servers"_s, login.servers)
        + assigned(u"git_user"_s, login.user)
        + assigned(u"git_password"_s, login.password)
        // The text that distinguishes clones.
        + u"__ty_git_what=$(printf '%s\\n' \"$__ty_git_uri\" \"$__ty_git_revision\" \"${__ty_git_options[@]}\" | cksum)\n"_s
        + body(u"git"_s);
}

} // namespace trainyard
